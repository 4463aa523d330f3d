// oaws_budget - MSHR entries that issued loads have not yet spoken for (wang2015 3.16, A.9).
//
// budget = Avail_mshr - Miss_inflight, two's complement.  Miss_inflight gains issue_pred
// with issue_valid and loses retire_pred with retire_valid; both in one cycle give the net sum.  It
// stays within 0 and its maximum, telling so by underflow and overflow.
// AVAIL_SAMPLED = 1: free_cnt is the count that this cycle's allocations and releases
// leave, so that budget sees MSHR file and issue logic at the same point of time.
// A user who gives back one entry per serviced miss and the rest at retirement avoids
// counting a miss twice; as printed, all is given back at retirement.
`default_nettype none
module oaws_budget #(
    parameter MSHRS         = 32,  // 1..63
    parameter AVAIL_W       = 6,   // Avail_mshr, 2..6 bits
    parameter AVAIL_WRAPS   = 0,   // a greater free_cnt: 0 maximum, 1 low bits
    parameter INFLIGHT_W    = 7,   // Miss_inflight, 2..7 bits
    parameter AVAIL_SAMPLED = 1    // 0: budget uses free_cnt of the same cycle
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [5:0]            free_cnt,
    input  wire                  issue_valid,
    input  wire [5:0]            issue_pred,
    input  wire                  retire_valid,
    input  wire [5:0]            retire_pred,
    output wire [7:0]            budget,
    output wire [INFLIGHT_W-1:0] inflight,
    output wire [AVAIL_W-1:0]    avail,
    output wire                  overflow,
    output wire                  underflow
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (MSHRS < 1 || MSHRS > 63) begin : g_bad_MSHRS
            MSHRS_must_be_from_1_to_63 u_stop ();
        end
        if (AVAIL_W < 2 || AVAIL_W > 6) begin : g_bad_AVAIL_W
            AVAIL_W_must_be_from_2_to_6 u_stop ();
        end
        if (AVAIL_WRAPS < 0 || AVAIL_WRAPS > 1) begin : g_bad_AVAIL_WRAPS
            AVAIL_WRAPS_must_be_0_or_1 u_stop ();
        end
        if (INFLIGHT_W < 2 || INFLIGHT_W > 7) begin : g_bad_INFLIGHT_W
            INFLIGHT_W_must_be_from_2_to_7 u_stop ();
        end
        if (AVAIL_SAMPLED < 0 || AVAIL_SAMPLED > 1) begin : g_bad_AVAIL_SAMPLED
            AVAIL_SAMPLED_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [5:0] AVAIL_MAX    = {6{1'b1}} >> (6 - AVAIL_W);
    localparam [8:0] INFLIGHT_MAX = {9{1'b1}} >> (9 - INFLIGHT_W);
    localparam [5:0] ALL_FREE     = MSHRS[5:0];
    localparam [5:0] RESET_AVAIL  = AVAIL_WRAPS == 0 && ALL_FREE > AVAIL_MAX ? AVAIL_MAX : ALL_FREE;

    reg [AVAIL_W-1:0]    avail_q;
    reg [INFLIGHT_W-1:0] inflight_q, inflight_d;
    assign avail    = avail_q;
    assign inflight = inflight_q;

    wire               beyond  = |(free_cnt >> AVAIL_W);
    wire [5:0]         capped  = AVAIL_WRAPS == 0 && beyond ? AVAIL_MAX : free_cnt;
    wire [AVAIL_W-1:0] avail_d = capped[AVAIL_W-1:0];
    wire [AVAIL_W-1:0] present = AVAIL_SAMPLED != 0 ? avail_q : avail_d;
    wire unused = &{1'b0, capped};

    wire [8:0] inflight_9 = {{(9-INFLIGHT_W){1'b0}}, inflight_q};
    wire [7:0] present_8  = {{(8-AVAIL_W){1'b0}}, present};
    assign budget = present_8 - inflight_9[7:0];

    // Nine bits two's complement: -63 .. 127 + 63.
    wire [8:0] issued  = issue_valid ? {3'b0, issue_pred} : 9'd0;
    wire [8:0] retired = retire_valid ? {3'b0, retire_pred} : 9'd0;
    wire [8:0] sum     = inflight_9 + issued - retired;
    assign underflow = sum[8];
    assign overflow  = !sum[8] && sum > INFLIGHT_MAX;

    always @* begin
        inflight_d = sum[INFLIGHT_W-1:0];
        if (underflow) inflight_d = {INFLIGHT_W{1'b0}};
        if (overflow)  inflight_d = {INFLIGHT_W{1'b1}};
    end

    always @(posedge clk) begin
        if (rst) begin
            avail_q    <= RESET_AVAIL[AVAIL_W-1:0];
            inflight_q <= {INFLIGHT_W{1'b0}};
        end else begin
            avail_q    <= avail_d;
            inflight_q <= inflight_d;
        end
    end
endmodule
`default_nettype wire
