// oaws_dlc_count - one more occurrence in the counts of a load (wang2015 3.16.1, D-DLC-1, D-DLC-4).
//
// Combinational.  Counts that would overflow are halved first, all of them, or stay at their maxima
// (SATURATE).  A new load has counts of 0.
`default_nettype none
module oaws_dlc_count #(
    parameter INST_W      = 5,
    parameter ACC_W       = 10,
    parameter SATURATE    = 0,
    parameter DIV_MINUS_1 = 1
) (
    input  wire [INST_W-1:0] inst,
    input  wire [ACC_W-1:0]  acc,
    input  wire [ACC_W-1:0]  miss,
    input  wire [5:0]        nreq,
    output reg  [INST_W-1:0] inst_next,
    output reg  [ACC_W-1:0]  acc_next,
    output reg  [ACC_W-1:0]  miss_next,
    output wire [4:0]        div_next,
    output wire              overflows
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (INST_W < 2 || INST_W > 16) begin : g_bad_INST_W
            INST_W_must_be_from_2_to_16 u_stop ();
        end
        if (ACC_W < 7 || ACC_W > 16) begin : g_bad_ACC_W
            ACC_W_must_be_from_7_to_16 u_stop ();
        end
        if (SATURATE < 0 || SATURATE > 1) begin : g_bad_SATURATE
            SATURATE_must_be_0_or_1 u_stop ();
        end
        if (DIV_MINUS_1 < 0 || DIV_MINUS_1 > 1) begin : g_bad_DIV_MINUS_1
            DIV_MINUS_1_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam DIV_W = 5;

    // nreq has six bits: above them there is at most a carry.
    localparam HIGH_W = ACC_W - 6;
    wire [HIGH_W-1:0] high     = acc[ACC_W-1:6];
    wire [6:0]        low_sum  = {1'b0, acc[5:0]} + {1'b0, nreq};
    wire [HIGH_W-1:0] high_sum = low_sum[6] ? high + 1'b1 : high;
    wire [ACC_W-1:0]  nreq_acc = {{HIGH_W{1'b0}}, nreq};
    wire inst_full = &inst;
    wire acc_full  = &high && low_sum[6];
    assign overflows = inst_full || acc_full;

    always @* begin
        inst_next = inst_full ? inst : inst + 1'b1;
        acc_next  = acc_full ? {ACC_W{1'b1}} : {high_sum, low_sum[5:0]};
        miss_next = miss;
        if (overflows && SATURATE == 0) begin
            inst_next = (inst >> 1) + 1'b1;
            acc_next  = (acc >> 1) + nreq_acc;
            miss_next = miss >> 1;
        end
    end

    wire [5:0] nreq_less = nreq - 6'd1;
    assign div_next = DIV_MINUS_1 != 0 ? nreq_less[DIV_W-1:0]
                    : nreq[5] ? {DIV_W{1'b1}} : nreq[DIV_W-1:0];
    wire unused = &{1'b0, nreq_less[5]};
endmodule
`default_nettype wire
