// spp - spatial pattern predictor of a cache of sectors: which sectors of a block were read when the
// same load last missed at the same place of one (lakshminarayana2014 3.6.2).
//
// A set-associative table of patterns by load PC and first sector, true LRU.  miss: taken when
// miss_ready; the set is read in its cycle, and in the next done with mask, the sectors to fetch, and
// ptr, the entry, to be kept with the line.  A pair that has no entry gets that of an invalid or the
// least recently used one, whose pattern starts as DEFAULT says.  evict: a line leaves of which
// `used` were read: the pattern of its entry, whoever has that by now (D-SPP-3); with LEARN = 0 never.
// A miss does not see the evict of its own cycle.  In the cycle of done no miss is taken, and an
// evict wins over the pattern of a new entry.
`default_nettype none
module spp #(
    parameter SETS    = 32,  // a power of two, 4..32
    parameter WAYS    = 8,   // a power of two, 2..8
    parameter TAG_W   = 12,  // of a tag, 4..12 bits (D-SPP-1)
    parameter DEFAULT = 0,   // a new pair fetches 0 what is needed, 1 the whole block (D-SPP-2)
    parameter LEARN   = 1    // 0: patterns stay as they start
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          miss_valid,
    output wire                          miss_ready,
    input  wire [31:0]                   miss_pc,
    input  wire [1:0]                    miss_off,
    input  wire [3:0]                    miss_need,
    output wire                          done,
    output wire                          found,
    output wire [3:0]                    mask,
    output wire [$clog2(SETS*WAYS)-1:0]  ptr,
    input  wire                          evict_valid,
    input  wire [$clog2(SETS*WAYS)-1:0]  evict_ptr,
    input  wire [3:0]                    evict_used
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 4 || SETS > 32 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_4_to_32 u_stop ();
        end
        if (WAYS < 2 || WAYS > 8 || (WAYS & (WAYS - 1)) != 0) begin : g_bad_WAYS
            WAYS_must_be_a_power_of_two_from_2_to_8 u_stop ();
        end
        if (TAG_W < 4 || TAG_W > 12) begin : g_bad_TAG_W
            TAG_W_must_be_from_4_to_12 u_stop ();
        end
        if (DEFAULT < 0 || DEFAULT > 1) begin : g_bad_DEFAULT
            DEFAULT_must_be_0_or_1 u_stop ();
        end
        if (LEARN < 0 || LEARN > 1) begin : g_bad_LEARN
            LEARN_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam SET_W = $clog2(SETS);
    localparam WAY_W = $clog2(WAYS);
    localparam ROWS  = SETS * WAYS;
    localparam [3:0] START = DEFAULT != 0 ? 4'b1111 : 4'b0000;

    // Row = set * WAYS + way.
    reg [ROWS-1:0]       valid_q;
    reg [ROWS*WAY_W-1:0] rank_q;  // 0 the most recent
    reg [TAG_W-1:0]      tag_q [0:ROWS-1];
    reg [3:0]            pattern_q [0:ROWS-1];

    // ---- the first cycle: which set, and what it holds ----

    wire [31:0]      key     = {miss_pc[31:2], miss_off};
    wire [4:0]       set_all = key[4:0] ^ key[9:5] ^ key[14:10];
    wire [11:0]      tag_all = key[16:5] ^ key[28:17] ^ {9'd0, key[31:29]};
    wire [SET_W-1:0] miss_set = set_all[SET_W-1:0];

    reg                  busy_q;
    reg [SET_W-1:0]      set_q;
    reg [TAG_W-1:0]      sought_q;
    reg [3:0]            need_q;
    reg [WAYS-1:0]       row_valid_q, row_valid_d;
    reg [WAYS*WAY_W-1:0] row_rank_q, row_rank_d;
    reg [WAYS*TAG_W-1:0] row_tag_q, row_tag_d;
    reg [WAYS*4-1:0]     row_pattern_q, row_pattern_d;

    integer i, w;
    always @* begin
        row_valid_d   = {WAYS{1'b0}};
        row_rank_d    = {(WAYS*WAY_W){1'b0}};
        for (i = 0; i < SETS; i = i + 1)
            if (miss_set == i[SET_W-1:0]) begin
                row_valid_d = row_valid_d | valid_q[i*WAYS +: WAYS];
                row_rank_d  = row_rank_d | rank_q[i*WAYS*WAY_W +: WAYS*WAY_W];
            end
        for (w = 0; w < WAYS; w = w + 1) begin
            row_tag_d[w*TAG_W +: TAG_W] = tag_q[{miss_set, w[WAY_W-1:0]}];
            row_pattern_d[w*4 +: 4]     = pattern_q[{miss_set, w[WAY_W-1:0]}];
        end
    end

    wire takes = miss_valid && miss_ready;

    // ---- the second cycle: the entry ----

    reg [WAYS-1:0] same;
    integer k;
    always @* begin
        for (k = 0; k < WAYS; k = k + 1)
            same[k] = row_valid_q[k] && row_tag_q[k*TAG_W +: TAG_W] == sought_q;
    end

    reg [WAY_W-1:0] same_way, same_rank;
    reg [3:0]       same_pattern;
    integer m;
    always @* begin
        same_way     = {WAY_W{1'b0}};
        same_rank    = {WAY_W{1'b0}};
        same_pattern = 4'b0000;
        for (m = 0; m < WAYS; m = m + 1) begin
            same_way     = same_way | (m[WAY_W-1:0] & {WAY_W{same[m]}});
            same_rank    = same_rank | (row_rank_q[m*WAY_W +: WAY_W] & {WAY_W{same[m]}});
            same_pattern = same_pattern | (row_pattern_q[m*4 +: 4] & {4{same[m]}});
        end
    end

    // Ranks behind either outcome, side by side: which it is, is known late.
    wire [WAY_W-1:0]      victim;
    wire [WAY_W-1:0]      way = found ? same_way : victim;
    wire [WAYS*WAY_W-1:0] rank_new;
    lru_rank #(.WAYS(WAYS)) u_lru (
        .rank(row_rank_q), .valid(row_valid_q), .touch(victim), .rank_next(rank_new), .victim(victim)
    );
    reg [WAYS*WAY_W-1:0] rank_same;
    integer n;
    always @* begin
        for (n = 0; n < WAYS; n = n + 1) begin
            rank_same[n*WAY_W +: WAY_W] = row_rank_q[n*WAY_W +: WAY_W];
            if (same[n]) rank_same[n*WAY_W +: WAY_W] = {WAY_W{1'b0}};
            else if (row_rank_q[n*WAY_W +: WAY_W] < same_rank)
                rank_same[n*WAY_W +: WAY_W] = row_rank_q[n*WAY_W +: WAY_W] + 1'b1;
        end
    end
    wire [WAYS*WAY_W-1:0] rank_next = found ? rank_same : rank_new;

    assign miss_ready = !busy_q;
    assign done       = busy_q;
    assign found      = |same;
    assign mask       = need_q | (found ? same_pattern : START);
    assign ptr        = {set_q, way};

    wire                   adds = busy_q && !found;
    wire [WAYS-1:0]        is_victim = {{(WAYS-1){1'b0}}, 1'b1} << victim;
    wire [SET_W+WAY_W-1:0] taken = {set_q, victim};  // by a new pair

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            busy_q      <= 1'b0;
            row_valid_q <= {WAYS{1'b0}};
            row_rank_q  <= {(WAYS*WAY_W){1'b0}};
            valid_q     <= {ROWS{1'b0}};
            for (r = 0; r < ROWS; r = r + 1) rank_q[r*WAY_W +: WAY_W] <= r[WAY_W-1:0];
        end else begin
            busy_q <= takes;
            if (takes) begin
                row_valid_q <= row_valid_d;
                row_rank_q  <= row_rank_d;
            end
            for (r = 0; r < SETS; r = r + 1)
                if (busy_q && set_q == r[SET_W-1:0]) begin
                    valid_q[r*WAYS +: WAYS]             <= row_valid_q | (is_victim & {WAYS{adds}});
                    rank_q[r*WAYS*WAY_W +: WAYS*WAY_W] <= rank_next;
                end
        end
    end

    // Without reset: read only where valid_q, row_valid_q or busy_q is 1.
    always @(posedge clk) begin
        if (adds) begin
            tag_q[taken]     <= sought_q;
            pattern_q[taken] <= START;
        end
        if (LEARN != 0 && evict_valid) pattern_q[evict_ptr] <= evict_used;
        if (takes) begin
            set_q         <= miss_set;
            sought_q      <= tag_all[TAG_W-1:0];
            need_q        <= miss_need;
            row_tag_q     <= row_tag_d;
            row_pattern_q <= row_pattern_d;
        end
    end

    wire unused = &{1'b0, miss_pc[1:0], set_all, tag_all};
endmodule
`default_nettype wire
