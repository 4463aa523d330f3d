// ptt - the PC tracking table of a core: by which loads' PCs come lines that are hit in the L1
// (lakshminarayana2014 3.5.4).
//
// lk_pc is looked up in its cycle; in the next, with lk_done, lk_id is its entry, or ENTRIES, which
// stands for none, and lk_hash the hash of the PC.  A PC without an entry gets the lowest that is free,
// its fields 0: res_* say that one is kept for PCs of a hash alone; alloc: that happens, take: and it
// was that one.  rd_id: what is known of an entry, in the same cycle.  acc: a request to the L1 by a
// PC of this entry; hit: a hit on a line that was brought by one.  Both counts stop at their greatest,
// and nothing is counted at an entry that is free.  tick starts UPDATE (ignored while it goes on): with
// REPLACE the entry with the fewest accesses is looked for, an entry a cycle; in one more cycle
// (update) it is freed if all are in use and max_val, the most accesses of a hash, are more (freed,
// freed_id).  Then an entry a cycle is halved and judged; counts of that cycle come behind that.  An
// access in the cycle in which its entry is freed is not counted.  A look-up of that cycle still finds
// the entry.  kernel_start (a launch) frees all, ends UPDATE, and wins over all else.
`default_nettype none
module ptt #(
    parameter ENTRIES   = 15,  // 2 to the power of n, minus 1: 3, 7, 15 or 31
    parameter PC_W      = 32,  // byte address of an instruction, 10..48 bits
    parameter CTR_W     = 16,  // D-BC-2: of each count, 4..16 bits
    parameter THR_SHIFT = 6,   // L1Reuse is set above accesses / 2^THR_SHIFT, 1..15
    parameter RECOMPUTE = 0,   // 1: the flag may fall again (D-BC-4)
    parameter REPLACE   = 1    // 1: the least used entry may be freed (D-BC-3)
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         kernel_start,
    input  wire                         lk_valid,
    input  wire [PC_W-1:0]              lk_pc,
    output wire                         lk_done,
    output wire [$clog2(ENTRIES+1)-1:0] lk_id,
    output wire [3:0]                   lk_hash,
    output wire                         alloc,
    input  wire                         res_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] res_id,
    input  wire [3:0]                   res_idx,
    output wire                         take,
    input  wire [$clog2(ENTRIES+1)-1:0] rd_id,
    output wire                         rd_known,
    output wire                         rd_reuse,
    input  wire                         acc_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] acc_id,
    input  wire                         hit_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] hit_id,
    input  wire                         tick,
    input  wire [CTR_W-1:0]             max_val,
    output wire                         update,
    output wire                         busy,
    output wire                         freed,
    output wire [$clog2(ENTRIES+1)-1:0] freed_id
);
    // What it may be built with, of what reuse_table does not check; anything else stops at a module
    // that does not exist.
    generate
        if (PC_W < 10 || PC_W > 48) begin : g_bad_PC_W
            PC_W_must_be_from_10_to_48 u_stop ();
        end
    endgenerate

    localparam ID_W = $clog2(ENTRIES + 1);

    wire [ENTRIES-1:0] valid;
    reg [PC_W-1:0]     pc_q [0:ENTRIES-1];
    reg                done_q;
    reg [ID_W-1:0]     id_q, id_d;
    reg [3:0]          hash_q;

    wire [3:0] hash = lk_pc[5:2] ^ lk_pc[9:6];  // D-BC-3

    // Rows as one bit of each.
    reg [ENTRIES-1:0] has_pc, may_take, is_res;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            has_pc[i]   = valid[i] && pc_q[i] == lk_pc;
            is_res[i]   = res_valid && res_id == i[ID_W-1:0];
            may_take[i] = !valid[i] && (!is_res[i] || res_idx == hash);
        end
    end
    wire [ENTRIES-1:0] lowest = may_take & (~may_take + {{(ENTRIES-1){1'b0}}, 1'b1});

    wire found = |has_pc;
    assign alloc = lk_valid && !found && |may_take && !kernel_start;
    assign take  = alloc && |(lowest & is_res);
    wire [ENTRIES-1:0] chosen = found ? has_pc : lowest;
    wire [ENTRIES-1:0] opened = lowest & {ENTRIES{alloc}};

    integer k;
    always @* begin
        id_d = {ID_W{!(|chosen)}};
        for (k = 0; k < ENTRIES; k = k + 1)
            id_d = id_d | (k[ID_W-1:0] & {ID_W{chosen[k]}});
    end

    /* verilator lint_off PINCONNECTEMPTY */
    reuse_table #(
        .ENTRIES(ENTRIES), .COLUMNS(1), .CTR_W(CTR_W), .THR_SHIFT(THR_SHIFT), .RECOMPUTE(RECOMPUTE),
        .REPLACE(REPLACE)
    ) u_table (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .open(opened),
        .acc(acc_valid), .acc_id(acc_id), .hit(hit_valid), .hit_id(hit_id), .valid(valid),
        .rd_id(rd_id), .rd_known(rd_known), .rd_reuse(rd_reuse),
        .tick(tick), .rival(max_val), .busy(busy), .update(update), .freed(freed), .freed_id(freed_id),
        .last()
    );
    /* verilator lint_on PINCONNECTEMPTY */

    assign lk_done = done_q;
    assign lk_id   = id_q;
    assign lk_hash = hash_q;

    // Without reset: read only where an entry is in use.
    integer p;
    always @(posedge clk) begin
        for (p = 0; p < ENTRIES; p = p + 1)
            if (opened[p]) pc_q[p] <= lk_pc;
    end

    always @(posedge clk) begin
        if (rst || kernel_start) begin
            done_q <= 1'b0;
            id_q   <= {ID_W{1'b0}};
            hash_q <= 4'd0;
        end else begin
            done_q <= lk_valid;
            id_q   <= id_d;
            hash_q <= hash;
        end
    end
endmodule
`default_nettype wire
