// rpd_bypass - bypassing by remaining protection distance: a counter per L1D line, the decision in the
// tag stage, the victim (dissertation 4.2.5; aci 3.13.3).
//
// A load shows its probe (req_valid, req_set, what it hit, the set's lines); bypass or victim_way answer
// in the same cycle.  hit: a valid line, hit_way; else hit_rsv: a reserved one; else hit_pend: its block
// is under way without a line: neither bypass nor victim.  Else it missed: it bypasses if every line of
// the set is reserved, or valid with a counter that is not 0; else it gets the lowest invalid line, or
// the least recently used valid one whose counter is 0.  The counters change at the edge, and only with
// req_accept: PD for a line that was hit, one less, but not below 0, for all others of the set; 0 for a
// line that is given away, which counts from its fill.
// fill and inv come before the request of their cycle, which sees the counters as they leave them: a
// filled line has PD, lines of inv_mask (flushed, written to or dropped with their fill) have 0; inv
// wins.  line_state, likewise, is what the request finds.  With FROM_FILL = 0 a line that is given away
// has PD at once, and its fill changes nothing.
`default_nettype none
module rpd_bypass #(
    parameter SETS        = 32,  // a power of two, 2..1024
    parameter WAYS        = 4,   // 2..16
    parameter W           = 3,   // bits of a counter, 2..4
    parameter PD          = 4,   // protection distance, 1..2^W-1
    parameter BYPASS_AGES = 1,   // 0: an access that bypasses changes no counter
    parameter FROM_FILL   = 1    // 0: a line counts from its reservation, not from its fill
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         req_valid,
    input  wire                         req_accept,
    input  wire [$clog2(SETS)-1:0]      req_set,
    input  wire                         hit,
    input  wire                         hit_rsv,
    input  wire                         hit_pend,
    input  wire [$clog2(WAYS)-1:0]      hit_way,
    input  wire [WAYS*2-1:0]            line_state,
    input  wire [WAYS*$clog2(WAYS)-1:0] lru_rank,
    output wire                         bypass,
    output wire                         victim_valid,
    output reg  [$clog2(WAYS)-1:0]      victim_way,
    input  wire                         fill_valid,
    input  wire [$clog2(SETS)-1:0]      fill_set,
    input  wire [$clog2(WAYS)-1:0]      fill_way,
    input  wire                         inv_valid,
    input  wire [$clog2(SETS)-1:0]      inv_set,
    input  wire [WAYS-1:0]              inv_mask
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 1024 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_1024 u_stop ();
        end
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (W < 2 || W > 4) begin : g_bad_W
            W_must_be_from_2_to_4 u_stop ();
        end
        if (PD < 1 || PD > 15) begin : g_bad_PD
            PD_must_be_from_1_to_15 u_stop ();
        end
        if (PD > (1 << W) - 1) begin : g_bad_PD_also
            PD_must_be_below_2_to_the_W u_stop ();
        end
        if (BYPASS_AGES < 0 || BYPASS_AGES > 1) begin : g_bad_BYPASS_AGES
            BYPASS_AGES_must_be_0_or_1 u_stop ();
        end
        if (FROM_FILL < 0 || FROM_FILL > 1) begin : g_bad_FROM_FILL
            FROM_FILL_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam         WAY_W = $clog2(WAYS);
    localparam [1:0]   INVALID = 2'd0, VALID = 2'd2;
    localparam [W-1:0] FULL  = PD[W-1:0];
    localparam [W-1:0] NONE  = {W{1'b0}};
    localparam [W-1:0] GIVEN = FROM_FILL != 0 ? NONE : FULL;

    reg [WAYS*W-1:0] rpd_q [0:SETS-1];

    // The counters of a set after this cycle's fill and invalidation.
    function [WAYS*W-1:0] settled;
        input [WAYS*W-1:0]       row;
        input                    fills, drops;
        input [WAY_W-1:0]        filled;
        input [WAYS-1:0]         dropped;
        integer                  w;
        begin
            settled = row;
            for (w = 0; w < WAYS; w = w + 1) begin
                if (FROM_FILL != 0 && fills && filled == w[WAY_W-1:0])
                    settled[w*W +: W] = FULL;
                if (drops && dropped[w]) settled[w*W +: W] = NONE;
            end
        end
    endfunction

    wire [WAYS*W-1:0] req_row = settled(rpd_q[req_set], fill_valid && fill_set == req_set,
                                        inv_valid && inv_set == req_set, fill_way, inv_mask);

    // ---- the decision: lines that are protected, lines that may be given away ----
    integer         n;
    reg  [WAYS-1:0] invalid, open;
    always @* begin
        for (n = 0; n < WAYS; n = n + 1) begin
            invalid[n] = line_state[n*2 +: 2] == INVALID;
            open[n]    = line_state[n*2 +: 2] == VALID && req_row[n*W +: W] == NONE;
        end
    end
    wire missed = req_valid && !hit && !hit_rsv && !hit_pend;
    assign victim_valid = missed && (invalid | open) != {WAYS{1'b0}};
    assign bypass       = missed && (invalid | open) == {WAYS{1'b0}};

    // Of the open lines the least recently used, the lowest of equals; an invalid one goes before.
    integer         v;
    reg [WAY_W-1:0] best;
    reg             found;
    always @* begin
        victim_way = {WAY_W{1'b0}};
        best       = {WAY_W{1'b0}};
        found      = 1'b0;
        for (v = 0; v < WAYS; v = v + 1) begin
            if (open[v] && (!found || lru_rank[v*WAY_W +: WAY_W] < best)) begin
                victim_way = v[WAY_W-1:0];
                best       = lru_rank[v*WAY_W +: WAY_W];
                found      = 1'b1;
            end
        end
        for (v = WAYS - 1; v >= 0; v = v - 1) begin
            if (invalid[v]) victim_way = v[WAY_W-1:0];
        end
    end

    // ---- the counters ----
    wire accepted = req_valid && req_accept;
    wire keeps    = !hit && hit_rsv;
    wire ages     = accepted && (!bypass || BYPASS_AGES != 0);

    function [WAYS*W-1:0] aged;
        input [WAYS*W-1:0] row;
        input              to, held;
        input [WAY_W-1:0]  way;
        input [W-1:0]      value;
        integer            w;
        begin
            aged = row;
            for (w = 0; w < WAYS; w = w + 1) begin
                if (to && way == w[WAY_W-1:0])    aged[w*W +: W] = value;
                else if (held && way == w[WAY_W-1:0]) aged[w*W +: W] = row[w*W +: W];
                else if (row[w*W +: W] != NONE)   aged[w*W +: W] = row[w*W +: W] - 1'b1;
            end
        end
    endfunction

    wire [WAYS*W-1:0] aged_row = aged(req_row, hit || victim_valid, keeps,
                                      victim_valid ? victim_way : hit_way,
                                      victim_valid ? GIVEN : FULL);

    integer i;
    always @(posedge clk) begin
        if (rst) begin
            for (i = 0; i < SETS; i = i + 1) rpd_q[i] <= {WAYS*W{1'b0}};
        end else begin
            if (fill_valid) rpd_q[fill_set] <= settled(rpd_q[fill_set], 1'b1,
                                                       inv_valid && inv_set == fill_set,
                                                       fill_way, inv_mask);
            if (inv_valid)  rpd_q[inv_set]  <= settled(rpd_q[inv_set],
                                                       fill_valid && fill_set == inv_set, 1'b1,
                                                       fill_way, inv_mask);
            if (ages)       rpd_q[req_set]  <= aged_row;
        end
    end
endmodule
`default_nettype wire
