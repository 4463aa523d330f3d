// gto_sched - greedy-then-oldest warp scheduler (wang2015 3.2, A.5).
//
// A warp qualifies when it is resident, ready, not held back by mask_dis, and not a
// memory instruction while mem_block.  The warp that issued last is granted as long as
// it qualifies, else the oldest that does, in the same cycle.  A cycle without a grant
// keeps the greedy warp (KEEP_LAST = 1); its exit ends its greed.
// launch and exit are as in age_rank and do not influence the grant of their cycle.
`default_nettype none
module gto_sched #(
    parameter WARPS     = 24,  // warp slots, 2..64
    parameter KEEP_LAST = 1    // a cycle without a grant 1 keeps, 0 forgets the greedy warp
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     warp_launch_valid,
    input  wire [$clog2(WARPS)-1:0]    warp_launch_wid,
    input  wire                     warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0]    warp_exit_wid,
    input  wire [WARPS-1:0]            ready,
    input  wire [WARPS-1:0]            mask_dis,
    input  wire                     mem_block,
    input  wire [WARPS-1:0]            is_mem,
    output wire                     grant_valid,
    output wire [$clog2(WARPS)-1:0]    grant_wid,
    output wire [WARPS*$clog2(WARPS)-1:0] rank,
    output wire                     greedy
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (KEEP_LAST < 0 || KEEP_LAST > 1) begin : g_bad_KEEP_LAST
            KEEP_LAST_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WID_W = $clog2(WARPS);

    reg [WID_W-1:0] last_wid_q, last_wid_d;
    reg             last_valid_q, last_valid_d;

    wire [WARPS-1:0]       resident;
    wire [WARPS*(WARPS-1)/2-1:0] order;
    wire                   refused;
    age_matrix #(.WARPS(WARPS)) u_ages (
        .clk(clk), .rst(rst),
        .warp_launch_valid(warp_launch_valid), .warp_launch_wid(warp_launch_wid),
        .warp_exit_valid(warp_exit_valid), .warp_exit_wid(warp_exit_wid),
        .gprio(rank), .resident(resident), .order(order), .refused(refused)
    );

    // The oldest that qualifies, and whether the last one does.
    wire [WARPS-1:0] qualified = resident & ready & ~mask_dis & ~(is_mem & {WARPS{mem_block}});
    wire [WARPS-1:0] oldest_bit;
    wire [WID_W-1:0] oldest;
    age_first #(.SLOTS(WARPS)) u_oldest (
        .order(order), .pick(qualified), .found(oldest_bit), .slot(oldest)
    );
    wire [WARPS-1:0] last_bit = {{(WARPS-1){1'b0}}, last_valid_q} << last_wid_q;

    wire last_ok       = |(qualified & last_bit);
    assign greedy      = last_ok;
    assign grant_valid = |qualified;
    assign grant_wid   = last_ok ? last_wid_q : oldest;

    wire [WARPS-1:0] exit_bit = {{(WARPS-1){1'b0}}, warp_exit_valid} << warp_exit_wid;

    // Does the warp exit that has just been granted, or else was granted last?
    wire last_exits   = warp_exit_valid && warp_exit_wid == last_wid_q;
    wire oldest_exits = |(oldest_bit & exit_bit);
    always @* begin
        last_wid_d   = last_wid_q;
        last_valid_d = last_valid_q && KEEP_LAST != 0 && !last_exits;
        if (last_ok) begin
            last_valid_d = !last_exits;
        end else if (grant_valid) begin
            last_wid_d   = oldest;
            last_valid_d = !oldest_exits;
        end
    end

    wire unused = &{1'b0, refused};

    always @(posedge clk) begin
        if (rst) begin
            last_wid_q   <= {WID_W{1'b0}};
            last_valid_q <= 1'b0;
        end else begin
            last_wid_q   <= last_wid_d;
            last_valid_q <= last_valid_d;
        end
    end
endmodule
`default_nettype wire
