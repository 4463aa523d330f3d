// sa_l2_victim - the way of an L2 set that a missing block takes under sharing-aware replacement
// (tabbakh2018 3.2.3, 3.2.4): only possibly shared data may evict shared data, and every global miss
// is possibly shared.
//
// Combinational, one set.  An invalid way (neither valid nor reserved), the lowest first; else the
// LRU way among those with SF = 0; else among those with SF = 1.  RESERVED ways, and those that
// must stay (`held`), are excluded: if all are, victim_ok is 0.  lru_rank is a permutation, 0 the
// LRU way; else the victim is undefined.
`default_nettype none
module sa_l2_victim #(
    parameter WAYS = 8  // ways, 2..16
) (
    input  wire [WAYS-1:0]              valid,
    input  wire [WAYS-1:0]              reserved,
    input  wire [WAYS-1:0]              held,
    input  wire [WAYS-1:0]              cls,
    input  wire [WAYS*$clog2(WAYS)-1:0] lru_rank,
    output wire [$clog2(WAYS)-1:0]      victim,
    output wire                         victim_ok,
    output wire                         takes_shared
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
    endgenerate

    localparam WAY_W = $clog2(WAYS);

    wire [WAYS-1:0]  empty      = ~valid & ~reserved;
    wire [WAYS-1:0]  first_free = empty & (~empty + {{(WAYS-1){1'b0}}, 1'b1});
    wire [WAYS-1:0]  free       = valid & ~reserved & ~held;
    wire [WAYS-1:0]  alone      = free & ~cls;
    wire [WAYS-1:0]  among      = |alone ? alone : free;
    wire [WAYS-1:0]  oldest;
    lru_among #(.WAYS(WAYS)) u_oldest (.lru_rank(lru_rank), .among(among), .oldest(oldest));

    wire [WAYS-1:0]  chosen = |empty ? first_free : oldest;
    reg  [WAY_W-1:0] way;
    integer w;
    always @* begin
        way = {WAY_W{1'b0}};
        for (w = 0; w < WAYS; w = w + 1)
            way = way | (w[WAY_W-1:0] & {WAY_W{chosen[w]}});
    end

    assign victim       = way;
    assign victim_ok    = |empty || |free;
    assign takes_shared = !(|empty) && |free && !(|alone);
endmodule
`default_nettype wire
