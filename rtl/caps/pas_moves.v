// pas_moves - the two-level scheduler's queues as vectors over warp slots and one order of all
// slots, one move of each kind a cycle (caps-prefetch 3.3, 3.4, 3.5; D-PAS-1).
//
// Combinational.  `ready` are the warps of the ready queue, all other live ones are pending; `order`
// (age_order) is that of both queues, marked warps before others, each in the order in which they
// entered.  A warp that changes its queue is in the new one from the next cycle on, gets its place
// there in that cycle, for which it is in `came` (to the ready queue) or `gone` (from it), and can
// be chosen in the cycle after.  Sets that
// name events have no or one warp.  All is chosen without the warp that exits:
//   demotion   the first blocked ready warp becomes pending
//   wake-up    the woken warp becomes ready; when the queue was full and nobody leaves it in this
//              cycle, the last one gives way (evict) in the next, in which nobody is demoted
//   promotion  the first pending warp that is not blocked becomes ready, if there is a free place
//              and no wake-up
//   selection  the first ready warp that is not blocked and can issue
// Moves are counted one cycle later: ready_count and what the last cycle's did are the number.
`default_nettype none
module pas_moves #(
    parameter WARPS              = 48,  // warp slots, 2..64
    parameter RQ                 = 8,   // ready warps, 2..16, at most WARPS
    parameter WAKE               = 1,   // 0: wake-ups are ignored
    parameter WAKE_ALWAYS        = 0,   // 1: a blocked warp is woken too
    parameter WAKE_VICTIM_OLDEST = 0,   // 1: the oldest trailing warp gives way
    parameter WAKE_FRONT         = 0    // 1: a woken warp enters its queue at the head
) (
    input  wire [WARPS-1:0]             live,
    input  wire [WARPS-1:0]             marked,
    input  wire [WARPS-1:0]             marked_next,
    input  wire [WARPS-1:0]             exits,
    input  wire [WARPS-1:0]             launches,
    input  wire [WARPS-1:0]             wakes,
    input  wire [WARPS-1:0]             ready,
    input  wire [WARPS-1:0]             came,
    input  wire [WARPS-1:0]             gone,
    input  wire [WARPS*(WARPS-1)/2-1:0] order,
    input  wire [$clog2(RQ+2)-1:0]      ready_count,
    input  wire                         last_promoted,
    input  wire                         last_woken,
    input  wire                         last_left,
    input  wire                         last_exited,
    input  wire                         evict,
    input  wire                         hold,
    input  wire [WARPS-1:0]             blocked,
    input  wire [WARPS-1:0]             issuable,
    output wire [WARPS-1:0]             ready_next,
    output wire [WARPS-1:0]             came_next,
    output wire [WARPS-1:0]             gone_next,
    output wire [WARPS*(WARPS-1)/2-1:0] order_next,
    output wire [$clog2(RQ+2)-1:0]      ready_count_next,
    output wire                         exited,
    output wire                         evict_next,
    output wire                         issue_valid,
    output wire [$clog2(WARPS)-1:0]     issue_wid,
    output reg  [$clog2(WARPS)-1:0]     gone_wid,
    output wire                         woken,
    output wire                         demoted,
    output wire                         promoted
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (RQ < 2 || RQ > 16) begin : g_bad_RQ
            RQ_must_be_from_2_to_16 u_stop ();
        end
        if (WAKE < 0 || WAKE > 1) begin : g_bad_WAKE
            WAKE_must_be_0_or_1 u_stop ();
        end
        if (WAKE_ALWAYS < 0 || WAKE_ALWAYS > 1) begin : g_bad_WAKE_ALWAYS
            WAKE_ALWAYS_must_be_0_or_1 u_stop ();
        end
        if (WAKE_VICTIM_OLDEST < 0 || WAKE_VICTIM_OLDEST > 1) begin : g_bad_WAKE_VICTIM_OLDEST
            WAKE_VICTIM_OLDEST_must_be_0_or_1 u_stop ();
        end
        if (WAKE_FRONT < 0 || WAKE_FRONT > 1) begin : g_bad_WAKE_FRONT
            WAKE_FRONT_must_be_0_or_1 u_stop ();
        end
        if (RQ > WARPS) begin : g_bad_RQ_also
            RQ_must_be_at_most_WARPS u_stop ();
        end
    endgenerate

    localparam WID_W   = $clog2(WARPS);
    localparam COUNT_W = $clog2(RQ + 2);

    wire [WARPS-1:0] moving = came | gone;
    wire [WARPS-1:0] head   = came & {WARPS{WAKE_FRONT != 0 && last_woken}};
    age_order #(.SLOTS(WARPS)) u_order (
        .order(order), .front(marked_next), .head(head & ~launches), .first(moving & ~head),
        .last(launches), .order_next(order_next)
    );

    wire [WARPS-1:0] standing = ready & ~exits & ~moving;
    wire [WARPS-1:0] pending  = live & ~ready & ~exits;
    assign ready_count_next = ready_count + {{(COUNT_W-1){1'b0}}, last_promoted || last_woken}
                            - {{(COUNT_W-1){1'b0}}, last_left}
                            - {{(COUNT_W-1){1'b0}}, last_exited};
    wire full = ready_count_next >= RQ[COUNT_W-1:0];
    assign exited = |(ready & exits);

    wire [WARPS-1:0] blocks = standing & blocked & ~{WARPS{evict}}, demote;
    wire [WID_W-1:0] demoted_wid;
    age_first #(.SLOTS(WARPS)) u_demoted (
        .order(order), .pick(blocks), .found(demote), .slot(demoted_wid)
    );
    assign demoted = |blocks;

    wire [WARPS-1:0] wake = wakes & pending & ~(blocked & {WARPS{WAKE_ALWAYS == 0}})
                          & {WARPS{WAKE != 0 && !hold}};
    assign woken      = |wake;
    assign evict_next = woken && full && !demoted && !exited;
    wire [WARPS-1:0] trailing = standing & ~marked;
    wire [WARPS-1:0] offered  = WAKE_VICTIM_OLDEST != 0 && |trailing ? trailing : standing;
    wire [WARPS-1:0] yields;
    wire [WID_W-1:0] victim_wid;
    age_first #(.SLOTS(WARPS)) u_victim (
        .order(WAKE_VICTIM_OLDEST != 0 ? order : ~order), .pick(offered), .found(yields),
        .slot(victim_wid)
    );
    integer g;
    always @* begin
        gone_wid = {WID_W{1'b0}};
        for (g = 0; g < WARPS; g = g + 1)
            gone_wid = gone_wid | ({WID_W{gone[g]}} & g[WID_W-1:0]);
    end

    wire promotes = !full && !hold && !(WAKE != 0 && |wakes);
    wire [WARPS-1:0] able = pending & ~moving & ~blocked, promotable;
    wire [WID_W-1:0] promoted_wid;
    age_first #(.SLOTS(WARPS)) u_promoted (
        .order(order), .pick(able), .found(promotable), .slot(promoted_wid)
    );
    assign promoted = |able && promotes;

    assign gone_next  = demote | (yields & {WARPS{evict}});
    assign came_next  = (promotable & {WARPS{promotes}}) | wake;
    assign ready_next = (ready & ~exits & ~gone_next) | came_next;

    wire [WARPS-1:0] can_issue = standing & issuable & ~blocked, issues;
    age_first #(.SLOTS(WARPS)) u_issue (
        .order(order), .pick(can_issue), .found(issues), .slot(issue_wid)
    );
    assign issue_valid = |can_issue && !hold;

    wire unused = &{1'b0, demoted_wid, victim_wid, promoted_wid, issues};
endmodule
`default_nettype wire
