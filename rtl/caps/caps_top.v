// caps_top - the CTA-aware prefetcher of one SM: PerCTA tables, DIST table and generator
// wired together (caps-prefetch 3.2.8).
//
// Accepts: one load per cycle while ld_ready, i.e. in no cycle with kernel_start or
// cta_flush_valid; a load held over a flush is looked up after it.  Both tables are looked
// up and changed in the load's cycle, so that the next load sees the change.  A walk that
// the load starts enters the job FIFO in the same cycle; its first request is offered
// (pf_valid, pf_ready: handshake in one cycle) four cycles after the load.  A walk reads
// the bases that PerCTA holds before this cycle's write.  kernel_start wins over
// cta_flush_valid and empties everything.  wpc, first_wid and warp_alive are read while a
// walk goes on; changing wpc or first_wid during a kernel changes its walks only.
`default_nettype none
module caps_top #(
    parameter NCTA                    = 8,    // CTA slots; a power of two, at least 2
    parameter NW                      = 48,   // warp slots, 2..64
    parameter NE                      = 4,    // PerCTA entries per slot; a power of two
    parameter ND                      = 4,    // DIST entries; a power of two
    parameter PC_ALIGN                = 8,    // bytes; a power of two: PC bits not stored
    parameter THR                     = 128,  // 0..255: last count that still prefetches
    parameter SELF_PF                 = 0,    // 1: the training CTA prefetches for itself
    parameter GEN_ALL                 = 1,    // 0: a walk per trailing warp, for that warp
    parameter STRICT_CNT              = 0,    // 1: training needs equal request counts
    parameter ADDR_LINE               = 0,    // 1: addresses are cut to 128-byte lines
    parameter DIST_FLUSH_WITH_LEADCTA = 0,    // 1: a stride dies with its training CTA
    parameter DECAY                   = 0,    // k > 0: counters halve every 2^k checks
    parameter JOBS                    = 8,    // job FIFO depth; a power of two
    parameter PFQ                     = 16    // request queue depth; a power of two
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       kernel_start,
    input  wire [5:0]                 wpc,
    input  wire                       cta_flush_valid,
    input  wire [$clog2(NCTA)-1:0]    cta_flush_slot,
    input  wire [NCTA*$clog2(NW)-1:0] first_wid,
    input  wire [NW-1:0]              warp_alive,
    input  wire                       ld_valid,
    input  wire [31:0]                ld_pc,
    input  wire [$clog2(NCTA)-1:0]    ld_cta,
    input  wire [5:0]                 ld_wic,
    input  wire [2:0]                 ld_n,
    input  wire [127:0]               ld_addr,
    input  wire                       ld_affine,
    input  wire                       pf_ready,
    output wire                       ld_ready,
    output wire                       pf_valid,
    output wire [24:0]                pf_line,
    output wire [$clog2(NW)-1:0]      pf_wid,
    output wire                       idle,
    output wire                       st_verify,
    output wire                       st_mispredict,
    output wire                       st_stride_new,
    output wire                       st_invalidate,
    output wire                       st_job_drop
);
    localparam CTA_W = $clog2(NCTA);
    localparam PC_W  = 32 - $clog2(PC_ALIGN);

    wire             p_hit, g_hit, inv;
    wire [5:0]       p_lead, g_lead;
    wire [1:0]       p_last, g_last;
    wire [127:0]     p_base, g_base;
    wire [CTA_W-1:0] g_cta;
    wire [PC_W-1:0]  g_pc;
    wire             job_valid, job_filter;
    wire [PC_W-1:0]  job_pc;
    wire [31:0]      job_stride;
    wire [NCTA-1:0]  job_mask;
    wire [5:0]       job_wic;

    /* verilator lint_off PINCONNECTEMPTY */
    caps_percta #(
        .NCTA(NCTA), .NE(NE), .PC_ALIGN(PC_ALIGN), .ADDR_LINE(ADDR_LINE)
    ) u_percta (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .flush_valid(cta_flush_valid), .flush_slot(cta_flush_slot),
        .ld_valid(ld_valid), .ld_pc(ld_pc), .ld_cta(ld_cta), .ld_wic(ld_wic), .ld_n(ld_n),
        .ld_addr(ld_addr), .ld_affine(ld_affine), .inv(inv), .g_cta(g_cta), .g_pc(g_pc),
        .ld_ready(ld_ready), .ld_hit(p_hit), .ld_lead(p_lead), .ld_last(p_last),
        .ld_base(p_base), .g_hit(g_hit), .g_lead(g_lead), .g_last(g_last), .g_base(g_base),
        .st_alloc(), .st_evict(), .st_update(), .st_invalidate(st_invalidate)
    );

    caps_dist #(
        .NCTA(NCTA), .ND(ND), .PC_ALIGN(PC_ALIGN), .THR(THR), .SELF_PF(SELF_PF),
        .GEN_ALL(GEN_ALL), .STRICT_CNT(STRICT_CNT), .ADDR_LINE(ADDR_LINE),
        .DIST_FLUSH_WITH_LEADCTA(DIST_FLUSH_WITH_LEADCTA), .DECAY(DECAY)
    ) u_dist (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .flush_valid(cta_flush_valid), .flush_slot(cta_flush_slot),
        .ld_valid(ld_valid), .ld_pc(ld_pc), .ld_cta(ld_cta), .ld_wic(ld_wic), .ld_n(ld_n),
        .ld_addr(ld_addr), .ld_affine(ld_affine),
        .p_hit(p_hit), .p_lead(p_lead), .p_last(p_last), .p_base(p_base),
        .ld_ready(), .d_hit(), .d_stride(), .d_count(), .inv(inv),
        .job_valid(job_valid), .job_pc(job_pc), .job_stride(job_stride), .job_mask(job_mask),
        .job_filter(job_filter), .job_wic(job_wic),
        .st_verify(st_verify), .st_mispredict(st_mispredict), .st_mispredict_below(),
        .st_stride_new(st_stride_new), .st_evict(), .st_throttled()
    );

    caps_prefetch_gen #(
        .NCTA(NCTA), .NW(NW), .PC_ALIGN(PC_ALIGN), .JOBS(JOBS), .PFQ(PFQ), .GEN_ALL(GEN_ALL)
    ) u_gen (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .wpc(wpc), .first_wid(first_wid),
        .warp_alive(warp_alive), .job_valid(job_valid), .job_pc(job_pc),
        .job_stride(job_stride), .job_mask(job_mask), .job_filter(job_filter),
        .job_wic(job_wic), .g_hit(g_hit), .g_lead(g_lead), .g_last(g_last), .g_base(g_base),
        .pf_ready(pf_ready), .g_valid(), .g_cta(g_cta), .g_pc(g_pc), .pf_valid(pf_valid),
        .pf_line(pf_line), .pf_wid(pf_wid), .idle(idle), .st_job_drop(st_job_drop),
        .st_miss(), .st_emit(), .st_skip(), .st_stall()
    );
    /* verilator lint_on PINCONNECTEMPTY */
endmodule
`default_nettype wire
