// age_rank - age rank of every resident warp, 0 oldest (wang2015 3.2, A.6).
//
// warp_exit_valid frees a slot, all younger warps gain one rank; warp_launch_valid makes a warp the
// youngest.  In one cycle the exit comes first, so a slot may be refilled at once.
// Ranks are registers: the effect is seen in the next cycle.  A free slot has rank 0.
// Launch into a slot in use and exit from a free one are ignored (refused = 1).
`default_nettype none
module age_rank #(
    parameter WARPS = 48  // warp slots, 2..64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   warp_launch_valid,
    input  wire [$clog2(WARPS)-1:0]   warp_launch_wid,
    input  wire                   warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0]   warp_exit_wid,
    output wire [WARPS*$clog2(WARPS)-1:0] gprio,
    output wire [WARPS-1:0]           resident,
    output wire                   refused
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    wire [WARPS*(WARPS-1)/2-1:0] order;
    age_matrix #(.WARPS(WARPS)) u_ages (
        .clk(clk), .rst(rst),
        .warp_launch_valid(warp_launch_valid), .warp_launch_wid(warp_launch_wid),
        .warp_exit_valid(warp_exit_valid), .warp_exit_wid(warp_exit_wid),
        .gprio(gprio), .resident(resident), .order(order), .refused(refused)
    );
    wire unused = &{1'b0, order};
endmodule
`default_nettype wire
