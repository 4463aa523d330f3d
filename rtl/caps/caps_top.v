// caps_top - the CTA-aware prefetcher of one SM: PerCTA tables, DIST table and generator
// wired together (caps-prefetch 3.2.8).
//
// A load is held until ld_ready, with which it is taken, never in a cycle with kernel_start or
// cta_flush_valid.  PerCTA looks it up in two cycles and DIST judges it in the three or more after
// them (caps_percta, caps_dist), so that a load is taken in its fifth cycle at the earliest; a
// flush begins it anew.  What it changes in both tables is visible in the next cycle, and a walk
// that it starts enters the job FIFO in it.  A walk reads the bases that PerCTA holds before the
// load that is taken with its read, in cycles in which no load's look-up begins (caps_walk_steps);
// its first request is offered (pf_valid, pf_ready: handshake in one cycle) eleven cycles after the
// load at the earliest.  With ONE_CYCLE every load is taken in its first cycle without a flush, and the
// first request is offered four cycles after it.
// kernel_start wins over cta_flush_valid and empties everything.  wpc, first_wid and warp_alive
// are read while a walk goes on; changing wpc or first_wid during a kernel changes its walks only.
`default_nettype none
module caps_top #(
    parameter CTAS                    = 8,    // CTA slots; a power of two, at least 2
    parameter WARPS                   = 48,   // warp slots, 2..64
    parameter PERCTA_ENTRIES          = 4,    // PerCTA entries per slot; a power of two
    parameter DIST_ENTRIES            = 4,    // DIST entries; a power of two
    parameter PC_ALIGN                = 8,    // bytes; a power of two: PC bits not stored
    parameter THR                     = 128,  // 0..255: last count that still prefetches
    parameter SELF_PF                 = 0,    // 1: the training CTA prefetches for itself
    parameter GEN_ALL                 = 1,    // 0: a walk per trailing warp, for that warp
    parameter STRICT_CNT              = 0,    // 1: training needs equal request counts
    parameter ADDR_LINE               = 0,    // 1: addresses are cut to 128-byte lines
    parameter DIST_FLUSH_WITH_LEADCTA = 0,    // 1: a stride dies with its training CTA
    parameter DECAY                   = 0,    // k > 0: counters halve every 2^k checks
    parameter JOB_ENTRIES             = 8,    // job FIFO depth; a power of two
    parameter PF_ENTRIES              = 16,   // request queue depth; a power of two
    parameter ONE_CYCLE               = 0     // 1: its parts in one cycle, as the document draws it
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       kernel_start,
    input  wire [5:0]                 wpc,
    input  wire                       cta_flush_valid,
    input  wire [$clog2(CTAS)-1:0]    cta_flush_slot,
    input  wire [CTAS*$clog2(WARPS)-1:0] first_wid,
    input  wire [WARPS-1:0]              warp_alive,
    input  wire                       ld_valid,
    input  wire [31:0]                ld_pc,
    input  wire [$clog2(CTAS)-1:0]    ld_cta,
    input  wire [5:0]                 ld_wic,
    input  wire [2:0]                 ld_n,
    input  wire [127:0]               ld_addr,
    input  wire                       ld_affine,
    input  wire                       pf_ready,
    output wire                       ld_ready,
    output wire                       pf_valid,
    output wire [24:0]                pf_line,
    output wire [$clog2(WARPS)-1:0]      pf_wid,
    output wire                       idle,
    output wire                       verify,
    output wire                       mispredict,
    output wire                       stride_new,
    output wire                       invalidated,
    output wire                       job_drop
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CTAS < 2 || CTAS > 32 || (CTAS & (CTAS - 1)) != 0) begin : g_bad_CTAS
            CTAS_must_be_a_power_of_two_from_2_to_32 u_stop ();
        end
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (PERCTA_ENTRIES < 2 || PERCTA_ENTRIES > 16
            || (PERCTA_ENTRIES & (PERCTA_ENTRIES - 1)) != 0) begin : g_bad_PERCTA_ENTRIES
            PERCTA_ENTRIES_must_be_a_power_of_two_from_2_to_16 u_stop ();
        end
        if (DIST_ENTRIES < 2 || DIST_ENTRIES > 16
            || (DIST_ENTRIES & (DIST_ENTRIES - 1)) != 0) begin : g_bad_DIST_ENTRIES
            DIST_ENTRIES_must_be_a_power_of_two_from_2_to_16 u_stop ();
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
        if (ADDR_LINE < 0 || ADDR_LINE > 1) begin : g_bad_ADDR_LINE
            ADDR_LINE_must_be_0_or_1 u_stop ();
        end
        if (DIST_FLUSH_WITH_LEADCTA < 0
            || DIST_FLUSH_WITH_LEADCTA > 1) begin : g_bad_DIST_FLUSH_WITH_LEADCTA
            DIST_FLUSH_WITH_LEADCTA_must_be_0_or_1 u_stop ();
        end
        if (DECAY < 0 || DECAY > 20) begin : g_bad_DECAY
            DECAY_must_be_from_0_to_20 u_stop ();
        end
        if (JOB_ENTRIES < 2 || JOB_ENTRIES > 64
            || (JOB_ENTRIES & (JOB_ENTRIES - 1)) != 0) begin : g_bad_JOB_ENTRIES
            JOB_ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PF_ENTRIES < 2 || PF_ENTRIES > 64
            || (PF_ENTRIES & (PF_ENTRIES - 1)) != 0) begin : g_bad_PF_ENTRIES
            PF_ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam CTA_W = $clog2(CTAS);
    localparam PC_W  = 32 - $clog2(PC_ALIGN);

    wire             found, judged, percta_hit, read_valid, read_ready, read_hit, invalidate;
    wire [5:0]       percta_lead, read_lead;
    wire [1:0]       percta_last, read_last;
    wire [127:0]     percta_base, read_base;
    wire [CTA_W-1:0] read_cta;
    wire [PC_W-1:0]  read_pc;
    wire             job_valid, job_filter;
    wire [PC_W-1:0]  job_pc;
    wire [31:0]      job_stride;
    wire [CTAS-1:0]  job_mask;
    wire [5:0]       job_wic;

    /* verilator lint_off PINCONNECTEMPTY */
    caps_percta #(
        .CTAS(CTAS), .ENTRIES(PERCTA_ENTRIES), .PC_ALIGN(PC_ALIGN), .ADDR_LINE(ADDR_LINE),
        .ONE_CYCLE(ONE_CYCLE)
    ) u_percta (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .flush_valid(cta_flush_valid), .flush_slot(cta_flush_slot),
        .ld_valid(ld_valid), .ld_pc(ld_pc), .ld_cta(ld_cta), .ld_wic(ld_wic), .ld_n(ld_n),
        .ld_addr(ld_addr), .ld_affine(ld_affine), .ld_judged(judged), .invalidate(invalidate),
        .read_valid(read_valid), .read_cta(read_cta), .read_pc(read_pc),
        .ld_found(found), .ld_ready(ld_ready), .ld_hit(percta_hit), .ld_lead(percta_lead),
        .ld_last(percta_last),
        .ld_base(percta_base), .read_ready(read_ready), .read_hit(read_hit),
        .read_lead(read_lead), .read_last(read_last),
        .read_base(read_base),
        .alloc(), .evict(), .update(), .invalidated(invalidated)
    );

    caps_dist #(
        .CTAS(CTAS), .ENTRIES(DIST_ENTRIES), .PC_ALIGN(PC_ALIGN), .THR(THR), .SELF_PF(SELF_PF),
        .GEN_ALL(GEN_ALL), .STRICT_CNT(STRICT_CNT), .ADDR_LINE(ADDR_LINE),
        .DIST_FLUSH_WITH_LEADCTA(DIST_FLUSH_WITH_LEADCTA), .DECAY(DECAY), .ONE_CYCLE(ONE_CYCLE)
    ) u_dist (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .flush_valid(cta_flush_valid), .flush_slot(cta_flush_slot),
        .ld_valid(found), .ld_pc(ld_pc), .ld_cta(ld_cta), .ld_wic(ld_wic), .ld_n(ld_n),
        .ld_addr(ld_addr), .ld_affine(ld_affine),
        .percta_hit(percta_hit), .percta_lead(percta_lead), .percta_last(percta_last),
        .percta_base(percta_base),
        .ld_ready(judged), .dist_hit(), .dist_stride(), .dist_count(), .invalidate(invalidate),
        .job_valid(job_valid), .job_pc(job_pc), .job_stride(job_stride), .job_mask(job_mask),
        .job_filter(job_filter), .job_wic(job_wic),
        .verify(verify), .mispredict(mispredict), .mispredict_below(),
        .stride_new(stride_new), .evict(), .throttled()
    );

    caps_prefetch_gen #(
        .CTAS(CTAS), .WARPS(WARPS), .PC_ALIGN(PC_ALIGN), .JOB_ENTRIES(JOB_ENTRIES),
        .PF_ENTRIES(PF_ENTRIES), .GEN_ALL(GEN_ALL), .ONE_CYCLE(ONE_CYCLE)
    ) u_gen (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .wpc(wpc), .first_wid(first_wid),
        .warp_alive(warp_alive), .job_valid(job_valid), .job_pc(job_pc),
        .job_stride(job_stride), .job_mask(job_mask), .job_filter(job_filter),
        .job_wic(job_wic), .read_ready(read_ready), .read_hit(read_hit), .read_lead(read_lead), .read_last(read_last),
        .read_base(read_base),
        .pf_ready(pf_ready), .read_valid(read_valid), .read_cta(read_cta), .read_pc(read_pc),
        .pf_valid(pf_valid),
        .pf_line(pf_line), .pf_wid(pf_wid), .rests(), .idle(idle), .job_drop(job_drop),
        .miss(), .emit(), .skip(), .stall()
    );
    /* verilator lint_on PINCONNECTEMPTY */
endmodule
`default_nettype wire
