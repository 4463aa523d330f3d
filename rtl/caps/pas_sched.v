// pas_sched - prefetch-aware two-level warp scheduler with eager wake-up
// (caps-prefetch 3.3, 3.4, 3.5).
//
// Accepts one launch, one exit, one wake-up and one base notice per cycle, always.  The
// order within a cycle: exit, marker clear, launch (to the pending tail), demotion of
// blocked ready warps, wake-up, promotion into free ready slots, selection.  Outputs answer
// in the same cycle; rq_vec and lead_vec show the queues at its start.  hold suppresses
// wake-up, promotion and selection.  Ignored: a launch into a slot that is resident (a slot
// that exits in the same cycle is free) or past WARPS, an exit of a slot that is not, a
// wake-up of a warp that is not pending.  Issuing changes no queue.  Launched without
// markers, the unit is the plain two-level scheduler.
`default_nettype none
module pas_sched #(
    parameter WARPS              = 48,  // warp slots, 2..64
    parameter RQ                 = 8,   // ready warps, 2..16, at most WARPS
    parameter WAKE               = 1,   // 0: wake-ups are ignored
    parameter WAKE_ALWAYS        = 0,   // 1: a blocked warp is woken too
    parameter WAKE_VICTIM_OLDEST = 0,   // 1: the oldest trailing warp gives way
    parameter WAKE_FRONT         = 0,   // 1: a woken warp enters its queue at the head
    parameter LEAD_CLEAR         = 0    // 1: base_valid clears the warp's marker
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
    output reg  [$clog2(WARPS)-1:0] issue_wid,
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
        if (RQ > WARPS) begin : g_bad_RQ_also
            RQ_must_be_at_most_WARPS u_stop ();
        end
    endgenerate

    localparam WID_W      = $clog2(WARPS);
    localparam IDS        = 1 << WID_W;  // slot numbers that a port can name
    localparam PQ_COUNT_W = $clog2(WARPS + 1);
    localparam RQ_COUNT_W = $clog2(RQ + 1);

    reg [WARPS-1:0]         live_q, live_d;
    reg [WARPS-1:0]         marked_q, marked_d;
    reg [RQ*WID_W-1:0]       rq_q;
    reg [RQ_COUNT_W-1:0] lq_count_q, rq_count_q;
    reg [WARPS*WID_W-1:0]       pq_q;
    reg [PQ_COUNT_W-1:0] pq_count_q;
    wire [RQ*WID_W-1:0]       rq_d;
    wire [RQ_COUNT_W-1:0] lq_count_d, rq_count_d;
    wire [WARPS*WID_W-1:0]       pq_d;
    wire [PQ_COUNT_W-1:0] pq_count_d;

    // Vectors over warp slots as wide as a slot number can reach.
    wire [IDS:0] blocked_all = {{(IDS+1-WARPS){1'b0}}, blocked};
    wire [IDS:0] issue_all   = {{(IDS+1-WARPS){1'b0}}, issuable};
    wire [IDS:0] live_all    = {{(IDS+1-WARPS){1'b0}}, live_d};
    wire [IDS:0] marked_all  = {{(IDS+1-WARPS){1'b0}}, marked_d};

    // Exit, marker clear, launch.
    wire [WARPS-1:0] exit_one   = {{(WARPS-1){1'b0}}, warp_exit_valid} << warp_exit_wid;
    wire [WARPS-1:0] clear_one  = {{(WARPS-1){1'b0}}, base_valid && LEAD_CLEAR != 0} << base_wid;
    wire [WARPS-1:0] launch_one = {{(WARPS-1){1'b0}}, warp_launch_valid} << warp_launch_wid;
    wire [WARPS-1:0] remain     = live_q & ~exit_one;
    wire          warp_launch   = |(launch_one & ~remain);
    always @* begin
        live_d   = remain;
        marked_d = marked_q & ~clear_one & ~exit_one;
        if (warp_launch) begin
            live_d = remain | launch_one;
            if (warp_launch_lead)
                marked_d = marked_d | launch_one;
        end
    end

    // Which ready warps stay, and which block.
    reg [RQ-1:0]         here, demote;
    reg [RQ_COUNT_W-1:0] stay_count;
    reg                  wake_is_ready;
    integer i;
    always @* begin
        stay_count    = {RQ_COUNT_W{1'b0}};
        wake_is_ready = 1'b0;
        for (i = 0; i < RQ; i = i + 1) begin
            here[i]   = i[RQ_COUNT_W-1:0] < rq_count_q &&
                        !(warp_exit_valid && rq_q[i*WID_W +: WID_W] == warp_exit_wid);
            demote[i] = here[i] && blocked_all[{1'b0, rq_q[i*WID_W +: WID_W]}];
            if (here[i] && !demote[i]) begin
                stay_count = stay_count + 1'b1;
                if (rq_q[i*WID_W +: WID_W] == wake_wid)
                    wake_is_ready = 1'b1;
            end
        end
    end

    // Wake-up.  When it finds the queue full, nobody has left, so positions are as in rq_q.
    wire wake = WAKE != 0 && wake_valid && !hold && live_all[{1'b0, wake_wid}] &&
                !wake_is_ready && (WAKE_ALWAYS != 0 || !blocked_all[{1'b0, wake_wid}]);
    wire full = stay_count == RQ[RQ_COUNT_W-1:0];
    wire evict = wake && full;
    wire [RQ-1:0] youngest     = {1'b1, {(RQ-1){1'b0}}};
    wire [RQ-1:0] oldest_trail = {{(RQ-1){1'b0}}, 1'b1} << lq_count_q;
    wire [RQ-1:0] oldest       = |oldest_trail ? oldest_trail : {{(RQ-1){1'b0}}, 1'b1};
    wire [RQ-1:0] victim       = {RQ{evict}} & (WAKE_VICTIM_OLDEST != 0 ? oldest : youngest);
    reg [WID_W-1:0] victim_wid;
    integer v;
    always @* begin
        victim_wid = {WID_W{1'b0}};
        for (v = 0; v < RQ; v = v + 1)
            victim_wid = victim_wid | (rq_q[v*WID_W +: WID_W] & {WID_W{victim[v]}});
    end
    wire [RQ_COUNT_W-1:0] room =
        RQ[RQ_COUNT_W-1:0] - stay_count - {{(RQ_COUNT_W-1){1'b0}}, wake && !full};

    wire [RQ-1:0]   promoted_valid, promoted_lead;
    wire [RQ*WID_W-1:0] promoted_wid;
    pas_pending #(.WARPS(WARPS), .RQ(RQ)) u_pending (
        .list(pq_q), .count(pq_count_q), .warp_exit_valid(warp_exit_valid),
        .warp_exit_wid(warp_exit_wid),
        .warp_launch(warp_launch), .warp_launch_wid(warp_launch_wid), .demote(demote),
        .ready_list(rq_q),
        .wake(wake), .wake_wid(wake_wid), .victim_valid(evict), .victim_wid(victim_wid),
        .promote(!hold), .room(room), .blocked(blocked_all[IDS-1:0]), .marked(marked_all[IDS-1:0]),
        .promoted_valid(promoted_valid), .promoted_lead(promoted_lead),
        .promoted_wid(promoted_wid), .list_next(pq_d), .count_next(pq_count_d)
    );
    pas_ready #(.RQ(RQ), .WID_W(WID_W), .WAKE_FRONT(WAKE_FRONT)) u_ready (
        .list(rq_q), .lead_count(lq_count_q), .stay(here & ~demote & ~victim),
        .wake(wake), .wake_lead(marked_all[{1'b0, wake_wid}]), .wake_wid(wake_wid),
        .promoted_valid(promoted_valid), .promoted_lead(promoted_lead),
        .promoted_wid(promoted_wid),
        .list_next(rq_d), .lead_count_next(lq_count_d), .count_next(rq_count_d)
    );

    // Selection from the queues as they are now.
    reg issue_any;
    integer s;
    always @* begin
        issue_any = 1'b0;
        issue_wid = {WID_W{1'b0}};
        for (s = RQ - 1; s >= 0; s = s - 1)
            if (s[RQ_COUNT_W-1:0] < rq_count_d && issue_all[{1'b0, rq_d[s*WID_W +: WID_W]}]) begin
                issue_any = 1'b1;
                issue_wid = rq_d[s*WID_W +: WID_W];
            end
    end
    assign issue_valid      = issue_any && !hold;
    assign wake_evict_valid = evict;
    assign wake_evict_wid   = victim_wid;
    assign issued           = issue_valid && issue_ready;
    assign woken            = wake;
    assign demoted          = |demote;
    assign promoted         = |promoted_valid;

    reg [IDS-1:0] ready_vec;
    integer r;
    always @* begin
        ready_vec = {IDS{1'b0}};
        for (r = 0; r < RQ; r = r + 1)
            if (r[RQ_COUNT_W-1:0] < rq_count_q)
                ready_vec[rq_q[r*WID_W +: WID_W]] = 1'b1;
    end
    assign rq_vec   = ready_vec[WARPS-1:0];
    assign lead_vec = marked_q;

    always @(posedge clk) begin
        if (rst) begin
            live_q     <= {WARPS{1'b0}};
            marked_q   <= {WARPS{1'b0}};
            rq_q       <= {(RQ*WID_W){1'b0}};
            lq_count_q <= {RQ_COUNT_W{1'b0}};
            rq_count_q <= {RQ_COUNT_W{1'b0}};
            pq_q       <= {(WARPS*WID_W){1'b0}};
            pq_count_q <= {PQ_COUNT_W{1'b0}};
        end else begin
            live_q     <= live_d;
            marked_q   <= marked_d;
            rq_q       <= rq_d;
            lq_count_q <= lq_count_d;
            rq_count_q <= rq_count_d;
            pq_q       <= pq_d;
            pq_count_q <= pq_count_d;
        end
    end

    wire unused = &{1'b0, blocked_all, issue_all, live_all, marked_all, ready_vec};
endmodule
`default_nettype wire
