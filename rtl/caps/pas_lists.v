// pas_lists - the two-level scheduler's queues as ordered lists, the whole cycle at once
// (caps-prefetch 3.3, 3.4, 3.5).
//
// Combinational.  rq holds the leading queue, then the trailing queue, pq the pending one, each
// oldest first.  After exit, marker clear and launch (live and marked have seen them): demotion of
// all blocked ready warps, wake-up, promotion into all free ready slots, selection.  It is the
// document's cycle word for word, and many times longer than a clock period.
`default_nettype none
module pas_lists #(
    parameter WARPS              = 48,  // warp slots, 2..64
    parameter RQ                 = 8,   // ready warps, 2..16, at most WARPS
    parameter WAKE               = 1,   // 0: wake-ups are ignored
    parameter WAKE_ALWAYS        = 0,   // 1: a blocked warp is woken too
    parameter WAKE_VICTIM_OLDEST = 0,   // 1: the oldest trailing warp gives way
    parameter WAKE_FRONT         = 0    // 1: a woken warp enters its queue at the head
) (
    input  wire [RQ*$clog2(WARPS)-1:0]    rq,
    input  wire [$clog2(RQ+1)-1:0]        lq_count,
    input  wire [$clog2(RQ+1)-1:0]        rq_count,
    input  wire [WARPS*$clog2(WARPS)-1:0] pq,
    input  wire [$clog2(WARPS+1)-1:0]     pq_count,
    input  wire [WARPS-1:0]               live,
    input  wire [WARPS-1:0]               marked,
    input  wire                           warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0]       warp_exit_wid,
    input  wire                           warp_launch,
    input  wire [$clog2(WARPS)-1:0]       warp_launch_wid,
    input  wire                           hold,
    input  wire                           wake_valid,
    input  wire [$clog2(WARPS)-1:0]       wake_wid,
    input  wire [WARPS-1:0]               blocked,
    input  wire [WARPS-1:0]               issuable,
    output wire [RQ*$clog2(WARPS)-1:0]    rq_next,
    output wire [$clog2(RQ+1)-1:0]        lq_count_next,
    output wire [$clog2(RQ+1)-1:0]        rq_count_next,
    output wire [WARPS*$clog2(WARPS)-1:0] pq_next,
    output wire [$clog2(WARPS+1)-1:0]     pq_count_next,
    output wire [WARPS-1:0]               ready,
    output wire                           issue_valid,
    output reg  [$clog2(WARPS)-1:0]       issue_wid,
    output wire                           evict,
    output reg  [$clog2(WARPS)-1:0]       victim_wid,
    output wire                           woken,
    output wire                           demoted,
    output wire                           promoted
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

    localparam WID_W      = $clog2(WARPS);
    localparam IDS        = 1 << WID_W;  // slot numbers that a port can name
    localparam RQ_COUNT_W = $clog2(RQ + 1);

    // Vectors over warp slots as wide as a slot number can reach.
    wire [IDS:0] blocked_all = {{(IDS+1-WARPS){1'b0}}, blocked};
    wire [IDS:0] issue_all   = {{(IDS+1-WARPS){1'b0}}, issuable};
    wire [IDS:0] live_all    = {{(IDS+1-WARPS){1'b0}}, live};
    wire [IDS:0] marked_all  = {{(IDS+1-WARPS){1'b0}}, marked};

    // Which ready warps stay, and which block.
    reg [RQ-1:0]         here, demote;
    reg [RQ_COUNT_W-1:0] stay_count;
    reg                  wake_is_ready;
    integer i;
    always @* begin
        stay_count    = {RQ_COUNT_W{1'b0}};
        wake_is_ready = 1'b0;
        for (i = 0; i < RQ; i = i + 1) begin
            here[i]   = i[RQ_COUNT_W-1:0] < rq_count &&
                        !(warp_exit_valid && rq[i*WID_W +: WID_W] == warp_exit_wid);
            demote[i] = here[i] && blocked_all[{1'b0, rq[i*WID_W +: WID_W]}];
            if (here[i] && !demote[i]) begin
                stay_count = stay_count + 1'b1;
                if (rq[i*WID_W +: WID_W] == wake_wid)
                    wake_is_ready = 1'b1;
            end
        end
    end

    // Wake-up.  When it finds the queue full, nobody has left, so positions are as in rq.
    wire wake = WAKE != 0 && wake_valid && !hold && live_all[{1'b0, wake_wid}] &&
                !wake_is_ready && (WAKE_ALWAYS != 0 || !blocked_all[{1'b0, wake_wid}]);
    wire full = stay_count == RQ[RQ_COUNT_W-1:0];
    assign evict = wake && full;
    wire [RQ-1:0] youngest     = {1'b1, {(RQ-1){1'b0}}};
    wire [RQ-1:0] oldest_trail = {{(RQ-1){1'b0}}, 1'b1} << lq_count;
    wire [RQ-1:0] oldest       = |oldest_trail ? oldest_trail : {{(RQ-1){1'b0}}, 1'b1};
    wire [RQ-1:0] victim       = {RQ{evict}} & (WAKE_VICTIM_OLDEST != 0 ? oldest : youngest);
    integer v;
    always @* begin
        victim_wid = {WID_W{1'b0}};
        for (v = 0; v < RQ; v = v + 1)
            victim_wid = victim_wid | (rq[v*WID_W +: WID_W] & {WID_W{victim[v]}});
    end
    wire [RQ_COUNT_W-1:0] room =
        RQ[RQ_COUNT_W-1:0] - stay_count - {{(RQ_COUNT_W-1){1'b0}}, wake && !full};

    wire [RQ-1:0]   promoted_valid, promoted_lead;
    wire [RQ*WID_W-1:0] promoted_wid;
    pas_pending #(.WARPS(WARPS), .RQ(RQ)) u_pending (
        .list(pq), .count(pq_count), .warp_exit_valid(warp_exit_valid),
        .warp_exit_wid(warp_exit_wid),
        .warp_launch(warp_launch), .warp_launch_wid(warp_launch_wid), .demote(demote),
        .ready_list(rq),
        .wake(wake), .wake_wid(wake_wid), .victim_valid(evict), .victim_wid(victim_wid),
        .promote(!hold), .room(room), .blocked(blocked_all[IDS-1:0]), .marked(marked_all[IDS-1:0]),
        .promoted_valid(promoted_valid), .promoted_lead(promoted_lead),
        .promoted_wid(promoted_wid), .list_next(pq_next), .count_next(pq_count_next)
    );
    pas_ready #(.RQ(RQ), .WID_W(WID_W), .WAKE_FRONT(WAKE_FRONT)) u_ready (
        .list(rq), .lead_count(lq_count), .stay(here & ~demote & ~victim),
        .wake(wake), .wake_lead(marked_all[{1'b0, wake_wid}]), .wake_wid(wake_wid),
        .promoted_valid(promoted_valid), .promoted_lead(promoted_lead),
        .promoted_wid(promoted_wid),
        .list_next(rq_next), .lead_count_next(lq_count_next), .count_next(rq_count_next)
    );

    // Selection from the queues as they are after all this.
    reg issue_any;
    integer s;
    always @* begin
        issue_any = 1'b0;
        issue_wid = {WID_W{1'b0}};
        for (s = RQ - 1; s >= 0; s = s - 1)
            if (s[RQ_COUNT_W-1:0] < rq_count_next && issue_all[{1'b0, rq_next[s*WID_W +: WID_W]}]) begin
                issue_any = 1'b1;
                issue_wid = rq_next[s*WID_W +: WID_W];
            end
    end
    assign issue_valid = issue_any && !hold;
    assign woken       = wake;
    assign demoted     = |demote;
    assign promoted    = |promoted_valid;

    reg [IDS-1:0] ready_vec;
    integer r;
    always @* begin
        ready_vec = {IDS{1'b0}};
        for (r = 0; r < RQ; r = r + 1)
            if (r[RQ_COUNT_W-1:0] < rq_count)
                ready_vec[rq[r*WID_W +: WID_W]] = 1'b1;
    end
    assign ready = ready_vec[WARPS-1:0];

    wire unused = &{1'b0, blocked_all, issue_all, live_all, marked_all, ready_vec};
endmodule
`default_nettype wire
