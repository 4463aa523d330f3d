// rtt - the region tracking table of a core: which regions are reused privately, which are shared
// (lakshminarayana2014 3.4.2, 3.4.4).
//
// fill: the L1 was filled with a line of region rid, whose answer said sr (another core had hit it
// in the L2) and pr (its core had).  It counts at its region; where rid has no entry in use it
// counts as untracked.  All counts stop at their greatest.  open: entry open_rid is in use from now
// on, all its fields 0.  lk: what is known of region lk_rid, in the same cycle; excl: its lines are
// exclusive. tick starts UPDATE (ignored while it goes on): with REPLACE, while all entries are in
// use, the one with the fewest accesses is looked for, an entry a cycle, and freed in one more
// cycle if untracked accesses are more (freed, freed_rid); then an entry a cycle is halved and
// judged.  The untracked count restarts with the last entry (D-REX-3).  A fill of the cycle in
// which its entry is halved is counted behind that; of the cycle in which it is freed, as
// untracked. kernel_start (a launch) frees all, ends UPDATE, and wins over all else.
`default_nettype none
module rtt #(
    parameter ENTRIES   = 31,  // 2 to the power of n, minus 1: 3, 7, 15 or 31 (D-REX-1)
    parameter CTR_W     = 16,  // of each count, 4..16 bits
    parameter THR_SHIFT = 6,   // a flag is set above accesses / 2^THR_SHIFT, 1..15
    parameter RECOMPUTE = 0,   // 1: flags may fall again (D-REX-4)
    parameter REPLACE   = 1    // 1: the least used entry may be freed
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         kernel_start,
    input  wire                         open_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] open_rid,
    input  wire                         fill_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] fill_rid,
    input  wire                         fill_sr,
    input  wire                         fill_pr,
    input  wire                         tick,
    input  wire [$clog2(ENTRIES+1)-1:0] lk_rid,
    output wire                         lk_known,
    output wire                         lk_shared,
    output wire                         lk_private,
    output wire                         lk_excl,
    output wire                         busy,
    output wire                         freed,
    output wire [$clog2(ENTRIES+1)-1:0] freed_rid
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 3 || ENTRIES > 31 || (ENTRIES & (ENTRIES + 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_3_7_15_or_31 u_stop ();
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
    localparam [ID_W-1:0] LAST = ENTRIES[ID_W-1:0] - 1'b1;
    localparam [1:0] IDLE = 2'd0, SEEK = 2'd1, FREE = 2'd2, HALVE = 2'd3;

    reg [ENTRIES-1:0] valid_q, trained_q, shared_q, private_q;
    reg [CTR_W-1:0]   acc_q [0:ENTRIES-1];
    reg [CTR_W-1:0]   shd_q [0:ENTRIES-1];
    reg [CTR_W-1:0]   pvt_q [0:ENTRIES-1];
    reg [CTR_W-1:0]   untracked_q;
    reg [1:0]         phase_q;
    reg [ID_W-1:0]    at_q;      // the entry of this cycle
    reg [CTR_W-1:0]   least_q;   // the fewest accesses so far, and where
    reg [ID_W-1:0]    where_q;

    function [CTR_W-1:0] count(input [CTR_W-1:0] value, input one);
        count = one && !(&value) ? value + 1'b1 : value;
    endfunction

    // Rows as one bit of each.
    reg [ENTRIES-1:0] is_at, is_fill, is_open, is_lk, is_freed;
    reg [CTR_W-1:0]   acc_at;
    reg               all_valid;
    integer i;
    always @* begin
        acc_at    = {CTR_W{1'b0}};
        all_valid = &valid_q;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            is_at[i]    = at_q == i[ID_W-1:0];
            is_fill[i]  = fill_valid && fill_rid == i[ID_W-1:0];
            is_open[i]  = open_valid && open_rid == i[ID_W-1:0];
            is_lk[i]    = lk_rid == i[ID_W-1:0];
            is_freed[i] = freed && freed_rid == i[ID_W-1:0];
            acc_at      = acc_at | (acc_q[i] & {CTR_W{is_at[i]}});
        end
    end

    wire seeks  = phase_q == SEEK;
    wire halves = phase_q == HALVE;
    wire ends   = at_q == LAST;
    wire fewer  = at_q == {ID_W{1'b0}} || acc_at < least_q;

    assign freed     = phase_q == FREE && all_valid && untracked_q > least_q && !kernel_start;
    assign freed_rid = where_q;

    wire [ENTRIES-1:0] in_use    = valid_q & ~is_freed;
    wire               untracked = fill_valid && !(|(is_fill & in_use));

    assign lk_known   = |(is_lk & valid_q & trained_q);
    assign lk_shared  = |(is_lk & shared_q);
    assign lk_private = |(is_lk & private_q);
    assign lk_excl    = lk_known && lk_private && !lk_shared;
    assign busy       = phase_q != IDLE;

    // Each entry: halved and judged, then counted; opened or freed last.
    reg [CTR_W-1:0]   acc_d [0:ENTRIES-1];
    reg [CTR_W-1:0]   shd_d [0:ENTRIES-1];
    reg [CTR_W-1:0]   pvt_d [0:ENTRIES-1];
    reg [ENTRIES-1:0] trained_d, shared_d, private_d;
    reg [ENTRIES-1:0] halved;
    reg [CTR_W-1:0]   threshold;
    integer k;
    always @* begin
        threshold = {1'b0, acc_at[CTR_W-1:1]} >> THR_SHIFT;
        for (k = 0; k < ENTRIES; k = k + 1) begin
            halved[k]    = halves && is_at[k] && |acc_q[k];
            acc_d[k]     = halved[k] ? {1'b0, acc_q[k][CTR_W-1:1]} : acc_q[k];
            shd_d[k]     = halved[k] ? {1'b0, shd_q[k][CTR_W-1:1]} : shd_q[k];
            pvt_d[k]     = halved[k] ? {1'b0, pvt_q[k][CTR_W-1:1]} : pvt_q[k];
            trained_d[k] = trained_q[k] || halved[k];
            shared_d[k]  = halved[k] ? {1'b0, shd_q[k][CTR_W-1:1]} > threshold
                                       || (RECOMPUTE == 0 && shared_q[k]) : shared_q[k];
            private_d[k] = halved[k] ? {1'b0, pvt_q[k][CTR_W-1:1]} > threshold
                                       || (RECOMPUTE == 0 && private_q[k]) : private_q[k];
            acc_d[k]     = count(acc_d[k], is_fill[k] && valid_q[k]);
            shd_d[k]     = count(shd_d[k], is_fill[k] && valid_q[k] && fill_sr);
            pvt_d[k]     = count(pvt_d[k], is_fill[k] && valid_q[k] && fill_pr);
            if (is_open[k] || is_freed[k] || kernel_start) begin
                acc_d[k]     = {CTR_W{1'b0}};
                shd_d[k]     = {CTR_W{1'b0}};
                pvt_d[k]     = {CTR_W{1'b0}};
                trained_d[k] = 1'b0;
                shared_d[k]  = 1'b0;
                private_d[k] = 1'b0;
            end
        end
    end

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            for (r = 0; r < ENTRIES; r = r + 1) begin
                acc_q[r] <= {CTR_W{1'b0}};
                shd_q[r] <= {CTR_W{1'b0}};
                pvt_q[r] <= {CTR_W{1'b0}};
            end
            trained_q <= {ENTRIES{1'b0}};
            shared_q  <= {ENTRIES{1'b0}};
            private_q <= {ENTRIES{1'b0}};
        end else begin
            for (r = 0; r < ENTRIES; r = r + 1) begin
                acc_q[r] <= acc_d[r];
                shd_q[r] <= shd_d[r];
                pvt_q[r] <= pvt_d[r];
            end
            trained_q <= trained_d;
            shared_q  <= shared_d;
            private_q <= private_d;
        end
    end

    wire walks = halves && ends;
    always @(posedge clk) begin
        if (rst) begin
            valid_q     <= {ENTRIES{1'b0}};
            untracked_q <= {CTR_W{1'b0}};
            phase_q     <= IDLE;
            at_q        <= {ID_W{1'b0}};
            least_q     <= {CTR_W{1'b0}};
            where_q     <= {ID_W{1'b0}};
        end else if (kernel_start) begin
            valid_q     <= {ENTRIES{1'b0}};
            untracked_q <= {CTR_W{1'b0}};
            phase_q     <= IDLE;
            at_q        <= {ID_W{1'b0}};
            least_q     <= {CTR_W{1'b0}};
            where_q     <= {ID_W{1'b0}};
        end else begin
            valid_q     <= in_use | is_open;
            untracked_q <= walks ? {{(CTR_W-1){1'b0}}, untracked} : count(untracked_q, untracked);
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
