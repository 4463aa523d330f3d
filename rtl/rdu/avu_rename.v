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
    localparam [2:0] KERNEL_START = 3'd1, RENAME = 3'd2, COMMIT = 3'd3, SQUASH = 3'd4,
                     RETIRE = 3'd5;

    // A warp's registers are read together, and one of them is selected by a bit of its own: which
    // one leaves is known late.
    reg [ENTRIES*PHYS_W-1:0] phys_q;
    reg [ENTRIES-1:0]        valid_q, temp_q;
    reg [PHYS-1:0]           free_q;

    // Look-up.
    reg              lk_valid, lk_is_temp;
    reg [PHYS_W-1:0] lk_at;
    integer lw, lr;
    always @* begin
        lk_valid   = 1'b0;
        lk_is_temp = 1'b0;
        lk_at      = {PHYS_W{1'b0}};
        for (lr = 0; lr < REGS; lr = lr + 1)
            for (lw = 0; lw < WARPS; lw = lw + 1)
                if (lk_reg == lr[5:0] && lk_warp == lw[5:0]) begin
                    lk_at      = lk_at | phys_q[(lw*REGS + lr)*PHYS_W +: PHYS_W];
                    lk_valid   = lk_valid | valid_q[lw*REGS + lr];
                    lk_is_temp = lk_is_temp | temp_q[lw*REGS + lr];
                end
    end
    assign lk_hit  = lk_valid;
    assign lk_phys = lk_at;
    assign lk_temp = lk_is_temp;

    // The row of the warp, and the bits of warp and register.
    reg [WARPS-1:0]        warp_bit;
    reg [REGS-1:0]         areg_bit, row, temp_row;
    reg [REGS*PHYS_W-1:0]  phys_row;
    integer w, r;
    always @* begin
        row      = {REGS{1'b0}};
        temp_row = {REGS{1'b0}};
        phys_row = {(REGS*PHYS_W){1'b0}};
        for (r = 0; r < REGS; r = r + 1)
            areg_bit[r] = areg == r[5:0];
        for (w = 0; w < WARPS; w = w + 1) begin
            warp_bit[w] = warp == w[5:0];
            row         = row | (valid_q[w*REGS +: REGS] & {REGS{warp_bit[w]}});
            temp_row    = temp_row | (temp_q[w*REGS +: REGS] & {REGS{warp_bit[w]}});
            phys_row    = phys_row | (phys_q[w*REGS*PHYS_W +: REGS*PHYS_W]
                                      & {(REGS*PHYS_W){warp_bit[w]}});
        end
    end

    // The register that is renamed or leaves: of a walk the lowest one that is renamed.
    wire [REGS-1:0] lowest_bit = row & ~(row - {{(REGS-1){1'b0}}, 1'b1});
    wire            more       = |(row & ~lowest_bit);
    wire            walks      = op == COMMIT || op == SQUASH;
    wire            exists     = |warp_bit && |areg_bit;
    wire            held       = |(row & areg_bit);
    wire [REGS-1:0] chosen_bit = walks ? lowest_bit : areg_bit;
    reg  [PHYS_W-1:0] chosen_phys;
    reg  [REG_W-1:0]  chosen;
    integer c;
    always @* begin
        chosen_phys = {PHYS_W{1'b0}};
        chosen      = {REG_W{1'b0}};
        for (c = 0; c < REGS; c = c + 1)
            if (chosen_bit[c]) begin
                chosen_phys = chosen_phys | phys_row[c*PHYS_W +: PHYS_W];
                chosen      = chosen | c[REG_W-1:0];
            end
    end

    // The lowest free physical register.
    wire [PHYS-1:0] free_bit = free_q & ~(free_q - {{(PHYS-1){1'b0}}, 1'b1});
    reg  [PHYS_W-1:0] lowest_free;
    integer f;
    always @* begin
        lowest_free = {PHYS_W{1'b0}};
        for (f = 0; f < PHYS; f = f + 1)
            if (free_bit[f])
                lowest_free = lowest_free | f[PHYS_W-1:0];
    end
    assign none_free  = free_q == {PHYS{1'b0}};
    assign new_valid  = op == RENAME && exists && (held || !none_free);
    assign new_phys   = held ? chosen_phys : lowest_free;
    assign stall      = op == RENAME && exists && !held && none_free;
    assign move_valid = (walks && |row) || (op == RETIRE && held);
    assign move_reg   = chosen;
    assign move_phys  = chosen_phys;
    assign move_copy  = op != SQUASH || |(chosen_bit & temp_row);
    assign ready      = walks ? !more : !stall;

    wire allocates = new_valid && !held;
    integer p, vw, vr;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            free_q  <= {PHYS{1'b1}};
        end else if (op == KERNEL_START) begin
            valid_q <= {ENTRIES{1'b0}};
            for (p = 0; p < PHYS; p = p + 1)
                free_q[p] <= p[PHYS_W:0] >= used;
        end else begin
            for (vw = 0; vw < WARPS; vw = vw + 1)
                for (vr = 0; vr < REGS; vr = vr + 1)
                    if (warp_bit[vw] && chosen_bit[vr] && (new_valid || move_valid))
                        valid_q[vw*REGS + vr] <= new_valid;
            for (p = 0; p < PHYS; p = p + 1)
                if (allocates && free_bit[p])
                    free_q[p] <= 1'b0;
                else if (move_valid && chosen_phys == p[PHYS_W-1:0])
                    free_q[p] <= 1'b1;
        end
    end

    // Without reset: read only where valid_q is 1.
    integer tw, tr;
    always @(posedge clk) begin
        for (tw = 0; tw < WARPS; tw = tw + 1)
            for (tr = 0; tr < REGS; tr = tr + 1)
                if (warp_bit[tw] && areg_bit[tr]) begin
                    if (allocates) phys_q[(tw*REGS + tr)*PHYS_W +: PHYS_W] <= lowest_free;
                    if (new_valid) temp_q[tw*REGS + tr] <= temp;
                end
    end
endmodule
`default_nettype wire
