// sa_cta_sched - which CTA of a kernel goes to which SM (tabbakh2018 3.1.2 to 3.1.4).
//
// launch_*: a kernel of launch_total CTAs, by their linear ids, under one of the policies
//   0 (and 4 to 7)  round robin: every CTA out of one pool;
//   1               groups of launch_group consecutive CTAs, one SM each, a new one at its end;
//   2               adaptive: the same until fewer groups than SMs are left, then the pool;
//   3               BCS: first as many CTAs as an SM holds (launch_limit), an even number, then
//                   pairs, each for an SM with two free slots (sm_free2).
// launch_groups is the number of groups, launch_total / launch_group rounded up; launch_group is
// at least 1.  Groups are dealt to SM 0 and up in the NSM + 1 cycles after a launch (busy), but
// where all is in the pool from the start.
// Among the SMs with a free slot, those behind the SM served last come first.  A CTA is chosen in
// every third cycle, issue_* name it two cycles later, and in that cycle its pointer moves behind it;
// ONE_CYCLE: one is chosen in every cycle, named in the next, and the pointer has moved by then.  A
// slot that was free stays so until then.  In the cycle of issue_* that SM is not served again: its
// sm_free may lag by one cycle.  launch_valid wins over all; what was not issued of the kernel
// before is forgotten.  Both forms issue the same CTAs to the same SMs where slots do not become
// free in between.
`default_nettype none
module sa_cta_sched #(
    parameter NSM         = 15,  // SMs, 2..32
    parameter CTAW        = 20,  // bits of a linear CTA id, 7..32
    parameter ROTATE      = 1,   // D-C3: 0: the lowest SM with a free slot is served
    parameter POOL_FIRST  = 1,   // D-C4: adaptive, fewer groups than SMs: 1 all in the pool at once
    parameter EXEMPT      = 1,   // D-C5: 1: each SM's first group is handed out whatever is left
    parameter BCS_INITIAL = 1,   // D-C6: 0: BCS begins with pairs
    parameter ONE_CYCLE   = 0    // 1: as the document draws it, a decision a cycle
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   launch_valid,
    input  wire [2:0]             launch_policy,
    input  wire [CTAW-1:0]        launch_total,
    input  wire [CTAW-1:0]        launch_group,
    input  wire [CTAW-1:0]        launch_groups,
    input  wire [5:0]             launch_limit,
    input  wire [NSM-1:0]         sm_free,
    input  wire [NSM-1:0]         sm_free2,
    output wire                   issue_valid,
    output wire [$clog2(NSM)-1:0] issue_sm,
    output wire [CTAW-1:0]        issue_cta,
    output wire                   busy,
    output wire                   all_issued,
    output wire                   group_taken,
    output wire                   pool_opened
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (NSM < 2 || NSM > 32) begin : g_bad_NSM
            NSM_must_be_from_2_to_32 u_stop ();
        end
        if (CTAW < 7 || CTAW > 32) begin : g_bad_CTAW
            CTAW_must_be_from_7_to_32 u_stop ();
        end
        if (ROTATE < 0 || ROTATE > 1) begin : g_bad_ROTATE
            ROTATE_must_be_0_or_1 u_stop ();
        end
        if (POOL_FIRST < 0 || POOL_FIRST > 1) begin : g_bad_POOL_FIRST
            POOL_FIRST_must_be_0_or_1 u_stop ();
        end
        if (EXEMPT < 0 || EXEMPT > 1) begin : g_bad_EXEMPT
            EXEMPT_must_be_0_or_1 u_stop ();
        end
        if (BCS_INITIAL < 0 || BCS_INITIAL > 1) begin : g_bad_BCS_INITIAL
            BCS_INITIAL_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam SM_W = $clog2(NSM);
    localparam [2:0]      GROUP = 3'd1, ADAPTIVE = 3'd2, BCS = 3'd3;
    localparam [CTAW-1:0] ONE = {{(CTAW-1){1'b0}}, 1'b1}, TWO = ONE << 1;
    localparam [31:0]     LAST32 = NSM - 1;
    localparam [SM_W-1:0] LAST = LAST32[SM_W-1:0];
    localparam [31:0]     NSM32 = NSM;
    localparam [CTAW-1:0] SMS = NSM32[CTAW-1:0];

    reg [2:0]          policy_q;
    reg [CTAW-1:0]     total_q;
    reg [CTAW-1:0]     step_q;    // CTAs of a group to come; of BCS first of an SM's first set
    reg                pairs_q;   // BCS: an SM holds two CTAs or more
    reg                prime_q;   // the end of the first group is found
    reg                walk_q;    // first groups are dealt, to SM last_q + 1
    reg                pool_q;    // mode_rr
    reg [CTAW-1:0]     next_q;    // next CTA of no group: next_grp * N, and rr_next
    reg [CTAW-1:0]     ahead_q;   // end of the group that begins there
    reg [CTAW-1:0]     after_q;   // CTAs from there on
    reg                single_q;  // that group is one CTA
    reg [CTAW-1:0]     rem_q;     // groups not handed out
    reg [NSM*CTAW-1:0] cur_q;     // next CTA of each SM's group
    reg [NSM*CTAW-1:0] end_q;     // one past its last (D-C1)
    reg                valid_q;
    reg [SM_W-1:0]     last_q;
    reg [CTAW-1:0]     cta_q;

    // What is there to be handed out, and as what.
    wire bcs     = policy_q == BCS;
    wire more    = next_q != total_q;
    wire few     = policy_q == ADAPTIVE && rem_q < SMS;
    wire to_pool = pool_q || few;
    wire run     = !prime_q && !walk_q;

    // The SM to serve: it has CTAs of its own, or can take of what is there.
    reg  [NSM-1:0] has, above, first_later, first_want;
    wire [NSM-1:0] serves;  // that may be chosen in this cycle
    wire [NSM-1:0] can    = {NSM{more}} & (sm_free2 | {NSM{!bcs || single_q}});
    wire [NSM-1:0] want   = sm_free & (has | can) & serves;
    wire [NSM-1:0] later  = want & above;
    wire [NSM-1:0] choice = |later ? first_later : first_want;
    integer s;
    always @* begin
        for (s = 0; s < NSM; s = s + 1) begin
            has[s]         = cur_q[s*CTAW +: CTAW] != end_q[s*CTAW +: CTAW];
            above[s]       = ROTATE == 0 || s[SM_W-1:0] > last_q;
            first_later[s] = later[s] && (later & (({{(NSM-1){1'b0}}, 1'b1} << s) - 1'b1)) == {NSM{1'b0}};
            first_want[s]  = want[s] && (want & (({{(NSM-1){1'b0}}, 1'b1} << s) - 1'b1)) == {NSM{1'b0}};
        end
    end

    // The CTA that it gets: the next one of its group, or of none.
    wire [NSM-1:0]  pick;  // it gets one in this cycle
    wire            taken = |(pick & ~has);
    reg  [SM_W-1:0] pick_sm;
    reg  [CTAW-1:0] own;
    wire [CTAW-1:0] cta_d = taken ? next_q : own;
    integer p;
    always @* begin
        pick_sm = {SM_W{1'b0}};
        own     = {CTAW{1'b0}};
        for (p = 0; p < NSM; p = p + 1) begin
            pick_sm = pick_sm | (p[SM_W-1:0] & {SM_W{pick[p]}});
            own     = own | (cur_q[p*CTAW +: CTAW] & {CTAW{pick[p]}});
        end
    end

    // It is chosen, read and counted at once, or in three cycles: the one after it is then worked out
    // from issue_cta, in two halves.
    wire [NSM-1:0]      passes;       // its group's pointer moves behind a CTA
    wire [NSM*CTAW-1:0] behind;       // to there
    wire                pool_passes;  // next_q does
    wire [CTAW-1:0]     pool_behind;
    reg  [NSM-1:0]  of_last;
    integer o;
    always @* begin
        for (o = 0; o < NSM; o = o + 1)
            of_last[o] = valid_q && o[SM_W-1:0] == last_q;
    end
    genvar b;
    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            assign serves      = {NSM{run}} & ~of_last;
            assign pick        = choice;
            assign passes      = pick & (has | {NSM{!to_pool}});
            assign pool_passes = taken && to_pool;
            assign pool_behind = next_q + ONE;
            for (b = 0; b < NSM; b = b + 1) begin : g_behind
                assign behind[b*CTAW +: CTAW] = has[b] ? cur_q[b*CTAW +: CTAW] + ONE : pool_behind;
            end
        end else begin : g_three_cycles
            localparam HALF = CTAW / 2;
            reg [NSM-1:0] chosen_q;
            reg           pooled_q;  // issue_cta is out of the pool
            reg           carry_q;   // its lower half is all ones
            assign serves      = {NSM{run && !valid_q && !(|chosen_q)}};
            assign pick        = chosen_q;
            assign passes      = of_last & {NSM{!pooled_q}};
            assign pool_passes = valid_q && pooled_q;
            assign pool_behind = {cta_q[CTAW-1:HALF] + {{(CTAW-HALF-1){1'b0}}, carry_q},
                                  cta_q[HALF-1:0] + ONE[HALF-1:0]};
            assign behind      = {NSM{pool_behind}};
            always @(posedge clk) begin
                if (rst || launch_valid) chosen_q <= {NSM{1'b0}};
                else                     chosen_q <= choice;
                if (rst) begin
                    pooled_q <= 1'b0;
                    carry_q  <= 1'b0;
                end else if (|pick && !launch_valid) begin
                    pooled_q <= taken && to_pool;
                    carry_q  <= &cta_d[HALF-1:0];
                end
            end
        end
    endgenerate

    // The first groups.
    wire [SM_W-1:0] walk_sm  = last_q == LAST ? {SM_W{1'b0}} : last_q + 1'b1;
    wire            walk_end = walk_sm == LAST;
    wire            closed   = few && EXEMPT == 0;
    wire            deals    = walk_q && more && !closed;
    wire            opens    = walk_q && more && closed;

    // A group is handed out, to an SM: the one behind it comes forward.
    reg  [NSM-1:0]  gets;
    integer t;
    always @* begin
        for (t = 0; t < NSM; t = t + 1)
            gets[t] = (pick[t] && !has[t] && !to_pool) || (deals && t[SM_W-1:0] == walk_sm);
    end
    wire            hands   = deals || (taken && !to_pool);
    wire            moves   = hands || prime_q;
    wire            rest    = after_q <= step_q;

    integer g;
    always @(posedge clk) begin
        if (rst) begin
            policy_q <= 3'd0;
            total_q  <= {CTAW{1'b0}};
            step_q   <= {CTAW{1'b0}};
            pairs_q  <= 1'b0;
            prime_q  <= 1'b0;
            walk_q   <= 1'b0;
            pool_q   <= 1'b0;
            next_q   <= {CTAW{1'b0}};
            ahead_q  <= {CTAW{1'b0}};
            after_q  <= {CTAW{1'b0}};
            single_q <= 1'b0;
            rem_q    <= {CTAW{1'b0}};
            cur_q    <= {(NSM*CTAW){1'b0}};
            end_q    <= {(NSM*CTAW){1'b0}};
            valid_q  <= 1'b0;
            last_q   <= LAST;
            cta_q    <= {CTAW{1'b0}};
        end else if (launch_valid) begin
            policy_q <= launch_policy;
            total_q  <= launch_total;
            step_q   <= launch_policy != BCS                   ? launch_group
                      : launch_limit < 6'd2                    ? ONE
                      : BCS_INITIAL != 0 ? {{(CTAW-6){1'b0}}, launch_limit[5:1], 1'b0} : TWO;
            pairs_q  <= launch_limit >= 6'd2;
            pool_q   <= straight;
            prime_q  <= !straight;
            walk_q   <= 1'b0;
            next_q   <= {CTAW{1'b0}};
            ahead_q  <= {CTAW{1'b0}};
            after_q  <= launch_total;
            single_q <= 1'b0;
            rem_q    <= launch_groups;
            cur_q    <= {(NSM*CTAW){1'b0}};
            end_q    <= {(NSM*CTAW){1'b0}};
            valid_q  <= 1'b0;
            last_q   <= LAST;
        end else begin
            prime_q <= 1'b0;
            walk_q  <= prime_q || (walk_q && !walk_end && !opens);
            pool_q  <= pool_q || opens || (taken && to_pool);
            if (hands)            next_q <= ahead_q;
            else if (pool_passes) next_q <= pool_behind;
            if (moves) begin
                ahead_q  <= rest ? total_q : ahead_q + step_q;
                after_q  <= rest ? {CTAW{1'b0}} : after_q - step_q;
                single_q <= after_q == ONE || step_q == ONE;
            end
            if (bcs && walk_q && walk_sm == LAST - 1'b1)
                step_q <= pairs_q ? TWO : ONE;
            if (hands) rem_q <= rem_q - ONE;
            for (g = 0; g < NSM; g = g + 1) begin
                if (passes[g])    cur_q[g*CTAW +: CTAW] <= behind[g*CTAW +: CTAW];
                else if (gets[g]) cur_q[g*CTAW +: CTAW] <= next_q;
                if (gets[g])      end_q[g*CTAW +: CTAW] <= ahead_q;
            end
            valid_q <= |pick;
            if (walk_q)     last_q <= opens ? LAST : walk_sm;
            else if (|pick) last_q <= pick_sm;
            if (|pick)      cta_q  <= cta_d;
        end
    end
    wire straight = !(launch_policy == GROUP || launch_policy == ADAPTIVE || launch_policy == BCS)
                    || (launch_policy == ADAPTIVE && POOL_FIRST != 0 && launch_groups < SMS);

    assign issue_valid = valid_q;
    assign issue_sm    = last_q;
    assign issue_cta   = cta_q;
    assign busy        = !run;
    assign all_issued  = run && !more && !(|has);
    assign group_taken = hands && !launch_valid;
    assign pool_opened = !launch_valid && !pool_q && (opens || (taken && to_pool));
endmodule
`default_nettype wire
