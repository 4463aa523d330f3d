// lru_among - of the ways `among`, the one with the lowest LRU rank, as one bit (tabbakh2018 3.2.3).
//
// Combinational.  lru_rank: 0 is the LRU way; a permutation, else several bits may be 1, or none.
`default_nettype none
module lru_among #(
    parameter WAYS = 8  // ways, 2..16
) (
    input  wire [WAYS*$clog2(WAYS)-1:0] lru_rank,
    input  wire [WAYS-1:0]              among,
    output reg  [WAYS-1:0]              oldest
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
    endgenerate

    localparam WAY_W = $clog2(WAYS);

    // No other of them is below it.
    integer a, b;
    always @* begin
        oldest = among;
        for (a = 0; a < WAYS; a = a + 1)
            for (b = 0; b < WAYS; b = b + 1)
                if (b != a && among[b]
                    && lru_rank[b*WAY_W +: WAY_W] < lru_rank[a*WAY_W +: WAY_W])
                    oldest[a] = 1'b0;
    end
endmodule
`default_nettype wire
