// dac_vc - remembers missing accesses of sampled coherent loads (wang2015 3.12.8, A.7).
//
// Probe: hit answers in the cycle of acc_valid from the entries as they stand.
// Push: {pc, tag} is written at a circular pointer that always advances, invalidated
// entries are not refilled out of order (FREE_FIRST = 0).  disp_valid and disp_pc name the
// valid entry overwritten, in the same cycle.
// inv_valid forgets all entries of inv_pc.  With a push in the same cycle the invalidation
// comes first: the pushed entry stays, an invalidated one is not displaced.
// kernel_start wins over push and inv_valid; hit and disp_valid do not look at it.
`default_nettype none
module dac_vc #(
    parameter ENTRIES    = 16,  // a power of two, 2..64
    parameter PC_W       = 45,  // load PC, 1..64 bits
    parameter TAG_W      = 41,  // block address, 1..64 bits
    parameter FREE_FIRST = 0    // 1: a push takes the lowest free entry if there is one
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             acc_valid,
    input  wire [PC_W-1:0]  pc,
    input  wire [TAG_W-1:0] tag,
    input  wire             push,
    input  wire             inv_valid,
    input  wire [PC_W-1:0]  inv_pc,
    input  wire             kernel_start,
    output wire             hit,
    output wire             disp_valid,
    output wire [PC_W-1:0]  disp_pc,
    output wire             invalidated
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PC_W < 1 || PC_W > 64) begin : g_bad_PC_W
            PC_W_must_be_from_1_to_64 u_stop ();
        end
        if (TAG_W < 1 || TAG_W > 64) begin : g_bad_TAG_W
            TAG_W_must_be_from_1_to_64 u_stop ();
        end
        if (FREE_FIRST < 0 || FREE_FIRST > 1) begin : g_bad_FREE_FIRST
            FREE_FIRST_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam PTR_W = $clog2(ENTRIES);

    reg [PC_W-1:0]    pc_q [0:ENTRIES-1];
    reg [TAG_W-1:0]   tag_q [0:ENTRIES-1];
    reg [ENTRIES-1:0] valid_q, valid_d;
    reg [PTR_W-1:0]   ptr_q, ptr_d;

    reg [ENTRIES-1:0] match, forget;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            match[i]  = valid_q[i] && pc_q[i] == pc && tag_q[i] == tag;
            forget[i] = valid_q[i] && pc_q[i] == inv_pc && inv_valid;
        end
    end

    wire [ENTRIES-1:0] taken    = valid_q & ~forget;
    wire               use_free = FREE_FIRST != 0 && !(&taken);
    reg  [PTR_W-1:0]   entry;
    integer n;
    always @* begin
        entry = ptr_q;
        for (n = ENTRIES - 1; n >= 0; n = n - 1)
            if (use_free && !taken[n]) entry = n[PTR_W-1:0];
    end

    // The entry as one bit of each row: a register that chose among all their bits would be slow.
    reg [ENTRIES-1:0] at_entry;
    reg [PC_W-1:0]    pc_there;
    integer row;
    always @* begin
        pc_there = {PC_W{1'b0}};
        for (row = 0; row < ENTRIES; row = row + 1) begin
            at_entry[row] = row[PTR_W-1:0] == entry;
            pc_there      = pc_there | (pc_q[row] & {PC_W{at_entry[row]}});
        end
    end

    assign hit         = acc_valid && |match;
    assign invalidated = |forget;
    assign disp_valid  = push && |(taken & at_entry);
    assign disp_pc     = pc_there;

    always @* begin
        valid_d = taken;
        ptr_d   = ptr_q;
        if (push) begin
            valid_d = valid_d | at_entry;
            if (!use_free) ptr_d = ptr_q + 1'b1;
        end
        if (kernel_start) begin
            valid_d = {ENTRIES{1'b0}};
            ptr_d   = {PTR_W{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            ptr_q   <= {PTR_W{1'b0}};
        end else begin
            valid_q <= valid_d;
            ptr_q   <= ptr_d;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (push) begin
            pc_q[entry]  <= pc;
            tag_q[entry] <= tag;
        end
    end
endmodule
`default_nettype wire
