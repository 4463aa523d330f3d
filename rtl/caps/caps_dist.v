// caps_dist - DIST table of the CTA-aware prefetcher (caps-prefetch 3.2.2, 3.2.3, 3.2.5).
//
// One stride per load PC for the whole SM, with a misprediction counter and the CTA slot
// that trained it.  A load is held, with what PerCTA answers for it (percta_*), until
// ld_ready, never in a cycle with a flush.  The outputs answer in the cycle in which it is
// taken, the table's change is visible in the next one.
// A load is taken in its third cycle; one that is verified or trains needs 2 to 9 more for
// its sums to settle (caps_judge), verified another one for each bit of its distance to the
// leading warp; with TRAIN_FAR one that trains from afar 33.  A flush begins it anew.  No two
// loads overlap.  With ONE_CYCLE every load is taken in its first cycle without a flush.
// A neighbour of the leading warp trains (case 1 walk; with TRAIN_FAR any warp does), or asks
// PerCTA to drop the entry (invalidate) when its strides differ; a leading warp whose stride
// is known starts a case 2 walk; any other warp verifies.  A walk needs a counter not above
// THR and, unless STRIDE0_JOB, a stride other than 0.  kernel_start wins over flush_valid;
// it also starts a new decay period.
`default_nettype none
module caps_dist #(
    parameter CTAS                    = 8,    // CTA slots; a power of two, at least 2
    parameter ENTRIES                 = 4,    // entries; a power of two, at least 2
    parameter PC_ALIGN                = 8,    // bytes; a power of two: PC bits not stored
    parameter THR                     = 128,  // 0..255: last count that still prefetches
    parameter SELF_PF                 = 0,    // 1: the training CTA prefetches for itself
    parameter GEN_ALL                 = 1,    // 0: a walk per trailing warp, for that warp
    parameter STRICT_CNT              = 0,    // 1: training needs equal request counts
    parameter TRAIN_FAR               = 0,    // 1: warps that are no neighbours train too
    parameter ADDR_LINE               = 0,    // 1: addresses are cut to 128-byte lines
    parameter VERIFY_BYTES            = 0,    // 1: byte-exact verification
    parameter LOOP_UPDATE             = 1,    // 0: a returning leading warp does nothing
    parameter OVER_VERIFY             = 1,    // 0: loads of more than four requests ignored
    parameter STRIDE0_JOB             = 0,    // 1: stride 0 walks too
    parameter TOUCH_ON_VERIFY         = 1,    // 0: only allocation refreshes the age
    parameter DIST_FLUSH_WITH_LEADCTA = 0,    // 1: an entry dies with its training CTA
    parameter DECAY                   = 0,    // k > 0: counters halve every 2^k checks
    parameter ONE_CYCLE               = 0     // 1: all that a load needs in its first cycle
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         kernel_start,
    input  wire                         flush_valid,
    input  wire [$clog2(CTAS)-1:0]      flush_slot,
    input  wire                         ld_valid,
    input  wire [31:0]                  ld_pc,
    input  wire [$clog2(CTAS)-1:0]      ld_cta,
    input  wire [5:0]                   ld_wic,
    input  wire [2:0]                   ld_n,
    input  wire [127:0]                 ld_addr,
    input  wire                         ld_affine,
    input  wire                         percta_hit,
    input  wire [5:0]                   percta_lead,
    input  wire [1:0]                   percta_last,
    input  wire [127:0]                 percta_base,
    output wire                         ld_ready,
    output wire                         dist_hit,
    output wire [31:0]                  dist_stride,
    output wire [7:0]                   dist_count,
    output wire                         invalidate,
    output wire                         job_valid,
    output wire [31-$clog2(PC_ALIGN):0] job_pc,
    output wire [31:0]                  job_stride,
    output wire [CTAS-1:0]              job_mask,
    output wire                         job_filter,
    output wire [5:0]                   job_wic,
    output wire                         verify,
    output wire                         mispredict,
    output wire                         mispredict_below,
    output wire                         stride_new,
    output wire                         evict,
    output wire                         throttled
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
        if (THR < 0 || THR > 255) begin : g_bad_THR
            THR_must_be_from_0_to_255 u_stop ();
        end
        if (SELF_PF < 0 || SELF_PF > 1) begin : g_bad_SELF_PF
            SELF_PF_must_be_0_or_1 u_stop ();
        end
        if (GEN_ALL < 0 || GEN_ALL > 1) begin : g_bad_GEN_ALL
            GEN_ALL_must_be_0_or_1 u_stop ();
        end
        if (STRICT_CNT < 0 || STRICT_CNT > 1) begin : g_bad_STRICT_CNT
            STRICT_CNT_must_be_0_or_1 u_stop ();
        end
        if (TRAIN_FAR < 0 || TRAIN_FAR > 1) begin : g_bad_TRAIN_FAR
            TRAIN_FAR_must_be_0_or_1 u_stop ();
        end
        if (ADDR_LINE < 0 || ADDR_LINE > 1) begin : g_bad_ADDR_LINE
            ADDR_LINE_must_be_0_or_1 u_stop ();
        end
        if (VERIFY_BYTES < 0 || VERIFY_BYTES > 1) begin : g_bad_VERIFY_BYTES
            VERIFY_BYTES_must_be_0_or_1 u_stop ();
        end
        if (LOOP_UPDATE < 0 || LOOP_UPDATE > 1) begin : g_bad_LOOP_UPDATE
            LOOP_UPDATE_must_be_0_or_1 u_stop ();
        end
        if (OVER_VERIFY < 0 || OVER_VERIFY > 1) begin : g_bad_OVER_VERIFY
            OVER_VERIFY_must_be_0_or_1 u_stop ();
        end
        if (STRIDE0_JOB < 0 || STRIDE0_JOB > 1) begin : g_bad_STRIDE0_JOB
            STRIDE0_JOB_must_be_0_or_1 u_stop ();
        end
        if (TOUCH_ON_VERIFY < 0 || TOUCH_ON_VERIFY > 1) begin : g_bad_TOUCH_ON_VERIFY
            TOUCH_ON_VERIFY_must_be_0_or_1 u_stop ();
        end
        if (DIST_FLUSH_WITH_LEADCTA < 0
            || DIST_FLUSH_WITH_LEADCTA > 1) begin : g_bad_DIST_FLUSH_WITH_LEADCTA
            DIST_FLUSH_WITH_LEADCTA_must_be_0_or_1 u_stop ();
        end
        if (DECAY < 0 || DECAY > 20) begin : g_bad_DECAY
            DECAY_must_be_from_0_to_20 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam CTA_W  = $clog2(CTAS);
    localparam PC_LSB = $clog2(PC_ALIGN);
    localparam PC_W   = 32 - PC_LSB;
    localparam WAY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1;

    reg [ENTRIES-1:0]       valid_q, valid_d;
    reg [ENTRIES*WAY_W-1:0] age_q, age_d;
    reg [ENTRIES*PC_W-1:0]  pc_q, pc_d;
    reg [ENTRIES*32-1:0]    stride_q, stride_d;
    reg [ENTRIES*8-1:0]     count_q, count_d;
    reg [ENTRIES-1:0]       lead_valid_q, lead_valid_d;
    reg [ENTRIES*CTA_W-1:0] lead_cta_q, lead_cta_d;

    // Lookup; the lowest entry wins.
    wire [PC_W-1:0] tag = ld_pc[31:PC_LSB];
    reg [ENTRIES-1:0] match;
    reg [WAY_W-1:0]   match_way;
    integer e;
    always @* begin
        match     = {ENTRIES{1'b0}};
        match_way = {WAY_W{1'b0}};
        for (e = ENTRIES - 1; e >= 0; e = e - 1)
            if (valid_q[e] && pc_q[e*PC_W +: PC_W] == tag) begin
                match[e]  = 1'b1;
                match_way = e[WAY_W-1:0];
            end
    end

    wire [WAY_W-1:0] victim;
    wire [WAY_W-1:0] choice = |match ? match_way : victim;

    reg [127:0] addr;
    integer lane;
    always @* begin
        addr = ld_addr;
        for (lane = 0; lane < 4; lane = lane + 1)
            if (ADDR_LINE != 0)
                addr[lane*32 +: 7] = 7'd0;
    end

    // Of the load at hand, when it is judged: its entry, else the one that would give way, and
    // how it compares with it.
    wire             restart = kernel_start || flush_valid;
    wire             judged, hit, trains, uniform, wrong;
    wire [WAY_W-1:0] way;
    wire [31:0]      new_stride;
    wire [31:0]      hit_stride  = stride_q[way*32 +: 32];
    wire [7:0]       hit_count   = count_q[way*8 +: 8];
    wire             by_lead_cta = lead_valid_q[way]
                                 && lead_cta_q[way*CTA_W +: CTA_W] == ld_cta;

    // Which of the four cases the load is.
    assign ld_ready = judged && !restart;
    wire taken     = ld_valid && ld_ready;
    wire observed  = ld_affine && ld_n != 3'd0;
    wire over      = ld_n > 3'd4;
    wire by_leader = percta_hit && ld_wic == percta_lead;
    wire trailing  = observed && percta_hit && !by_leader;
    wire leading   = taken && observed && !over
                   && (!percta_hit || (by_leader && LOOP_UPDATE != 0));
    wire training  = trailing && !over && !hit;
    wire checking  = trailing && hit && (!over || OVER_VERIFY != 0);
    assign verify      = taken && checking;
    assign dist_hit    = taken && hit;
    assign dist_stride = hit_stride;
    assign dist_count  = hit_count;

    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            assign judged  = 1'b1;
            assign hit     = |match;
            assign way     = choice;
            caps_train #(.STRICT_CNT(STRICT_CNT), .TRAIN_FAR(TRAIN_FAR)) u_train (
                .wic(ld_wic), .n(ld_n), .addr(addr),
                .lead(percta_lead), .last(percta_last), .base(percta_base),
                .trains(trains), .uniform(uniform), .stride(new_stride)
            );
            caps_verify #(.VERIFY_BYTES(VERIFY_BYTES)) u_verify (
                .wic(ld_wic), .n(ld_n), .addr(addr),
                .lead(percta_lead), .last(percta_last), .base(percta_base),
                .stride(hit_stride), .wrong(wrong)
            );
        end else begin : g_stages
            caps_judge #(
                .WAY_W(WAY_W), .STRICT_CNT(STRICT_CNT), .TRAIN_FAR(TRAIN_FAR),
                .VERIFY_BYTES(VERIFY_BYTES)
            ) u_judge (
                .clk(clk), .rst(rst), .restart(restart), .ld_valid(ld_valid),
                .match(|match), .choice(choice),
                .checks(checking && !over), .teaches(training && trains),
                .wic(ld_wic), .n(ld_n), .addr(addr),
                .lead(percta_lead), .last(percta_last), .base(percta_base),
                .way_stride(hit_stride),
                .done(judged), .hit(hit), .way(way),
                .trains(trains), .uniform(uniform), .stride(new_stride), .wrong(wrong)
            );
        end
    endgenerate
    assign stride_new       = taken && training && trains && uniform;
    assign invalidate       = taken && training && trains && !uniform;
    assign mispredict       = verify && (over || wrong);
    assign mispredict_below = mispredict && ld_wic < percta_lead;
    wire [7:0] count_next = hit_count + 8'd1;
    wire [7:0] count_after = (over || wrong) && !(&hit_count) ? count_next : hit_count;

    // Walks: case 1 on a new stride, case 2 on a base, and with SAME on a check.
    wire [31:0] thr = THR;  // as wide as an integer parameter
    wire case1   = stride_new;
    wire case2   = leading && hit && (SELF_PF != 0 || !by_lead_cta);
    wire again   = GEN_ALL == 0 && verify && !over && by_lead_cta;
    wire blocked = {24'd0, again ? count_after : hit_count} > thr;
    assign throttled  = (case2 || again) && blocked;
    assign job_stride = case1 ? new_stride : hit_stride;
    wire moves = STRIDE0_JOB != 0 || (case1 ? |new_stride : |hit_stride);  // before the choice
    assign job_valid  = (case1 || ((case2 || again) && !blocked)) && moves;
    assign job_pc       = tag;
    assign job_filter   = !case2;
    assign job_wic      = ld_wic;
    wire [CTAS-1:0] own = {{(CTAS-1){1'b0}}, 1'b1} << ld_cta;
    assign job_mask     = case2 ? own : ~own;

    wire [ENTRIES*WAY_W-1:0] age_touched;
    lru_rank #(.WAYS(ENTRIES)) u_lru (
        .rank(age_q), .valid(valid_q), .touch(way), .rank_next(age_touched), .victim(victim)
    );
    assign evict = stride_new && valid_q[way];
    wire touch = stride_new || (verify && TOUCH_ON_VERIFY != 0);

    // The period of the optional decay.
    wire halve;
    generate
        if (DECAY != 0) begin : g_decay
            reg [DECAY-1:0] verifies_q;
            always @(posedge clk) begin
                if (rst || kernel_start) verifies_q <= {DECAY{1'b0}};
                else                     verifies_q <= verifies_q + {{(DECAY-1){1'b0}}, verify};
            end
            assign halve = verify && &verifies_q;
        end else begin : g_no_decay
            assign halve = 1'b0;
        end
    endgenerate

    reg [ENTRIES*WAY_W-1:0] age_reset;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1)
            age_reset[i*WAY_W +: WAY_W] = i[WAY_W-1:0];
    end

    integer w;
    always @* begin
        valid_d      = valid_q;
        age_d        = age_q;
        pc_d         = pc_q;
        stride_d     = stride_q;
        count_d      = count_q;
        lead_valid_d = lead_valid_q;
        lead_cta_d   = lead_cta_q;
        if (touch)
            age_d = age_touched;
        if (verify)
            count_d[way*8 +: 8] = count_after;
        if (stride_new) begin
            valid_d[way]                    = 1'b1;
            pc_d[way*PC_W +: PC_W]          = tag;
            stride_d[way*32 +: 32]          = new_stride;
            count_d[way*8 +: 8]             = 8'd0;
            lead_valid_d[way]               = 1'b1;
            lead_cta_d[way*CTA_W +: CTA_W]  = ld_cta;
        end
        for (w = 0; w < ENTRIES; w = w + 1) begin
            if (halve)
                count_d[w*8 +: 8] = {1'b0, count_d[w*8 + 1 +: 7]};
            if (flush_valid && !kernel_start && lead_valid_q[w] &&
                lead_cta_q[w*CTA_W +: CTA_W] == flush_slot) begin
                if (DIST_FLUSH_WITH_LEADCTA != 0)
                    valid_d[w] = 1'b0;
                else
                    lead_valid_d[w] = 1'b0;
            end
        end
        if (kernel_start) begin
            valid_d = {ENTRIES{1'b0}};
            age_d   = age_reset;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            age_q   <= age_reset;
        end else begin
            valid_q <= valid_d;
            age_q   <= age_d;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        pc_q         <= pc_d;
        stride_q     <= stride_d;
        count_q      <= count_d;
        lead_valid_q <= lead_valid_d;
        lead_cta_q   <= lead_cta_d;
    end

    wire unused = &{1'b0, ld_pc};
endmodule
`default_nettype wire
