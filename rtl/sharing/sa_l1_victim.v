// sa_l1_victim - the way of an L1D set that a fill takes under sharing-aware management, by the
// lines' private flag PF and dead-block flag DBF (tabbakh2018 3.2.2 to 3.2.5).
//
// Combinational, one set.  A private block (in_shared = 0): an invalid way, the lowest first; else
// the LRU way l if it is shared, or dead (DBF); else dbf_set declares l dead, and the LRU way among
// the shared goes, or l if there is none.  A shared block: an invalid way; else the LRU way among
// the shared; else `bypass`.  With DEAD_TO_SHARED it is judged as a private block is, but that l
// stays when it has only been declared dead.  RESERVED ways, and those that must stay (`held`), are
// excluded: if all are, victim_ok is 0, and bypass for a shared block.  victim means something while
// victim_ok = 1.  dbf_set is at most one bit, for a fill that does take the victim or passes.
// lru_rank is a permutation, 0 the LRU way; else the victim is undefined.
`default_nettype none
module sa_l1_victim #(
    parameter WAYS = 4,                 // ways, 2..16
    parameter SHARED_ALWAYS_BYPASS = 0, // D-S5: 1: a shared block never takes a way
    parameter DEAD_TO_SHARED = 0        // D-S7: 1: a shared block takes the way of a dead line
) (
    input  wire [WAYS-1:0]              valid,
    input  wire [WAYS-1:0]              reserved,
    input  wire [WAYS-1:0]              held,
    input  wire [WAYS-1:0]              cls,
    input  wire [WAYS-1:0]              dbf,
    input  wire [WAYS*$clog2(WAYS)-1:0] lru_rank,
    input  wire                         in_shared,
    output wire [$clog2(WAYS)-1:0]      victim,
    output wire                         victim_ok,
    output wire                         bypass,
    output wire [WAYS-1:0]              dbf_set
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (SHARED_ALWAYS_BYPASS < 0 || SHARED_ALWAYS_BYPASS > 1) begin : g_bad_SHARED_ALWAYS_BYPASS
            SHARED_ALWAYS_BYPASS_must_be_0_or_1 u_stop ();
        end
        if (DEAD_TO_SHARED < 0 || DEAD_TO_SHARED > 1) begin : g_bad_DEAD_TO_SHARED
            DEAD_TO_SHARED_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WAY_W = $clog2(WAYS);

    wire [WAYS-1:0] empty      = ~valid & ~reserved;
    wire [WAYS-1:0] first_free = empty & (~empty + {{(WAYS-1){1'b0}}, 1'b1});
    wire [WAYS-1:0] free       = valid & ~reserved & ~held;
    wire [WAYS-1:0] shared     = free & ~cls;
    wire [WAYS-1:0] oldest, oldest_shared;
    lru_among #(.WAYS(WAYS)) u_oldest (.lru_rank(lru_rank), .among(free), .oldest(oldest));
    lru_among #(.WAYS(WAYS)) u_oldest_shared (
        .lru_rank(lru_rank), .among(shared), .oldest(oldest_shared)
    );

    wire goes   = |(oldest & (dbf | ~cls));  // the LRU way is shared, or had its second chance
    wire passes = in_shared && SHARED_ALWAYS_BYPASS != 0;
    wire judges = !in_shared || (DEAD_TO_SHARED != 0 && !passes);
    wire takes  = judges && (goes || (!in_shared && !(|shared)));  // the LRU way, whosever it is

    wire [WAYS-1:0] chosen = |empty ? first_free : takes ? oldest : oldest_shared;
    reg [WAY_W-1:0] way;
    integer w;
    always @* begin
        way = {WAY_W{1'b0}};
        for (w = 0; w < WAYS; w = w + 1)
            way = way | (w[WAY_W-1:0] & {WAY_W{chosen[w]}});
    end

    assign victim    = way;
    assign victim_ok = !passes && |chosen;
    assign bypass    = in_shared && !victim_ok;
    assign dbf_set   = {WAYS{judges && !(|empty) && !goes}} & oldest;
endmodule
`default_nettype wire
