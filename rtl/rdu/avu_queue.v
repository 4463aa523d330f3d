// avu_queue - speculative loads of one SM, from execution to validation
// (tabbakh2018 3.7.6, 3.7.8).
//
// One operation per cycle, as listed in the unit's table, held until ready: PUSH waits
// while ENTRIES entries are in use; SIGNATURE takes one cycle per granule, and at least one, of
// each entry that is bound, not failed and not re-executing, up to the first granule found, and
// one cycle when there is no such entry; all others are done at once.  TAKE without head_valid and
// FILL, REDONE of an unknown id change nothing.  FILL serves every entry of that id that
// waits for its value, REDONE the oldest that is re-executing.  head_* and full show the
// state before the edge.  kernel_start wins over everything.
`default_nettype none
module avu_queue #(
    parameter M               = 1024,  // bits of a signature: a power of two, 64..16384
    parameter SHIFT           = 7,     // log2 of the granule in bytes, 0..9
    parameter ENTRIES         = 8,     // entries, 2..64
    parameter OUT_W           = 6,     // answers to come, bits, 2..8
    parameter FORCED_FAILS    = 1,     // 0: forced signatures are not tested
    parameter IN_ORDER        = 1,     // 0: an entry does not wait for older ones of its warp
    parameter OWN_STORE_FAILS = 1      // 0: STORE changes nothing
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             kernel_start,
    input  wire [2:0]       op,
    input  wire [31:0]      addr,
    input  wire [127:0]     mask,
    input  wire [5:0]       warp,
    input  wire [31:0]      pc,
    input  wire [7:0]       id,
    input  wire [OUT_W-1:0] outstanding,
    input  wire             has_value,
    input  wire             binds,
    input  wire             early,
    input  wire             forced,
    input  wire [M-1:0]     sig,
    output wire             ready,
    output wire             full,
    output wire             pending,
    output wire             head_valid,
    output wire             head_fail,
    output wire [5:0]       head_warp,
    output wire [31:0]      head_pc,
    output wire [7:0]       head_id,
    output wire             entry_failed,
    output wire             entry_committed
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (SHIFT < 0 || SHIFT > 9) begin : g_bad_SHIFT
            SHIFT_must_be_from_0_to_9 u_stop ();
        end
        if (ENTRIES < 2 || ENTRIES > 64) begin : g_bad_ENTRIES
            ENTRIES_must_be_from_2_to_64 u_stop ();
        end
        if (OUT_W < 2 || OUT_W > 8) begin : g_bad_OUT_W
            OUT_W_must_be_from_2_to_8 u_stop ();
        end
        if (FORCED_FAILS < 0 || FORCED_FAILS > 1) begin : g_bad_FORCED_FAILS
            FORCED_FAILS_must_be_0_or_1 u_stop ();
        end
        if (IN_ORDER < 0 || IN_ORDER > 1) begin : g_bad_IN_ORDER
            IN_ORDER_must_be_0_or_1 u_stop ();
        end
        if (OWN_STORE_FAILS < 0 || OWN_STORE_FAILS > 1) begin : g_bad_OWN_STORE_FAILS
            OWN_STORE_FAILS_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1;
    localparam POS_W    = SHIFT < 7 ? 7 - SHIFT : 1;
    localparam AT_W     = $clog2(ENTRIES);
    localparam COUNT_W  = $clog2(ENTRIES + 1);
    localparam [2:0] PUSH = 3'd1, ANSWER = 3'd2, SIGNATURE = 3'd3, FILL = 3'd4, STORE = 3'd5,
                     TAKE = 3'd6, REDONE = 3'd7;

    reg [COUNT_W-1:0]     count_q;
    reg [ENTRIES*25-1:0]       block_q;
    reg [ENTRIES*GRANULES-1:0] granules_q;
    reg [ENTRIES*6-1:0]        warp_q;
    reg [ENTRIES*32-1:0]       pc_q;
    reg [ENTRIES*8-1:0]        id_q;
    reg [ENTRIES*OUT_W-1:0]    left_q;
    reg [ENTRIES-1:0]          value_q, bound_q, failed_q, redo_q;
    reg [AT_W-1:0]        from_q;

    // Which entries are in use, the oldest of their warp, of `warp`, and to be taken.
    reg [ENTRIES-1:0] used, oldest, of_warp, takeable;
    integer u, v;
    always @* begin
        for (u = 0; u < ENTRIES; u = u + 1) begin
            used[u]    = u[COUNT_W-1:0] < count_q;
            of_warp[u] = used[u] && warp_q[u*6 +: 6] == warp;
            oldest[u]  = used[u];
            for (v = 0; v < u; v = v + 1)
                if (warp_q[v*6 +: 6] == warp_q[u*6 +: 6])
                    oldest[u] = 1'b0;
            takeable[u] = used[u] && value_q[u] && left_q[u*OUT_W +: OUT_W] == {OUT_W{1'b0}}
                       && !redo_q[u] && (oldest[u] || IN_ORDER == 0);
        end
    end
    assign full    = count_q == ENTRIES[COUNT_W-1:0];
    assign pending = |of_warp;

    // The entries that wait for their value or redo under `id`, and the three chosen ones.
    reg [ENTRIES-1:0]   waiting, redoing, target;
    reg [AT_W-1:0] head, redone, under_test;
    integer w;
    always @* begin
        head       = {AT_W{1'b0}};
        redone     = {AT_W{1'b0}};
        under_test = {AT_W{1'b0}};
        for (w = ENTRIES - 1; w >= 0; w = w - 1) begin
            waiting[w] = used[w] && !value_q[w] && !redo_q[w] && id_q[w*8 +: 8] == id;
            redoing[w] = used[w] && redo_q[w] && id_q[w*8 +: 8] == id;
            target[w]  = used[w] && bound_q[w] && !redo_q[w] && !failed_q[w]
                      && w[AT_W-1:0] >= from_q;
            if (takeable[w]) head = w[AT_W-1:0];
            if (redoing[w])  redone = w[AT_W-1:0];
            if (target[w])   under_test = w[AT_W-1:0];
        end
    end
    assign head_valid = |takeable;
    assign head_fail  = failed_q[head];
    assign head_warp  = warp_q[head*6 +: 6];
    assign head_pc    = pc_q[head*32 +: 32];
    assign head_id    = id_q[head*8 +: 8];

    // The granule under test.
    wire [GRANULES-1:0]    rest;
    wire [GRANULES-1:0]    under_test_mask = granules_q[under_test*GRANULES +: GRANULES];
    wire [GRANULES-1:0]    todo;
    wire [POS_W-1:0]       after;
    wire                   any;
    wire [31:0]            key;
    wire [6*$clog2(M)-1:0] idx;
    wire                   found;
    granule_next #(.SHIFT(SHIFT)) u_granule_next (
        .addr({block_q[under_test*25 +: 25], 7'd0}),
        .mask(todo), .key(key), .any(any), .rest(rest), .after(after)
    );
    h3_hash #(.M(M)) u_hash (.key(key), .idx(idx));
    bloom_test #(.M(M)) u_bloom_test (.sig(sig), .idx(idx), .found(found));

    wire tests   = op == SIGNATURE && !kernel_start && (!forced || FORCED_FAILS != 0) && |target;
    wire fails   = tests && any && found;
    wire passes  = tests && !fails && rest == {GRANULES{1'b0}};
    wire others  = |(target & (target - {{(ENTRIES-1){1'b0}}, 1'b1}));
    wire sig_end = !tests || ((fails || passes) && !others);
    assign ready        = !kernel_start && (op == PUSH ? !full : op == SIGNATURE ? sig_end : 1'b1);
    assign entry_failed = fails;
    generate
        if (GRANULES > 1) begin : g_walk
            reg [POS_W-1:0] granule_q;
            assign todo = under_test_mask & ({GRANULES{1'b1}} << granule_q);
            always @(posedge clk) begin
                if (rst || !tests || fails || passes) granule_q <= {POS_W{1'b0}};
                else                                 granule_q <= after;
            end
        end else begin : g_single
            assign todo = under_test_mask;
            wire unused_after = &{1'b0, after};
        end
    endgenerate

    // What the operation changes in place.
    reg [ENTRIES*OUT_W-1:0] left_m;
    reg [ENTRIES-1:0]       value_m, bound_m, failed_m, redo_m;
    integer e;
    always @* begin
        left_m   = left_q;
        value_m  = value_q;
        bound_m  = bound_q;
        failed_m = failed_q;
        redo_m   = redo_q;
        for (e = 0; e < ENTRIES; e = e + 1) begin
            if (op == ANSWER && !early && left_q[e*OUT_W +: OUT_W] != {OUT_W{1'b0}})
                left_m[e*OUT_W +: OUT_W] = left_q[e*OUT_W +: OUT_W] - 1'b1;
            if (op == STORE && OWN_STORE_FAILS != 0 && used[e] && !oldest[e] && !redo_q[e]
                && block_q[e*25 +: 25] == addr[31:7])
                failed_m[e] = 1'b1;
        end
        if (op == ANSWER && binds)
            bound_m = bound_q | waiting;
        if (op == FILL) begin
            value_m = value_q | waiting;
            bound_m = bound_q | waiting;
        end
        if (fails)
            failed_m[under_test] = 1'b1;
        if (op == TAKE && head_valid && head_fail) begin
            value_m[head]  = 1'b0;
            bound_m[head]  = 1'b0;
            failed_m[head] = 1'b0;
            redo_m[head]   = 1'b1;
        end
    end

    // What comes and goes.
    wire            push      = op == PUSH && !full;
    wire            commit    = op == TAKE && head_valid && !head_fail;
    wire            remove    = commit || (op == REDONE && |redoing);
    wire [AT_W-1:0] remove_at = op == TAKE ? head : redone;
    wire [GRANULES-1:0] granules;
    granule_mask #(.SHIFT(SHIFT)) u_granule_mask (.bytes(mask), .granules(granules));
    assign entry_committed = commit && !kernel_start;
    wire unused = &{1'b0, addr[6:0]};

    // All fields side by side move together.
    localparam FIELDS_W = 25 + GRANULES + 6 + 32 + 8 + OUT_W + 4;
    reg  [ENTRIES*FIELDS_W-1:0] fields_m;
    wire [ENTRIES*FIELDS_W-1:0] fields_d;
    integer p;
    always @* begin
        for (p = 0; p < ENTRIES; p = p + 1)
            fields_m[p*FIELDS_W +: FIELDS_W] =
                {block_q[p*25 +: 25], granules_q[p*GRANULES +: GRANULES], warp_q[p*6 +: 6],
                 pc_q[p*32 +: 32], id_q[p*8 +: 8], left_m[p*OUT_W +: OUT_W],
                 value_m[p], bound_m[p], failed_m[p], redo_m[p]};
    end

    // An entry leaves at any place, and the younger ones move down by one.
    wire [ENTRIES*FIELDS_W-1:0] younger = fields_m >> FIELDS_W;
    reg  [ENTRIES*FIELDS_W-1:0] fields_left;
    integer r;
    always @* begin
        for (r = 0; r < ENTRIES; r = r + 1)
            fields_left[r*FIELDS_W +: FIELDS_W] =
                remove && r[AT_W-1:0] >= remove_at ? younger[r*FIELDS_W +: FIELDS_W]
                                                   : fields_m[r*FIELDS_W +: FIELDS_W];
    end
    queue_push #(.W(FIELDS_W), .ENTRIES(ENTRIES)) u_queue (
        .entries(fields_left), .push(push), .push_at(count_q),
        .data({addr[31:7], granules, warp, pc, id, outstanding, has_value, has_value, 2'b00}),
        .next(fields_d)
    );

    integer n;
    always @(posedge clk) begin
        if (rst || kernel_start) begin
            from_q     <= {AT_W{1'b0}};
            count_q    <= {COUNT_W{1'b0}};
            block_q    <= {(ENTRIES*25){1'b0}};
            granules_q <= {(ENTRIES*GRANULES){1'b0}};
            warp_q     <= {(ENTRIES*6){1'b0}};
            pc_q       <= {(ENTRIES*32){1'b0}};
            id_q       <= {(ENTRIES*8){1'b0}};
            left_q     <= {(ENTRIES*OUT_W){1'b0}};
            value_q    <= {ENTRIES{1'b0}};
            bound_q    <= {ENTRIES{1'b0}};
            failed_q   <= {ENTRIES{1'b0}};
            redo_q     <= {ENTRIES{1'b0}};
        end else begin
            if (op == SIGNATURE && sig_end) from_q <= {AT_W{1'b0}};
            else if (fails || passes)       from_q <= under_test + 1'b1;
            count_q <= count_q + {{(COUNT_W-1){1'b0}}, push} - {{(COUNT_W-1){1'b0}}, remove};
            for (n = 0; n < ENTRIES; n = n + 1)
                {block_q[n*25 +: 25], granules_q[n*GRANULES +: GRANULES], warp_q[n*6 +: 6],
                 pc_q[n*32 +: 32], id_q[n*8 +: 8], left_q[n*OUT_W +: OUT_W],
                 value_q[n], bound_q[n], failed_q[n], redo_q[n]}
                    <= fields_d[n*FIELDS_W +: FIELDS_W];
        end
    end
endmodule
`default_nettype wire
