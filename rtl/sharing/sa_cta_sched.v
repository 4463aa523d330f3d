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
// every other cycle, and issue_* name it two cycles later; ONE_CYCLE: in every cycle, and named in
// the next.  A slot that was free stays so until then.  In the cycle of issue_* that SM is not
// served again: its sm_free may lag by one cycle.  launch_valid wins over all; what was not issued
// of the kernel before is forgotten.  Both forms issue the same CTAs to the same SMs where slots do
// not become free in between.
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
    reg [CTAW-1:0]     step_q;    // CTAs of a group; of BCS, of an SM's first set
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
    reg  [NSM-1:0] has, above, served, first_later, first_want;
    wire           chooses;
    wire [NSM-1:0] can    = {NSM{more}} & (sm_free2 | {NSM{!bcs || single_q}});
    wire [NSM-1:0] want   = sm_free & ~served & (has | can) & {NSM{chooses}};
    wire [NSM-1:0] later  = want & above;
    wire [NSM-1:0] choice = |later ? first_later : first_want;
    integer s;
    always @* begin
        for (s = 0; s < NSM; s = s + 1) begin
            has[s]         = cur_q[s*CTAW +: CTAW] != end_q[s*CTAW +: CTAW];
            above[s]       = ROTATE == 0 || s[SM_W-1:0] > last_q;
            served[s]      = valid_q && s[SM_W-1:0] == last_q;
            first_later[s] = later[s] && (later & (({{(NSM-1){1'b0}}, 1'b1} << s) - 1'b1)) == {NSM{1'b0}};
            first_want[s]  = want[s] && (want & (({{(NSM-1){1'b0}}, 1'b1} << s) - 1'b1)) == {NSM{1'b0}};
        end
    end

    // It is served at once, or in the next cycle.
    wire [NSM-1:0] pick;
    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            assign pick    = choice;
            assign chooses = run;
        end else begin : g_two_cycles
            reg [NSM-1:0] chosen_q;
            assign pick    = chosen_q;
            assign chooses = run && !(|chosen_q);
            always @(posedge clk)
                if (rst || launch_valid) chosen_q <= {NSM{1'b0}};
                else                     chosen_q <= choice;
        end
    endgenerate
    wire taken = |(pick & ~has);

    // Its number, and its next CTA.
    reg [SM_W-1:0] pick_sm;
    reg [CTAW-1:0] own;
    integer p;
    always @* begin
        pick_sm = {SM_W{1'b0}};
        own     = {CTAW{1'b0}};
        for (p = 0; p < NSM; p = p + 1) begin
            pick_sm = pick_sm | (p[SM_W-1:0] & {SM_W{pick[p]}});
            own     = own | (cur_q[p*CTAW +: CTAW] & {CTAW{pick[p]}});
        end
    end

    // The first groups.
    wire [SM_W-1:0] walk_sm  = last_q == LAST ? {SM_W{1'b0}} : last_q + 1'b1;
    wire            walk_end = walk_sm == LAST;
    wire            closed   = few && EXEMPT == 0;
    wire            deals    = walk_q && more && !closed;
    wire            opens    = walk_q && more && closed;

    // A group is handed out: the one behind it comes forward.
    wire            hands   = deals || (taken && !to_pool);
    wire            moves   = hands || prime_q;
    wire [CTAW-1:0] pair    = pairs_q ? TWO : ONE;
    wire [CTAW-1:0] step    = bcs && !prime_q && (!walk_q || walk_end) ? pair : step_q;
    wire            rest    = after_q <= step;

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
            if (hands)                 next_q <= ahead_q;
            else if (taken)            next_q <= next_q + ONE;
            if (moves) begin
                ahead_q  <= rest ? total_q : ahead_q + step;
                after_q  <= rest ? {CTAW{1'b0}} : after_q - step;
                single_q <= after_q == ONE || step == ONE;
            end
            if (hands) rem_q <= rem_q - ONE;
            for (g = 0; g < NSM; g = g + 1) begin
                if (pick[g] && has[g])
                    cur_q[g*CTAW +: CTAW] <= cur_q[g*CTAW +: CTAW] + ONE;
                else if (pick[g] && !to_pool) begin
                    cur_q[g*CTAW +: CTAW] <= next_q + ONE;
                    end_q[g*CTAW +: CTAW] <= ahead_q;
                end else if (deals && g[SM_W-1:0] == walk_sm) begin
                    cur_q[g*CTAW +: CTAW] <= next_q;
                    end_q[g*CTAW +: CTAW] <= ahead_q;
                end
            end
            valid_q <= |pick;
            if (walk_q)     last_q <= opens ? LAST : walk_sm;
            else if (|pick) last_q <= pick_sm;
            if (|pick)      cta_q  <= taken ? next_q : own;
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
