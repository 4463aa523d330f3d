// iacm_core_ctrl - the phases of IACM on one SM: when its adi_engine, awl_ctrl and idle_mon run, and
// when adaptive indexing has settled (dissertation 4.2.1, Figs 22 and 23; aci 3.11, 3.14).
//
// ADI and AWL run while adi_enable and phase_awl are 1, the idle phase while both are 0.  What ends a
// phase is taken at the edge of its cycle:
//   adi_idle_done  the engine's idle sub-phase ends.  adi_stay = 1 in that cycle when its instructions are
//                  near those of the one before (0 before the first since ADI began): ADI has settled and
//                  ends; else the engine goes on to VIC.
//   awl_done       the search ends; awl_goto_idle: near the last one's count.
//   retrigger      of the idle phase.
//   kernel_start   wins over all of them.
// adi_restart is 1 in the last cycle before adi_enable rises: the engine begins with VIC.
//
// ORDER 0, ADI-AWL: ADI, AWL, and again ADI while the warp count moved far, then idle; 1, AWL-ADI: the
// reverse; 2, Parallel: both, and idle when both have ended.  ADI_ON or AWL_ON = 0 leaves one out.
// A launch starts over (IACM_LAUNCH_PHASE = 0; a running ADI keeps its counts) or keeps the phase (1).
// ADI_VIC_TIMEOUT cycles in VIC on end count as settled; 0: there is no such limit.
`default_nettype none
module iacm_core_ctrl #(
    parameter ORDER             = 0,   // 0 ADI-AWL, 1 AWL-ADI, 2 Parallel
    parameter ADI_ON            = 1,   // 0: without adaptive indexing
    parameter AWL_ON            = 1,   // 0: without warp limiting
    parameter IPC_W             = 19,  // bits of an instruction count, 8..28
    parameter EPS_8THS          = 2,   // threshold in eighths of the last count, 1..8
    parameter IACM_LAUNCH_PHASE = 0,   // 1: a launch keeps the phase
    parameter ADI_VIC_TIMEOUT   = 0    // cycles, 0..2^20
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       kernel_start,
    input  wire [6:0] insn_inc,
    input  wire [1:0] adi_sub_phase,
    input  wire       adi_idle_done,
    output wire       adi_enable,
    output wire       adi_restart,
    output wire       adi_stay,
    input  wire       awl_done,
    input  wire       awl_goto_idle,
    output wire       phase_awl,
    input  wire       retrigger,
    output wire       phase_idle,
    output wire [1:0] phase,
    output wire       settled,
    output wire       adapts
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ORDER < 0 || ORDER > 2) begin : g_bad_ORDER
            ORDER_must_be_from_0_to_2 u_stop ();
        end
        if (ADI_ON < 0 || ADI_ON > 1) begin : g_bad_ADI_ON
            ADI_ON_must_be_0_or_1 u_stop ();
        end
        if (AWL_ON < 0 || AWL_ON > 1) begin : g_bad_AWL_ON
            AWL_ON_must_be_0_or_1 u_stop ();
        end
        if (IPC_W < 8 || IPC_W > 28) begin : g_bad_IPC_W
            IPC_W_must_be_from_8_to_28 u_stop ();
        end
        if (EPS_8THS < 1 || EPS_8THS > 8) begin : g_bad_EPS_8THS
            EPS_8THS_must_be_from_1_to_8 u_stop ();
        end
        if (IACM_LAUNCH_PHASE < 0 || IACM_LAUNCH_PHASE > 1) begin : g_bad_IACM_LAUNCH_PHASE
            IACM_LAUNCH_PHASE_must_be_0_or_1 u_stop ();
        end
        if (ADI_VIC_TIMEOUT < 0 || ADI_VIC_TIMEOUT > 1048576) begin : g_bad_ADI_VIC_TIMEOUT
            ADI_VIC_TIMEOUT_must_be_from_0_to_1048576 u_stop ();
        end
    endgenerate

    localparam [1:0] VIC = 2'd0, IDLE = 2'd2;
    localparam [1:0] ADI_PHASE = 2'd0, AWL_PHASE = 2'd1, IDLE_PHASE = 2'd2;
    localparam       BOTH = ORDER == 2 ? 1 : 0;
    // What runs first: after reset, a launch, or a retrigger.
    localparam FIRST_ADI = ADI_ON != 0 && (ORDER != 1 || AWL_ON == 0) ? 1 : 0;
    localparam FIRST_AWL = AWL_ON != 0 && (ORDER != 0 || ADI_ON == 0) ? 1 : 0;

    reg             adi_q, awl_q, far_q;  // far: the last search ended far from the one before
    reg [IPC_W-1:0] ipc_q, ipc_prev_q;

    wire [IPC_W-1:0] total;
    wire             close, timeout;
    ipc_add #(.IPC_W(IPC_W)) u_add (.count(ipc_q), .insn_inc(insn_inc), .total(total));
    near #(.W(IPC_W), .EPS_8THS(EPS_8THS)) u_near (.now(total), .was(ipc_prev_q), .is_near(close));

    wire round   = adi_q && adi_idle_done;
    wire adi_end = (round && close) || timeout;
    wire awl_end = awl_q && awl_done;
    wire far     = awl_end ? !awl_goto_idle : far_q;

    // What is left running; with nothing left, a count that moved far starts over.
    wire adi_left = adi_q && !adi_end;
    wire awl_left = awl_q && !awl_end;
    wire rests    = !adi_q && !awl_q;

    reg adi_d, awl_d;
    always @* begin
        adi_d = adi_left;
        awl_d = awl_left;
        if (rests && retrigger) begin
            adi_d = FIRST_ADI != 0;
            awl_d = FIRST_AWL != 0;
        end else if (adi_end && AWL_ON != 0 && ORDER == 0) begin
            awl_d = 1'b1;
        end else if (awl_end && ADI_ON != 0 && ORDER == 1) begin
            adi_d = 1'b1;
        end else if (!rests && !adi_left && !awl_left && far) begin
            adi_d = FIRST_ADI != 0;
            awl_d = FIRST_AWL != 0;
        end
        if (kernel_start) begin
            adi_d = IACM_LAUNCH_PHASE != 0 ? adi_q : FIRST_ADI != 0;
            awl_d = IACM_LAUNCH_PHASE != 0 ? awl_q : FIRST_AWL != 0;
        end
    end

    assign adi_enable  = adi_q;
    assign phase_awl   = awl_q;
    assign phase_idle  = rests;
    assign phase       = adi_q ? ADI_PHASE : awl_q ? AWL_PHASE : IDLE_PHASE;
    assign adapts      = rests && (adi_d || awl_d);
    assign settled     = adi_end && !kernel_start;
    assign adi_stay    = settled;
    assign adi_restart = adi_d && (!adi_q || (BOTH != 0 && settled));

    generate
        if (ADI_VIC_TIMEOUT > 0) begin : g_timeout
            localparam          T_W  = $clog2(ADI_VIC_TIMEOUT + 1);
            localparam [T_W-1:0] LAST = ADI_VIC_TIMEOUT[T_W-1:0] - 1'b1;
            reg [T_W-1:0] vic_q;  // cycles in VIC
            wire in_vic = adi_q && adi_sub_phase == VIC;
            assign timeout = in_vic && vic_q == LAST;
            always @(posedge clk) begin
                if (rst || kernel_start || !in_vic || timeout) vic_q <= {T_W{1'b0}};
                else                                           vic_q <= vic_q + 1'b1;
            end
        end else begin : g_endless
            assign timeout = 1'b0;
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            adi_q      <= FIRST_ADI != 0;
            awl_q      <= FIRST_AWL != 0;
            far_q      <= 1'b0;
            ipc_q      <= {IPC_W{1'b0}};
            ipc_prev_q <= {IPC_W{1'b0}};
        end else begin
            adi_q <= adi_d;
            awl_q <= awl_d;
            far_q <= far && !(rests || kernel_start);
            ipc_q <= adi_q && adi_sub_phase == IDLE && !round && !kernel_start ? total
                                                                               : {IPC_W{1'b0}};
            if (!adi_q || settled || kernel_start) ipc_prev_q <= {IPC_W{1'b0}};
            else if (round)                        ipc_prev_q <= total;
        end
    end
endmodule
`default_nettype wire
