// lru_rank - least-recently-updated order as one rank per way.
//
// Combinational.  Rank 0 is the most recent way, rank WAYS-1 the oldest.  rank_next is
// the order after way `touch` is updated: every younger way ages by one.  victim is the
// lowest invalid way, else the one of rank WAYS-1.  While the ranks are a permutation
// they stay one.
`default_nettype none
module lru_rank #(
    parameter WAYS = 4  // a power of two, at least 2
) (
    input  wire [WAYS*$clog2(WAYS)-1:0] rank,
    input  wire [WAYS-1:0]              valid,
    input  wire [$clog2(WAYS)-1:0]      touch,
    output reg  [WAYS*$clog2(WAYS)-1:0] rank_next,
    output reg  [$clog2(WAYS)-1:0]      victim
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAYS < 2 || WAYS > 64 || (WAYS & (WAYS - 1)) != 0) begin : g_bad_WAYS
            WAYS_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam W = WAYS > 1 ? $clog2(WAYS) : 1;

    wire [W-1:0] touched_rank = rank[touch*W +: W];

    integer way;
    always @* begin
        for (way = 0; way < WAYS; way = way + 1) begin
            rank_next[way*W +: W] = rank[way*W +: W];
            if (way[W-1:0] == touch)
                rank_next[way*W +: W] = {W{1'b0}};
            else if (rank[way*W +: W] < touched_rank)
                rank_next[way*W +: W] = rank[way*W +: W] + 1'b1;
        end
    end

    always @* begin
        victim = {W{1'b0}};
        for (way = WAYS - 1; way >= 0; way = way - 1)
            if (&rank[way*W +: W])
                victim = way[W-1:0];
        for (way = WAYS - 1; way >= 0; way = way - 1)
            if (!valid[way])
                victim = way[W-1:0];
    end
endmodule
`default_nettype wire
