// caps_prefetch_gen - from walks over CTA slots to line prefetches (caps-prefetch 3.2.4).
//
// A job {pc, stride, slots} is accepted in any cycle; when the FIFO is full at the start
// of the cycle it is discarded (job_drop).  An idle walker takes the oldest job and visits its
// slots, lowest first; PerCTA answers a read (read_valid) on read_* with read_ready, in the same
// cycle or later.  Per slot: warps above the leader upwards to wpc-1, then below it downwards to
// 0.  A warp is passed over if it has exited or is not the one that a SAME job names.  A request
// enters the queue unless that is full at the start of the cycle, then the walk waits.
// pf_valid/pf_ready is a handshake in the same cycle; a request is offered one cycle after it
// entered.  How long a walk takes: caps_walk_steps, with ONE_CYCLE caps_walk_once, a line a cycle.
// kernel_start empties everything, over all else in that cycle.  A slot flush does not
// reach here: a slot that is being walked is finished with the bases read before.
`default_nettype none
module caps_prefetch_gen #(
    parameter CTAS        = 8,   // CTA slots; a power of two, at least 2
    parameter WARPS       = 48,  // warp slots, 2..64
    parameter PC_ALIGN    = 8,   // bytes; a power of two: PC bits not stored
    parameter JOB_ENTRIES = 8,   // job FIFO depth; a power of two, at least 2
    parameter PF_ENTRIES  = 16,  // request queue depth; a power of two, at least 2
    parameter GEN_ALL     = 1,   // 0: a job may name one warp index
    parameter DUP_FILTER  = 1,   // 0: requests in their predecessor's line are emitted too
    parameter ONE_CYCLE   = 0    // 1: a slot or a line a cycle, as the document draws it
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         kernel_start,
    input  wire [5:0]                   wpc,
    input  wire [CTAS*$clog2(WARPS)-1:0]   first_wid,
    input  wire [WARPS-1:0]                warp_alive,
    input  wire                         job_valid,
    input  wire [31-$clog2(PC_ALIGN):0] job_pc,
    input  wire [31:0]                  job_stride,
    input  wire [CTAS-1:0]              job_mask,
    input  wire                         job_filter,
    input  wire [5:0]                   job_wic,
    input  wire                         read_ready,
    input  wire                         read_hit,
    input  wire [5:0]                   read_lead,
    input  wire [1:0]                   read_last,
    input  wire [127:0]                 read_base,
    input  wire                         pf_ready,
    output wire                         read_valid,
    output wire [$clog2(CTAS)-1:0]      read_cta,
    output wire [31-$clog2(PC_ALIGN):0] read_pc,
    output wire                         pf_valid,
    output wire [24:0]                  pf_line,
    output wire [$clog2(WARPS)-1:0]        pf_wid,
    output wire                         rests,
    output wire                         idle,
    output wire                         job_drop,
    output wire                         miss,
    output wire                         emit,
    output wire                         skip,
    output wire                         stall
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CTAS < 2 || CTAS > 32 || (CTAS & (CTAS - 1)) != 0) begin : g_bad_CTAS
            CTAS_must_be_a_power_of_two_from_2_to_32 u_stop ();
        end
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (PC_ALIGN < 1 || PC_ALIGN > 16
            || (PC_ALIGN & (PC_ALIGN - 1)) != 0) begin : g_bad_PC_ALIGN
            PC_ALIGN_must_be_a_power_of_two_from_1_to_16 u_stop ();
        end
        if (JOB_ENTRIES < 2 || JOB_ENTRIES > 64
            || (JOB_ENTRIES & (JOB_ENTRIES - 1)) != 0) begin : g_bad_JOB_ENTRIES
            JOB_ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PF_ENTRIES < 2 || PF_ENTRIES > 64
            || (PF_ENTRIES & (PF_ENTRIES - 1)) != 0) begin : g_bad_PF_ENTRIES
            PF_ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (GEN_ALL < 0 || GEN_ALL > 1) begin : g_bad_GEN_ALL
            GEN_ALL_must_be_0_or_1 u_stop ();
        end
        if (DUP_FILTER < 0 || DUP_FILTER > 1) begin : g_bad_DUP_FILTER
            DUP_FILTER_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WID_W   = $clog2(WARPS);
    localparam PC_W    = 32 - $clog2(PC_ALIGN);
    localparam JOB_W   = $clog2(JOB_ENTRIES);
    localparam PF_W   = $clog2(PF_ENTRIES);
    localparam SCOPE_W = CTAS + (GEN_ALL != 0 ? 0 : 7);

    // Job FIFO.
    reg [JOB_ENTRIES-1:0]    job_pending_q, job_pending_d;
    reg [JOB_W-1:0]   job_head_q, job_head_d, job_tail_q, job_tail_d;
    reg [PC_W-1:0]    fifo_pc_q     [0:JOB_ENTRIES-1];
    reg [31:0]        fifo_stride_q [0:JOB_ENTRIES-1];
    reg [SCOPE_W-1:0] fifo_scope_q  [0:JOB_ENTRIES-1];
    // Request queue.
    reg [PF_ENTRIES-1:0]     pf_pending_q, pf_pending_d;
    reg [PF_W-1:0]   pf_head_q, pf_head_d, pf_tail_q, pf_tail_d;
    reg [24:0]        queue_line_q [0:PF_ENTRIES-1];
    reg [WID_W-1:0]   queue_wid_q  [0:PF_ENTRIES-1];

    // What a job says of slots and warps.
    wire [SCOPE_W-1:0] job_scope;
    generate
        if (GEN_ALL != 0) begin : g_all
            assign job_scope = job_mask;
            wire unused = &{1'b0, job_filter, job_wic};
        end else begin : g_same
            assign job_scope = {job_filter, job_wic, job_mask};
        end
    endgenerate

    // The walk, and the oldest job.
    wire               job_waits     = job_pending_q[job_head_q];
    wire [PC_W-1:0]    oldest_pc     = fifo_pc_q[job_head_q];
    wire [31:0]        oldest_stride = fifo_stride_q[job_head_q];
    wire [SCOPE_W-1:0] oldest_scope  = fifo_scope_q[job_head_q];
    wire             takes_job, walk_rests;
    wire             full = pf_pending_q[pf_tail_q];
    wire [24:0]      emit_line;
    wire [WID_W-1:0] emit_wid;
    generate
        if (ONE_CYCLE != 0) begin : g_walk
            caps_walk_once #(
                .CTAS(CTAS), .WARPS(WARPS), .PC_ALIGN(PC_ALIGN), .GEN_ALL(GEN_ALL),
                .DUP_FILTER(DUP_FILTER)
            ) u_walk (
                .clk(clk), .rst(rst), .kernel_start(kernel_start), .wpc(wpc),
                .first_wid(first_wid), .warp_alive(warp_alive),
                .job_valid(job_waits), .job_pc(oldest_pc), .job_stride(oldest_stride),
                .job_scope(oldest_scope), .job_ready(takes_job),
                .read_ready(read_ready), .read_hit(read_hit), .read_lead(read_lead),
                .read_last(read_last), .read_base(read_base),
                .read_valid(read_valid), .read_cta(read_cta), .read_pc(read_pc),
                .full(full), .emit(emit), .emit_line(emit_line), .emit_wid(emit_wid),
                .rests(walk_rests), .miss(miss), .skip(skip), .stall(stall)
            );
        end else begin : g_walk
            caps_walk_steps #(
                .CTAS(CTAS), .WARPS(WARPS), .PC_ALIGN(PC_ALIGN), .GEN_ALL(GEN_ALL),
                .DUP_FILTER(DUP_FILTER)
            ) u_walk (
                .clk(clk), .rst(rst), .kernel_start(kernel_start), .wpc(wpc),
                .first_wid(first_wid), .warp_alive(warp_alive),
                .job_valid(job_waits), .job_pc(oldest_pc), .job_stride(oldest_stride),
                .job_scope(oldest_scope), .job_ready(takes_job),
                .read_ready(read_ready), .read_hit(read_hit), .read_lead(read_lead),
                .read_last(read_last), .read_base(read_base),
                .read_valid(read_valid), .read_cta(read_cta), .read_pc(read_pc),
                .full(full), .emit(emit), .emit_line(emit_line), .emit_wid(emit_wid),
                .rests(walk_rests), .miss(miss), .skip(skip), .stall(stall)
            );
        end
    endgenerate

    wire pop_job  = job_waits && takes_job;
    wire job_full = job_pending_q[job_tail_q];
    wire push_job = job_valid && !job_full && !kernel_start;
    assign job_drop = job_valid && job_full && !kernel_start;

    // Both queues.
    wire pop_pf = pf_valid && pf_ready;
    always @* begin
        job_pending_d = job_pending_q;
        job_head_d    = job_head_q;
        job_tail_d    = job_tail_q;
        pf_pending_d  = pf_pending_q;
        pf_head_d     = pf_head_q;
        pf_tail_d     = pf_tail_q;
        if (pop_job) begin
            job_pending_d[job_head_q] = 1'b0;
            job_head_d                = job_head_q + 1'b1;
        end
        if (push_job) begin
            job_pending_d[job_tail_q] = 1'b1;
            job_tail_d                = job_tail_q + 1'b1;
        end
        if (pop_pf) begin
            pf_pending_d[pf_head_q] = 1'b0;
            pf_head_d               = pf_head_q + 1'b1;
        end
        if (emit) begin
            pf_pending_d[pf_tail_q] = 1'b1;
            pf_tail_d               = pf_tail_q + 1'b1;
        end
        if (kernel_start) begin
            job_pending_d = {JOB_ENTRIES{1'b0}};
            job_head_d    = {JOB_W{1'b0}};
            job_tail_d    = {JOB_W{1'b0}};
            pf_pending_d  = {PF_ENTRIES{1'b0}};
            pf_head_d     = {PF_W{1'b0}};
            pf_tail_d     = {PF_W{1'b0}};
        end
    end

    assign pf_valid = pf_pending_q[pf_head_q];
    assign pf_line  = queue_line_q[pf_head_q];
    assign pf_wid   = queue_wid_q[pf_head_q];
    assign rests    = walk_rests && job_pending_q == {JOB_ENTRIES{1'b0}};
    assign idle     = rests && pf_pending_q == {PF_ENTRIES{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            job_pending_q <= {JOB_ENTRIES{1'b0}};
            job_head_q    <= {JOB_W{1'b0}};
            job_tail_q    <= {JOB_W{1'b0}};
            pf_pending_q  <= {PF_ENTRIES{1'b0}};
            pf_head_q     <= {PF_W{1'b0}};
            pf_tail_q     <= {PF_W{1'b0}};
        end else begin
            job_pending_q <= job_pending_d;
            job_head_q    <= job_head_d;
            job_tail_q    <= job_tail_d;
            pf_pending_q  <= pf_pending_d;
            pf_head_q     <= pf_head_d;
            pf_tail_q     <= pf_tail_d;
        end
    end

    // Without reset: read only where job_pending_q or pf_pending_q is 1.
    always @(posedge clk) begin
        if (push_job) begin
            fifo_pc_q[job_tail_q]     <= job_pc;
            fifo_stride_q[job_tail_q] <= job_stride;
            fifo_scope_q[job_tail_q]  <= job_scope;
        end
        if (emit) begin
            queue_line_q[pf_tail_q] <= emit_line;
            queue_wid_q[pf_tail_q]  <= emit_wid;
        end
    end
endmodule
`default_nettype wire
