// oaws_requal - which loads would exhaust the MSHRs: Eq 5.1 (wang2015 3.16, A.9).
//
// Combinational.  occlude[w] = is_div_load[w] and pred[w] > budget.  Only loads known to
// be divergent are tested.  A negative budget holds even a prediction of 0 back; in
// static mode with a miss rate of 0 is_div_load is to be driven to 0.
`default_nettype none
module oaws_requal #(
    parameter WARPS  = 24,  // warps, 1..64
    parameter PRED_W = 6    // prediction, 1..6 bits
) (
    input  wire [WARPS-1:0]        ready,
    input  wire [WARPS-1:0]        is_div_load,
    input  wire [WARPS*PRED_W-1:0] pred,
    input  wire [7:0]          budget,
    output reg  [WARPS-1:0]        occlude,
    output wire                blocked
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 1 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_1_to_64 u_stop ();
        end
        if (PRED_W < 1 || PRED_W > 6) begin : g_bad_PRED_W
            PRED_W_must_be_from_1_to_6 u_stop ();
        end
    endgenerate

    wire signed [7:0] limit = budget;

    integer w;
    always @* begin
        occlude = {WARPS{1'b0}};
        for (w = 0; w < WARPS; w = w + 1)
            occlude[w] = is_div_load[w]
                      && $signed({{(8-PRED_W){1'b0}}, pred[w*PRED_W +: PRED_W]}) > limit;
    end

    assign blocked = |(occlude & ready);
endmodule
`default_nettype wire
