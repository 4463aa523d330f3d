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
    reg [CTR_W-1:0]    untracked_q;
    wire [ENTRIES-1:0] valid;
    wire               last;
    wire [ENTRIES-1:0] opened = {{(ENTRIES-1){1'b0}}, open_valid} << open_rid;

    // The number behind the last entry is that of none.
    wire [ENTRIES:0] in_use    = {1'b0, valid};
    wire             untracked = fill_valid && (!in_use[fill_rid] || (freed && freed_rid == fill_rid));

    // It checks what this may be built with.
    /* verilator lint_off PINCONNECTEMPTY */
    reuse_table #(
        .ENTRIES(ENTRIES), .COLUMNS(2), .CTR_W(CTR_W), .THR_SHIFT(THR_SHIFT), .RECOMPUTE(RECOMPUTE),
        .REPLACE(REPLACE)
    ) u_table (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .open(opened),
        .acc(fill_valid), .acc_id(fill_rid),
        .hit({fill_valid && fill_pr, fill_valid && fill_sr}), .hit_id(fill_rid), .valid(valid),
        .rd_id(lk_rid), .rd_known(lk_known), .rd_reuse({lk_private, lk_shared}),
        .tick(tick), .rival(untracked_q), .busy(busy), .update(), .freed(freed), .freed_id(freed_rid),
        .last(last)
    );
    /* verilator lint_on PINCONNECTEMPTY */
    assign lk_excl = lk_known && lk_private && !lk_shared;

    always @(posedge clk) begin
        if (rst || kernel_start)
            untracked_q <= {CTR_W{1'b0}};
        else if (last)
            untracked_q <= {{(CTR_W-1){1'b0}}, untracked};
        else if (untracked && !(&untracked_q))
            untracked_q <= untracked_q + 1'b1;
    end
endmodule
`default_nettype wire
