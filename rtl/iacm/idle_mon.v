// idle_mon - the idle phase: watches the IPC and asks for a new adaptation when it has changed
// (dissertation 4.2.4, algorithm 5; aci 3.12).
//
// While phase_idle is 1, periods of CP cycles are counted, with the thread instructions of each.  In the
// last cycle of a period retrigger is 1 when its count is not within EPS_8THS eighths of the count of
// the period before; the first period after phase_idle was 0, or after kernel_start, only sets the
// level.  kernel_start discards the period it comes in, and wins.
`default_nettype none
module idle_mon #(
    parameter CP       = 6250,  // cycles of a period, 2..2^20
    parameter IPC_W    = 19,    // bits of an instruction count, 8..28
    parameter EPS_8THS = 2      // threshold in eighths of the last count, 1..8
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       kernel_start,
    input  wire       phase_idle,
    input  wire [6:0] insn_inc,
    output wire       retrigger,
    output wire       sampled
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CP < 2 || CP > 1048576) begin : g_bad_CP
            CP_must_be_from_2_to_1048576 u_stop ();
        end
        if (IPC_W < 8 || IPC_W > 28) begin : g_bad_IPC_W
            IPC_W_must_be_from_8_to_28 u_stop ();
        end
        if (EPS_8THS < 1 || EPS_8THS > 8) begin : g_bad_EPS_8THS
            EPS_8THS_must_be_from_1_to_8 u_stop ();
        end
    endgenerate

    localparam             SUB_W  = $clog2(CP);
    localparam             LAST_I = CP - 1;
    localparam [SUB_W-1:0] LAST   = LAST_I[SUB_W-1:0];
    localparam [SUB_W-1:0] ONE    = 1;

    reg [IPC_W-1:0] ipc_q, ipc_prev_q;
    reg [SUB_W-1:0] sub_q;
    reg             init_q;

    wire [IPC_W-1:0] total;
    wire             close;
    ipc_add #(.IPC_W(IPC_W)) u_add (.count(ipc_q), .insn_inc(insn_inc), .total(total));
    near #(.W(IPC_W), .EPS_8THS(EPS_8THS)) u_near (.now(total), .was(ipc_prev_q), .is_near(close));

    wire watches = phase_idle && !kernel_start;
    assign sampled   = watches && sub_q == LAST;
    assign retrigger = sampled && !init_q && !close;

    always @(posedge clk) begin
        if (rst) begin
            ipc_q      <= {IPC_W{1'b0}};
            ipc_prev_q <= {IPC_W{1'b0}};
            sub_q      <= {SUB_W{1'b0}};
            init_q     <= 1'b1;
        end else if (!watches) begin
            ipc_q  <= {IPC_W{1'b0}};
            sub_q  <= {SUB_W{1'b0}};
            init_q <= 1'b1;
        end else if (sampled) begin
            ipc_q      <= {IPC_W{1'b0}};
            ipc_prev_q <= total;
            sub_q      <= {SUB_W{1'b0}};
            init_q     <= retrigger;
        end else begin
            ipc_q <= total;
            sub_q <= sub_q + ONE;
        end
    end
endmodule
`default_nettype wire
