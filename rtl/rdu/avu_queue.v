// avu_queue - speculative loads of one SM, from execution to validation
// (tabbakh2018 3.7.6, 3.7.8).
//
// One operation at a time, as listed in the unit's table, held until ready.  PUSH is done in its cycle,
// and waits while ENTRIES entries are in use.  All others take two: which entries are meant, and what
// happens to them.  SIGNATURE takes two and, for each entry that is bound, not failed and not
// re-executing, 10 a granule, up to the first one found: its six bits are looked at one after the
// other.  sig is word sig_at, shown in the cycle before, of the signature, which lies where it came in.
// TAKE without head_valid and FILL, REDONE of an unknown id change nothing.  FILL serves every entry of
// that id that waits for its value, REDONE the oldest that is re-executing.  full shows the state before
// the edge, head_* that of a cycle before, and nothing in the cycle behind an operation.
// ONE_CYCLE, as the document draws it: all take one cycle, SIGNATURE one for each granule, and at least
// one; sig is the whole signature, and head_* shows the state before the edge.
// kernel_start wins over everything.
`default_nettype none
module avu_queue #(
    parameter M               = 1024,  // bits of a signature: a power of two, 64..16384
    parameter SHIFT           = 7,     // log2 of the granule in bytes, 0..9
    parameter ENTRIES         = 8,     // entries, 2..64
    parameter OUT_W           = 6,     // answers to come, bits, 2..8
    parameter FORCED_FAILS    = 1,     // 0: forced signatures are not tested
    parameter IN_ORDER        = 1,     // 0: an entry does not wait for older ones of its warp
    parameter OWN_STORE_FAILS = 1,     // 0: STORE changes nothing
    parameter WORD            = 256,   // most bits of a word of a signature: a power of two, 64..512
    parameter ONE_CYCLE       = 0,     // 1: a granule is looked for in one cycle
    parameter ROW             = WORD < M ? WORD : M,           // derived
    parameter AT_W            = ROW < M ? $clog2(M / ROW) : 1,  // derived
    parameter SIG_W           = ONE_CYCLE != 0 ? M : ROW       // derived
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
    input  wire [SIG_W-1:0] sig,
    output wire [AT_W-1:0]  sig_at,
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
        if (WORD < 64 || WORD > 512 || (WORD & (WORD - 1)) != 0) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_512 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
        if (ROW != (WORD < M ? WORD : M)) begin : g_bad_ROW
            ROW_must_be_left_to_its_derivation u_stop ();
        end
        if (AT_W != (ROW < M ? $clog2(M / ROW) : 1)) begin : g_bad_AT_W
            AT_W_must_be_left_to_its_derivation u_stop ();
        end
        if (SIG_W != (ONE_CYCLE != 0 ? M : ROW)) begin : g_bad_SIG_W
            SIG_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1;
    localparam POS_W    = SHIFT < 7 ? 7 - SHIFT : 1;
    localparam KEY_W    = SHIFT < 7 ? 32 : 32 - SHIFT;
    localparam FROM_W   = $clog2(ENTRIES);
    localparam COUNT_W  = $clog2(ENTRIES + 1);
    localparam [2:0] PUSH = 3'd1, ANSWER = 3'd2, SIGNATURE = 3'd3, FILL = 3'd4, STORE = 3'd5,
                     TAKE = 3'd6, REDONE = 3'd7;

    reg [COUNT_W-1:0]          count_q;
    reg [ENTRIES*25-1:0]       block_q;
    reg [ENTRIES*GRANULES-1:0] granules_q;
    reg [ENTRIES*6-1:0]        warp_q;
    reg [ENTRIES*32-1:0]       pc_q;
    reg [ENTRIES*8-1:0]        id_q;
    reg [ENTRIES*OUT_W-1:0]    left_q;
    reg [ENTRIES-1:0]          value_q, bound_q, failed_q, redo_q;
    reg [FROM_W-1:0]           from_q;

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

    // What each operation means; of those that mean one entry the oldest.
    reg [ENTRIES-1:0] waiting, stored, redoing, target;
    wire [ENTRIES-1:0] tested = target & {ENTRIES{!forced || FORCED_FAILS != 0}};
    wire [ENTRIES-1:0] head_d, redone, under_test;
    integer w;
    always @* begin
        for (w = 0; w < ENTRIES; w = w + 1) begin
            waiting[w] = used[w] && !value_q[w] && !redo_q[w] && id_q[w*8 +: 8] == id;
            stored[w]  = used[w] && !oldest[w] && !redo_q[w] && OWN_STORE_FAILS != 0
                      && block_q[w*25 +: 25] == addr[31:7];
            redoing[w] = used[w] && redo_q[w] && id_q[w*8 +: 8] == id;
            target[w]  = used[w] && bound_q[w] && !redo_q[w] && !failed_q[w]
                      && w[FROM_W-1:0] >= from_q;
        end
    end
    first_of #(.N(ENTRIES)) u_head (.among(takeable), .first(head_d));
    first_of #(.N(ENTRIES)) u_redone (.among(redoing), .first(redone));
    first_of #(.N(ENTRIES)) u_under_test (.among(tested), .first(under_test));
    wire [ENTRIES-1:0] sel_d = op == FILL || (op == ANSWER && binds) ? waiting
                             : op == STORE                           ? stored
                             : op == REDONE                          ? redone
                             : op == SIGNATURE                       ? under_test : {ENTRIES{1'b0}};
    wire               head_fail_d = |(head_d & failed_q);

    // The granule to be looked for.
    reg  [24:0]         block_d;
    reg  [GRANULES-1:0] mask_d;
    wire [GRANULES-1:0] todo, rest;
    wire [POS_W-1:0]    after_d;
    wire                any_d;
    wire [31:0]         key_d;
    wire                others_d = |(tested & ~under_test);
    integer b;
    always @* begin
        block_d = 25'd0;
        mask_d  = {GRANULES{1'b0}};
        for (b = 0; b < ENTRIES; b = b + 1) begin
            block_d = block_d | (block_q[b*25 +: 25] & {25{under_test[b]}});
            mask_d  = mask_d | (granules_q[b*GRANULES +: GRANULES] & {GRANULES{under_test[b]}});
        end
    end
    granule_next #(.SHIFT(SHIFT)) u_granule_next (
        .addr({block_d, 7'd0}), .mask(todo), .key(key_d), .any(any_d), .rest(rest), .after(after_d)
    );

    // What is meant is known, and done, in this cycle: of a signature, a granule is looked for.
    wire               acts;
    wire [ENTRIES-1:0] sel, head;
    wire               head_shown, head_fails;
    wire               any, last, others;  // of the entry under test; others are to be tested
    wire [POS_W-1:0]   after;
    wire               known, found;       // the granule was looked for; it is there
    wire               tests   = op == SIGNATURE && acts && !kernel_start && |sel;
    wire               judged  = tests && (!any || known);
    wire               fails   = judged && any && found;
    wire               passes  = judged && !fails && last;
    wire               sig_end = acts && (!(|sel) || ((fails || passes) && !others));
    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            wire [6*$clog2(M)-1:0] idx;
            h3_hash #(.M(M)) u_hash (.key(key_d), .idx(idx));
            bloom_test #(.M(M)) u_bloom_test (.sig(sig), .idx(idx), .found(found));
            assign acts       = 1'b1;
            assign sel        = sel_d;
            assign head       = head_d;
            assign head_shown = 1'b1;
            assign head_fails = head_fail_d;
            assign any        = any_d;
            assign last       = rest == {GRANULES{1'b0}};
            assign others     = others_d;
            assign after      = after_d;
            assign known      = 1'b1;
            assign sig_at     = {AT_W{1'b0}};
        end else begin : g_steps
            reg               acts_q, moved_q;  // moved: an operation was done in the last cycle
            reg [ENTRIES-1:0] sel_q, head_q;
            reg               head_fail_q, any_q, last_q, others_q;
            reg [KEY_W-1:0]   key_q;
            assign acts       = acts_q;
            assign sel        = sel_q;
            assign head       = head_q;
            assign head_shown = !moved_q;
            assign head_fails = head_fail_q;
            assign any        = any_q;
            assign last       = last_q;
            assign others     = others_q;
            always @(posedge clk) begin
                if (rst) begin
                    key_q    <= {KEY_W{1'b0}};
                    any_q    <= 1'b0;
                    last_q   <= 1'b0;
                    others_q <= 1'b0;
                    sel_q    <= {ENTRIES{1'b0}};
                end else if (!acts_q) begin
                    key_q    <= key_d[KEY_W-1:0];
                    any_q    <= any_d;
                    last_q   <= rest == {GRANULES{1'b0}};
                    others_q <= others_d;
                    sel_q    <= sel_d;
                end
                if (rst || kernel_start) begin
                    acts_q      <= 1'b0;
                    moved_q     <= 1'b0;
                    head_q      <= {ENTRIES{1'b0}};
                    head_fail_q <= 1'b0;
                end else begin
                    acts_q      <= acts_q ? op == SIGNATURE && !sig_end && !judged
                                          : op != 3'd0 && op != PUSH;
                    moved_q     <= op != 3'd0 && ready;
                    head_q      <= head_d;
                    head_fail_q <= head_fail_d;
                end
            end

            wire [32:0] key = {{(33-KEY_W){1'b0}}, key_q};
            signature_lookup #(.M(M), .WORD(ROW)) u_lookup (
                .clk(clk), .rst(rst), .wanted(tests && any_q), .key(key[31:0]),
                .read_at(sig_at), .words(sig), .known(known), .found(found)
            );
            if (GRANULES > 1) begin : g_after
                reg [POS_W-1:0] after_q;
                assign after = after_q;
                always @(posedge clk) begin
                    if (rst)          after_q <= {POS_W{1'b0}};
                    else if (!acts_q) after_q <= after_d;
                end
            end else begin : g_no_after
                assign after = after_d;
            end
            wire unused_key = &{1'b0, key[32], key_d};
        end
    endgenerate

    assign ready        = !kernel_start && (op == PUSH        ? !full
                                          : op == SIGNATURE   ? sig_end : op == 3'd0 || acts);
    assign entry_failed = fails;
    generate
        if (GRANULES > 1) begin : g_walk
            reg [POS_W-1:0] granule_q;
            assign todo = mask_d & ({GRANULES{1'b1}} << granule_q);
            always @(posedge clk) begin
                if (rst || kernel_start || fails || passes || ready) granule_q <= {POS_W{1'b0}};
                else if (judged)                                    granule_q <= after;
            end
        end else begin : g_single
            assign todo = mask_d;
            wire unused_after = &{1'b0, after};
        end
    endgenerate

    // What is to be taken.
    reg [5:0]  head_warp_m;
    reg [31:0] head_pc_m;
    reg [7:0]  head_id_m;
    integer h;
    always @* begin
        head_warp_m = 6'd0;
        head_pc_m   = 32'd0;
        head_id_m   = 8'd0;
        for (h = 0; h < ENTRIES; h = h + 1) begin
            head_warp_m = head_warp_m | (warp_q[h*6 +: 6] & {6{head[h]}});
            head_pc_m   = head_pc_m | (pc_q[h*32 +: 32] & {32{head[h]}});
            head_id_m   = head_id_m | (id_q[h*8 +: 8] & {8{head[h]}});
        end
    end
    assign head_valid = |head && head_shown;
    assign head_fail  = head_fails;
    assign head_warp  = head_warp_m;
    assign head_pc    = head_pc_m;
    assign head_id    = head_id_m;

    // What the operation changes in place.
    wire taken  = op == TAKE && acts && |head;
    wire served = acts && (op == FILL || (op == ANSWER && binds));
    reg [ENTRIES*OUT_W-1:0] left_m;
    reg [ENTRIES-1:0]       value_m, bound_m, failed_m, redo_m;
    reg [FROM_W-1:0]        sel_at;
    wire [ENTRIES-1:0]      again = head & {ENTRIES{taken && head_fails}};
    integer e;
    always @* begin
        sel_at = {FROM_W{1'b0}};
        left_m = left_q;
        for (e = ENTRIES - 1; e >= 0; e = e - 1) begin
            if (sel[e]) sel_at = e[FROM_W-1:0];
            if (op == ANSWER && acts && !early && left_q[e*OUT_W +: OUT_W] != {OUT_W{1'b0}})
                left_m[e*OUT_W +: OUT_W] = left_q[e*OUT_W +: OUT_W] - 1'b1;
        end
        bound_m  = (bound_q | (served ? sel : {ENTRIES{1'b0}})) & ~again;
        value_m  = (value_q | (served && op == FILL ? sel : {ENTRIES{1'b0}})) & ~again;
        failed_m = (failed_q | ((acts && op == STORE) || fails ? sel : {ENTRIES{1'b0}})) & ~again;
        redo_m   = redo_q | again;
    end

    // What comes and goes.
    wire               push    = op == PUSH && !full;
    wire               commit  = taken && !head_fails;
    wire [ENTRIES-1:0] gone    = op == TAKE ? head & {ENTRIES{commit}}
                               : sel & {ENTRIES{op == REDONE && acts}};
    wire               remove  = |gone;
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
    reg  [ENTRIES-1:0]          down;
    integer r;
    always @* begin
        for (r = 0; r < ENTRIES; r = r + 1) begin
            down[r] = |(gone << (ENTRIES - 1 - r));
            fields_left[r*FIELDS_W +: FIELDS_W] = down[r] ? younger[r*FIELDS_W +: FIELDS_W]
                                                          : fields_m[r*FIELDS_W +: FIELDS_W];
        end
    end
    queue_push #(.W(FIELDS_W), .ENTRIES(ENTRIES)) u_queue (
        .entries(fields_left), .push(push), .push_at(count_q),
        .data({addr[31:7], granules, warp, pc, id, outstanding, has_value, has_value, 2'b00}),
        .next(fields_d)
    );

    integer n;
    always @(posedge clk) begin
        if (rst || kernel_start) begin
            from_q     <= {FROM_W{1'b0}};
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
            if (op == SIGNATURE && sig_end) from_q <= {FROM_W{1'b0}};
            else if (fails || passes)       from_q <= sel_at + 1'b1;
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
