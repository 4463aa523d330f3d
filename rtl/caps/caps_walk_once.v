// caps_walk_once - the walk of caps_prefetch_gen as caps-prefetch 3.2.4 draws it.
//
// An idle walker takes a job (job_valid, job_ready) in one cycle, then spends one per slot to
// visit (read_valid, held until read_ready, which comes with the answer) and one per line (emit,
// not while full: stall); a warp that is passed over (skip) costs one, too.  The addresses of the
// next warp are summed in the cycle of the last line of this one.  kernel_start ends the walk.
`default_nettype none
module caps_walk_once #(
    parameter CTAS       = 8,   // CTA slots; a power of two, at least 2
    parameter WARPS      = 48,  // warp slots, 2..64
    parameter PC_ALIGN   = 8,   // bytes; a power of two: PC bits not stored
    parameter GEN_ALL    = 1,   // 0: a job may name one warp index
    parameter DUP_FILTER = 1    // 0: lines in their predecessor's line are emitted too
) (
    input  wire                                  clk,
    input  wire                                  rst,
    input  wire                                  kernel_start,
    input  wire [5:0]                            wpc,
    input  wire [CTAS*$clog2(WARPS)-1:0]         first_wid,
    input  wire [WARPS-1:0]                      warp_alive,
    input  wire                                  job_valid,
    input  wire [31-$clog2(PC_ALIGN):0]          job_pc,
    input  wire [31:0]                           job_stride,
    input  wire [CTAS+(GEN_ALL != 0 ? 0 : 7)-1:0] job_scope,
    output wire                                  job_ready,
    input  wire                                  read_ready,
    input  wire                                  read_hit,
    input  wire [5:0]                            read_lead,
    input  wire [1:0]                            read_last,
    input  wire [127:0]                          read_base,
    output wire                                  read_valid,
    output wire [$clog2(CTAS)-1:0]               read_cta,
    output wire [31-$clog2(PC_ALIGN):0]          read_pc,
    input  wire                                  full,
    output wire                                  emit,
    output wire [24:0]                           emit_line,
    output wire [$clog2(WARPS)-1:0]              emit_wid,
    output wire                                  rests,
    output wire                                  miss,
    output wire                                  skip,
    output wire                                  stall
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
        if (GEN_ALL < 0 || GEN_ALL > 1) begin : g_bad_GEN_ALL
            GEN_ALL_must_be_0_or_1 u_stop ();
        end
        if (DUP_FILTER < 0 || DUP_FILTER > 1) begin : g_bad_DUP_FILTER
            DUP_FILTER_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WID_W   = $clog2(WARPS);
    localparam IDS     = 1 << WID_W;  // slot numbers that a port can name
    localparam CTA_W   = $clog2(CTAS);
    localparam PC_W    = 32 - $clog2(PC_ALIGN);
    localparam SCOPE_W = CTAS + (GEN_ALL != 0 ? 0 : 7);

    localparam [1:0] IDLE = 2'd0, LOOKUP = 2'd1, EMIT = 2'd2;

    reg [1:0]         phase_q, phase_d;
    reg [PC_W-1:0]    pc_q, pc_d;
    reg [31:0]        stride_q, stride_d;
    reg [SCOPE_W-1:0] scope_q, scope_d;
    reg [CTA_W-1:0]   cta_q, cta_d;
    reg [5:0]         lead_q, lead_d;
    reg [1:0]         last_q, last_d;
    reg [127:0]       base_q, base_d;
    reg [5:0]         warp_q, warp_d;
    reg [127:0]       acc_q, acc_d;
    reg [1:0]         lane_q, lane_d;

    // Slots to visit, lowest first.
    wire [CTAS-1:0] slots      = scope_q[CTAS-1:0];
    wire [CTAS-1:0] slots_rest = slots & (slots - 1'b1);
    reg [CTA_W-1:0] slot;
    integer c;
    always @* begin
        slot = {CTA_W{1'b0}};
        for (c = CTAS - 1; c >= 0; c = c - 1)
            if (slots[c])
                slot = c[CTA_W-1:0];
    end
    assign read_valid = phase_q == LOOKUP;
    assign read_cta   = slot;
    assign read_pc    = pc_q;
    assign rests      = phase_q == IDLE;

    // Where the warp walk stands.
    wire looking  = read_valid && read_ready && !kernel_start;
    wire emitting = phase_q == EMIT && !kernel_start;
    wire [WID_W+5:0] warp_wide = {{WID_W{1'b0}}, warp_q};
    wire [WID_W-1:0] wid   = first_wid[cta_q*WID_W +: WID_W] + warp_wide[WID_W-1:0];
    wire [IDS:0]     alive = {{(IDS+1-WARPS){1'b0}}, warp_alive};
    wire filtered;
    generate
        if (GEN_ALL != 0) begin : g_all
            assign filtered = 1'b0;
        end else begin : g_same
            assign filtered = scope_q[SCOPE_W-1] && scope_q[CTAS +: 6] != warp_q;
        end
    endgenerate
    wire passed = !alive[{1'b0, wid}] || filtered;
    assign miss  = looking && !read_hit;
    assign skip  = emitting && passed;
    assign stall = emitting && !passed && full;
    assign emit  = emitting && !passed && !full;
    assign emit_line = acc_q[lane_q*32 + 7 +: 25];
    assign emit_wid  = wid;

    wire       more;
    wire [1:0] next_lane;
    caps_next_lane #(.DUP_FILTER(DUP_FILTER)) u_next_lane (
        .acc(acc_q), .lane(lane_q), .last(last_q), .more(more), .next(next_lane)
    );

    // Next warp: one step further, or back to the base and down, or none left.
    wire [5:0] lead    = looking ? read_lead : lead_q;
    wire [5:0] from    = looking ? read_lead : warp_q;
    wire upward        = looking || warp_q > lead_q;
    wire go_up         = upward && {1'b0, from} + 7'd1 < {1'b0, wpc};
    wire turn          = upward && !go_up;
    wire go_down       = turn ? lead != 6'd0 : !upward && warp_q != 6'd0;
    wire step          = (looking && read_hit) || skip || (emit && !more);
    wire [5:0] warp_up = from + 6'd1;
    wire [5:0] warp_down = (turn ? lead : warp_q) - 6'd1;

    reg [127:0] origin, moved;
    integer i;
    always @* begin
        origin = looking ? read_base : turn ? base_q : acc_q;
        for (i = 0; i < 4; i = i + 1)
            moved[i*32 +: 32] = go_up ? origin[i*32 +: 32] + stride_q
                                      : origin[i*32 +: 32] - stride_q;
    end

    assign job_ready = phase_q == IDLE && !kernel_start;
    wire [CTAS-1:0] slots_after = looking ? slots_rest : slots;

    always @* begin
        phase_d  = phase_q;
        pc_d     = pc_q;
        stride_d = stride_q;
        scope_d  = scope_q;
        cta_d    = cta_q;
        lead_d   = lead_q;
        last_d   = last_q;
        base_d   = base_q;
        warp_d   = warp_q;
        acc_d    = acc_q;
        lane_d   = lane_q;
        if (job_valid && job_ready) begin
            phase_d  = |job_scope[CTAS-1:0] ? LOOKUP : IDLE;
            pc_d     = job_pc;
            stride_d = job_stride;
            scope_d  = job_scope;
        end
        if (looking) begin
            scope_d[CTAS-1:0] = slots_rest;
            if (read_hit) begin
                cta_d  = slot;
                lead_d = read_lead;
                last_d = read_last;
                base_d = read_base;
            end
        end
        if (emit && more)
            lane_d = next_lane;
        if (step && (go_up || go_down)) begin
            phase_d = EMIT;
            warp_d  = go_up ? warp_up : warp_down;
            acc_d   = moved;
            lane_d  = 2'd0;
        end else if (step || (looking && !read_hit)) begin
            phase_d = |slots_after ? LOOKUP : IDLE;
        end
        if (kernel_start) phase_d = IDLE;
    end

    wire unused = &{1'b0, warp_wide};
    always @(posedge clk) begin
        if (rst) begin
            phase_q  <= IDLE;
            pc_q     <= {PC_W{1'b0}};
            stride_q <= 32'd0;
            scope_q  <= {SCOPE_W{1'b0}};
            cta_q    <= {CTA_W{1'b0}};
            lead_q   <= 6'd0;
            last_q   <= 2'd0;
            base_q   <= 128'd0;
            warp_q   <= 6'd0;
            acc_q    <= 128'd0;
            lane_q   <= 2'd0;
        end else begin
            phase_q  <= phase_d;
            pc_q     <= pc_d;
            stride_q <= stride_d;
            scope_q  <= scope_d;
            cta_q    <= cta_d;
            lead_q   <= lead_d;
            last_q   <= last_d;
            base_q   <= base_d;
            warp_q   <= warp_d;
            acc_q    <= acc_d;
            lane_q   <= lane_d;
        end
    end
endmodule
`default_nettype wire
