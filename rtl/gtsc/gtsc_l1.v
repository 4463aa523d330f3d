// gtsc_l1 - leases, warp timestamps, locks and epoch of one SM under G-TSC (tabbakh2018
// 3.6.4, 3.6.6, 3.6.8, D-G3..D-G17).
//
// One operation per cycle.  Outputs answer in the same cycle from state and inputs, whether
// op_valid is 1 or not (the events only with op_valid); state changes at an edge with op_valid.
// A message one epoch ahead first drops all lines and sets all warp_ts to 1 (flush), then
// takes effect; one of any other epoch but the own only ends a store.
// A line that acks are owed to after it was dropped cannot be locked again before they came:
// a store goes past it (drop), so an ack finds the lock of its own store or none.
// Line and warp numbers beyond LINES and WARPS mean 0.  Undefined: serving two MSHR entries
// interleaved (the ASK of one would carry timestamps of both).
`default_nettype none
module gtsc_l1 #(
    parameter LINES             = 8,   // lines of the L1D, 2..4096
    parameter WARPS             = 4,   // warps of the SM, 2..64
    parameter TS_BITS           = 16,  // timestamp, 3..32 bits
    parameter EPOCH_BITS        = 4,   // reset epoch, 2..8 bits
    parameter RC                = 1,   // 1: obey own_pending
    parameter UPDATE_VISIBILITY = 1,   // a locked line delivers 1: nothing, 2: old bytes
    parameter FORWARD_ALL       = 0,   // 1: one BusRd per reader, not per block
    parameter WR_POLICY         = 1,   // ack stamps 0: always, 1: if merge_ok, 2: no copies
    parameter ST_UNDER_LOCK     = 0,   // 1: stores go out under the lock
    parameter RENEW_MAX         = 1,   // 1: a renewal never shortens a lease
    parameter ASK_MAX           = 1,   // 1: ASK with the maximum of the kept waiters
    parameter SELF_INC          = 0,   // hits that add 1 to warp_ts, 0..256, 0: none
    parameter STAMP_ANY         = 0,   // 1: an ack stamps any copy (unsafe)
    parameter PIN               = 0    // 1: a line with a renewal in flight is pinned
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     op_valid,
    input  wire [3:0]               op,
    input  wire [$clog2(WARPS)-1:0] warp,
    input  wire [$clog2(LINES)-1:0] line,
    input  wire                     present,
    input  wire                     outstanding,
    input  wire                     own_pending,
    input  wire                     from_msg,
    input  wire [TS_BITS-1:0]       msg_wts,
    input  wire [TS_BITS-1:0]       msg_rts,
    input  wire [EPOCH_BITS-1:0]    msg_epoch,
    input  wire                     msg_ok,
    input  wire                     msg_stamps,
    output reg  [2:0]               answer,
    output wire                     send,
    output reg  [TS_BITS-1:0]       req_wts,
    output wire [TS_BITS-1:0]       req_ts,
    output wire [EPOCH_BITS-1:0]    epoch,
    output wire                     stamps,
    output wire                     write_now,
    output wire                     write_late,
    output wire                     install,
    output wire                     serve,
    output wire [TS_BITS-1:0]       load_ts,
    output wire                     loads,
    output wire [TS_BITS-1:0]       ts,
    output wire                     lock,
    output wire                     pin,
    output wire                     owes,
    output wire                     drop,
    output wire                     flush,
    output wire                     lease_expired,
    output wire                     lock_wait,
    output wire                     lock_retry,
    output wire                     old_message,
    output wire                     adopted,
    output wire                     merge_failed,
    output wire                     self_incremented
);
    // What it may be built with, of what gtsc_warps does not check; anything else stops at a module
    // that does not exist.
    generate
        if (LINES < 2 || LINES > 4096) begin : g_bad_LINES
            LINES_must_be_from_2_to_4096 u_stop ();
        end
        if (EPOCH_BITS < 2 || EPOCH_BITS > 8) begin : g_bad_EPOCH_BITS
            EPOCH_BITS_must_be_from_2_to_8 u_stop ();
        end
        if (RC < 0 || RC > 1) begin : g_bad_RC
            RC_must_be_0_or_1 u_stop ();
        end
        if (UPDATE_VISIBILITY < 1 || UPDATE_VISIBILITY > 2) begin : g_bad_UPDATE_VISIBILITY
            UPDATE_VISIBILITY_must_be_from_1_to_2 u_stop ();
        end
        if (FORWARD_ALL < 0 || FORWARD_ALL > 1) begin : g_bad_FORWARD_ALL
            FORWARD_ALL_must_be_0_or_1 u_stop ();
        end
        if (WR_POLICY < 0 || WR_POLICY > 2) begin : g_bad_WR_POLICY
            WR_POLICY_must_be_from_0_to_2 u_stop ();
        end
        if (ST_UNDER_LOCK < 0 || ST_UNDER_LOCK > 1) begin : g_bad_ST_UNDER_LOCK
            ST_UNDER_LOCK_must_be_0_or_1 u_stop ();
        end
        if (RENEW_MAX < 0 || RENEW_MAX > 1) begin : g_bad_RENEW_MAX
            RENEW_MAX_must_be_0_or_1 u_stop ();
        end
        if (ASK_MAX < 0 || ASK_MAX > 1) begin : g_bad_ASK_MAX
            ASK_MAX_must_be_0_or_1 u_stop ();
        end
        if (PIN < 0 || PIN > 1) begin : g_bad_PIN
            PIN_must_be_0_or_1 u_stop ();
        end
        if (STAMP_ANY < 0 || STAMP_ANY > 1) begin : g_bad_STAMP_ANY
            STAMP_ANY_must_be_0_or_1 u_stop ();
        end
        if (UPDATE_VISIBILITY == 2 && ST_UNDER_LOCK != 0) begin : g_bad_ST_UNDER_LOCK_also
            ST_UNDER_LOCK_must_be_0_with_UPDATE_VISIBILITY_2 u_stop ();
        end
        if (UPDATE_VISIBILITY == 2 && WR_POLICY == 2) begin : g_bad_UPDATE_VISIBILITY_also
            UPDATE_VISIBILITY_must_be_1_with_WR_POLICY_2 u_stop ();
        end
        if (PIN != 0 && FORWARD_ALL != 0) begin : g_bad_FORWARD_ALL_also
            FORWARD_ALL_must_be_0_with_PIN u_stop ();
        end
    endgenerate

    localparam LINE_W = $clog2(LINES);
    localparam WARP_W = $clog2(WARPS);
    localparam OWED_W = ST_UNDER_LOCK != 0 ? 6 : 1;
    localparam [3:0] LOAD = 4'd0, VOLATILE = 4'd1, STORE = 4'd2, ATOMIC = 4'd3, FILL = 4'd4,
                     RENEW = 4'd5, ACK = 4'd6, DIRECT = 4'd7, SERVE = 4'd8, ASK = 4'd9,
                     DROP = 4'd10, PROBE = 4'd11, KERNEL_START = 4'd12;
    localparam [2:0] NONE = 3'd0, HIT = 3'd1, MISS = 3'd2, EXPIRED = 3'd3, WAIT = 3'd4;
    localparam [TS_BITS-1:0] TS_ONE  = {{(TS_BITS-1){1'b0}}, 1'b1};
    localparam [TS_BITS-1:0] TS_ZERO = {TS_BITS{1'b0}};
    localparam [LINE_W:0]    LINES_X = LINES[LINE_W:0];
    localparam [WARP_W:0]    WARPS_X = WARPS[WARP_W:0];

    reg [TS_BITS-1:0]       wts_q [0:LINES-1];
    reg [TS_BITS-1:0]       rts_q [0:LINES-1];
    reg [LINES-1:0]         live_q, locked_q;
    reg [LINES*OWED_W-1:0]  owed_q;
    reg                     kept_q;
    reg [TS_BITS-1:0]       kept_ts_q;
    reg [EPOCH_BITS-1:0]    epoch_q;

    // What the operation is about, as it stands.
    wire [LINE_W-1:0]  at_line = {1'b0, line} < LINES_X ? line : {LINE_W{1'b0}};
    wire [WARP_W-1:0]  at_warp = {1'b0, warp} < WARPS_X ? warp : {WARP_W{1'b0}};
    wire [TS_BITS-1:0] c_wts   = wts_q[at_line];
    wire [TS_BITS-1:0] c_rts   = rts_q[at_line];
    wire [OWED_W-1:0]  c_owed  = owed_q[at_line*OWED_W +: OWED_W];
    assign lock  = locked_q[at_line];
    assign owes  = c_owed != {OWED_W{1'b0}};
    assign epoch = epoch_q;

    // Whose epoch the message is of, and what is left when the SM follows it.
    wire [EPOCH_BITS-1:0] next_epoch = epoch_q + 1'b1;
    wire same_epoch = msg_epoch == epoch_q;
    wire is_message = (op >= FILL && op <= DIRECT) || op == PROBE;
    wire adopt      = is_message && msg_epoch == next_epoch;
    wire is_old     = is_message && !same_epoch && msg_epoch != next_epoch;
    wire live       = live_q[at_line] && !adopt;
    wire locked     = lock && !adopt;
    wire [TS_BITS-1:0] t = adopt ? TS_ONE : ts;

    wire copy        = present && live;

    // Only a message is followed: all other operations find copy, lock, waiters and timestamp as
    // they are, and do not wait for adopt.
    wire has_copy    = present && live_q[at_line];
    wire locked_copy = has_copy && lock;
    wire passes      = RC != 0 && own_pending;
    wire source_msg  = op == SERVE && from_msg;
    wire [TS_BITS-1:0] source_rts = source_msg ? msg_rts : c_rts;
    wire past_rts;
    gtsc_later #(.W(TS_BITS)) u_past_rts (.a(ts), .b(source_rts), .later(past_rts));
    wire covered     = !past_rts && !(SELF_INC != 0 && &ts);

    // Accesses.
    wire is_access = op <= ATOMIC;
    wire is_load   = op == LOAD && !passes;
    wire is_store  = op == STORE && !passes;
    wire is_atomic = op == ATOMIC && !passes;
    wire own_lock;  // UPDATE_VISIBILITY 2: the warp itself wrote the line
    wire old_bytes   = UPDATE_VISIBILITY == 2 && covered && !own_lock;
    wire load_waits  = is_load && locked_copy && !old_bytes;
    wire hit         = is_load && has_copy && covered && !load_waits;
    wire load_misses = is_load && !hit && !load_waits;
    wire owed_full   = &c_owed;
    wire orphaned    = !lock && owes;
    wire store_keeps = is_store && has_copy && WR_POLICY != 2 && !orphaned;
    wire store_waits = store_keeps && lock && (ST_UNDER_LOCK == 0 || owed_full);
    wire store_locks = store_keeps && !store_waits;
    wire atom_waits  = is_atomic && locked_copy;
    wire goes_past   = (is_store && !store_keeps) || (is_atomic && !atom_waits);
    wire lock_waits  = load_waits || store_waits || atom_waits;

    always @* begin
        answer = NONE;
        if (is_access) begin
            answer = MISS;
            if (passes || lock_waits)
                answer = WAIT;
            else if (hit || store_locks)
                answer = HIT;
            else if (load_misses && has_copy)
                answer = EXPIRED;
        end
    end

    // Messages and waiters.
    wire fills       = op == FILL && !is_old && present;
    assign install   = fills && !locked;
    wire renewal     = op == RENEW && !is_old && copy;
    wire renews      = op == RENEW && same_epoch && has_copy && !lock;
    wire is_ack      = op == ACK;
    wire of_its_lock = is_ack && msg_stamps && locked;
    wire of_any      = is_ack && STAMP_ANY != 0 && !msg_stamps && copy && !locked && !is_old;
    wire merges      = !is_old && (msg_ok || WR_POLICY != 1);
    wire ack_stamps  = (of_its_lock || of_any) && merges;
    wire ack_drops   = (of_its_lock || of_any) && !merges;
    wire ack_ends    = is_ack && msg_stamps && owes;
    wire direct      = op == DIRECT && !is_old;

    wire is_serve    = op == SERVE;
    wire source      = from_msg ? same_epoch : has_copy;
    wire may_serve   = source && !locked_copy && !passes;
    wire served      = is_serve && may_serve && !past_rts;
    wire keeps       = is_serve && !served;

    wire asks        = op == ASK && !locked_copy && !outstanding;

    // Requests.
    assign send   = (load_misses && (FORWARD_ALL != 0 || !outstanding)) || store_locks
                 || goes_past || (op == VOLATILE && !passes) || asks;
    assign req_ts = asks && kept_q ? kept_ts_q : t;
    always @* begin
        req_wts = TS_ZERO;
        if (has_copy && (load_misses || asks || (store_locks && WR_POLICY == 1)))
            req_wts = c_wts;
    end
    assign stamps     = store_locks;
    assign write_now  = store_locks && UPDATE_VISIBILITY == 1;
    assign write_late = of_its_lock && merges && UPDATE_VISIBILITY == 2;

    // The warp's timestamp: at least that of the version it read or wrote.  Of an adopted epoch
    // it is 1, which any version but 0 reaches.
    wire of_msg = is_ack || op == DIRECT || (is_serve && from_msg);
    wire [TS_BITS-1:0] its_version = of_msg ? msg_wts : c_wts;
    wire its_later, msg_later, copy_later;
    gtsc_later #(.W(TS_BITS)) u_its_later (.a(its_version), .b(ts), .later(its_later));
    gtsc_later #(.W(TS_BITS)) u_msg_later (.a(msg_wts), .b(ts), .later(msg_later));
    gtsc_later #(.W(TS_BITS)) u_copy_later (.a(c_wts), .b(ts), .later(copy_later));
    wire msg_moves   = adopt ? msg_wts != TS_ZERO : msg_later;
    wire copy_moves  = adopt ? c_wts != TS_ZERO : copy_later;
    wire shows_msg   = of_msg && !(op == DIRECT && is_old);
    wire [TS_BITS-1:0] version = shows_msg ? msg_wts : c_wts;
    wire [TS_BITS-1:0] moved   = (shows_msg ? msg_moves : copy_moves) ? version : t;
    wire increments;
    assign serve   = served || direct;
    assign loads   = hit || serve;
    assign load_ts = moved;
    // Who moves it follows no message that is old, and its version is chosen by op alone.  The
    // comparisons come last: all else is there before them.
    wire unlocked  = has_copy && !lock && !passes;
    wire old_hits  = UPDATE_VISIBILITY == 2 && is_load && locked_copy && !own_lock;
    wire by_copy   = (is_load && unlocked) || old_hits;
    wire by_line   = is_serve && !from_msg && unlocked;
    wire by_msg    = is_serve && from_msg && same_epoch && !locked_copy && !passes;
    wire by_answer = is_ack || op == DIRECT;
    wire may_line  = by_line || (by_copy && !(SELF_INC != 0 && &ts));
    wire in_lease  = may_line || by_msg;
    wire advances  = (((in_lease && !past_rts) || (by_answer && same_epoch)) && its_later)
                  || (by_answer && adopt && msg_wts != TS_ZERO) || increments;
    wire [TS_BITS-1:0] next_ts = increments ? moved + 1'b1 : its_version;
    wire self_due;
    assign increments = SELF_INC != 0 && hit && self_due && !(&moved);
    gtsc_warps #(.WARPS(WARPS), .TS_BITS(TS_BITS), .SELF_INC(SELF_INC)) u_warps (
        .clk(clk), .rst(rst), .op_valid(op_valid), .warp(at_warp), .flush(flush),
        .advances(advances), .next_ts(next_ts), .hit(hit), .ts(ts), .self_due(self_due)
    );

    // The line.
    wire drops    = (goes_past && has_copy) || ack_drops || op == DROP;
    assign drop   = drops && live;
    assign flush  = adopt || op == KERNEL_START;
    wire live_d   = install || (live && !drops);
    wire locked_d = store_locks
                  || (locked && !drops && !(ack_stamps && c_owed == {{(OWED_W-1){1'b0}}, 1'b1}));
    wire [OWED_W-1:0] owed_d = store_locks ? c_owed + 1'b1 : ack_ends ? c_owed - 1'b1 : c_owed;
    // The same as install and ack_stamps, without a wait for what is not true with them: a lock
    // that holds is of the own epoch.
    wire its_stamp = same_epoch && (msg_stamps ? lock : STAMP_ANY != 0 && has_copy && !lock);
    wire stamped   = (op == FILL && present && (adopt || (same_epoch && !lock)))
                  || (is_ack && its_stamp && (msg_ok || WR_POLICY != 1));
    wire msg_outlasts;
    gtsc_later #(.W(TS_BITS)) u_msg_outlasts (.a(msg_rts), .b(c_rts), .later(msg_outlasts));
    wire longer    = msg_outlasts || RENEW_MAX == 0;

    // The waiters kept since the last ASK.
    wire kept_d = keeps || (kept_q && !adopt && op != ASK);
    wire past_kept;
    gtsc_later #(.W(TS_BITS)) u_past_kept (.a(ts), .b(kept_ts_q), .later(past_kept));
    wire kept_later = !kept_q || (ASK_MAX != 0 && past_kept);
    wire kept_moves = is_serve && (!may_serve || past_rts) && kept_later;

    assign lease_expired    = op_valid && load_misses && has_copy;
    assign lock_wait        = op_valid && lock_waits;
    assign lock_retry       = op_valid && (fills || renewal) && locked;
    assign old_message      = op_valid && is_old;
    assign adopted          = op_valid && adopt;
    assign merge_failed     = op_valid && ack_drops;
    assign self_incremented = op_valid && increments;

    // The tables after the operation: an adopted epoch empties them, then it writes its own line
    // and warp.
    reg [LINES-1:0] live_next, locked_next;
    always @* begin
        live_next   = adopt ? {LINES{1'b0}} : live_q;
        locked_next = adopt ? {LINES{1'b0}} : locked_q;
        live_next[at_line]   = live_d;
        locked_next[at_line] = locked_d;
    end

    always @(posedge clk) begin
        if (rst) begin
            live_q    <= {LINES{1'b0}};
            locked_q  <= {LINES{1'b0}};
            owed_q    <= {(LINES*OWED_W){1'b0}};
            kept_q    <= 1'b0;
            kept_ts_q <= TS_ZERO;
            epoch_q   <= {EPOCH_BITS{1'b0}};
        end else if (op_valid) begin
            case (op)
                LOAD, VOLATILE, STORE, ATOMIC, FILL, RENEW, ACK, DIRECT, SERVE, ASK, DROP,
                PROBE: begin
                    live_q    <= live_next;
                    locked_q  <= locked_next;
                    kept_q    <= kept_d;
                    owed_q[at_line*OWED_W +: OWED_W] <= owed_d;
                    if (kept_moves) kept_ts_q <= ts;
                    if (adopt)      epoch_q   <= msg_epoch;
                end
                KERNEL_START: begin
                    live_q    <= {LINES{1'b0}};
                    locked_q  <= {LINES{1'b0}};
                    kept_q    <= 1'b0;
                end
                default: ;  // no operation
            endcase
        end
    end

    // Without reset: read only where live_q is 1.
    always @(posedge clk) begin
        if (op_valid && stamped)                         wts_q[at_line] <= msg_wts;
        if (op_valid && (stamped || (renews && longer))) rts_q[at_line] <= msg_rts;
    end

    // PIN: lines with a renewal in flight, until an answer for the block comes, or a store
    // makes it useless: it is ignored under the lock, and shorter than the ack's lease after.
    generate
        if (PIN != 0) begin : g_pin
            reg [LINES-1:0] pinned_q;
            wire renewal_leaves = send && has_copy && (load_misses || asks);
            wire answered       = (op == FILL || op == RENEW) && present;
            assign pin = pinned_q[at_line];
            reg [LINES-1:0] pinned_next;
            always @* begin
                pinned_next = adopt ? {LINES{1'b0}} : pinned_q;
                pinned_next[at_line] = renewal_leaves
                                    || (pin && !adopt && !drops && !answered && !store_locks);
            end
            always @(posedge clk) begin
                if (rst || (op_valid && op == KERNEL_START)) pinned_q <= {LINES{1'b0}};
                else if (op_valid && op < KERNEL_START)      pinned_q <= pinned_next;
            end
        end else begin : g_no_pin
            assign pin = 1'b0;
        end
    endgenerate

    // UPDATE_VISIBILITY 2: whose store holds the lock.
    generate
        if (UPDATE_VISIBILITY == 2) begin : g_writer
            reg [WARP_W-1:0] writer_q [0:LINES-1];
            assign own_lock = writer_q[at_line] == at_warp;
            // Without reset: read only where locked_q is 1.
            always @(posedge clk) begin
                if (op_valid && store_locks) writer_q[at_line] <= at_warp;
            end
        end else begin : g_no_writer
            assign own_lock = 1'b1;
        end
    endgenerate
endmodule
`default_nettype wire
