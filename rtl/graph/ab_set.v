// ab_set - adaptive bypass of a cache: each set has a probability of its own with which lines that come
// from below are not inserted, learnt from one line that was, or was not (lakshminarayana2014 3.5.2).
//
// The probability is 2^-exponent.  A tracker per set remembers one decision until it shows to be right or
// wrong: real: a line (tag) was bypassed, and its victim stays in `way`; virtual: a line was
// inserted in `way`, and its victim (tag) went.  One operation at a time, of `set_index`:
// ACCESS: a read was looked up: hit in `way`, or missed `tag`.  A bypassed line that is wanted
// again, or an inserted one that is hit, makes bypasses half as likely (ineffective); the other line
// of the two twice as likely (effective); either ends the episode.
// MISS: line `tag` came, and would replace the one in `way`, vict_tag (the set has no empty way, else
// nobody asks): byp says that it is not inserted.  If it is, an episode about `way` ends.  Without
// an episode before, a bypass begins a real one, an insertion with probability 2^-VIRT_LOG2
// a virtual one.  DROP: the line of `way` left without being replaced; an episode about it ends.
// op is taken with op_ready, and held until then; `done`, with the answers, comes in the next cycle, and
// the state is new with its edge.  flush: the cache is emptied; all episodes end, that of an
// operation that is done in this cycle, too.  Random numbers are those of a 16-bit Galois register, a
// step for each draw of a MISS.
`default_nettype none
module ab_set #(
    parameter SETS      = 128,  // 2..1024
    parameter WAYS      = 8,    // 2..64
    parameter TAG_W     = 25,   // of a line address, 4..57 bits
    parameter E_INIT    = 6,    // the exponent at first, E_MIN..E_MAX
    parameter E_MIN     = 0,    // the least, 0..15
    parameter E_MAX     = 8,    // the greatest, 1..15
    parameter VIRT_LOG2 = 4,    // 1..15
    parameter BYPASS    = 1,    // 0: nothing is bypassed
    parameter VIRTUAL   = 1     // 0: no virtual episodes
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    flush,
    input  wire                    op_valid,
    output wire                    op_ready,
    input  wire [1:0]              op,
    input  wire [$clog2(SETS)-1:0] set_index,
    input  wire                    hit,
    input  wire [$clog2(WAYS)-1:0] way,
    input  wire [TAG_W-1:0]        tag,
    input  wire [TAG_W-1:0]        vict_tag,
    output wire                    done,
    output wire                    byp,
    output wire [3:0]              exponent,
    output wire                    effective,
    output wire                    ineffective,
    output wire                    tracks
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 1024) begin : g_bad_SETS
            SETS_must_be_from_2_to_1024 u_stop ();
        end
        if (WAYS < 2 || WAYS > 64) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_64 u_stop ();
        end
        if (TAG_W < 4 || TAG_W > 57) begin : g_bad_TAG_W
            TAG_W_must_be_from_4_to_57 u_stop ();
        end
        if (E_MAX < 1 || E_MAX > 15) begin : g_bad_E_MAX
            E_MAX_must_be_from_1_to_15 u_stop ();
        end
        if (E_MIN < 0 || E_MIN > 15) begin : g_bad_E_MIN
            E_MIN_must_be_from_0_to_15 u_stop ();
        end
        if (E_INIT < E_MIN || E_INIT > E_MAX) begin : g_bad_E_INIT
            E_INIT_must_be_from_E_MIN_to_E_MAX u_stop ();
        end
        if (VIRT_LOG2 < 1 || VIRT_LOG2 > 15) begin : g_bad_VIRT_LOG2
            VIRT_LOG2_must_be_from_1_to_15 u_stop ();
        end
        if (BYPASS < 0 || BYPASS > 1) begin : g_bad_BYPASS
            BYPASS_must_be_0_or_1 u_stop ();
        end
        if (VIRTUAL < 0 || VIRTUAL > 1) begin : g_bad_VIRTUAL
            VIRTUAL_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam SET_W = $clog2(SETS);
    localparam WAY_W = $clog2(WAYS);
    localparam [1:0] ACCESS = 2'd0, MISS = 2'd1, DROP = 2'd2;

    reg [SETS-1:0]  live_q;     // the set's exponent was written since reset
    reg [SETS-1:0]  tracked_q;  // the set has an episode
    reg [3:0]       exp_q [0:SETS-1];
    reg [SETS-1:0]  virtual_q;
    reg [TAG_W-1:0] track_tag_q [0:SETS-1];
    reg [WAY_W-1:0] track_way_q [0:SETS-1];
    reg [15:0]      lfsr_q;

    reg             busy_q;
    reg [1:0]       op_q;
    reg [SET_W-1:0] set_q;
    reg             hit_q;
    reg [WAY_W-1:0] way_q;
    reg [TAG_W-1:0] tag_q, vict_q;
    reg [3:0]       its_exp_q;      // what was read
    reg             its_track_q, its_virtual_q;
    reg [TAG_W-1:0] its_tag_q;
    reg [WAY_W-1:0] its_way_q;

    assign op_ready = !busy_q;
    assign done     = busy_q;
    assign exponent = its_exp_q;
    wire takes = op_valid && !busy_q;

    always @(posedge clk) begin
        if (rst) begin
            busy_q        <= 1'b0;
            op_q          <= 2'd0;
            set_q         <= {SET_W{1'b0}};
            hit_q         <= 1'b0;
            way_q         <= {WAY_W{1'b0}};
            tag_q         <= {TAG_W{1'b0}};
            vict_q        <= {TAG_W{1'b0}};
            its_exp_q     <= 4'd0;
            its_track_q   <= 1'b0;
            its_virtual_q <= 1'b0;
            its_tag_q     <= {TAG_W{1'b0}};
            its_way_q     <= {WAY_W{1'b0}};
        end else begin
            busy_q <= takes;
            if (takes) begin
                op_q          <= op;
                set_q         <= set_index;
                hit_q         <= hit;
                way_q         <= way;
                tag_q         <= tag;
                vict_q        <= vict_tag;
                its_exp_q     <= live_q[set_index] ? exp_q[set_index] : E_INIT[3:0];
                its_track_q   <= tracked_q[set_index] && !flush;
                its_virtual_q <= tracked_q[set_index] && virtual_q[set_index];
                its_tag_q     <= tracked_q[set_index] ? track_tag_q[set_index] : {TAG_W{1'b0}};
                its_way_q     <= tracked_q[set_index] ? track_way_q[set_index] : {WAY_W{1'b0}};
            end
        end
    end

    // ACCESS: which of the two lines is used?
    wire looks     = busy_q && op_q == ACCESS && its_track_q;
    wire wants_tag = looks && !hit_q && tag_q == its_tag_q;
    wire uses_way  = looks && hit_q && way_q == its_way_q;
    assign effective   = its_virtual_q ? wants_tag : uses_way;
    assign ineffective = its_virtual_q ? uses_way : wants_tag;

    // MISS: bypassed? is it remembered?
    function [15:0] galois(input [15:0] value);
        galois = {1'b0, value[15:1]} ^ (value[0] ? 16'hB400 : 16'h0000);
    endfunction
    wire [15:0] first  = galois(lfsr_q);
    wire [15:0] second = galois(first);
    wire [15:0] mask   = ~(16'hFFFF << its_exp_q);
    wire        misses = busy_q && op_q == MISS;
    wire        drawn  = (first & mask) == 16'd0;
    wire        again  = misses && !byp && !its_track_q && VIRTUAL != 0;
    assign byp    = misses && BYPASS != 0 && drawn;
    assign tracks = misses && !its_track_q && (byp || (again && second[VIRT_LOG2-1:0] == {VIRT_LOG2{1'b0}}));

    wire leaves = busy_q && its_track_q && way_q == its_way_q && (op_q == DROP || (misses && !byp));
    wire ends   = effective || ineffective || leaves;

    wire       learns = effective || ineffective;
    wire [3:0] exp_d  = effective ? its_exp_q - {3'd0, its_exp_q != E_MIN[3:0]}
                                  : its_exp_q + {3'd0, its_exp_q != E_MAX[3:0]};

    always @(posedge clk) begin
        if (rst) begin
            live_q    <= {SETS{1'b0}};
            tracked_q <= {SETS{1'b0}};
            lfsr_q    <= 16'hACE1;
        end else begin
            if (learns) live_q[set_q] <= 1'b1;
            if (flush)       tracked_q        <= {SETS{1'b0}};
            else if (ends)   tracked_q[set_q] <= 1'b0;
            else if (tracks) tracked_q[set_q] <= 1'b1;
            if (misses) lfsr_q <= again ? second : first;
        end
    end

    // Without reset: read only where live_q or tracked_q is 1.
    always @(posedge clk) begin
        if (learns) exp_q[set_q] <= exp_d;
    end
    always @(posedge clk) begin
        if (tracks) virtual_q[set_q] <= !byp;
    end
    always @(posedge clk) begin
        if (tracks) track_tag_q[set_q] <= byp ? tag_q : vict_q;
    end
    always @(posedge clk) begin
        if (tracks) track_way_q[set_q] <= way_q;
    end
endmodule
`default_nettype wire
