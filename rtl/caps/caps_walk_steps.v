// caps_walk_steps - the walk of caps_prefetch_gen at an SM's clock (caps-prefetch 3.2.4; D-CAP-1).
//
// The same requests in the same order as caps_walk_once, in more cycles: one to take a job
// (job_valid, job_ready), one to choose the next slot, those of the look-up (read_valid, held until
// read_ready, which comes with the answer), one to aim at the first warp above the leading one and
// one more to turn to those below, and for each warp four, in which its four addresses move by
// one stride, a byte a cycle, and one per line (emit, not while full: stall), or one if it is
// passed over (skip).  What a walk reads of the SM it reads in fixed cycles: wpc when it aims and
// with the fourth byte, first_wid with the first byte, warp_alive with the fourth.  kernel_start
// ends the walk.
`default_nettype none
module caps_walk_steps #(
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

    localparam [2:0] IDLE = 3'd0, LOOKUP = 3'd1, EMIT = 3'd2, PICK = 3'd3, AIM = 3'd4, MOVE = 3'd5;

    reg [2:0]         phase_q, phase_d;
    reg [PC_W-1:0]    pc_q, pc_d;
    reg [31:0]        stride_q, stride_d;
    reg [SCOPE_W-1:0] scope_q, scope_d;
    reg [CTA_W-1:0]   cta_q, cta_d;
    reg [5:0]         lead_q, lead_d;
    reg [1:0]         last_q, last_d;
    reg [127:0]       base_q, base_d;
    reg [5:0]         warp_q, warp_d;
    reg               up_q, up_d;
    reg [127:0]       acc_q, acc_d;
    reg [3:0]         carry_q, carry_d;
    reg [1:0]         byte_q, byte_d;
    reg [WID_W-1:0]   wid_q, wid_d;
    reg               passed_q, passed_d, more_q, more_d;
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
    assign read_cta   = cta_q;
    assign read_pc    = pc_q;
    assign rests      = phase_q == IDLE;
    assign job_ready  = rests && !kernel_start;

    // The warp, when it has been moved to.
    wire emitting = phase_q == EMIT && !kernel_start;
    assign miss  = read_valid && read_ready && !read_hit && !kernel_start;
    assign skip  = emitting && passed_q;
    assign stall = emitting && !passed_q && full;
    assign emit  = emitting && !passed_q && !full;
    assign emit_line = acc_q[lane_q*32 + 7 +: 25];
    assign emit_wid  = wid_q;

    wire       more;
    wire [1:0] next_lane;
    caps_next_lane #(.DUP_FILTER(DUP_FILTER)) u_next_lane (
        .acc(acc_q), .lane(lane_q), .last(last_q), .more(more), .next(next_lane)
    );

    // Before that: its slot, whether it gets nothing, whether there is another beyond it.
    wire [WID_W+5:0] warp_wide = {{WID_W{1'b0}}, warp_q};
    wire [WID_W-1:0] wid       = first_wid[cta_q*WID_W +: WID_W] + warp_wide[WID_W-1:0];
    wire [IDS:0]     alive     = {{(IDS+1-WARPS){1'b0}}, warp_alive};
    wire filtered;
    generate
        if (GEN_ALL != 0) begin : g_all
            assign filtered = 1'b0;
        end else begin : g_same
            assign filtered = scope_q[SCOPE_W-1] && scope_q[CTAS +: 6] != warp_q;
        end
    endgenerate
    wire       beyond    = up_q ? {1'b0, warp_q} + 7'd1 < {1'b0, wpc} : warp_q != 6'd0;
    wire [5:0] warp_next = up_q ? warp_q + 6'd1 : warp_q - 6'd1;

    // The low byte of each address moves by that of the stride, and all turn by a byte.
    wire [7:0] addend = up_q ? stride_q[7:0] : ~stride_q[7:0];
    reg [127:0] moved;
    reg [3:0]   carries;
    integer i;
    always @* begin
        for (i = 0; i < 4; i = i + 1) begin
            moved[i*32 +: 24] = acc_q[i*32 + 8 +: 24];
            {carries[i], moved[i*32 + 24 +: 8]} = {1'b0, acc_q[i*32 +: 8]} + {1'b0, addend}
                                                + {8'd0, carry_q[i]};
        end
    end

    // From slot to slot.
    wire [2:0] next_slot = |slots ? PICK : IDLE;
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
        up_d     = up_q;
        acc_d    = acc_q;
        carry_d  = carry_q;
        byte_d   = byte_q;
        wid_d    = wid_q;
        passed_d = passed_q;
        more_d   = more_q;
        lane_d   = lane_q;
        if (kernel_start)
            phase_d = IDLE;
        else case (phase_q)
            IDLE: if (job_valid) begin
                phase_d  = |job_scope[CTAS-1:0] ? PICK : IDLE;
                pc_d     = job_pc;
                stride_d = job_stride;
                scope_d  = job_scope;
            end
            PICK: begin
                phase_d           = LOOKUP;
                cta_d             = slot;
                scope_d[CTAS-1:0] = slots_rest;
            end
            LOOKUP: if (read_ready) begin
                phase_d = read_hit ? AIM : next_slot;
                if (read_hit) begin
                    lead_d = read_lead;
                    last_d = read_last;
                    base_d = read_base;
                    warp_d = read_lead;
                    up_d   = 1'b1;
                end
            end
            AIM: begin
                acc_d   = base_q;
                carry_d = {4{!up_q}};
                byte_d  = 2'd0;
                if (beyond) begin
                    phase_d = MOVE;
                    warp_d  = warp_next;
                end else if (up_q)
                    up_d = 1'b0;
                else
                    phase_d = next_slot;
            end
            MOVE: begin
                acc_d    = moved;
                carry_d  = carries;
                stride_d = {stride_q[7:0], stride_q[31:8]};
                byte_d   = byte_q + 2'd1;
                lane_d   = 2'd0;
                if (byte_q == 2'd0) wid_d = wid;
                if (byte_q == 2'd3) begin
                    phase_d  = EMIT;
                    passed_d = !alive[{1'b0, wid_q}] || filtered;
                    more_d   = beyond;
                end
            end
            EMIT: if (!passed_q && (full || more)) begin
                if (!full) lane_d = next_lane;
            end else begin
                carry_d = {4{!up_q}};
                if (more_q) begin
                    phase_d = MOVE;
                    warp_d  = warp_next;
                end else if (up_q) begin
                    phase_d = AIM;
                    warp_d  = lead_q;
                    up_d    = 1'b0;
                end else
                    phase_d = next_slot;
            end
            default: ;
        endcase
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
            up_q     <= 1'b0;
            acc_q    <= 128'd0;
            carry_q  <= 4'd0;
            byte_q   <= 2'd0;
            wid_q    <= {WID_W{1'b0}};
            passed_q <= 1'b0;
            more_q   <= 1'b0;
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
            up_q     <= up_d;
            acc_q    <= acc_d;
            carry_q  <= carry_d;
            byte_q   <= byte_d;
            wid_q    <= wid_d;
            passed_q <= passed_d;
            more_q   <= more_d;
            lane_q   <= lane_d;
        end
    end
endmodule
`default_nettype wire
