// oaws_dlc_once - oaws_dlc in one cycle, as the document draws it (wang2015 3.16.1, A.9): three
// associative look-ups, two writes and the ageing of all entries at one clock edge.
`default_nettype none
module oaws_dlc_once #(
    parameter ENTRIES        = 32,
    parameter PC_W           = 40,
    parameter INST_W         = 5,
    parameter ACC_W          = 10,
    parameter COH_MAX        = 2,
    parameter SATURATE       = 0,
    parameter AGE_FREES      = 1,
    parameter EVICT_LRU      = 1,
    parameter DIV_MINUS_1    = 1,
    parameter COUNT_COHERENT = 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             kernel_start,
    input  wire             lk_valid,
    output wire             lk_ready,
    input  wire [PC_W-1:0]  lk_pc,
    output wire             lk_done,
    output wire             lk_hit,
    output reg  [ACC_W-1:0] lk_miss,
    output reg  [ACC_W-1:0] lk_acc,
    output reg  [4:0]       lk_div,
    input  wire             age_tick,
    output wire             age_ready,
    input  wire             coal_valid,
    output wire             coal_ready,
    input  wire [PC_W-1:0]  coal_pc,
    input  wire [5:0]       coal_nreq,
    output wire             update,
    output wire             alloc,
    output wire             evict,
    output wire             halve,
    input  wire             acc_valid,
    output wire             acc_ready,
    input  wire [PC_W-1:0]  acc_pc,
    input  wire             acc_miss
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PC_W < 1 || PC_W > 64) begin : g_bad_PC_W
            PC_W_must_be_from_1_to_64 u_stop ();
        end
        if (INST_W < 2 || INST_W > 16) begin : g_bad_INST_W
            INST_W_must_be_from_2_to_16 u_stop ();
        end
        if (ACC_W < 7 || ACC_W > 16) begin : g_bad_ACC_W
            ACC_W_must_be_from_7_to_16 u_stop ();
        end
        if (COH_MAX < 0 || COH_MAX > 31) begin : g_bad_COH_MAX
            COH_MAX_must_be_from_0_to_31 u_stop ();
        end
        if (SATURATE < 0 || SATURATE > 1) begin : g_bad_SATURATE
            SATURATE_must_be_0_or_1 u_stop ();
        end
        if (AGE_FREES < 0 || AGE_FREES > 1) begin : g_bad_AGE_FREES
            AGE_FREES_must_be_0_or_1 u_stop ();
        end
        if (EVICT_LRU < 0 || EVICT_LRU > 1) begin : g_bad_EVICT_LRU
            EVICT_LRU_must_be_0_or_1 u_stop ();
        end
        if (DIV_MINUS_1 < 0 || DIV_MINUS_1 > 1) begin : g_bad_DIV_MINUS_1
            DIV_MINUS_1_must_be_0_or_1 u_stop ();
        end
        if (COUNT_COHERENT < 0 || COUNT_COHERENT > 1) begin : g_bad_COUNT_COHERENT
            COUNT_COHERENT_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam ENTRY_W = $clog2(ENTRIES);
    localparam DIV_W   = 5;
    localparam LRU_W   = ENTRIES * ENTRY_W;

    reg [ENTRIES-1:0] valid_q;
    reg [PC_W-1:0]    pc_q   [0:ENTRIES-1];
    reg [INST_W-1:0]  inst_q [0:ENTRIES-1];
    reg [ACC_W-1:0]   acc_q  [0:ENTRIES-1];
    reg [ACC_W-1:0]   miss_q [0:ENTRIES-1];
    reg [DIV_W-1:0]   div_q  [0:ENTRIES-1];
    reg [LRU_W-1:0]   lru_q;

    // Look-ups in the contents before the edge; `live` leaves out what ageing frees.
    reg [ENTRIES-1:0] live, lk_match, coal_match, acc_match;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            live[i] = valid_q[i]
                   && !(AGE_FREES != 0 && age_tick && inst_q[i] <= {{(INST_W-1){1'b0}}, 1'b1});
            lk_match[i]   = valid_q[i] && pc_q[i] == lk_pc;
            coal_match[i] = live[i] && pc_q[i] == coal_pc;
            acc_match[i]  = live[i] && pc_q[i] == acc_pc;
        end
    end

    assign lk_ready   = !kernel_start;
    assign age_ready  = !kernel_start;
    assign coal_ready = !kernel_start;
    assign acc_ready  = !kernel_start;
    assign lk_done    = lk_valid && !kernel_start;
    assign lk_hit     = |lk_match;
    reg [ENTRY_W-1:0] coal_known, acc_known;
    integer k;
    always @* begin
        lk_miss    = {ACC_W{1'b0}};
        lk_acc     = {ACC_W{1'b0}};
        lk_div     = {DIV_W{1'b0}};
        coal_known = {ENTRY_W{1'b0}};
        acc_known  = {ENTRY_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1) begin
            if (lk_match[k]) lk_miss = lk_miss | miss_q[k];
            if (lk_match[k]) lk_acc  = lk_acc | acc_q[k];
            if (lk_match[k]) lk_div  = lk_div | div_q[k];
            if (coal_match[k]) coal_known = coal_known | k[ENTRY_W-1:0];
            if (acc_match[k])  acc_known  = acc_known | k[ENTRY_W-1:0];
        end
    end

    // The entry a coalesced load works on.
    wire known     = |coal_match;
    wire full      = &live;
    wire divergent = coal_nreq > COH_MAX[5:0];
    wire counts    = coal_valid && !kernel_start;
    assign update  = counts && known && (divergent || COUNT_COHERENT != 0);
    assign alloc   = counts && !known && divergent && (!full || EVICT_LRU != 0);
    assign evict   = alloc && full;

    wire [ENTRY_W-1:0] victim;
    wire [ENTRY_W-1:0] entry = known ? coal_known : victim;
    wire [LRU_W-1:0]   lru_touched;
    lru_rank #(.WAYS(ENTRIES)) u_lru (
        .rank(lru_q), .valid(live), .touch(entry), .rank_next(lru_touched), .victim(victim)
    );

    // Its counts: aged, then halved if need be, then incremented.
    wire [INST_W-1:0] inst_aged = known ? inst_q[entry] >> age_tick : {INST_W{1'b0}};
    wire [ACC_W-1:0]  acc_aged  = known ? acc_q[entry] >> age_tick : {ACC_W{1'b0}};
    wire [ACC_W-1:0]  miss_aged = known ? miss_q[entry] >> age_tick : {ACC_W{1'b0}};
    wire [INST_W-1:0] inst_d;
    wire [ACC_W-1:0]  acc_d, miss_d;
    wire [DIV_W-1:0]  div_d;
    wire              overflows;
    oaws_dlc_count #(
        .INST_W(INST_W), .ACC_W(ACC_W), .SATURATE(SATURATE), .DIV_MINUS_1(DIV_MINUS_1)
    ) u_count (
        .inst(inst_aged), .acc(acc_aged), .miss(miss_aged), .nreq(coal_nreq),
        .inst_next(inst_d), .acc_next(acc_d), .miss_next(miss_d), .div_next(div_d),
        .overflows(overflows)
    );
    assign halve = update && overflows;

    // The entry a miss is counted in: after the occurrence of the same cycle.
    wire writes     = update || alloc;
    wire same_load  = writes && acc_pc == coal_pc;
    wire replaced   = alloc && acc_known == entry;
    wire miss_known = same_load || (|acc_match && !replaced);
    wire [ACC_W-1:0] miss_base = same_load ? miss_d : miss_q[acc_known] >> age_tick;
    wire [ACC_W-1:0] acc_base  = same_load ? acc_d : acc_q[acc_known] >> age_tick;
    wire counts_miss = acc_valid && acc_miss && miss_known && miss_base < acc_base;
    wire [ENTRY_W-1:0] miss_entry = same_load ? entry : acc_known;

    reg [ENTRIES-1:0] valid_d;
    always @* begin
        valid_d = live;
        if (alloc)
            valid_d[entry] = 1'b1;
        if (kernel_start)
            valid_d = {ENTRIES{1'b0}};
    end

    reg [LRU_W-1:0] identity;
    integer w;
    always @* begin
        identity = {LRU_W{1'b0}};
        for (w = 0; w < ENTRIES; w = w + 1)
            identity[w*ENTRY_W +: ENTRY_W] = w[ENTRY_W-1:0];
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            lru_q   <= identity;
        end else begin
            valid_q <= valid_d;
            if (writes)
                lru_q <= lru_touched;
        end
    end

    // Without reset: read only where valid_q is 1.
    integer n;
    always @(posedge clk) begin
        if (age_tick) begin
            for (n = 0; n < ENTRIES; n = n + 1) begin
                inst_q[n] <= inst_q[n] >> 1;
                acc_q[n]  <= acc_q[n] >> 1;
                miss_q[n] <= miss_q[n] >> 1;
            end
        end
        if (writes) begin
            inst_q[entry] <= inst_d;
            acc_q[entry]  <= acc_d;
            miss_q[entry] <= miss_d;
            div_q[entry]  <= div_d;
        end
        if (alloc)
            pc_q[entry] <= coal_pc;
        if (counts_miss)
            miss_q[miss_entry] <= miss_base + 1'b1;
    end
endmodule
`default_nettype wire
