// age_matrix - the resident warps and their order of age: a rank of each, 0 oldest, and a bit for
// each pair (wang2015 3.2, A.6).
//
// Both say the same of resident warps: who exits is compared with all others by the pairs, whose row
// is there at once, and the ranks are what other units are given.  Accepts a launch and an exit a
// cycle; the exit comes first, so a slot may be refilled at once; the effect is seen in the next
// cycle.  A free slot has rank 0.  Launch into a slot in use and exit from a free one are ignored
// (refused = 1).  `order`: bit hi*(hi-1)/2 + lo says that slot hi came before the lower slot lo.
`default_nettype none
module age_matrix #(
    parameter WARPS = 48  // warp slots, 2..64
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           warp_launch_valid,
    input  wire [$clog2(WARPS)-1:0]       warp_launch_wid,
    input  wire                           warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0]       warp_exit_wid,
    output wire [WARPS*$clog2(WARPS)-1:0] gprio,
    output wire [WARPS-1:0]               resident,
    output wire [WARPS*(WARPS-1)/2-1:0]   order,
    output wire                           refused
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam WID_W   = $clog2(WARPS);
    localparam IDS     = 1 << WID_W;  // slot numbers that a port can name
    localparam COUNT_W = $clog2(WARPS + 1);
    localparam PAIRS   = WARPS * (WARPS - 1) / 2;

    reg  [WARPS-1:0]       resident_q;
    reg  [WARPS*WID_W-1:0] rank_q, rank_d;  // by slot, slot 0 lowest
    reg  [COUNT_W-1:0]     population_q, population_d;
    reg  [PAIRS-1:0]       order_q;
    wire [PAIRS-1:0]       order_d;
    assign resident = resident_q;
    assign gprio    = rank_q;
    assign order    = order_q;

    wire [WARPS-1:0] exit_bit   = ({{(WARPS-1){1'b0}}, warp_exit_valid} << warp_exit_wid)
                                & resident_q;
    wire [WARPS-1:0] launch_bit = ({{(WARPS-1){1'b0}}, warp_launch_valid} << warp_launch_wid)
                                & (~resident_q | exit_bit);
    wire [IDS:0] resident_all = {{(IDS+1-WARPS){1'b0}}, resident_q};
    wire exits    = warp_exit_valid && resident_all[{1'b0, warp_exit_wid}];
    wire launches = |launch_bit;
    assign refused = (warp_exit_valid && !exits) || (warp_launch_valid && !launches);

    // A new warp stands behind all others.
    genvar hi;
    generate
        for (hi = 1; hi < WARPS; hi = hi + 1) begin : g_slot
            localparam ROW = hi * (hi - 1) / 2;
            assign order_d[ROW +: hi] = (order_q[ROW +: hi] | launch_bit[hi-1:0])
                                      & ~{hi{launch_bit[hi]}};
        end
    endgenerate

    wire [WARPS-1:0] younger;  // than the warp that exits
    age_behind #(.SLOTS(WARPS)) u_younger (.order(order_q), .pick(exit_bit), .behind(younger));

    // The rank of a new warp is the number of those that are left.
    wire [COUNT_W-1:0] one_less = population_q - 1'b1, one_more = population_q + 1'b1;
    wire [COUNT_W-1:0] left     = exits ? one_less : population_q;
    always @* begin
        population_d = population_q;
        if (exits && !launches) population_d = one_less;
        if (launches && !exits) population_d = one_more;
    end

    integer n;
    always @* begin
        for (n = 0; n < WARPS; n = n + 1) begin
            rank_d[n*WID_W +: WID_W] = rank_q[n*WID_W +: WID_W];
            if (resident_q[n] && younger[n])
                rank_d[n*WID_W +: WID_W] = rank_q[n*WID_W +: WID_W] - 1'b1;
            if (exit_bit[n])
                rank_d[n*WID_W +: WID_W] = {WID_W{1'b0}};
            if (launch_bit[n])
                rank_d[n*WID_W +: WID_W] = left[WID_W-1:0];
        end
    end
    wire unused = &{1'b0, left, resident_all};

    always @(posedge clk) begin
        if (rst) begin
            resident_q   <= {WARPS{1'b0}};
            rank_q       <= {WARPS*WID_W{1'b0}};
            population_q <= {COUNT_W{1'b0}};
            order_q      <= {PAIRS{1'b0}};
        end else begin
            resident_q   <= (resident_q & ~exit_bit) | launch_bit;
            rank_q       <= rank_d;
            population_q <= population_d;
            order_q      <= order_d;
        end
    end
endmodule
`default_nettype wire
