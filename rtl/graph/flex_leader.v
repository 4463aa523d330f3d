// flex_leader - is a set of the L2 a leader of set dueling (lakshminarayana2014 3.3.3)?
//
// Combinational.  Sets are numbered over all slices.  Of SETS sets, SDM_SETS are always
// non-inclusive (ni), as many always exclusive (ex): every GAP = SETS / SDM_SETS sets, the latter
// half a gap behind.  LEADERS leaves kinds out.  set_index is below SETS.
`default_nettype none
module flex_leader #(
    parameter SETS     = 768,  // 4..4096, a multiple of 2 * SDM_SETS
    parameter SDM_SETS = 16,   // leaders of each kind, 1..64
    parameter LEADERS  = 3     // bit 0: there are non-inclusive ones; bit 1: exclusive ones
) (
    input  wire [$clog2(SETS)-1:0] set_index,
    output wire                    ni,
    output wire                    ex
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 4 || SETS > 4096 ||
            (SDM_SETS >= 1 && SDM_SETS <= 64 && SETS % (2 * SDM_SETS) != 0)) begin : g_bad_SETS
            SETS_must_be_from_4_to_4096_and_a_multiple_of_2_SDM_SETS u_stop ();
        end
        if (SDM_SETS < 1 || SDM_SETS > 64) begin : g_bad_SDM_SETS
            SDM_SETS_must_be_from_1_to_64 u_stop ();
        end
        if (LEADERS < 0 || LEADERS > 3) begin : g_bad_LEADERS
            LEADERS_must_be_from_0_to_3 u_stop ();
        end
    endgenerate

    localparam SET_W = $clog2(SETS);
    localparam GAP   = SETS / SDM_SETS;

    // One bit for each set: a constant, which becomes a few gates.
    function [2**SET_W-1:0] every_gap(input integer first);
        integer s;
        begin
            every_gap = {2**SET_W{1'b0}};
            for (s = 0; s < SDM_SETS; s = s + 1) every_gap[s * GAP + first] = 1'b1;
        end
    endfunction
    localparam [2**SET_W-1:0] NI_SETS = every_gap(0);
    localparam [2**SET_W-1:0] EX_SETS = every_gap(GAP / 2);

    assign ni = (LEADERS & 1) != 0 && NI_SETS[set_index];
    assign ex = (LEADERS & 2) != 0 && EX_SETS[set_index];
endmodule
`default_nettype wire
