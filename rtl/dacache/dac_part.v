// dac_part - trains the partition size (wang2015 3.12.9 DaCache, 3.18 OAWS).
//
// A retiring divergent load (nreq > COH_MAX) counts up when all its requests hit, and
// down otherwise: by fcw - gprio when its warp (age rank gprio) is inside the partition, else
// by 1.  At C_max the partition grows, at 0 it shrinks; the counter restarts at half.
// fcw and cnt are registers: the effect of a retirement is seen in the next cycle.
// kernel_start wins over a retirement in the same cycle.
`default_nettype none
module dac_part #(
    parameter CNT_W               = 8,   // claimed counter width, C_max = 2^CNT_W, 2..16
    parameter W_MAX               = 48,  // greatest partition, 2..63
    parameter W_MIN               = 1,   // least partition, below W_MAX
    parameter FCW_INIT            = 4,   // W_MIN..W_MAX
    parameter COH_MAX             = 2,   // most requests of a coherent load
    parameter CNT_HOLDS_CMAX      = 0,   // 1: a counter bit more, C_max itself can be held
    parameter RELOAD_DOWN         = 1,   // 1: counter restarts when the partition shrinks
    parameter KERNEL_START_CLEARS = 1    // 1: kernel_start restores counter and partition
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            retire_valid,
    input  wire [5:0]                      nreq,
    input  wire                            miss_seen,
    input  wire [$clog2(W_MAX+1)-1:0] gprio,
    input  wire                            kernel_start,
    output wire [$clog2(W_MAX+1)-1:0]      fcw,
    output wire [CNT_W+CNT_HOLDS_CMAX-1:0] cnt,
    output wire                            grow,
    output wire                            shrink
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CNT_W < 2 || CNT_W > 16) begin : g_bad_CNT_W
            CNT_W_must_be_from_2_to_16 u_stop ();
        end
        if (W_MAX < 2 || W_MAX > 63) begin : g_bad_W_MAX
            W_MAX_must_be_from_2_to_63 u_stop ();
        end
        if (W_MIN < 0 || W_MIN > 62) begin : g_bad_W_MIN
            W_MIN_must_be_from_0_to_62 u_stop ();
        end
        if (FCW_INIT < 0 || FCW_INIT > 63) begin : g_bad_FCW_INIT
            FCW_INIT_must_be_from_0_to_63 u_stop ();
        end
        if (COH_MAX < 0 || COH_MAX > 31) begin : g_bad_COH_MAX
            COH_MAX_must_be_from_0_to_31 u_stop ();
        end
        if (CNT_HOLDS_CMAX < 0 || CNT_HOLDS_CMAX > 1) begin : g_bad_CNT_HOLDS_CMAX
            CNT_HOLDS_CMAX_must_be_0_or_1 u_stop ();
        end
        if (RELOAD_DOWN < 0 || RELOAD_DOWN > 1) begin : g_bad_RELOAD_DOWN
            RELOAD_DOWN_must_be_0_or_1 u_stop ();
        end
        if (KERNEL_START_CLEARS < 0 || KERNEL_START_CLEARS > 1) begin : g_bad_KERNEL_START_CLEARS
            KERNEL_START_CLEARS_must_be_0_or_1 u_stop ();
        end
        if (W_MIN >= W_MAX) begin : g_bad_W_MIN_also
            W_MIN_must_be_below_W_MAX u_stop ();
        end
        if (FCW_INIT < W_MIN || FCW_INIT > W_MAX) begin : g_bad_FCW_INIT_also
            FCW_INIT_must_be_from_W_MIN_to_W_MAX u_stop ();
        end
    endgenerate

    localparam FCW_W   = $clog2(W_MAX + 1);
    localparam COUNT_W = CNT_W + CNT_HOLDS_CMAX;
    localparam WORK_W  = (COUNT_W > FCW_W ? COUNT_W : FCW_W) + 1;

    localparam [COUNT_W-1:0] HALF    = {{(COUNT_W-1){1'b0}}, 1'b1} << (CNT_W - 1);
    localparam [COUNT_W-1:0] BELOW   = (HALF << 1) - 1'b1;  // C_max - 1, also as 2^CNT_W wraps
    localparam [COUNT_W-1:0] TOP     = CNT_HOLDS_CMAX != 0 ? HALF << 1 : BELOW;
    localparam [FCW_W-1:0]   GREATEST = W_MAX[FCW_W-1:0];
    localparam [FCW_W-1:0]   LEAST    = W_MIN[FCW_W-1:0];
    localparam [FCW_W-1:0]   INIT     = FCW_INIT[FCW_W-1:0];

    reg [COUNT_W-1:0] cnt_q, cnt_d;
    reg [FCW_W-1:0]   fcw_q, fcw_d;
    assign cnt = cnt_q;
    assign fcw = fcw_q;

    wire clears = kernel_start && KERNEL_START_CLEARS != 0;
    wire trains = retire_valid && nreq > COH_MAX[5:0] && !clears;

    // What a miss leaves, of a warp outside the partition (cnt - 1) and of one inside, both at once.
    // cnt + gprio - fcw is one carry-save step and one sum; the same without its last + 1 is negative
    // exactly when nothing is left.
    wire              in_part = gprio < fcw_q;
    wire [WORK_W-1:0] count   = {{(WORK_W-COUNT_W){1'b0}}, cnt_q};
    wire [WORK_W-1:0] rank    = {{(WORK_W-FCW_W){1'b0}}, gprio};
    wire [WORK_W-1:0] not_fcw = ~{{(WORK_W-FCW_W){1'b0}}, fcw_q};
    wire [WORK_W-1:0] parity  = count ^ rank ^ not_fcw;
    wire [WORK_W-1:0] carries = (count & rank) | (count & not_fcw) | (rank & not_fcw);
    wire [WORK_W-1:0] twice   = {carries[WORK_W-2:0], 1'b0};
    wire [WORK_W-1:0] less    = parity + twice;
    wire [WORK_W-1:0] left    = parity + (twice | {{(WORK_W-1){1'b0}}, 1'b1});
    wire emptied_in  = less[WORK_W-1];
    wire emptied_out = cnt_q <= {{(COUNT_W-1){1'b0}}, 1'b1};
    wire emptied = in_part ? emptied_in : emptied_out;
    wire unused  = &{1'b0, carries[WORK_W-1], less[WORK_W-2:0], left[WORK_W-1:COUNT_W]};

    assign grow   = trains && !miss_seen && cnt_q >= BELOW && fcw_q != GREATEST;
    assign shrink = trains && miss_seen && emptied && fcw_q > LEAST;

    always @* begin
        cnt_d = cnt_q;
        fcw_d = fcw_q;
        if (clears) begin
            cnt_d = HALF;
            fcw_d = INIT;
        end else if (grow) begin
            cnt_d = HALF;
            fcw_d = fcw_q + 1'b1;
        end else if (shrink) begin
            cnt_d = RELOAD_DOWN != 0 ? HALF : {COUNT_W{1'b0}};
            fcw_d = fcw_q - 1'b1;
        end else if (trains) begin
            if (miss_seen)
                cnt_d = emptied ? {COUNT_W{1'b0}} : in_part ? left[COUNT_W-1:0] : cnt_q - 1'b1;
            else if (cnt_q != TOP)
                cnt_d = cnt_q + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            cnt_q <= HALF;
            fcw_q <= INIT;
        end else begin
            cnt_q <= cnt_d;
            fcw_q <= fcw_d;
        end
    end
endmodule
`default_nettype wire
