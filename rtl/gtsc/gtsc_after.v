// gtsc_after - a timestamp and a few more: ts + span + next, with the carry beyond its bits.
//
// Combinational.  Above the bits of the span there is at most a carry: the upper part and its
// successor are there before the carry is, which chooses.
`default_nettype none
module gtsc_after #(
    parameter TS_BITS = 16,
    parameter SPAN_W  = 5  // at most TS_BITS
) (
    input  wire [TS_BITS-1:0] ts,
    input  wire [SPAN_W-1:0]  span,
    input  wire               next,
    output wire [TS_BITS:0]   sum
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (TS_BITS < 3 || TS_BITS > 32) begin : g_bad_TS_BITS
            TS_BITS_must_be_from_3_to_32 u_stop ();
        end
        if (SPAN_W < 1 || SPAN_W > TS_BITS) begin : g_bad_SPAN_W
            SPAN_W_must_be_from_1_to_TS_BITS u_stop ();
        end
    endgenerate

    localparam HIGH_W = TS_BITS + 1 - SPAN_W;
    wire [SPAN_W:0]   low_sum = {1'b0, ts[SPAN_W-1:0]} + {1'b0, span}
                            + {{SPAN_W{1'b0}}, next};
    wire [TS_BITS:0]  ts_x    = {1'b0, ts};
    wire [HIGH_W-1:0] high    = ts_x[TS_BITS:SPAN_W];
    assign sum = {low_sum[SPAN_W] ? high + 1'b1 : high, low_sum[SPAN_W-1:0]};
    wire unused = &{1'b0, ts_x[SPAN_W-1:0]};
endmodule
`default_nettype wire
