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

    localparam WID_W = $clog2(WARPS);

    reg [WARPS-1:0]      resident_q, resident_d;
    reg [WARPS*WID_W-1:0] rank_q, rank_d;  // by slot, slot 0 lowest
    assign resident = resident_q;
    assign gprio    = rank_q;

    reg [WARPS-1:0]    exit_bit, launch_bit;
    reg [WID_W-1:0] exit_rank;
    integer i;
    always @* begin
        exit_rank = {WID_W{1'b0}};
        for (i = 0; i < WARPS; i = i + 1) begin
            exit_bit[i]   = warp_exit_valid && i[WID_W-1:0] == warp_exit_wid && resident_q[i];
            launch_bit[i] = warp_launch_valid && i[WID_W-1:0] == warp_launch_wid
                         && (!resident_q[i] || exit_bit[i]);
            if (exit_bit[i]) exit_rank = rank_q[i*WID_W +: WID_W];
        end
        resident_d = (resident_q & ~exit_bit) | launch_bit;
    end
    wire exits    = |exit_bit;
    wire launches = |launch_bit;
    assign refused = (warp_exit_valid && !exits) || (warp_launch_valid && !launches);

    // Warps left after the exit: the rank of a new one.
    reg [WID_W:0] population;
    integer p;
    always @* begin
        population = {(WID_W+1){1'b0}};
        for (p = 0; p < WARPS; p = p + 1)
            population = population + {{WID_W{1'b0}}, resident_q[p] & ~exit_bit[p]};
    end
    wire unused = &{1'b0, population[WID_W]};

    integer n;
    always @* begin
        rank_d = rank_q;
        for (n = 0; n < WARPS; n = n + 1) begin
            if (launch_bit[n])
                rank_d[n*WID_W +: WID_W] = population[WID_W-1:0];
            else if (exit_bit[n])
                rank_d[n*WID_W +: WID_W] = {WID_W{1'b0}};
            else if (exits && rank_q[n*WID_W +: WID_W] > exit_rank)
                rank_d[n*WID_W +: WID_W] = rank_q[n*WID_W +: WID_W] - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            resident_q <= {WARPS{1'b0}};
            rank_q     <= {WARPS*WID_W{1'b0}};
        end else begin
            resident_q <= resident_d;
            rank_q     <= rank_d;
        end
    end
endmodule
`default_nettype wire
