// oaws_dlc_steps - oaws_dlc with one associative look-up, one read and one write of the counts.
//
// An operation goes through MATCH, which compares its load with those of all entries, READ, which
// gets the counts of the entry, COUNT, which adds to them, or answers a look-up, and WRITE.  Ageing
// halves as it reads, and goes through READ and WRITE once for each entry.  Misses of the same load
// are gathered in a run, which is an operation as soon as there is no other; whatever could tell that
// they are not counted yet waits for it.
`default_nettype none
module oaws_dlc_steps #(
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
    output wire [ACC_W-1:0] lk_miss,
    output wire [ACC_W-1:0] lk_acc,
    output wire [4:0]       lk_div,
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
    localparam [1:0] MATCH = 2'd0, READ = 2'd1, COUNT = 2'd2, WRITE = 2'd3;
    localparam [1:0] LOOK_UP = 2'd0, AGE = 2'd1, OCCUR = 2'd2, MISSES = 2'd3;

    // The table, entry 0 lowest: a register file with one read and one write.
    reg [ENTRIES-1:0]        valid_q;
    reg [ENTRIES*PC_W-1:0]   pc_q;
    reg [ENTRIES*INST_W-1:0] inst_q;
    reg [ENTRIES*ACC_W-1:0]  acc_q, miss_q;
    reg [ENTRIES*DIV_W-1:0]  div_q;
    reg [LRU_W-1:0]          lru_q;

    // The operation.
    reg [1:0]         step_q, op_q;
    reg [PC_W-1:0]    load_q;    // whose
    reg [5:0]         amount_q;  // requests, or misses
    reg [ENTRIES-1:0] pick_q;    // its entry: none or one
    reg [ENTRIES-1:0] spare_q;   // where a new load would go
    reg               known_q, full_q;
    reg [ENTRY_W-1:0] rank_q;    // of the entry
    reg [INST_W-1:0]  the_inst_q, the_inst_d;  // its counts: as read, then as they are written
    reg [ACC_W-1:0]   the_acc_q, the_acc_d, the_miss_q, the_miss_d;
    reg [DIV_W-1:0]   the_div_q, the_div_d;

    // The run: misses of one load that are no operation yet.
    reg [PC_W-1:0] run_pc_q;
    reg [5:0]      run_q;

    // Who goes next: the run, ageing, an occurrence, a look-up.
    wire in_match   = step_q == MATCH && !kernel_start;
    wire run_goes   = in_match && run_q != 6'd0;
    wire others_go  = in_match && run_q == 6'd0;
    wire divergent  = coal_nreq > COH_MAX[5:0];
    wire counts     = divergent || COUNT_COHERENT != 0;
    assign age_ready  = others_go;
    wire coal_wants = coal_valid && counts;
    assign coal_ready = !kernel_start && (!counts || (others_go && !age_tick));
    assign lk_ready   = others_go && !age_tick && !coal_wants;
    wire ages       = age_tick && others_go;
    wire occurs     = coal_wants && others_go && !age_tick;
    wire looks_up   = lk_valid && lk_ready;
    wire goes       = run_goes || ages || occurs || looks_up;

    // A miss joins the run, if it is of that load; not ahead of what was there before it.
    wire waiting    = (age_tick && !others_go) || (coal_valid && !coal_ready);
    wire same_load  = run_q == 6'd0 || acc_pc == run_pc_q;
    wire joinable   = same_load && run_q != 6'd63 && !waiting;
    assign acc_ready = !kernel_start && (!acc_miss || joinable);
    wire joins      = acc_valid && acc_miss && joinable && !kernel_start;
    wire [5:0] run_left = run_goes ? 6'd0 : run_q;
    wire [5:0] run_d    = kernel_start ? 6'd0 : run_left + {5'd0, joins};

    // MATCH.  The entry of the operation's load; ageing begins with the first entry.
    reg [PC_W-1:0] load_d;
    reg [5:0]      amount_d;
    reg [1:0]      op_d;
    always @* begin
        load_d   = lk_pc;
        amount_d = coal_nreq;
        op_d     = LOOK_UP;
        if (run_q != 6'd0) begin
            load_d   = run_pc_q;
            amount_d = run_q;
            op_d     = MISSES;
        end else if (age_tick) begin
            op_d     = AGE;
        end else if (coal_wants) begin
            load_d   = coal_pc;
            op_d     = OCCUR;
        end
    end
    reg [ENTRIES-1:0] match;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1)
            match[i] = valid_q[i] && pc_q[i*PC_W +: PC_W] == load_d;
    end
    localparam [ENTRIES-1:0] FIRST = {{(ENTRIES-1){1'b0}}, 1'b1};
    wire [ENTRIES-1:0] match_d = ages ? FIRST : match;

    // A new load goes to the lowest free entry, or to the least recent one.
    reg  [ENTRIES-1:0] oldest;
    integer o;
    always @* begin
        for (o = 0; o < ENTRIES; o = o + 1)
            oldest[o] = &lru_q[o*ENTRY_W +: ENTRY_W];
    end
    localparam GROUP  = ENTRIES < 8 ? ENTRIES : 8;
    localparam GROUPS = ENTRIES / GROUP;
    reg  [GROUPS:0]    taken;   // all entries below the group
    reg  [ENTRIES-1:0] lowest;
    integer g, e;
    always @* begin
        taken[0] = 1'b1;
        for (g = 0; g < GROUPS; g = g + 1) begin
            taken[g+1] = taken[g] && &valid_q[g*GROUP +: GROUP];
            for (e = 0; e < GROUP; e = e + 1)
                lowest[g*GROUP+e] = taken[g] && !valid_q[g*GROUP+e]
                                 && &(valid_q[g*GROUP +: GROUP] | ({GROUP{1'b1}} << e));
        end
    end
    wire               full    = taken[GROUPS];
    wire [ENTRIES-1:0] spare_d = lowest | (oldest & {ENTRIES{full}});

    // READ.  The entry's counts, 0 for a new load, and its rank or that of where it would go.
    wire [ENTRIES-1:0] found = pick_q & valid_q;
    wire               known = |found;
    reg [INST_W-1:0]   read_inst;
    reg [ACC_W-1:0]    read_acc, read_miss;
    reg [DIV_W-1:0]    read_div;
    reg [ENTRY_W-1:0]  found_rank, spare_rank;
    integer k;
    always @* begin
        read_inst  = {INST_W{1'b0}};
        read_acc   = {ACC_W{1'b0}};
        read_miss  = {ACC_W{1'b0}};
        read_div   = {DIV_W{1'b0}};
        found_rank = {ENTRY_W{1'b0}};
        spare_rank = {ENTRY_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1) begin
            if (found[k])   read_inst  = read_inst | inst_q[k*INST_W +: INST_W];
            if (found[k])   read_acc   = read_acc | acc_q[k*ACC_W +: ACC_W];
            if (found[k])   read_miss  = read_miss | miss_q[k*ACC_W +: ACC_W];
            if (found[k])   read_div   = read_div | div_q[k*DIV_W +: DIV_W];
            if (found[k])   found_rank = found_rank | lru_q[k*ENTRY_W +: ENTRY_W];
            if (spare_q[k]) spare_rank = spare_rank | lru_q[k*ENTRY_W +: ENTRY_W];
        end
    end

    // COUNT.
    wire in_count  = step_q == COUNT && !kernel_start;
    wire is_occur  = in_count && op_q == OCCUR;
    assign update  = is_occur && known_q;
    assign alloc   = is_occur && !known_q && amount_q > COH_MAX[5:0] && (!full_q || EVICT_LRU != 0);
    assign evict   = alloc && full_q;
    assign halve   = update && overflows;
    assign lk_done = in_count && op_q == LOOK_UP;
    assign lk_hit  = known_q;
    assign lk_miss = the_miss_q;
    assign lk_acc  = the_acc_q;
    assign lk_div  = the_div_q;

    wire [INST_W-1:0] counted_inst;
    wire [ACC_W-1:0]  counted_acc, counted_miss;
    wire [DIV_W-1:0]  counted_div;
    wire              overflows;
    oaws_dlc_count #(
        .INST_W(INST_W), .ACC_W(ACC_W), .SATURATE(SATURATE), .DIV_MINUS_1(DIV_MINUS_1)
    ) u_count (
        .inst(the_inst_q), .acc(the_acc_q), .miss(the_miss_q), .nreq(amount_q),
        .inst_next(counted_inst), .acc_next(counted_acc), .miss_next(counted_miss),
        .div_next(counted_div), .overflows(overflows)
    );

    // What READ and COUNT leave.
    wire [ACC_W:0] misses = {1'b0, the_miss_q} + {{(ACC_W-5){1'b0}}, amount_q};
    wire halves = op_q == AGE;
    always @* begin
        the_inst_d = the_inst_q;
        the_acc_d  = the_acc_q;
        the_miss_d = the_miss_q;
        the_div_d  = the_div_q;
        if (step_q == READ) begin
            the_inst_d = halves ? read_inst >> 1 : read_inst;
            the_acc_d  = halves ? read_acc >> 1 : read_acc;
            the_miss_d = halves ? read_miss >> 1 : read_miss;
            the_div_d  = read_div;
        end else if (step_q == COUNT && op_q == OCCUR) begin
            the_inst_d = counted_inst;
            the_acc_d  = counted_acc;
            the_miss_d = counted_miss;
            the_div_d  = counted_div;
        end else if (step_q == COUNT && op_q == MISSES) begin
            the_miss_d = misses[ACC_W-1:0] | {ACC_W{misses[ACC_W]}};
        end
    end

    // WRITE.  Never more misses than accesses; both halves of the counts are compared at once.
    localparam LOW_W = ACC_W / 2;
    wire high_more = the_miss_q[ACC_W-1:LOW_W] > the_acc_q[ACC_W-1:LOW_W];
    wire high_same = the_miss_q[ACC_W-1:LOW_W] == the_acc_q[ACC_W-1:LOW_W];
    wire low_more  = the_miss_q[LOW_W-1:0] > the_acc_q[LOW_W-1:0];
    wire [ACC_W-1:0] miss_d = high_more || (high_same && low_more) ? the_acc_q : the_miss_q;
    wire writes    = step_q == WRITE && known_q;
    wire counted   = writes && op_q == OCCUR;
    wire aged_away = AGE_FREES != 0 && writes && op_q == AGE && the_inst_q == {INST_W{1'b0}};
    wire ages_on   = op_q == AGE && !pick_q[ENTRIES-1];

    reg [ENTRIES-1:0] valid_d;
    always @* begin
        valid_d = valid_q;
        if (counted)
            valid_d = valid_q | pick_q;
        if (aged_away)
            valid_d = valid_q & ~pick_q;
        if (kernel_start)
            valid_d = {ENTRIES{1'b0}};
    end

    reg [1:0] step_d;
    always @* begin
        step_d = MATCH;
        if (!kernel_start) begin
            case (step_q)
                MATCH:   if (goes) step_d = READ;
                READ:    step_d = op_q == AGE ? WRITE : COUNT;
                COUNT:   if (op_q != LOOK_UP) step_d = WRITE;
                default: if (ages_on) step_d = READ;
            endcase
        end
    end

    reg [LRU_W-1:0] identity, touched;
    integer w;
    always @* begin
        for (w = 0; w < ENTRIES; w = w + 1) begin
            identity[w*ENTRY_W +: ENTRY_W] = w[ENTRY_W-1:0];
            touched[w*ENTRY_W +: ENTRY_W]  = lru_q[w*ENTRY_W +: ENTRY_W];
            if (pick_q[w])
                touched[w*ENTRY_W +: ENTRY_W] = {ENTRY_W{1'b0}};
            else if (lru_q[w*ENTRY_W +: ENTRY_W] < rank_q)
                touched[w*ENTRY_W +: ENTRY_W] = lru_q[w*ENTRY_W +: ENTRY_W] + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q     <= {ENTRIES{1'b0}};
            lru_q       <= identity;
            step_q      <= MATCH;
            op_q        <= LOOK_UP;
            load_q      <= {PC_W{1'b0}};
            amount_q    <= 6'd0;
            pick_q      <= {ENTRIES{1'b0}};
            spare_q     <= {ENTRIES{1'b0}};
            known_q     <= 1'b0;
            full_q      <= 1'b0;
            rank_q      <= {ENTRY_W{1'b0}};
            the_inst_q  <= {INST_W{1'b0}};
            the_acc_q   <= {ACC_W{1'b0}};
            the_miss_q  <= {ACC_W{1'b0}};
            the_div_q   <= {DIV_W{1'b0}};
            run_pc_q    <= {PC_W{1'b0}};
            run_q       <= 6'd0;
        end else begin
            valid_q    <= valid_d;
            step_q     <= step_d;
            run_q      <= run_d;
            the_inst_q <= the_inst_d;
            the_acc_q  <= the_acc_d;
            the_miss_q <= the_miss_d;
            the_div_q  <= the_div_d;
            if (joins)   run_pc_q <= acc_pc;
            if (counted) lru_q    <= touched;
            case (step_q)
                MATCH: begin
                    op_q     <= op_d;
                    load_q   <= load_d;
                    amount_q <= amount_d;
                    pick_q   <= match_d;
                    spare_q  <= spare_d;
                    full_q   <= full;
                end
                READ: begin
                    known_q <= known;
                    rank_q  <= known ? found_rank : spare_rank;
                    if (op_q == OCCUR && !known) pick_q <= spare_q;
                end
                COUNT:   known_q <= known_q || alloc;
                default: pick_q  <= pick_q << 1;
            endcase
        end
    end

    // Without reset: read only where valid_q is 1.
    integer n;
    always @(posedge clk) begin
        for (n = 0; n < ENTRIES; n = n + 1) begin
            if (writes && pick_q[n]) begin
                inst_q[n*INST_W +: INST_W] <= the_inst_q;
                acc_q[n*ACC_W +: ACC_W]    <= the_acc_q;
                miss_q[n*ACC_W +: ACC_W]   <= miss_d;
                div_q[n*DIV_W +: DIV_W]    <= the_div_q;
            end
            if (counted && pick_q[n])
                pc_q[n*PC_W +: PC_W] <= load_q;
        end
    end
endmodule
`default_nettype wire
