// avu_rename - rename table and free list for speculative results (tabbakh2018 3.7.6,
// 3.7.8).
//
// One operation per cycle, as listed in the unit's table, held until ready.  COMMIT and
// SQUASH take one cycle per renamed register of the warp, and one when there is none; all
// others are done at once, but RENAME of a register that has no physical one waits for a
// free one.  new_* and move_* answer in the cycle of the operation; the table changes at
// its edge.  A register that leaves is free again from the next cycle on.  After reset
// every physical register is free.
// warp < WARPS and reg < REGS; others change nothing and look up nothing.
`default_nettype none
module avu_rename #(
    parameter WARPS = 4,  // 1..64
    parameter REGS  = 7,  // architectural registers per warp, 2..64
    parameter PHYS  = 16  // physical registers: a power of two, 4..1024
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [2:0]              op,
    input  wire [5:0]              warp,
    input  wire [5:0]              areg,
    input  wire                    temp,
    input  wire [$clog2(PHYS):0]   used,
    input  wire [5:0]              lk_warp,
    input  wire [5:0]              lk_reg,
    output wire                    lk_hit,
    output wire [$clog2(PHYS)-1:0] lk_phys,
    output wire                    lk_temp,
    output wire                    ready,
    output wire                    none_free,
    output wire                    new_valid,
    output wire [$clog2(PHYS)-1:0] new_phys,
    output wire                    move_valid,
    output wire [$clog2(REGS)-1:0] move_reg,
    output wire [$clog2(PHYS)-1:0] move_phys,
    output wire                    move_copy,
    output wire                    stall
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 1 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_1_to_64 u_stop ();
        end
        if (REGS < 2 || REGS > 64) begin : g_bad_REGS
            REGS_must_be_from_2_to_64 u_stop ();
        end
        if (PHYS < 4 || PHYS > 1024 || (PHYS & (PHYS - 1)) != 0) begin : g_bad_PHYS
            PHYS_must_be_a_power_of_two_from_4_to_1024 u_stop ();
        end
    endgenerate

    localparam PHYS_W  = $clog2(PHYS);
    localparam REG_W   = $clog2(REGS);
    localparam ENTRIES = WARPS * REGS;
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam [2:0] KERNEL_START = 3'd1, RENAME = 3'd2, COMMIT = 3'd3, SQUASH = 3'd4,
                     RETIRE = 3'd5;
    localparam [6:0] N_WARPS = WARPS[6:0], N_REGS = REGS[6:0];

    reg [PHYS_W-1:0]  phys_q [0:ENTRIES-1];
    reg [ENTRIES-1:0] valid_q, temp_q;
    reg [PHYS-1:0]    free_q;

    // Entry of a register; within the table for one that does not exist.
    function [ENTRY_W-1:0] entry_of(input [5:0] of_warp, input [5:0] of_reg);
        reg [31:0] product;
        begin
            product  = {26'd0, of_warp} * REGS + {26'd0, of_reg};
            entry_of = product < ENTRIES ? product[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
        end
    endfunction

    wire lk_exists = {1'b0, lk_warp} < N_WARPS && {1'b0, lk_reg} < N_REGS;
    wire [ENTRY_W-1:0] lk_entry = entry_of(lk_warp, lk_reg);
    assign lk_hit  = lk_exists && valid_q[lk_entry];
    assign lk_phys = phys_q[lk_entry];
    assign lk_temp = temp_q[lk_entry];

    // The lowest renamed register of the warp, and whether there are more.
    wire in_table = {1'b0, warp} < N_WARPS;
    reg [REGS-1:0] row;
    reg [5:0]      lowest;
    reg [ENTRY_W-1:0] scanned;
    integer r;
    always @* begin
        lowest  = 6'd0;
        scanned = {ENTRY_W{1'b0}};
        for (r = REGS - 1; r >= 0; r = r - 1) begin
            scanned = entry_of(warp, r[5:0]);
            row[r]  = in_table && valid_q[scanned];
            if (row[r])
                lowest = r[5:0];
        end
    end
    wire more = |(row & (row - {{(REGS-1){1'b0}}, 1'b1}));

    // The register that is renamed or leaves.
    wire walks  = op == COMMIT || op == SQUASH;
    wire exists = in_table && {1'b0, areg} < N_REGS;
    wire [5:0] chosen = walks ? lowest : areg;
    wire [ENTRY_W-1:0] entry = entry_of(warp, chosen);
    assign move_reg = chosen[REG_W-1:0];
    wire held = exists && valid_q[entry];

    reg [PHYS_W-1:0] lowest_free;
    integer f;
    always @* begin
        lowest_free = {PHYS_W{1'b0}};
        for (f = PHYS - 1; f >= 0; f = f - 1)
            if (free_q[f])
                lowest_free = f[PHYS_W-1:0];
    end
    assign none_free  = free_q == {PHYS{1'b0}};
    assign new_valid  = op == RENAME && exists && (held || !none_free);
    assign new_phys   = held ? phys_q[entry] : lowest_free;
    assign stall      = op == RENAME && exists && !held && none_free;
    assign move_valid = (walks && |row) || (op == RETIRE && held);
    assign move_phys  = phys_q[entry];
    assign move_copy  = op != SQUASH || temp_q[entry];
    assign ready      = walks ? !more : !stall;

    wire allocates = new_valid && !held;
    integer p;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            free_q  <= {PHYS{1'b1}};
        end else if (op == KERNEL_START) begin
            valid_q <= {ENTRIES{1'b0}};
            for (p = 0; p < PHYS; p = p + 1)
                free_q[p] <= p[PHYS_W:0] >= used;
        end else begin
            if (new_valid) valid_q[entry] <= 1'b1;
            if (allocates)
                free_q[lowest_free] <= 1'b0;
            if (move_valid) begin
                valid_q[entry]    <= 1'b0;
                free_q[move_phys] <= 1'b1;
            end
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (new_valid) temp_q[entry] <= temp;
        if (allocates) phys_q[entry] <= lowest_free;
    end
endmodule
`default_nettype wire
