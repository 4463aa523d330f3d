// ipc_add - instructions of a period so far, with those of this cycle (aci 3.10.2, 3.12): an IPC
// is kept as the count of a fixed period, so that no divider is needed.  Saturates.  Combinational.
`default_nettype none
module ipc_add #(
    parameter IPC_W = 19  // bits of a count, 8..28
) (
    input  wire [IPC_W-1:0] count,
    input  wire [6:0]       insn_inc,
    output wire [IPC_W-1:0] total
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (IPC_W < 8 || IPC_W > 28) begin : g_bad_IPC_W
            IPC_W_must_be_from_8_to_28 u_stop ();
        end
    endgenerate

    wire [IPC_W:0] sum = {1'b0, count} + {{(IPC_W-6){1'b0}}, insn_inc};
    assign total = sum[IPC_W] ? {IPC_W{1'b1}} : sum[IPC_W-1:0];
endmodule
`default_nettype wire
