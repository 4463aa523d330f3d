// dac_clp - class of each coherent load (wang2015 3.12.8, A.7).
//
// Look-up: `state` answers from the cycle after lk_valid until the next answer: 0 unknown,
// 1 locality, 2 none.  A look-up does not see an insertion of its own cycle.
// Insertion: a PC that is present keeps its class (INS_UPDATES = 0); a new one is
// written at a circular pointer, over the oldest when all entries are valid.
// kernel_start wins over both and makes `state` unknown.
`default_nettype none
module dac_clp #(
    parameter ENTRIES     = 32,  // a power of two, 2..64
    parameter PC_W        = 45,  // load PC, 1..64 bits
    parameter INS_UPDATES = 0    // 1: inserting a present PC replaces its class
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            lk_valid,
    input  wire [PC_W-1:0] lk_pc,
    input  wire            ins_valid,
    input  wire [PC_W-1:0] ins_pc,
    input  wire            ins_flag,
    input  wire            kernel_start,
    output wire [1:0]      state,
    output wire            ins_new,
    output wire            evict
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PC_W < 1 || PC_W > 64) begin : g_bad_PC_W
            PC_W_must_be_from_1_to_64 u_stop ();
        end
        if (INS_UPDATES < 0 || INS_UPDATES > 1) begin : g_bad_INS_UPDATES
            INS_UPDATES_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam PTR_W = $clog2(ENTRIES);
    localparam [1:0] UNKNOWN = 2'd0, LOCALITY = 2'd1, NONE = 2'd2;

    reg [PC_W-1:0]    pc_q [0:ENTRIES-1];
    reg [ENTRIES-1:0] valid_q, valid_d, flag_q, flag_d;
    reg [PTR_W-1:0]   ptr_q, ptr_d;
    reg [1:0]         state_q, state_d;

    reg [ENTRIES-1:0] lk_match, ins_match;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            lk_match[i]  = valid_q[i] && pc_q[i] == lk_pc;
            ins_match[i] = valid_q[i] && pc_q[i] == ins_pc;
        end
    end

    // The row at the pointer is known before it is known whether it is written.
    reg [ENTRIES-1:0] at_ptr;
    integer n;
    always @* begin
        for (n = 0; n < ENTRIES; n = n + 1)
            at_ptr[n] = n[PTR_W-1:0] == ptr_q && ins_valid && !kernel_start;
    end
    wire [ENTRIES-1:0] write = at_ptr & ~{ENTRIES{|ins_match}};

    assign ins_new = ins_valid && !kernel_start && !(|ins_match);
    assign evict   = |(at_ptr & valid_q) && !(|ins_match);
    assign state   = state_q;

    always @* begin
        valid_d = valid_q;
        flag_d  = flag_q;
        ptr_d   = ptr_q;
        state_d = state_q;
        if (lk_valid)
            state_d = |(lk_match & flag_q) ? LOCALITY : |lk_match ? NONE : UNKNOWN;
        if (ins_valid && INS_UPDATES != 0)
            flag_d = ins_flag ? flag_q | ins_match : flag_q & ~ins_match;
        valid_d = valid_d | write;
        flag_d  = (flag_d & ~write) | (write & {ENTRIES{ins_flag}});
        if (ins_new) ptr_d = ptr_q + 1'b1;
        if (kernel_start) begin
            valid_d = {ENTRIES{1'b0}};
            ptr_d   = {PTR_W{1'b0}};
            state_d = UNKNOWN;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            ptr_q   <= {PTR_W{1'b0}};
            state_q <= UNKNOWN;
        end else begin
            valid_q <= valid_d;
            ptr_q   <= ptr_d;
            state_q <= state_d;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        flag_q <= flag_d;
        if (ins_new) pc_q[ptr_q] <= ins_pc;
    end
endmodule
`default_nettype wire
