// dac_region - the stack positions that a partition of fcw warps holds (wang2015 3.12.5).
//
// Combinational.  p_eff = min(ceil(fcw * WIDTH / SETS), WAYS - KEEP_VICTIM) - 1: the last
// position of the locality region, -1 (all ones) when there is none.
`default_nettype none
module dac_region #(
    parameter WIDTH       = 32,  // warp size, 1..64
    parameter SETS        = 32,  // a power of two
    parameter WAYS        = 8,   // ways, 2..16
    parameter W_MAX       = 48,  // greatest partition, 1..63
    parameter ROUND_UP    = 1,   // ways of the region: 1 rounded up, 0 down
    parameter KEEP_VICTIM = 1    // 1: the LRU position never belongs to the region
) (
    input  wire [$clog2(W_MAX+1)-1:0] fcw,
    output wire [$clog2(WAYS):0]      p_eff
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WIDTH < 1 || WIDTH > 64) begin : g_bad_WIDTH
            WIDTH_must_be_from_1_to_64 u_stop ();
        end
        if (SETS < 1 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_1_to_4096 u_stop ();
        end
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (W_MAX < 1 || W_MAX > 63) begin : g_bad_W_MAX
            W_MAX_must_be_from_1_to_63 u_stop ();
        end
        if (ROUND_UP < 0 || ROUND_UP > 1) begin : g_bad_ROUND_UP
            ROUND_UP_must_be_0_or_1 u_stop ();
        end
        if (KEEP_VICTIM < 0 || KEEP_VICTIM > 1) begin : g_bad_KEEP_VICTIM
            KEEP_VICTIM_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam FCW_W  = $clog2(W_MAX + 1);
    localparam WAY_W  = $clog2(WAYS);
    localparam PROD_W = FCW_W + 13;   // fcw * WIDTH + SETS - 1

    localparam ROUND_BY = ROUND_UP != 0 ? SETS - 1 : 0;
    localparam MOST     = KEEP_VICTIM != 0 ? WAYS - 1 : WAYS;

    wire [PROD_W-1:0] fcw_x = {{(PROD_W-FCW_W){1'b0}}, fcw};
    wire [PROD_W-1:0] lines = fcw_x * WIDTH[PROD_W-1:0] + ROUND_BY[PROD_W-1:0];
    wire [PROD_W-1:0] ways  = lines >> $clog2(SETS);

    assign p_eff = (ways < MOST[PROD_W-1:0] ? ways[WAY_W:0] : MOST[WAY_W:0]) - 1'b1;
endmodule
`default_nettype wire
