// obm - optimal bypass monitor: by the loads that bring lines, which of a line and the one that it
// replaces is used first (lakshminarayana2014 3.5.3).
//
// A replacement history table of ENTRIES pairs, a line that came (IB) and its victim (VB), with the
// signatures of the loads that brought them, and a counter for each signature.  One operation at a
// time.
// ACCESS: `line` is read.  A pair whose IB it is: replacing was right; the counter of IB's signature
// falls by one, that of VB's rises (UPD_VB).  Then a pair whose VB it is: IB should be bypassed; the
// other way round.  EVICT: `line` leaves for another.  A pair whose IB it is: it was not used; the
// counter of its signature rises.  All pairs that match are judged so, the lowest first, and are
// gone.  MISS: `line` came, brought by `sig`, and would replace `vict`, which vict_sig had brought (the set has
// no empty way, else nobody asks): byp: it is not inserted, as its counter is in the upper half; with probability
// 2^-PROB_LOG2 the pair is remembered, in place of the oldest place's.
// op is taken with op_ready, and held until then; `done` comes one cycle later for MISS, with byp, two for others,
// and four more (UPD_VB, and ACCESS), else three, for each pair that is judged.  Counters stop at
// both ends.  Random numbers are those of a 16-bit Galois register, a step for each MISS.
`default_nettype none
module obm #(
    parameter ENTRIES   = 64,  // pairs, a power of two, 4..64
    parameter ADDR_W    = 25,  // of a line address, 4..57 bits
    parameter SIG_W     = 5,   // D-OBM-1: of a signature; 2^SIG_W counters, 1..6
    parameter CTR_W     = 5,   // of a counter, 2..8 bits
    parameter INIT      = 15,  // their first value
    parameter PROB_LOG2 = 3,   // 1..15
    parameter UPD_VB    = 1,   // D-OBM-2: 1: the counter of the victim's load learns, too
    parameter FREEZE    = 0    // 1: counters stay as they are
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              op_valid,
    output wire              op_ready,
    input  wire [1:0]        op,
    input  wire [ADDR_W-1:0] line,
    input  wire [SIG_W-1:0]  sig,
    input  wire [ADDR_W-1:0] vict,
    input  wire [SIG_W-1:0]  vict_sig,
    output wire              done,
    output wire              byp,
    output wire              remembers,
    output wire              judges
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 4 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_4_to_64 u_stop ();
        end
        if (ADDR_W < 4 || ADDR_W > 57) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_4_to_57 u_stop ();
        end
        if (SIG_W < 1 || SIG_W > 6) begin : g_bad_SIG_W
            SIG_W_must_be_from_1_to_6 u_stop ();
        end
        if (CTR_W < 2 || CTR_W > 8) begin : g_bad_CTR_W
            CTR_W_must_be_from_2_to_8 u_stop ();
        end
        if (INIT < 0 || INIT >= (1 << CTR_W)) begin : g_bad_INIT
            INIT_must_be_from_0_to_the_greatest_of_CTR_W_bits u_stop ();
        end
        if (PROB_LOG2 < 1 || PROB_LOG2 > 15) begin : g_bad_PROB_LOG2
            PROB_LOG2_must_be_from_1_to_15 u_stop ();
        end
        if (UPD_VB < 0 || UPD_VB > 1) begin : g_bad_UPD_VB
            UPD_VB_must_be_0_or_1 u_stop ();
        end
        if (FREEZE < 0 || FREEZE > 1) begin : g_bad_FREEZE
            FREEZE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam AT_W = $clog2(ENTRIES);
    localparam CTRS = 1 << SIG_W;
    localparam [1:0] ACCESS = 2'd0, MISS = 2'd1;
    localparam [2:0] IDLE = 3'd0, MATCH = 3'd1, PICK = 3'd2, READ = 3'd3, FIRST = 3'd4,
                     SECOND = 3'd5, DECIDE = 3'd6;

    reg [ENTRIES-1:0] valid_q;
    reg [ADDR_W-1:0]  ib_q [0:ENTRIES-1];
    reg [ADDR_W-1:0]  vb_q [0:ENTRIES-1];
    reg [SIG_W-1:0]   sigi_q [0:ENTRIES-1];
    reg [SIG_W-1:0]   sigv_q [0:ENTRIES-1];
    reg [CTR_W-1:0]   ctr_q [0:CTRS-1];
    reg [AT_W-1:0]    next_q;     // where the next pair goes
    reg [15:0]        lfsr_q;

    reg [2:0]         phase_q;
    reg [1:0]         op_q;
    reg [ADDR_W-1:0]  line_q, vict_q;
    reg [SIG_W-1:0]   sig_q, vict_sig_q;   // of the MISS; then of the pair that is judged
    reg [ENTRIES-1:0] is_ib_q, is_vb_q;    // pairs still to be judged
    reg [ENTRIES-1:0] pick_q;              // the one that is
    reg               rises_q;             // its IB should be bypassed

    assign op_ready = phase_q == IDLE;
    wire takes = op_valid && op_ready;

    // MATCH: all pairs at once.
    reg [ENTRIES-1:0] has_ib, has_vb;
    integer m;
    always @* begin
        for (m = 0; m < ENTRIES; m = m + 1) begin
            has_ib[m] = valid_q[m] && ib_q[m] == line_q;
            has_vb[m] = valid_q[m] && vb_q[m] == line_q && !has_ib[m] && op_q == ACCESS;
        end
    end

    // PICK: the lowest; in two steps, of groups and within them.
    localparam GROUP  = ENTRIES < 16 ? 4 : 8;
    localparam GROUPS = ENTRIES / GROUP;
    function [ENTRIES-1:0] lowest(input [ENTRIES-1:0] of);
        integer g, b;
        reg     lower_group, lower_bit;
        begin
            lower_group = 1'b0;
            lowest      = {ENTRIES{1'b0}};
            for (g = 0; g < GROUPS; g = g + 1) begin
                lower_bit = 1'b0;
                for (b = 0; b < GROUP; b = b + 1) begin
                    lowest[g*GROUP + b] = of[g*GROUP + b] && !lower_bit && !lower_group;
                    lower_bit = lower_bit || of[g*GROUP + b];
                end
                lower_group = lower_group || |of[g*GROUP +: GROUP];
            end
        end
    endfunction
    wire               any_ib = |is_ib_q;
    wire               any    = any_ib || |is_vb_q;
    wire [ENTRIES-1:0] low_ib = lowest(is_ib_q);
    wire [ENTRIES-1:0] low_vb = lowest(is_vb_q);
    wire [ENTRIES-1:0] pick   = any_ib ? low_ib : low_vb;

    // READ: its signatures.
    reg [SIG_W-1:0] its_sigi, its_sigv;
    integer k;
    always @* begin
        its_sigi = {SIG_W{1'b0}};
        its_sigv = {SIG_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1) begin
            its_sigi = its_sigi | (sigi_q[k] & {SIG_W{pick_q[k]}});
            its_sigv = its_sigv | (sigv_q[k] & {SIG_W{pick_q[k]}});
        end
    end

    // FIRST and SECOND: their counters, IB's load first.
    wire             both    = UPD_VB != 0 && op_q == ACCESS;
    wire             changes = (phase_q == FIRST || phase_q == SECOND) && FREEZE == 0;
    wire [SIG_W-1:0] of      = phase_q == SECOND ? vict_sig_q : sig_q;
    wire             up      = phase_q == SECOND ? !rises_q : rises_q;
    wire [CTR_W-1:0] now     = ctr_q[of];
    wire [CTR_W-1:0] ctr_d   = up ? (&now ? now : now + 1'b1) : (|now ? now - 1'b1 : now);

    // DECIDE
    wire        decides = phase_q == DECIDE;
    wire [15:0] drawn   = {1'b0, lfsr_q[15:1]} ^ (lfsr_q[0] ? 16'hB400 : 16'h0000);
    assign byp       = decides && now[CTR_W-1];
    assign remembers = decides && drawn[PROB_LOG2-1:0] == {PROB_LOG2{1'b0}};
    assign judges    = phase_q == PICK && any;
    assign done      = decides || (phase_q == PICK && !any);

    always @(posedge clk) begin
        if (rst) begin
            phase_q <= IDLE;
        end else begin
            case (phase_q)
                IDLE:    phase_q <= !takes ? IDLE : op == MISS ? DECIDE : MATCH;
                MATCH:   phase_q <= PICK;
                PICK:    phase_q <= any ? READ : IDLE;
                READ:    phase_q <= FIRST;
                FIRST:   phase_q <= both ? SECOND : PICK;
                SECOND:  phase_q <= PICK;
                default: phase_q <= IDLE;
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            op_q       <= 2'd0;
            line_q     <= {ADDR_W{1'b0}};
            vict_q     <= {ADDR_W{1'b0}};
            sig_q      <= {SIG_W{1'b0}};
            vict_sig_q <= {SIG_W{1'b0}};
            is_ib_q    <= {ENTRIES{1'b0}};
            is_vb_q    <= {ENTRIES{1'b0}};
            pick_q     <= {ENTRIES{1'b0}};
            rises_q    <= 1'b0;
        end else begin
            if (takes) begin
                op_q       <= op;
                line_q     <= line;
                vict_q     <= vict;
                sig_q      <= sig;
                vict_sig_q <= vict_sig;
            end else if (phase_q == READ) begin
                sig_q      <= its_sigi;
                vict_sig_q <= its_sigv;
            end
            if (phase_q == MATCH) begin
                is_ib_q <= has_ib;
                is_vb_q <= has_vb;
            end else if (judges) begin
                is_ib_q <= is_ib_q & ~pick;
                is_vb_q <= is_vb_q & ~pick;
                pick_q  <= pick;
                rises_q <= !any_ib || op_q != ACCESS;
            end
        end
    end

    integer c;
    always @(posedge clk) begin
        if (rst) begin
            for (c = 0; c < CTRS; c = c + 1) ctr_q[c] <= INIT[CTR_W-1:0];
        end else if (changes) begin
            ctr_q[of] <= ctr_d;
        end
    end

    wire [ENTRIES-1:0] next_place = {{(ENTRIES-1){1'b0}}, 1'b1} << next_q;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            next_q  <= {AT_W{1'b0}};
            lfsr_q  <= 16'hACE1;
        end else begin
            if (remembers)   valid_q <= valid_q | next_place;
            else if (judges) valid_q <= valid_q & ~pick;
            if (remembers) next_q <= next_q + 1'b1;
            if (decides) lfsr_q <= drawn;
        end
    end

    // Without reset: read only where valid_q is or was 1.
    integer w;
    always @(posedge clk) begin
        for (w = 0; w < ENTRIES; w = w + 1) begin
            if (remembers && next_place[w]) begin
                ib_q[w]   <= line_q;
                vb_q[w]   <= vict_q;
                sigi_q[w] <= sig_q;
                sigv_q[w] <= vict_sig_q;
            end
        end
    end
endmodule
`default_nettype wire
