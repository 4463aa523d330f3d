// reuse_table - counts of accesses and of hits by entry, and what UPDATE makes of them: what the tracking
// tables of regions and of PCs have in common (lakshminarayana2014 3.4.4, 3.5.4).
//
// open: these entries are in use from now on, all their fields 0.  acc: an access of entry acc_id; hit:
// one of hit_id, in each column that is set.  All counts stop at their greatest, and nothing is counted at
// an entry that is free.  rd_id: what is known of an entry, in the same cycle.  tick starts UPDATE (ignored
// while it goes on): with REPLACE the entry with the fewest accesses is looked for, an entry a cycle; in
// one more cycle (update) it is freed if all are in use and rival is more (freed, freed_id).  Then an entry
// a cycle is halved and judged, the last one with last; counts of that cycle come behind that.  What comes
// to an entry in the cycle in which it is freed is not counted.  kernel_start (a launch) frees all, ends
// UPDATE, and wins over all else.
`default_nettype none
module reuse_table #(
    parameter ENTRIES   = 31,  // 2 to the power of n, minus 1: 3, 7, 15 or 31
    parameter COLUMNS   = 2,   // kinds of hits, each with a count and a flag, 1..2
    parameter CTR_W     = 16,  // of each count, 4..16 bits
    parameter THR_SHIFT = 6,   // a flag is set above accesses / 2^THR_SHIFT, 1..15
    parameter RECOMPUTE = 0,   // 1: flags may fall again
    parameter REPLACE   = 1    // 1: the least used entry may be freed
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         kernel_start,
    input  wire [ENTRIES-1:0]           open,
    input  wire                         acc,
    input  wire [$clog2(ENTRIES+1)-1:0] acc_id,
    input  wire [COLUMNS-1:0]           hit,
    input  wire [$clog2(ENTRIES+1)-1:0] hit_id,
    output wire [ENTRIES-1:0]           valid,
    input  wire [$clog2(ENTRIES+1)-1:0] rd_id,
    output wire                         rd_known,
    output wire [COLUMNS-1:0]           rd_reuse,
    input  wire                         tick,
    input  wire [CTR_W-1:0]             rival,
    output wire                         busy,
    output wire                         update,
    output wire                         freed,
    output wire [$clog2(ENTRIES+1)-1:0] freed_id,
    output wire                         last
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 3 || ENTRIES > 31 || (ENTRIES & (ENTRIES + 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_3_7_15_or_31 u_stop ();
        end
        if (COLUMNS < 1 || COLUMNS > 2) begin : g_bad_COLUMNS
            COLUMNS_must_be_1_or_2 u_stop ();
        end
        if (CTR_W < 4 || CTR_W > 16) begin : g_bad_CTR_W
            CTR_W_must_be_from_4_to_16 u_stop ();
        end
        if (THR_SHIFT < 1 || THR_SHIFT > 15) begin : g_bad_THR_SHIFT
            THR_SHIFT_must_be_from_1_to_15 u_stop ();
        end
        if (RECOMPUTE < 0 || RECOMPUTE > 1) begin : g_bad_RECOMPUTE
            RECOMPUTE_must_be_0_or_1 u_stop ();
        end
        if (REPLACE < 0 || REPLACE > 1) begin : g_bad_REPLACE
            REPLACE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam ID_W = $clog2(ENTRIES + 1);
    localparam HITS = COLUMNS * ENTRIES;
    localparam [ID_W-1:0] LAST = ENTRIES[ID_W-1:0] - 1'b1;
    localparam [1:0] IDLE = 2'd0, SEEK = 2'd1, FREE = 2'd2, HALVE = 2'd3;

    reg [ENTRIES-1:0] valid_q, trained_q;
    reg [CTR_W-1:0]   acc_q [0:ENTRIES-1];
    reg [HITS-1:0]    reuse_q;   // of all entries in the first column, then in the next
    reg [CTR_W-1:0]   hits_q [0:HITS-1];
    reg [1:0]         phase_q;
    reg [ID_W-1:0]    at_q;      // the entry of this cycle
    reg [CTR_W-1:0]   least_q;   // the fewest accesses so far, and where
    reg [ID_W-1:0]    where_q;

    function [CTR_W-1:0] count(input [CTR_W-1:0] value, input one);
        count = one && !(&value) ? value + 1'b1 : value;
    endfunction

    wire seeks  = phase_q == SEEK;
    wire halves = phase_q == HALVE;
    wire ends   = at_q == LAST;

    assign valid    = valid_q;
    assign busy     = phase_q != IDLE;
    assign update   = phase_q == FREE && !kernel_start;
    assign freed    = update && &valid_q && rival > least_q;
    assign freed_id = where_q;
    assign last     = halves && ends;

    // Rows as one bit of each.
    reg [ENTRIES-1:0] is_at, is_acc, is_hit, is_rd, is_freed;
    reg [CTR_W-1:0]   acc_at, hits_at;
    reg [COLUMNS-1:0] above;     // in which columns the entry of this cycle gets its flag
    integer i, k;
    always @* begin
        acc_at = {CTR_W{1'b0}};
        for (i = 0; i < ENTRIES; i = i + 1) begin
            is_at[i]    = at_q == i[ID_W-1:0];
            is_acc[i]   = acc && acc_id == i[ID_W-1:0] && valid_q[i];
            is_hit[i]   = hit_id == i[ID_W-1:0] && valid_q[i];
            is_rd[i]    = rd_id == i[ID_W-1:0];
            is_freed[i] = freed && where_q == i[ID_W-1:0];
            acc_at      = acc_at | (acc_q[i] & {CTR_W{is_at[i]}});
        end
        for (k = 0; k < COLUMNS; k = k + 1) begin
            hits_at = {CTR_W{1'b0}};
            for (i = 0; i < ENTRIES; i = i + 1)
                hits_at = hits_at | (hits_q[k*ENTRIES+i] & {CTR_W{is_at[i]}});
            above[k] = {1'b0, hits_at[CTR_W-1:1]} > {1'b0, acc_at[CTR_W-1:1]} >> THR_SHIFT;
        end
    end
    wire fewer = at_q == {ID_W{1'b0}} || acc_at < least_q;

    assign rd_known = |(is_rd & valid_q & trained_q);
    genvar c;
    generate
        for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
            assign rd_reuse[c] = |(is_rd & reuse_q[c*ENTRIES +: ENTRIES]);
        end
    endgenerate

    // Each entry: halved and judged, then counted; opened or freed last.
    reg [CTR_W-1:0]   acc_d [0:ENTRIES-1];
    reg [CTR_W-1:0]   hits_d [0:HITS-1];
    reg [HITS-1:0]    reuse_d;
    reg [ENTRIES-1:0] trained_d, halved;
    integer e, h;
    always @* begin
        for (e = 0; e < ENTRIES; e = e + 1) begin
            halved[e]    = halves && is_at[e] && |acc_q[e];
            acc_d[e]     = count(halved[e] ? {1'b0, acc_q[e][CTR_W-1:1]} : acc_q[e], is_acc[e]);
            trained_d[e] = trained_q[e] || halved[e];
            for (h = e; h < HITS; h = h + ENTRIES) begin
                hits_d[h]  = count(halved[e] ? {1'b0, hits_q[h][CTR_W-1:1]} : hits_q[h],
                                   hit[h/ENTRIES] && is_hit[e]);
                reuse_d[h] = halved[e] ? above[h/ENTRIES] || (RECOMPUTE == 0 && reuse_q[h]) : reuse_q[h];
            end
            if (open[e] || is_freed[e] || kernel_start) begin
                acc_d[e]     = {CTR_W{1'b0}};
                trained_d[e] = 1'b0;
                for (h = e; h < HITS; h = h + ENTRIES) begin
                    hits_d[h]  = {CTR_W{1'b0}};
                    reuse_d[h] = 1'b0;
                end
            end
        end
    end

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            for (r = 0; r < ENTRIES; r = r + 1) acc_q[r] <= {CTR_W{1'b0}};
            for (r = 0; r < HITS; r = r + 1) hits_q[r] <= {CTR_W{1'b0}};
            trained_q <= {ENTRIES{1'b0}};
            reuse_q   <= {HITS{1'b0}};
        end else begin
            for (r = 0; r < ENTRIES; r = r + 1) acc_q[r] <= acc_d[r];
            for (r = 0; r < HITS; r = r + 1) hits_q[r] <= hits_d[r];
            trained_q <= trained_d;
            reuse_q   <= reuse_d;
        end
    end

    always @(posedge clk) begin
        if (rst || kernel_start) begin
            valid_q <= {ENTRIES{1'b0}};
            phase_q <= IDLE;
            at_q    <= {ID_W{1'b0}};
            least_q <= {CTR_W{1'b0}};
            where_q <= {ID_W{1'b0}};
        end else begin
            valid_q <= (valid_q & ~is_freed) | open;
            if (!busy) begin
                phase_q <= tick ? (REPLACE != 0 ? SEEK : HALVE) : IDLE;
            end else if (phase_q == FREE) begin
                phase_q <= HALVE;
            end else begin
                phase_q <= !ends ? phase_q : seeks ? FREE : IDLE;
                at_q    <= ends ? {ID_W{1'b0}} : at_q + 1'b1;
            end
            if (seeks && fewer) begin
                least_q <= acc_at;
                where_q <= at_q;
            end
        end
    end
endmodule
`default_nettype wire
