// adi_engine - adaptive cache indexing: which block-address bits make the set index
// (dissertation 3.3, 4.2.2; aci 3.7, 3.11).
//
// One access per cycle, taken at the edge when enable and acc_valid are 1; VIC and SEL
// pass over global writes, VIC also over accesses that did not miss.  The last access of
// a period is sampled and closes it.  Then sub_phase is 3 for ADI_DEC_CYC cycles, and,
// when the bit chosen is not the victim, on until flush_done; accesses are ignored there.
// flush_req is held from the end of the decision through the cycle of flush_done, idx_sel
// changes at the edge of that cycle.  flush_done without flush_req is ignored.  A decision
// or flush goes on when enable falls.  Counting of the idle period starts at 0 in the first
// cycle of IDLE.  idle_done is 1 in its last cycle; stay_idle = 1 in that cycle keeps
// IDLE (the count starts over), else VIC follows with its counters cleared.
// restart: to VIC, counters cleared, the access of that cycle ignored; during a decision
// or flush it waits until that has ended.  kernel_start: an idle period in cycles starts over;
// with ADI_RESET_ON_KERNEL the engine returns to the conventional selectors, through a
// flush if they differ, and a running decision is given up.  kernel_start goes before restart.
`default_nettype none
module adi_engine #(
    parameter S                   = 5,     // index bits, 2..7
    parameter NB                  = 25,    // block-address bits, 3..32
    parameter OFFS_W              = 7,     // block offset bits
    parameter ADI_CAND_HI         = 31,    // highest candidate, an address bit
    parameter M                   = 10,    // bits per counter, 2..16; NV, NS <= 2^M
    parameter NV                  = 1024,  // victimization period, misses
    parameter NS                  = 1024,  // selection period, accesses
    parameter NI                  = 4096,  // idle period, accesses or cycles
    parameter IDLE_IN_CYCLES      = 0,     // 1: NI counts cycles
    parameter COMPACT             = 1,     // 1: no tag and counter for retained bits
    parameter ADI_DEC_CYC         = 32,    // cycles of each decision, 0..32
    parameter CLOSE_BY_NEXT       = 0,     // 1: the access after the last one closes
    parameter ADI_RESET_ON_KERNEL = 0      // 1: kernel_start brings the conventional index back
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    enable,
    input  wire                    acc_valid,
    input  wire                    acc_miss,
    input  wire                    acc_gwrite,
    input  wire [NB-1:0]           acc_blk,
    input  wire                    flush_done,
    input  wire                    restart,
    input  wire                    stay_idle,
    input  wire                    kernel_start,
    output wire [S*$clog2(NB)-1:0] idx_sel,
    output wire                    flush_req,
    output wire [1:0]              sub_phase,
    output reg                     idle_done,
    output reg                     vic_sample,
    output reg                     sel_sample,
    output wire                    victim_chosen,
    output wire                    bit_changed,
    output wire                    bit_kept
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 2 || S > 7) begin : g_bad_S
            S_must_be_from_2_to_7 u_stop ();
        end
        if (NB < 3 || NB > 32) begin : g_bad_NB
            NB_must_be_from_3_to_32 u_stop ();
        end
        if (OFFS_W < 0 || OFFS_W > 12) begin : g_bad_OFFS_W
            OFFS_W_must_be_from_0_to_12 u_stop ();
        end
        if (ADI_CAND_HI < 2 || ADI_CAND_HI > 43) begin : g_bad_ADI_CAND_HI
            ADI_CAND_HI_must_be_from_2_to_43 u_stop ();
        end
        if (M < 2 || M > 16) begin : g_bad_M
            M_must_be_from_2_to_16 u_stop ();
        end
        if (NV < 2 || NV > 65536) begin : g_bad_NV
            NV_must_be_from_2_to_65536 u_stop ();
        end
        if (NS < 2 || NS > 65536) begin : g_bad_NS
            NS_must_be_from_2_to_65536 u_stop ();
        end
        if (NI < 2 || NI > 65536) begin : g_bad_NI
            NI_must_be_from_2_to_65536 u_stop ();
        end
        if (IDLE_IN_CYCLES < 0 || IDLE_IN_CYCLES > 1) begin : g_bad_IDLE_IN_CYCLES
            IDLE_IN_CYCLES_must_be_0_or_1 u_stop ();
        end
        if (COMPACT < 0 || COMPACT > 1) begin : g_bad_COMPACT
            COMPACT_must_be_0_or_1 u_stop ();
        end
        if (ADI_DEC_CYC < 0 || ADI_DEC_CYC > 32) begin : g_bad_ADI_DEC_CYC
            ADI_DEC_CYC_must_be_from_0_to_32 u_stop ();
        end
        if (CLOSE_BY_NEXT < 0 || CLOSE_BY_NEXT > 1) begin : g_bad_CLOSE_BY_NEXT
            CLOSE_BY_NEXT_must_be_0_or_1 u_stop ();
        end
        if (ADI_RESET_ON_KERNEL < 0 || ADI_RESET_ON_KERNEL > 1) begin : g_bad_ADI_RESET_ON_KERNEL
            ADI_RESET_ON_KERNEL_must_be_0_or_1 u_stop ();
        end
        if (ADI_CAND_HI + 1 < OFFS_W + S
            || ADI_CAND_HI + 1 > OFFS_W + NB) begin : g_bad_ADI_CAND_HI_also
            ADI_CAND_HI_must_be_from_OFFS_W_plus_S_less_1_to_OFFS_W_plus_NB_less_1 u_stop ();
        end
        if (NV > (1 << M)) begin : g_bad_NV_also
            NV_must_be_at_most_2_to_the_M u_stop ();
        end
        if (NS > (1 << M)) begin : g_bad_NS_also
            NS_must_be_at_most_2_to_the_M u_stop ();
        end
    endgenerate

    localparam SEL_W     = $clog2(NB);
    localparam POS_W     = $clog2(S);
    localparam PAIRS     = S * (S - 1) / 2;
    localparam ITEMS     = S + PAIRS;
    localparam CLUSTERS  = 1 << (S - 1);
    localparam CAND_BITS = ADI_CAND_HI + 1 < OFFS_W + S ? S : ADI_CAND_HI + 1 - OFFS_W;
    localparam CANDS     = COMPACT != 0 ? CAND_BITS - S + 1 : CAND_BITS;
    localparam LONGER    = NV > NS ? NV : NS;
    localparam LONGEST   = LONGER > NI ? LONGER : NI;
    localparam CNT_W     = $clog2(LONGEST + CLOSE_BY_NEXT);
    localparam AT_ONCE   = ADI_DEC_CYC == 0;
    localparam DEC_CYC   = AT_ONCE ? 1 : ADI_DEC_CYC;
    localparam DEC_W     = DEC_CYC < 2 ? 1 : $clog2(DEC_CYC);
    localparam VIC_STEP  = (ITEMS + DEC_CYC - 1) / DEC_CYC;
    localparam NEW_STEP  = (CAND_BITS + DEC_CYC - 1) / DEC_CYC;
    localparam ITEM_W    = $clog2(DEC_CYC * VIC_STEP + 1) + 1;
    localparam BIT_W     = $clog2(DEC_CYC * NEW_STEP + NB) + 1;

    localparam [CAND_BITS-1:0] BIT_0 = 1;

    localparam [1:0] VIC = 2'd0, SEL = 2'd1, IDLE = 2'd2, BUSY = 2'd3;
    localparam [1:0] VICTIM = 2'd0, NEW_BIT = 2'd1, FLUSH = 2'd2, HOME = 2'd3;

    localparam [CNT_W-1:0] EARLY   = CLOSE_BY_NEXT != 0 ? 0 : 1;
    localparam [CNT_W-1:0] NV_LAST = NV[CNT_W-1:0] - EARLY;
    localparam [CNT_W-1:0] NS_LAST = NS[CNT_W-1:0] - EARLY;
    localparam [CNT_W-1:0] NI_LAST = NI[CNT_W-1:0] - (IDLE_IN_CYCLES != 0 ? 1 : EARLY);

    localparam [DEC_W-1:0] DEC_ONE  = 1;
    localparam [DEC_W-1:0] DEC_LAST = DEC_CYC[DEC_W-1:0] - DEC_ONE;

    reg [S*SEL_W-1:0]   sel_q, sel_d;
    reg [S*M-1:0]       ce_q, ce_d;
    reg [PAIRS*M-1:0]   cx_q, cx_d;
    reg [CANDS-1:0]     tag_q [0:CLUSTERS-1];
    reg [CLUSTERS-1:0]  tag_valid_q, tag_valid_d;
    reg [CANDS*M-1:0]   tog_q, tog_d;
    reg [1:0]           phase_q, phase_d;
    reg [1:0]           busy_q, busy_d;
    reg [POS_W-1:0]     vic_pos_q, vic_pos_d;
    reg [SEL_W-1:0]     new_bit_q, new_bit_d;
    reg [CNT_W-1:0]     cnt_q, cnt_d;
    reg                 again_q, again_d;
    reg [DEC_W-1:0]     dec_cyc_q;
    reg [M-1:0]         low_e_q, low_u_q, top_tog_q;
    reg [POS_W-1:0]     low_e_pos_q, pair_a_q, pair_b_q;

    wire go_home = ADI_RESET_ON_KERNEL != 0 && kernel_start;

    // ---- What the access, or the cycle, of this step means. ----

    wire seen  = enable && acc_valid && !restart && !go_home;
    wire timed = enable && !restart && !kernel_start;
    reg  vic_close, sel_close;

    always @* begin
        vic_sample = 1'b0;
        vic_close  = 1'b0;
        sel_sample = 1'b0;
        sel_close  = 1'b0;
        idle_done  = 1'b0;
        case (phase_q)
            VIC: if (seen && !acc_gwrite) begin
                vic_close  = cnt_q == NV_LAST && (acc_miss || CLOSE_BY_NEXT != 0);
                vic_sample = acc_miss && !(vic_close && CLOSE_BY_NEXT != 0);
            end
            SEL: if (seen && !acc_gwrite) begin
                sel_close  = cnt_q == NS_LAST;
                sel_sample = !(sel_close && CLOSE_BY_NEXT != 0);
            end
            IDLE:    idle_done = cnt_q == NI_LAST && (IDLE_IN_CYCLES != 0 ? timed : seen);
            default: idle_done = 1'b0;
        endcase
    end

    // ---- The access, seen through the selectors. ----

    wire [S-1:0] v;
    adi_idx_mux #(.S(S), .NB(NB)) u_idx_mux (.blk(acc_blk), .sel(sel_q), .idx(v));

    // The selector at a position; 0 for a position of S or more, which does not occur.
    function [SEL_W-1:0] selector_at;
        input [S*SEL_W-1:0] selectors;
        input [POS_W-1:0]   position;
        integer             n;
        begin
            selector_at = {SEL_W{1'b0}};
            for (n = 0; n < S; n = n + 1)
                if (position == n[POS_W-1:0]) selector_at = selectors[n*SEL_W +: SEL_W];
        end
    endfunction
    wire [SEL_W-1:0] victim_bit = selector_at(sel_q, vic_pos_q);

    // The retained index bits, and the cluster they put the access in.
    reg [CAND_BITS-1:0] retained;
    reg [S-2:0]         cluster;
    integer             i;
    always @* begin
        retained = {CAND_BITS{1'b0}};
        for (i = 0; i < S; i = i + 1) begin
            if (i[POS_W-1:0] != vic_pos_q)
                retained = retained | (BIT_0 << sel_q[i*SEL_W +: SEL_W]);
        end
        for (i = 0; i < S - 1; i = i + 1)
            cluster[i] = i[POS_W-1:0] < vic_pos_q ? v[i] : v[i+1];
    end

    // The bits of a word that are not in the mask, in order, low ones first: S-1 times the
    // lowest bit of the mask is taken out and all above it move down by one.
    function [CAND_BITS-1:0] squeeze;
        input [CAND_BITS-1:0] word;
        input [CAND_BITS-1:0] mask;
        reg   [CAND_BITS-1:0] left, stay;
        integer               n;
        begin
            squeeze = word;
            left    = mask;
            for (n = 0; n < S - 1; n = n + 1) begin
                stay    = (left & (~left + BIT_0)) - BIT_0;
                squeeze = (squeeze & stay) | ((squeeze >> 1) & ~stay);
                left    = (left >> 1) & ~stay;
            end
        end
    endfunction

    // Candidates of the access in address order.
    wire [CAND_BITS-1:0] squeezed = COMPACT != 0 ? squeeze(acc_blk[CAND_BITS-1:0], retained)
                                                 : acc_blk[CAND_BITS-1:0];
    wire [CANDS-1:0]     cand     = squeezed[CANDS-1:0];

    // ---- Counters with this access sampled. ----

    reg [S*M-1:0]     ce_s;
    reg [PAIRS*M-1:0] cx_s;
    reg [CANDS*M-1:0] tog_s;
    wire [CANDS-1:0]  toggled = (tag_q[cluster] ^ cand) & {CANDS{tag_valid_q[cluster]}};
    integer           a, b, p;
    always @* begin
        ce_s  = ce_q;
        cx_s  = cx_q;
        tog_s = tog_q;
        p     = 0;
        if (vic_sample) begin
            for (a = 0; a < S; a = a + 1) begin
                ce_s[a*M +: M] = ce_q[a*M +: M] + {{(M-1){1'b0}}, v[a]};
                for (b = a + 1; b < S; b = b + 1) begin
                    cx_s[p*M +: M] = cx_q[p*M +: M] + {{(M-1){1'b0}}, v[a] ^ v[b]};
                    p = p + 1;
                end
            end
        end
        if (sel_sample) begin
            for (a = 0; a < CANDS; a = a + 1)
                tog_s[a*M +: M] = tog_q[a*M +: M] + {{(M-1){1'b0}}, toggled[a]};
        end
    end

    // ---- Victim: fold and compare, VIC_STEP counters per cycle. ----
    // Items are the S entropy counters, then the pairs (0,1), (0,2) .. (1,2) ..

    // First or second position of an item; 0 for an item of ITEMS or more.
    function [POS_W-1:0] position_of;
        input [ITEM_W-1:0] item;
        input              second;
        integer            x, y, n;
        begin
            position_of = {POS_W{1'b0}};
            n = S;
            for (x = 0; x < S; x = x + 1) begin
                if (item == x[ITEM_W-1:0]) position_of = x[POS_W-1:0];
                for (y = x + 1; y < S; y = y + 1) begin
                    if (item == n[ITEM_W-1:0])
                        position_of = second ? y[POS_W-1:0] : x[POS_W-1:0];
                    n = n + 1;
                end
            end
        end
    endfunction

    function [M-1:0] counter_of;
        input [ITEMS*M-1:0] all;
        input [ITEM_W-1:0]  item;
        integer             n;
        begin
            counter_of = {M{1'b0}};
            for (n = 0; n < ITEMS; n = n + 1)
                if (item == n[ITEM_W-1:0]) counter_of = all[n*M +: M];
        end
    endfunction

    // MIN(c, NV - c).  A counter that reached 2^M has wrapped to 0: the same result.
    function [M-1:0] fold;
        input [M-1:0] c;
        reg   [M:0]   rest;
        begin
            rest = NV[M:0] - {1'b0, c};
            fold = {1'b0, c} < rest ? c : rest[M-1:0];
        end
    endfunction

    wire [ITEMS*M-1:0] counters = AT_ONCE ? {cx_s, ce_s} : {cx_q, ce_q};
    wire [CANDS*M-1:0] toggles  = AT_ONCE ? tog_s : tog_q;
    wire               scan_vic = AT_ONCE ? vic_close : phase_q == BUSY && busy_q == VICTIM;
    wire               scan_new = AT_ONCE ? sel_close : phase_q == BUSY && busy_q == NEW_BIT;
    wire               first    = AT_ONCE || dec_cyc_q == {DEC_W{1'b0}};
    wire               last     = AT_ONCE || dec_cyc_q == DEC_LAST;

    // This cycle's items are dec_cyc*VIC_STEP and those after it.
    wire [31:0]      vic_base = AT_ONCE ? 0 : {{(32-DEC_W){1'b0}}, dec_cyc_q} * VIC_STEP;
    reg [M-1:0]      low_e, low_u, folded, folded_b;
    reg [POS_W-1:0]  low_e_pos, pair_a, pair_b, victim;
    reg [ITEM_W-1:0] item;
    integer          x;
    always @* begin
        low_e     = first ? {M{1'b1}} : low_e_q;
        low_e_pos = first ? {POS_W{1'b0}} : low_e_pos_q;
        low_u     = first ? {M{1'b1}} : low_u_q;
        pair_a    = first ? {POS_W{1'b0}} : pair_a_q;
        pair_b    = first ? {POS_W{1'b0}} : pair_b_q;
        folded    = {M{1'b0}};
        item      = {ITEM_W{1'b0}};
        if (scan_vic) for (x = 0; x < VIC_STEP; x = x + 1) begin
            item   = vic_base[ITEM_W-1:0] + x[ITEM_W-1:0];
            folded = fold(counter_of(counters, item));
            if (item < S[ITEM_W-1:0]) begin
                if (folded < low_e) begin
                    low_e     = folded;
                    low_e_pos = position_of(item, 1'b0);
                end
            end else if (item < ITEMS[ITEM_W-1:0] && folded < low_u) begin
                low_u  = folded;
                pair_a = position_of(item, 1'b0);
                pair_b = position_of(item, 1'b1);
            end
        end
        // Items below S are the entropies by position.
        folded_b = {M{1'b0}};
        if (scan_vic) begin
            folded   = fold(counter_of(counters, {{(ITEM_W-POS_W){1'b0}}, pair_a}));
            folded_b = fold(counter_of(counters, {{(ITEM_W-POS_W){1'b0}}, pair_b}));
        end
        victim = low_e < low_u ? low_e_pos : folded_b < folded ? pair_b : pair_a;
    end

    // ---- New bit: most toggles, NEW_STEP candidate bits per cycle. ----
    // The victim's own bit wins a tie, then the lowest bit.

    // {may win, toggles} of a bit.  A retained bit has no counter when compact, and no
    // toggles otherwise.
    function [M:0] candidate_of;
        input [CANDS*M-1:0]   all;
        input [CAND_BITS-1:0] mask;
        input [BIT_W-1:0]     k;
        reg   [BIT_W-1:0]     slot;
        reg                   skip;
        integer               n;
        begin
            slot = k;
            skip = 1'b0;
            for (n = 0; COMPACT != 0 && n < CAND_BITS; n = n + 1) begin
                if (mask[n] && n[BIT_W-1:0] < k)  slot = slot - {{(BIT_W-1){1'b0}}, 1'b1};
                if (mask[n] && n[BIT_W-1:0] == k) skip = 1'b1;
            end
            candidate_of = {(M+1){1'b0}};
            for (n = 0; n < CANDS; n = n + 1) begin
                if (slot == n[BIT_W-1:0] && !skip && k < CAND_BITS[BIT_W-1:0])
                    candidate_of = {1'b1, all[n*M +: M]};
            end
        end
    endfunction

    wire [31:0]     new_base = AT_ONCE ? 0 : {{(32-DEC_W){1'b0}}, dec_cyc_q} * NEW_STEP;
    reg [M-1:0]     top_tog, toggled_k;
    reg [SEL_W-1:0] new_bit;
    reg [BIT_W-1:0] bit_k;
    reg [M:0]       candidate;
    reg             may_win;
    integer         y;
    always @* begin
        top_tog   = first ? {M{1'b0}} : top_tog_q;
        new_bit   = first ? victim_bit : new_bit_q;
        toggled_k = {M{1'b0}};
        bit_k     = {BIT_W{1'b0}};
        candidate = {(M+1){1'b0}};
        may_win   = 1'b0;
        if (scan_new) for (y = 0; y < NEW_STEP; y = y + 1) begin
            bit_k     = new_base[BIT_W-1:0] + y[BIT_W-1:0];
            candidate = candidate_of(toggles, retained, bit_k);
            may_win   = candidate[M];
            toggled_k = candidate[M-1:0];
            if (may_win && (toggled_k > top_tog
                            || (toggled_k == top_tog && bit_k[SEL_W-1:0] == victim_bit))) begin
                top_tog = toggled_k;
                new_bit = bit_k[SEL_W-1:0];
            end
        end
    end

    // ---- Transitions. ----

    wire new_chosen = scan_new && last && !go_home;
    wire flushing   = phase_q == BUSY && (busy_q == FLUSH || busy_q == HOME);
    wire flushed    = flushing && flush_done;

    assign victim_chosen = scan_vic && last && !go_home;
    assign bit_changed   = new_chosen && new_bit != victim_bit;
    assign bit_kept      = new_chosen && new_bit == victim_bit;
    assign flush_req     = flushing;
    assign idx_sel       = sel_q;
    assign sub_phase     = phase_q;

    // The selectors with the new bit in the victim's place, and the conventional ones.
    reg [S*SEL_W-1:0] sel_new, sel_home;
    integer           m;
    always @* begin
        sel_new  = sel_q;
        sel_home = {S*SEL_W{1'b0}};
        for (m = 0; m < S; m = m + 1) begin
            sel_home[m*SEL_W +: SEL_W] = m[SEL_W-1:0];
            if (vic_pos_q == m[POS_W-1:0]) sel_new[m*SEL_W +: SEL_W] = new_bit_q;
        end
    end

    // What ends here: a decision or a flush, then a restart that waited for it takes place.
    wire ended  = victim_chosen || bit_kept || (flushed && busy_q == FLUSH);
    wire to_vic = (idle_done && !stay_idle)
                  || (go_home ? (flushing ? flush_done : sel_q == sel_home)
                              : (flushed && busy_q == HOME) || (ended && again_q)
                                || (restart && (ended || phase_q != BUSY)));

    always @* begin
        phase_d     = phase_q;
        busy_d      = busy_q;
        cnt_d       = cnt_q;
        sel_d       = sel_q;
        ce_d        = ce_s;
        cx_d        = cx_s;
        tog_d       = tog_s;
        tag_valid_d = tag_valid_q;
        vic_pos_d   = vic_pos_q;
        new_bit_d   = scan_new ? new_bit : new_bit_q;
        again_d     = again_q || (restart && phase_q == BUSY);

        if (vic_sample || sel_sample || (phase_q == IDLE && (IDLE_IN_CYCLES != 0 ? timed : seen)))
            cnt_d = cnt_q + {{(CNT_W-1){1'b0}}, 1'b1};
        if (sel_sample) tag_valid_d[cluster] = 1'b1;
        if (IDLE_IN_CYCLES != 0 && kernel_start && phase_q == IDLE) cnt_d = {CNT_W{1'b0}};
        if (idle_done) cnt_d = {CNT_W{1'b0}};

        if (vic_close || sel_close) begin
            phase_d = BUSY;
            busy_d  = vic_close ? VICTIM : NEW_BIT;
            cnt_d   = {CNT_W{1'b0}};
        end
        if (victim_chosen) begin
            vic_pos_d   = victim;
            phase_d     = SEL;
            tog_d       = {CANDS*M{1'b0}};
            tag_valid_d = {CLUSTERS{1'b0}};
        end
        if (bit_kept) phase_d = IDLE;
        if (bit_changed) begin
            phase_d = BUSY;
            busy_d  = FLUSH;
        end
        if (flushed) begin
            phase_d = IDLE;
            sel_d   = busy_q == HOME || go_home ? sel_home : sel_new;
        end else if (go_home && !to_vic) begin
            phase_d = BUSY;
            busy_d  = HOME;
        end
        if (to_vic) begin
            phase_d = VIC;
            cnt_d   = {CNT_W{1'b0}};
            ce_d    = {S*M{1'b0}};
            cx_d    = {PAIRS*M{1'b0}};
            again_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            phase_q     <= VIC;
            busy_q      <= VICTIM;
            cnt_q       <= {CNT_W{1'b0}};
            sel_q       <= sel_home;
            ce_q        <= {S*M{1'b0}};
            cx_q        <= {PAIRS*M{1'b0}};
            tog_q       <= {CANDS*M{1'b0}};
            tag_valid_q <= {CLUSTERS{1'b0}};
            vic_pos_q   <= {POS_W{1'b0}};
            new_bit_q   <= {SEL_W{1'b0}};
            again_q     <= 1'b0;
            dec_cyc_q   <= {DEC_W{1'b0}};
            low_e_q     <= {M{1'b0}};
            low_e_pos_q <= {POS_W{1'b0}};
            low_u_q     <= {M{1'b0}};
            pair_a_q    <= {POS_W{1'b0}};
            pair_b_q    <= {POS_W{1'b0}};
            top_tog_q   <= {M{1'b0}};
        end else begin
            phase_q     <= phase_d;
            busy_q      <= busy_d;
            cnt_q       <= cnt_d;
            sel_q       <= sel_d;
            ce_q        <= ce_d;
            cx_q        <= cx_d;
            tog_q       <= tog_d;
            tag_valid_q <= tag_valid_d;
            vic_pos_q   <= vic_pos_d;
            new_bit_q   <= new_bit_d;
            again_q     <= again_d;
            dec_cyc_q   <= (scan_vic || scan_new) && !last && !go_home
                           ? dec_cyc_q + DEC_ONE : {DEC_W{1'b0}};
            if (scan_vic) begin
                low_e_q     <= low_e;
                low_e_pos_q <= low_e_pos;
                low_u_q     <= low_u;
                pair_a_q    <= pair_a;
                pair_b_q    <= pair_b;
            end
            if (scan_new) top_tog_q <= top_tog;
        end
    end

    // Without reset: read only where tag_valid_q is 1.
    always @(posedge clk) begin
        if (sel_sample) tag_q[cluster] <= cand;
    end

    wire unused = &{1'b0, vic_base, new_base, low_e_q, low_e_pos_q, low_u_q, pair_a_q, pair_b_q,
                    top_tog_q, dec_cyc_q, squeezed};
endmodule
`default_nettype wire
