// pas_sched - prefetch-aware two-level warp scheduler with eager wake-up
// (caps-prefetch 3.3, 3.4, 3.5).
//
// Accepts one launch, one exit, one wake-up and one base notice per cycle, always; none is lost.
// A marked warp is a leading one: it goes before others.  Ignored: a launch into a slot that is
// resident (a slot that exits in the same cycle is free) or past WARPS, an exit of a slot that is
// not, a wake-up of a warp that is not pending.  hold suppresses wake-up, promotion and selection.
// rq_vec and lead_vec show the queues at the start of the cycle.  Issuing changes no queue.  Launched
// without markers, the unit is the plain two-level scheduler.
//
// Events act one cycle after they came.  In a cycle one warp is demoted, and one woken or promoted;
// wake_evict reports a warp that gave way in the cycle before (pas_moves, D-PAS-1).  `blocked` is a
// level: it stays until the warp is demoted.  With inputs held, the queues come to rest in at most
// 2 * RQ + 6 cycles where ONE_CYCLE = 1, the document's cycle on lists (pas_lists), has them in one:
// there events act, and outputs answer, in the cycle in which they come.
`default_nettype none
module pas_sched #(
    parameter WARPS              = 48,  // warp slots, 2..64
    parameter RQ                 = 8,   // ready warps, 2..16, at most WARPS
    parameter WAKE               = 1,   // 0: wake-ups are ignored
    parameter WAKE_ALWAYS        = 0,   // 1: a blocked warp is woken too
    parameter WAKE_VICTIM_OLDEST = 0,   // 1: the oldest trailing warp gives way
    parameter WAKE_FRONT         = 0,   // 1: a woken warp enters its queue at the head
    parameter LEAD_CLEAR         = 0,   // 1: base_valid clears the warp's marker
    parameter ONE_CYCLE          = 0    // 1: all moves of the document's cycle in one
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  warp_launch_valid,
    input  wire [$clog2(WARPS)-1:0] warp_launch_wid,
    input  wire                  warp_launch_lead,
    input  wire                  hold,
    input  wire                  warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0] warp_exit_wid,
    input  wire                  base_valid,
    input  wire [$clog2(WARPS)-1:0] base_wid,
    input  wire                  wake_valid,
    input  wire [$clog2(WARPS)-1:0] wake_wid,
    input  wire [WARPS-1:0]         blocked,
    input  wire [WARPS-1:0]         issuable,
    input  wire                  issue_ready,
    output wire                  issue_valid,
    output wire [$clog2(WARPS)-1:0] issue_wid,
    output wire [WARPS-1:0]         rq_vec,
    output wire [WARPS-1:0]         lead_vec,
    output wire                  wake_evict_valid,
    output wire [$clog2(WARPS)-1:0] wake_evict_wid,
    output wire                  issued,
    output wire                  woken,
    output wire                  demoted,
    output wire                  promoted
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
        if (LEAD_CLEAR < 0 || LEAD_CLEAR > 1) begin : g_bad_LEAD_CLEAR
            LEAD_CLEAR_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
        if (RQ > WARPS) begin : g_bad_RQ_also
            RQ_must_be_at_most_WARPS u_stop ();
        end
    endgenerate

    localparam WID_W      = $clog2(WARPS);
    localparam RQ_COUNT_W = $clog2(RQ + 1);
    localparam COUNT_W    = $clog2(RQ + 2);  // one too many for a cycle

    wire [WARPS-1:0] exit_one   = {{(WARPS-1){1'b0}}, warp_exit_valid} << warp_exit_wid;
    wire [WARPS-1:0] clear_one  = {{(WARPS-1){1'b0}}, base_valid && LEAD_CLEAR != 0} << base_wid;
    wire [WARPS-1:0] launch_one = {{(WARPS-1){1'b0}}, warp_launch_valid} << warp_launch_wid;

    // What happens to the residents in this cycle: what comes in, or came in before it.
    wire [WARPS-1:0] exits, clears, launched;
    wire             launched_lead;

    reg  [WARPS-1:0] live_q, marked_q;
    wire [WARPS-1:0] remain   = live_q & ~exits;
    wire [WARPS-1:0] launches = launched & ~remain;
    wire [WARPS-1:0] live_d   = remain | launches;
    wire [WARPS-1:0] marked_d = (marked_q & ~clears & ~exits)
                              | (launches & {WARPS{launched_lead}});

    generate
        if (ONE_CYCLE != 0) begin : g_lists
            localparam PQ_COUNT_W = $clog2(WARPS + 1);
            assign exits         = exit_one;
            assign clears        = clear_one;
            assign launched      = launch_one;
            assign launched_lead = warp_launch_lead;
            reg  [RQ*WID_W-1:0]    rq_q;
            reg  [RQ_COUNT_W-1:0]  lq_count_q, rq_count_q;
            reg  [WARPS*WID_W-1:0] pq_q;
            reg  [PQ_COUNT_W-1:0]  pq_count_q;
            wire [RQ*WID_W-1:0]    rq_d;
            wire [RQ_COUNT_W-1:0]  lq_count_d, rq_count_d;
            wire [WARPS*WID_W-1:0] pq_d;
            wire [PQ_COUNT_W-1:0]  pq_count_d;
            pas_lists #(
                .WARPS(WARPS), .RQ(RQ), .WAKE(WAKE), .WAKE_ALWAYS(WAKE_ALWAYS),
                .WAKE_VICTIM_OLDEST(WAKE_VICTIM_OLDEST), .WAKE_FRONT(WAKE_FRONT)
            ) u_cycle (
                .rq(rq_q), .lq_count(lq_count_q), .rq_count(rq_count_q), .pq(pq_q),
                .pq_count(pq_count_q), .live(live_d), .marked(marked_d),
                .warp_exit_valid(warp_exit_valid), .warp_exit_wid(warp_exit_wid),
                .warp_launch(|launches), .warp_launch_wid(warp_launch_wid), .hold(hold),
                .wake_valid(wake_valid), .wake_wid(wake_wid), .blocked(blocked),
                .issuable(issuable),
                .rq_next(rq_d), .lq_count_next(lq_count_d), .rq_count_next(rq_count_d),
                .pq_next(pq_d), .pq_count_next(pq_count_d), .ready(rq_vec),
                .issue_valid(issue_valid), .issue_wid(issue_wid), .evict(wake_evict_valid),
                .victim_wid(wake_evict_wid), .woken(woken), .demoted(demoted),
                .promoted(promoted)
            );
            always @(posedge clk) begin
                if (rst) begin
                    rq_q       <= {(RQ*WID_W){1'b0}};
                    lq_count_q <= {RQ_COUNT_W{1'b0}};
                    rq_count_q <= {RQ_COUNT_W{1'b0}};
                    pq_q       <= {(WARPS*WID_W){1'b0}};
                    pq_count_q <= {PQ_COUNT_W{1'b0}};
                end else begin
                    rq_q       <= rq_d;
                    lq_count_q <= lq_count_d;
                    rq_count_q <= rq_count_d;
                    pq_q       <= pq_d;
                    pq_count_q <= pq_count_d;
                end
            end
        end else begin : g_moves
            localparam PAIRS = WARPS * (WARPS - 1) / 2;
            wire [WARPS-1:0]   wake_one = {{(WARPS-1){1'b0}}, wake_valid && WAKE != 0} << wake_wid;
            reg  [WARPS-1:0]   exits_q, clears_q, launched_q, wakes_q;
            reg                launched_lead_q;
            reg  [WARPS-1:0]   ready_q, came_q, gone_q;
            reg  [COUNT_W-1:0] ready_count_q;
            reg  [PAIRS-1:0]   order_q;
            reg                promoted_q, woken_q, left_q, exited_q, evict_q, evicted_q;
            wire [WARPS-1:0]   ready_d, came_d, gone_d;
            wire [COUNT_W-1:0] ready_count_d;
            wire [PAIRS-1:0]   order_d;
            wire               exited_d, evict_d;
            assign exits         = exits_q;
            assign clears        = clears_q;
            assign launched      = launched_q;
            assign launched_lead = launched_lead_q;
            pas_moves #(
                .WARPS(WARPS), .RQ(RQ), .WAKE(WAKE), .WAKE_ALWAYS(WAKE_ALWAYS),
                .WAKE_VICTIM_OLDEST(WAKE_VICTIM_OLDEST), .WAKE_FRONT(WAKE_FRONT)
            ) u_cycle (
                .live(live_q), .marked(marked_q), .marked_next(marked_d), .exits(exits),
                .launches(launches), .wakes(wakes_q), .ready(ready_q), .came(came_q),
                .gone(gone_q), .order(order_q), .ready_count(ready_count_q), .last_promoted(promoted_q),
                .last_woken(woken_q), .last_left(left_q), .last_exited(exited_q),
                .evict(evict_q), .hold(hold), .blocked(blocked), .issuable(issuable),
                .ready_next(ready_d), .came_next(came_d), .gone_next(gone_d), .order_next(order_d),
                .ready_count_next(ready_count_d), .exited(exited_d), .evict_next(evict_d),
                .issue_valid(issue_valid), .issue_wid(issue_wid), .gone_wid(wake_evict_wid),
                .woken(woken), .demoted(demoted), .promoted(promoted)
            );
            assign rq_vec           = ready_q;
            assign wake_evict_valid = evicted_q;
            always @(posedge clk) begin
                if (rst) begin
                    exits_q         <= {WARPS{1'b0}};
                    clears_q        <= {WARPS{1'b0}};
                    launched_q      <= {WARPS{1'b0}};
                    launched_lead_q <= 1'b0;
                    wakes_q         <= {WARPS{1'b0}};
                    ready_q         <= {WARPS{1'b0}};
                    came_q          <= {WARPS{1'b0}};
                    gone_q          <= {WARPS{1'b0}};
                    ready_count_q   <= {COUNT_W{1'b0}};
                    order_q         <= {PAIRS{1'b0}};
                    promoted_q      <= 1'b0;
                    woken_q         <= 1'b0;
                    left_q          <= 1'b0;
                    exited_q        <= 1'b0;
                    evict_q         <= 1'b0;
                    evicted_q       <= 1'b0;
                end else begin
                    exits_q         <= exit_one;
                    clears_q        <= clear_one;
                    launched_q      <= launch_one;
                    launched_lead_q <= warp_launch_lead;
                    wakes_q         <= wake_one;
                    ready_q         <= ready_d;
                    came_q          <= came_d;
                    gone_q          <= gone_d;
                    ready_count_q   <= ready_count_d;
                    order_q         <= order_d;
                    promoted_q      <= promoted;
                    woken_q         <= woken;
                    left_q          <= demoted || evict_q;
                    exited_q        <= exited_d;
                    evict_q         <= evict_d;
                    evicted_q       <= evict_q;
                end
            end
        end
    endgenerate
    assign lead_vec = marked_q;
    assign issued   = issue_valid && issue_ready;

    always @(posedge clk) begin
        if (rst) begin
            live_q   <= {WARPS{1'b0}};
            marked_q <= {WARPS{1'b0}};
        end else begin
            live_q   <= live_d;
            marked_q <= marked_d;
        end
    end
endmodule
`default_nettype wire
