// adi_engine - adaptive cache indexing: which block-address bits make the set index
// (dissertation 3.3, 4.2.2; aci 3.7, 3.11).
//
// One access per cycle, taken at the edge when enable and acc_valid are 1; VIC and SEL
// pass over global writes, VIC also over accesses that did not miss.  The last access of
// a period is sampled and closes it.  Then sub_phase is 3 for ADI_DEC_CYC cycles, and,
// when the bit chosen is not the victim, on until flush_done; accesses are ignored there.
// With ADI_DEC_CYC = 0 the access that closes a period is sampled and decided upon in its own
// cycle, which is a very long one.
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
    localparam CAND_BITS = ADI_CAND_HI + 1 < OFFS_W + S ? S : ADI_CAND_HI + 1 - OFFS_W;
    localparam CANDS     = COMPACT != 0 ? CAND_BITS - S + 1 : CAND_BITS;
    localparam LONGER    = NV > NS ? NV : NS;
    localparam LONGEST   = LONGER > NI ? LONGER : NI;
    localparam CNT_W     = $clog2(LONGEST + CLOSE_BY_NEXT);
    localparam AT_ONCE   = ADI_DEC_CYC == 0 ? 1 : 0;
    localparam DEC_CYC   = AT_ONCE != 0 ? 1 : ADI_DEC_CYC;
    localparam DEC_W     = DEC_CYC < 2 ? 1 : $clog2(DEC_CYC);

    // sub_phase is 3 from VICTIM on.
    localparam [2:0] VIC = 3'd0, SEL = 3'd1, IDLE = 3'd2, VICTIM = 3'd3, NEW_BIT = 3'd4,
                     FLUSH = 3'd5, HOME = 3'd6;

    localparam [CNT_W-1:0] ONE     = 1;
    localparam [CNT_W-1:0] EARLY   = CLOSE_BY_NEXT != 0 ? 0 : 1;
    localparam [CNT_W-1:0] NV_LAST = NV[CNT_W-1:0] - EARLY;
    localparam [CNT_W-1:0] NS_LAST = NS[CNT_W-1:0] - EARLY;
    localparam [CNT_W-1:0] NI_LAST = NI[CNT_W-1:0] - (IDLE_IN_CYCLES != 0 ? ONE : EARLY);

    localparam [DEC_W-1:0] DEC_ONE  = 1;
    localparam [DEC_W-1:0] DEC_LAST = DEC_CYC[DEC_W-1:0] - DEC_ONE;

    reg [S*SEL_W-1:0] sel_q, sel_d;
    reg [2:0]         phase_q, phase_d;
    reg [POS_W-1:0]   vic_pos_q;
    reg [CNT_W-1:0]   cnt_q, cnt_d;
    reg               again_q;
    reg [DEC_W-1:0]   dec_cyc_q;

    // ---- What the access, or the cycle, of this step means. ----

    wire go_home = ADI_RESET_ON_KERNEL != 0 && kernel_start;
    wire seen    = enable && acc_valid && !restart && !go_home;
    wire timed   = enable && !restart && !kernel_start;
    wire tick    = phase_q == IDLE && (IDLE_IN_CYCLES != 0 ? timed : seen);
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
            IDLE:    idle_done = tick && cnt_q == NI_LAST;
            default: idle_done = 1'b0;
        endcase
    end

    // ---- The access, seen through the selectors. ----

    wire [S-1:0] v;
    adi_idx_mux #(.S(S), .NB(NB)) u_idx_mux (.blk(acc_blk), .sel(sel_q), .idx(v));

    // The victim's selector; the others, and the index bits they make: the access's cluster.
    reg [SEL_W-1:0]       victim_bit;
    reg [(S-1)*SEL_W-1:0] kept_sel;
    reg [S-2:0]           cluster;
    integer               i;
    always @* begin
        victim_bit = {SEL_W{1'b0}};
        for (i = 0; i < S; i = i + 1)
            if (vic_pos_q == i[POS_W-1:0]) victim_bit = sel_q[i*SEL_W +: SEL_W];
        for (i = 0; i < S - 1; i = i + 1) begin
            kept_sel[i*SEL_W +: SEL_W] = i[POS_W-1:0] < vic_pos_q ? sel_q[i*SEL_W +: SEL_W]
                                                                  : sel_q[(i+1)*SEL_W +: SEL_W];
            cluster[i] = i[POS_W-1:0] < vic_pos_q ? v[i] : v[i+1];
        end
    end

    // ---- Counters, and the decisions that are taken from them. ----

    wire scan_vic = AT_ONCE != 0 ? vic_close : phase_q == VICTIM;
    wire scan_new = AT_ONCE != 0 ? sel_close : phase_q == NEW_BIT;
    wire last     = DEC_CYC < 2 || dec_cyc_q == DEC_LAST;

    wire [DEC_W-1:0] cycle = DEC_CYC < 2 ? {DEC_W{1'b0}} : dec_cyc_q;

    wire                to_vic;
    wire [S*M-1:0]      ones;
    wire [PAIRS*M-1:0]  differences;
    wire [CANDS*M-1:0]  toggles;
    wire [POS_W-1:0]    victim;
    wire [SEL_W-1:0]    new_bit, last_bit;

    adi_entropy #(.S(S), .M(M), .AT_ONCE(AT_ONCE)) u_entropy (
        .clk(clk), .rst(rst), .clear(to_vic), .sample(vic_sample), .idx(v),
        .ones(ones), .differences(differences)
    );

    adi_victim_scan #(.S(S), .M(M), .NV(NV), .DEC_CYC(DEC_CYC)) u_victim (
        .clk(clk), .rst(rst), .scan(scan_vic), .cycle(cycle),
        .ones(ones), .differences(differences), .victim(victim)
    );

    adi_toggles #(
        .S(S), .BITS(CAND_BITS), .SEL_W(SEL_W), .M(M), .COMPACT(COMPACT), .AT_ONCE(AT_ONCE)
    ) u_toggles (
        .clk(clk), .rst(rst), .clear(victim_chosen), .sample(sel_sample),
        .blk(acc_blk[CAND_BITS-1:0]), .cluster(cluster), .kept_sel(kept_sel), .toggles(toggles)
    );

    adi_new_bit_scan #(
        .S(S), .BITS(CAND_BITS), .SEL_W(SEL_W), .M(M), .COMPACT(COMPACT), .DEC_CYC(DEC_CYC)
    ) u_new_bit (
        .clk(clk), .rst(rst), .scan(scan_new), .cycle(cycle), .victim_bit(victim_bit),
        .kept_sel(kept_sel), .toggles(toggles), .new_bit(new_bit), .last_bit(last_bit)
    );

    // ---- Transitions. ----

    wire new_chosen = scan_new && last && !go_home;
    wire flushing   = phase_q == FLUSH || phase_q == HOME;
    wire flushed    = flushing && flush_done;

    assign victim_chosen = scan_vic && last && !go_home;
    assign bit_changed   = new_chosen && new_bit != victim_bit;
    assign bit_kept      = new_chosen && new_bit == victim_bit;
    assign flush_req     = flushing;
    assign idx_sel       = sel_q;
    assign sub_phase     = phase_q > IDLE ? 2'd3 : phase_q[1:0];

    // The selectors with the new bit in the victim's place, and the conventional ones.
    reg [S*SEL_W-1:0] sel_new, sel_home;
    integer           m;
    always @* begin
        sel_new  = sel_q;
        sel_home = {S*SEL_W{1'b0}};
        for (m = 0; m < S; m = m + 1) begin
            sel_home[m*SEL_W +: SEL_W] = m[SEL_W-1:0];
            if (vic_pos_q == m[POS_W-1:0]) sel_new[m*SEL_W +: SEL_W] = last_bit;
        end
    end

    // VIC begins: after IDLE, with the conventional index of a kernel, or for a restart, at once or
    // when the decision or flush that it waited for has ended.
    wire decides = phase_q > IDLE;
    wire ended   = victim_chosen || bit_kept || (flushed && phase_q == FLUSH);
    assign to_vic = (idle_done && !stay_idle)
                    || (go_home ? (flushing ? flush_done : sel_q == sel_home)
                                : (flushed && phase_q == HOME) || (ended && again_q)
                                  || (restart && (ended || !decides)));

    wire [2:0] after_new = bit_changed ? FLUSH : IDLE;

    always @* begin
        case (phase_q)
            VIC:     phase_d = !vic_close ? VIC : AT_ONCE != 0 ? SEL : VICTIM;
            SEL:     phase_d = !sel_close ? SEL : AT_ONCE != 0 ? after_new : NEW_BIT;
            IDLE:    phase_d = IDLE;
            VICTIM:  phase_d = last ? SEL : VICTIM;
            NEW_BIT: phase_d = last ? after_new : NEW_BIT;
            default: phase_d = flush_done ? IDLE : phase_q;
        endcase
        if (to_vic)       phase_d = VIC;
        else if (go_home) phase_d = HOME;
    end

    always @* begin
        sel_d = sel_q;
        if (flushed) sel_d = phase_q == HOME || go_home ? sel_home : sel_new;
        cnt_d = cnt_q;
        if (vic_sample || sel_sample || tick) cnt_d = cnt_q + ONE;
        if (vic_close || sel_close || idle_done || to_vic
            || (IDLE_IN_CYCLES != 0 && kernel_start && phase_q == IDLE)) cnt_d = {CNT_W{1'b0}};
    end

    always @(posedge clk) begin
        if (rst) begin
            phase_q   <= VIC;
            cnt_q     <= {CNT_W{1'b0}};
            sel_q     <= sel_home;
            vic_pos_q <= {POS_W{1'b0}};
            again_q   <= 1'b0;
            dec_cyc_q <= {DEC_W{1'b0}};
        end else begin
            phase_q   <= phase_d;
            cnt_q     <= cnt_d;
            sel_q     <= sel_d;
            vic_pos_q <= victim_chosen ? victim : vic_pos_q;
            again_q   <= !to_vic && (again_q || (restart && decides));
            dec_cyc_q <= (scan_vic || scan_new) && !last && !go_home ? dec_cyc_q + DEC_ONE
                                                                     : {DEC_W{1'b0}};
        end
    end
endmodule
`default_nettype wire
