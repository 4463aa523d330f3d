// caps_percta - PerCTA tables of the CTA-aware prefetcher (caps-prefetch 3.2.2, 3.2.3).
//
// One table of ENTRIES entries per CTA slot: load PC, leading warp, up to four base addresses.
// A load is held until ld_ready.  Its look-up takes two cycles (D-CAP-1); from then on ld_found says that
// ld_hit, ld_lead, ld_last and ld_base are its answer, and it is taken in a cycle with ld_judged
// and without a flush, with `invalidate` beside it.  What it changes is visible in the next cycle.
// A flush begins look-ups anew.  The generator's read is held until read_ready, with which the
// answer comes, in its second cycle if no load begins or is taken in its first, and never in a cycle
// with a flush; it sees the contents before the load that is taken with it.  With ONE_CYCLE both are
// looked up in every cycle, at once.
// A load that misses makes its warp the leading warp.  A returning leading warp rewrites
// its base.  `invalidate` drops the entry that the load of another warp hits; at any
// other load it has no effect.  kernel_start wins over flush_valid.  Loads that are not
// affine, or have no or more than four requests, change nothing.
`default_nettype none
module caps_percta #(
    parameter CTAS         = 8,  // CTA slots; a power of two, at least 2
    parameter ENTRIES      = 4,  // entries per slot; a power of two, at least 2
    parameter PC_ALIGN     = 8,  // bytes; a power of two: low PC bits that are not stored
    parameter ADDR_LINE    = 0,  // 1: addresses are cut to 128-byte lines
    parameter LOOP_UPDATE  = 1,  // 0: a returning leading warp leaves its base alone
    parameter TOUCH_ON_HIT = 0,  // 1: every lookup that hits refreshes the entry
    parameter ONE_CYCLE    = 0   // 1: a look-up answers in its cycle, as the document draws it
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           kernel_start,
    input  wire                           flush_valid,
    input  wire [$clog2(CTAS)-1:0]        flush_slot,
    input  wire                           ld_valid,
    input  wire [31:0]                    ld_pc,
    input  wire [$clog2(CTAS)-1:0]        ld_cta,
    input  wire [5:0]                     ld_wic,
    input  wire [2:0]                     ld_n,
    input  wire [127:0]                   ld_addr,
    input  wire                           ld_affine,
    input  wire                           ld_judged,
    input  wire                           invalidate,
    input  wire                           read_valid,
    input  wire [$clog2(CTAS)-1:0]        read_cta,
    input  wire [31-$clog2(PC_ALIGN):0]   read_pc,
    output wire                           ld_found,
    output wire                           ld_ready,
    output wire                           ld_hit,
    output wire [5:0]                     ld_lead,
    output wire [1:0]                     ld_last,
    output wire [127:0]                   ld_base,
    output wire                           read_ready,
    output wire                           read_hit,
    output wire [5:0]                     read_lead,
    output wire [1:0]                     read_last,
    output wire [127:0]                   read_base,
    output wire                           alloc,
    output wire                           evict,
    output wire                           update,
    output wire                           invalidated
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CTAS < 2 || CTAS > 32 || (CTAS & (CTAS - 1)) != 0) begin : g_bad_CTAS
            CTAS_must_be_a_power_of_two_from_2_to_32 u_stop ();
        end
        if (ENTRIES < 2 || ENTRIES > 16 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_16 u_stop ();
        end
        if (PC_ALIGN < 1 || PC_ALIGN > 16
            || (PC_ALIGN & (PC_ALIGN - 1)) != 0) begin : g_bad_PC_ALIGN
            PC_ALIGN_must_be_a_power_of_two_from_1_to_16 u_stop ();
        end
        if (ADDR_LINE < 0 || ADDR_LINE > 1) begin : g_bad_ADDR_LINE
            ADDR_LINE_must_be_0_or_1 u_stop ();
        end
        if (LOOP_UPDATE < 0 || LOOP_UPDATE > 1) begin : g_bad_LOOP_UPDATE
            LOOP_UPDATE_must_be_0_or_1 u_stop ();
        end
        if (TOUCH_ON_HIT < 0 || TOUCH_ON_HIT > 1) begin : g_bad_TOUCH_ON_HIT
            TOUCH_ON_HIT_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam PC_LSB = $clog2(PC_ALIGN);
    localparam PC_W   = 32 - PC_LSB;
    localparam WAY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam ROW_W  = $clog2(CTAS) + WAY_W;
    localparam ROWS   = CTAS * ENTRIES;

    reg [ROWS-1:0]       valid_q, valid_d;
    reg [ROWS*WAY_W-1:0] age_q, age_d;
    reg [PC_W-1:0]       pc_q    [0:ROWS-1];
    reg [5:0]            lead_q  [0:ROWS-1];
    reg [1:0]            last_q  [0:ROWS-1];
    reg [31:0]           base0_q [0:ROWS-1];
    reg [31:0]           base1_q [0:ROWS-1];
    reg [31:0]           base2_q [0:ROWS-1];
    reg [31:0]           base3_q [0:ROWS-1];

    // The load's table, as it is, and which of its entries would give way.
    wire                     flushing = kernel_start || flush_valid;
    wire [PC_W-1:0]          ld_tag   = ld_pc[31:PC_LSB];
    wire [ENTRIES*WAY_W-1:0] slot_age = age_q[ld_cta*(ENTRIES*WAY_W) +: ENTRIES*WAY_W];
    wire [ENTRIES*WAY_W-1:0] slot_age_next;
    wire [ENTRIES-1:0]       slot_valid = valid_q[ld_cta*ENTRIES +: ENTRIES];
    wire [WAY_W-1:0]         victim;
    wire [WAY_W-1:0]         way_used;  // its entry, or that
    wire                     looked_up;
    wire                     taken = ld_valid && ld_ready;

    // Look-ups; the lowest entry wins.
    generate
        if (ONE_CYCLE != 0) begin : g_once
            reg [ENTRIES-1:0] ld_match, read_match;
            reg [WAY_W-1:0]   ld_way, read_way;
            integer way;
            always @* begin
                ld_match   = {ENTRIES{1'b0}};
                read_match = {ENTRIES{1'b0}};
                ld_way     = {WAY_W{1'b0}};
                read_way   = {WAY_W{1'b0}};
                for (way = ENTRIES - 1; way >= 0; way = way - 1) begin
                    if (valid_q[{ld_cta, way[WAY_W-1:0]}] &&
                        pc_q[{ld_cta, way[WAY_W-1:0]}] == ld_tag) begin
                        ld_match[way] = 1'b1;
                        ld_way        = way[WAY_W-1:0];
                    end
                    if (valid_q[{read_cta, way[WAY_W-1:0]}] &&
                        pc_q[{read_cta, way[WAY_W-1:0]}] == read_pc) begin
                        read_match[way] = 1'b1;
                        read_way        = way[WAY_W-1:0];
                    end
                end
            end

            wire [ROW_W-1:0] ld_row   = {ld_cta, ld_way};
            wire [ROW_W-1:0] read_row = {read_cta, read_way};
            assign looked_up  = 1'b1;
            assign ld_found   = ld_valid;
            assign ld_hit     = ld_valid && |ld_match;
            assign ld_lead    = lead_q[ld_row];
            assign ld_last    = last_q[ld_row];
            assign ld_base    = {base3_q[ld_row], base2_q[ld_row], base1_q[ld_row],
                                 base0_q[ld_row]};
            assign way_used   = |ld_match ? ld_way : victim;
            assign read_ready = read_valid && !flushing;
            assign read_hit   = read_ready && |read_match;
            assign read_lead  = lead_q[read_row];
            assign read_last  = last_q[read_row];
            assign read_base  = {base3_q[read_row], base2_q[read_row], base1_q[read_row],
                                 base0_q[read_row]};
        end else begin : g_steps
            // One look-up begins in a cycle: of the load, else of the read.
            reg             loads_q, reads_q;  // that of the load, of the read, is in its second cycle
            reg             found_q;           // that of the load is over: the answer below stands
            reg [ENTRIES-1:0] match_q;         // which entries have it
            reg               ld_hit_q;
            reg [WAY_W-1:0]   way_q;
            reg [5:0]       lead_of_q;
            reg [1:0]       last_of_q;
            reg [127:0]     base_of_q;
            wire                    load_first = ld_valid && !loads_q && !found_q;
            wire [$clog2(CTAS)-1:0] cta = load_first ? ld_cta : read_cta;
            wire [PC_W-1:0]         tag = load_first ? ld_tag : read_pc;
            wire read_begins = read_valid && !reads_q && !load_first && !taken;
            reg  [ENTRIES-1:0]      match;
            reg  [WAY_W-1:0]        entry;
            integer way;
            always @* begin
                for (way = 0; way < ENTRIES; way = way + 1)
                    match[way] = valid_q[{cta, way[WAY_W-1:0]}]
                              && pc_q[{cta, way[WAY_W-1:0]}] == tag;
            end

            // The second cycle.
            wire             hit      = |match_q;
            wire [ROW_W-1:0] row_read = {loads_q ? ld_cta : read_cta, entry};
            integer one;
            always @* begin
                entry = {WAY_W{1'b0}};
                for (one = ENTRIES - 1; one >= 0; one = one - 1)
                    if (match_q[one])
                        entry = one[WAY_W-1:0];
            end
            assign read_ready = reads_q && read_valid && !flushing;
            assign read_hit   = read_ready && hit;
            assign read_lead  = lead_q[row_read];
            assign read_last  = last_q[row_read];
            assign read_base  = {base3_q[row_read], base2_q[row_read], base1_q[row_read],
                                 base0_q[row_read]};

            assign looked_up = found_q;
            assign ld_found  = found_q && ld_valid;
            assign ld_hit    = ld_found && ld_hit_q;
            assign ld_lead   = lead_of_q;
            assign ld_last   = last_of_q;
            assign ld_base   = base_of_q;
            assign way_used  = way_q;
            always @(posedge clk) begin
                if (rst || flushing) begin
                    loads_q <= 1'b0;
                    reads_q <= 1'b0;
                    found_q <= 1'b0;
                end else begin
                    loads_q <= load_first;
                    reads_q <= read_begins;
                    found_q <= (found_q || loads_q) && ld_valid && !taken;
                end
            end

            always @(posedge clk) begin
                if (rst) begin
                    match_q   <= {ENTRIES{1'b0}};
                    ld_hit_q  <= 1'b0;
                    way_q     <= {WAY_W{1'b0}};
                    lead_of_q <= 6'd0;
                    last_of_q <= 2'd0;
                    base_of_q <= 128'd0;
                end else begin
                    match_q <= match;
                    if (loads_q) begin
                        ld_hit_q  <= hit;
                        way_q     <= hit ? entry : victim;
                    end
                    if (loads_q && hit) begin
                        lead_of_q <= read_lead;
                        last_of_q <= read_last;
                        base_of_q <= read_base;
                    end
                end
            end
        end
    endgenerate

    // What the load does.
    assign ld_ready = looked_up && ld_judged && !flushing;
    wire observed  = taken && ld_affine && ld_n != 3'd0;
    wire targeted  = observed && ld_n <= 3'd4;
    wire by_leader = ld_wic == ld_lead;
    assign alloc       = targeted && !ld_hit;
    assign update      = targeted && ld_hit && by_leader && LOOP_UPDATE != 0;
    assign invalidated = targeted && ld_hit && !by_leader && invalidate;

    lru_rank #(.WAYS(ENTRIES)) u_lru (
        .rank(slot_age), .valid(slot_valid), .touch(way_used),
        .rank_next(slot_age_next), .victim(victim)
    );
    assign evict = alloc && slot_valid[way_used];

    wire             write = alloc || update;
    wire             touch = write || (TOUCH_ON_HIT != 0 && observed && ld_hit);
    wire [ROW_W-1:0] row   = {ld_cta, way_used};

    // Absent addresses are stored as 0.
    reg [127:0] addr;
    integer lane;
    always @* begin
        for (lane = 0; lane < 4; lane = lane + 1) begin
            addr[lane*32 +: 32] = lane[2:0] < ld_n ? ld_addr[lane*32 +: 32] : 32'd0;
            if (ADDR_LINE != 0)
                addr[lane*32 +: 7] = 7'd0;
        end
    end

    reg [ROWS*WAY_W-1:0] age_reset;
    integer i;
    always @* begin
        for (i = 0; i < ROWS; i = i + 1)
            age_reset[i*WAY_W +: WAY_W] = i[WAY_W-1:0];
    end

    always @* begin
        valid_d = valid_q;
        age_d   = age_q;
        if (kernel_start) begin
            valid_d = {ROWS{1'b0}};
            age_d   = age_reset;
        end else if (flush_valid) begin
            valid_d[flush_slot*ENTRIES +: ENTRIES] = {ENTRIES{1'b0}};
        end else begin
            if (alloc)      valid_d[row]  = 1'b1;
            if (invalidated) valid_d[row] = 1'b0;
            if (touch)         age_d[ld_cta*(ENTRIES*WAY_W) +: ENTRIES*WAY_W] = slot_age_next;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ROWS{1'b0}};
            age_q   <= age_reset;
        end else begin
            valid_q <= valid_d;
            age_q   <= age_d;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (alloc) begin
            pc_q[row]   <= ld_tag;
            lead_q[row] <= ld_wic;
        end
        if (write) begin
            last_q[row]  <= ld_n[1:0] - 2'd1;
            base0_q[row] <= addr[31:0];
            base1_q[row] <= addr[63:32];
            base2_q[row] <= addr[95:64];
            base3_q[row] <= addr[127:96];
        end
    end

    wire unused = &{1'b0, ld_pc};
endmodule
`default_nettype wire
