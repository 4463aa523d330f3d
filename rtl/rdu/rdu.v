// rdu - race detection unit: the signatures of unseen updates of all SMs, at the ordering
// point in front of the L2 banks (tabbakh2018 3.7.3, 3.7.4, 3.7.8).
//
// A message is taken in a cycle with in_valid and in_ready and queued; two SMs that want
// one cycle are ordered outside (D-R3: lower SM first).  The oldest message is served, one
// granule per 9 cycles: a store puts it in the signatures of all other SMs, a check tests its
// own, an atomic does both.  The signatures lie in memories side by side, one word of each a row
// (ONE_CYCLE: in flip-flops, and a granule takes GRANULE_CYCLES).  In the LAT-th cycle after the
// last one ack_valid rises with the result, and stays until out_ready.  With ack_has_sig it stays
// for all words of the SM's signature: sig is word sig_at, and each out_ready takes one; with the
// last one the signature is emptied.  When a signature is full, fsync_valid rises for the lowest
// such SM before the next message (FULL_AT_ONCE: granule or answer) begins; it too stays until all
// words are taken.
// in_nosync keeps a store (not an atomic) from being a sync point (D-R16).
// A message that arrives in an idle cycle is served from the next one on.  kernel_start drops
// everything and wins over all else, also over a message that arrives.  in_sm < SMS.
`default_nettype none
module rdu #(
    parameter M              = 1024,  // bits of a signature: a power of two, 64..16384
    parameter SMS            = 4,     // SMs, 2..16
    parameter SHIFT          = 7,     // log2 of the granule in bytes, 0..9
    parameter M_PER_N        = 8,     // full at M / M_PER_N elements; a power of two, 2..64
    parameter QUEUE_ENTRIES  = 8,     // queued messages, 2..32
    parameter LAT            = 1,     // cycles from the last granule to the answer, 1..64
    parameter GRANULE_CYCLES = 1,     // ONE_CYCLE: cycles per granule, 1..6
    parameter COUNT_UNIQUE   = 0,     // 1: count insertions that set a new bit
    parameter FULL_AT_ONCE   = 0,     // 1: force between granules, not after the message
    parameter MISS_BLOCK     = 1,     // 1: the check of a miss covers the whole block
    parameter WORD           = 256,   // most bits of a word of a signature: a power of two, 64..16384
    parameter ONE_CYCLE      = 0,     // 1: all bits of a granule at once
    parameter ROW            = WORD < M ? WORD : M,           // derived
    parameter AT_W           = ROW < M ? $clog2(M / ROW) : 1  // derived
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    kernel_start,
    input  wire                    in_valid,
    input  wire [1:0]              in_type,
    input  wire [$clog2(SMS)-1:0]  in_sm,
    input  wire [31:0]             in_addr,
    input  wire [127:0]            in_mask,
    input  wire                    in_nosync,
    input  wire [7:0]              in_id,
    input  wire                    out_ready,
    output wire                    in_ready,
    output wire                    ack_valid,
    output wire [$clog2(SMS)-1:0]  ack_sm,
    output wire [7:0]              ack_id,
    output wire                    ack_race,
    output wire                    ack_has_sig,
    output wire                    fsync_valid,
    output reg  [$clog2(SMS)-1:0]  fsync_sm,
    output wire                    sig_valid,
    output wire [AT_W-1:0]         sig_at,
    output reg  [ROW-1:0]          sig,
    output wire                    insert,
    output wire                    test,
    output wire                    store_sync,
    output wire                    race_sync,
    output wire                    forced_sync
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (SMS < 2 || SMS > 16) begin : g_bad_SMS
            SMS_must_be_from_2_to_16 u_stop ();
        end
        if (SHIFT < 0 || SHIFT > 9) begin : g_bad_SHIFT
            SHIFT_must_be_from_0_to_9 u_stop ();
        end
        if (M_PER_N < 2 || M_PER_N > 64 || (M_PER_N & (M_PER_N - 1)) != 0) begin : g_bad_M_PER_N
            M_PER_N_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (QUEUE_ENTRIES < 2 || QUEUE_ENTRIES > 32) begin : g_bad_QUEUE_ENTRIES
            QUEUE_ENTRIES_must_be_from_2_to_32 u_stop ();
        end
        if (LAT < 1 || LAT > 64) begin : g_bad_LAT
            LAT_must_be_from_1_to_64 u_stop ();
        end
        if (GRANULE_CYCLES < 1 || GRANULE_CYCLES > 6) begin : g_bad_GRANULE_CYCLES
            GRANULE_CYCLES_must_be_from_1_to_6 u_stop ();
        end
        if (COUNT_UNIQUE < 0 || COUNT_UNIQUE > 1) begin : g_bad_COUNT_UNIQUE
            COUNT_UNIQUE_must_be_0_or_1 u_stop ();
        end
        if (FULL_AT_ONCE < 0 || FULL_AT_ONCE > 1) begin : g_bad_FULL_AT_ONCE
            FULL_AT_ONCE_must_be_0_or_1 u_stop ();
        end
        if (MISS_BLOCK < 0 || MISS_BLOCK > 1) begin : g_bad_MISS_BLOCK
            MISS_BLOCK_must_be_0_or_1 u_stop ();
        end
        if (WORD < 64 || WORD > 16384 || (WORD & (WORD - 1)) != 0
            || (ONE_CYCLE == 0 && ROW > 512)) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_16384_and_of_a_memory_to_512 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1 || (ONE_CYCLE == 0 && GRANULE_CYCLES != 1))
        begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1_and_1_with_GRANULE_CYCLES u_stop ();
        end
        if (ROW != (WORD < M ? WORD : M)) begin : g_bad_ROW
            ROW_must_be_left_to_its_derivation u_stop ();
        end
        if (AT_W != (ROW < M ? $clog2(M / ROW) : 1)) begin : g_bad_AT_W
            AT_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam SM_W     = $clog2(SMS);
    localparam GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1;
    localparam POS_W    = SHIFT < 7 ? 7 - SHIFT : 1;
    localparam N        = M / M_PER_N;
    localparam BEYOND   = FULL_AT_ONCE != 0 ? 1 : GRANULES;
    localparam COUNT_W  = $clog2(N + BEYOND);
    localparam QUEUE_W  = $clog2(QUEUE_ENTRIES + 1);
    localparam [1:0] WR = 2'd0, RCHK_MISS = 2'd1, ATOMIC = 2'd3;
    localparam [COUNT_W-1:0] FULL = N[COUNT_W-1:0];

    localparam [31:0] LAST_WORD = M / ROW - 1;

    reg [AT_W-1:0]        sig_at_q;
    reg [SMS*COUNT_W-1:0] ucnt_q;
    reg [QUEUE_W-1:0]        count_q;
    reg [QUEUE_ENTRIES*2-1:0]        q_type_q;
    reg [QUEUE_ENTRIES*SM_W-1:0]     q_sm_q;
    reg [QUEUE_ENTRIES*32-1:0]       q_addr_q;
    reg [QUEUE_ENTRIES*GRANULES-1:0] q_mask_q;
    reg [QUEUE_ENTRIES-1:0]          q_nosync_q;
    reg [QUEUE_ENTRIES*8-1:0]        q_id_q;
    reg                   started_q;
    reg                   race_q;

    // Forced points come between messages.
    reg [SMS-1:0] full;
    integer f;
    always @* begin
        fsync_sm = {SM_W{1'b0}};
        for (f = SMS - 1; f >= 0; f = f - 1) begin
            full[f] = ucnt_q[f*COUNT_W +: COUNT_W] >= FULL;
            if (full[f])
                fsync_sm = f[SM_W-1:0];
        end
    end
    assign fsync_valid = |full && (!started_q || FULL_AT_ONCE != 0);

    // The oldest message and its next granule.
    wire [1:0]          head_type  = q_type_q[1:0];
    wire                head_valid = count_q != {QUEUE_W{1'b0}} && !fsync_valid;
    wire                head_write = head_type == WR || head_type == ATOMIC;
    wire                walking;
    wire [GRANULES-1:0] rest;
    wire [31:0]         key;
    wire [POS_W-1:0]    after;
    granule_next #(.SHIFT(SHIFT)) u_granule_next (
        .addr(q_addr_q[31:0]), .mask(q_mask_q[GRANULES-1:0]), .key(key),
        .any(walking), .rest(rest), .after(after)
    );
    wire unused = &{1'b0, after};

    wire           tested;  // the granule was looked up; the signatures it is in:
    wire [SMS-1:0] found;

    // The last cycle of a granule or of LAT, and what is done there.
    assign ack_sm = q_sm_q[SM_W-1:0];
    assign ack_id = q_id_q[7:0];
    reg [SMS-1:0] own;  // one-hot: the SM of the oldest message
    integer o;
    always @* begin
        for (o = 0; o < SMS; o = o + 1)
            own[o] = ack_sm == o[SM_W-1:0];
    end
    wire sig_last = sig_at_q == LAST_WORD[AT_W-1:0];
    wire due;
    wire step   = head_valid && walking && due;
    wire answer = head_valid && !walking && due;
    wire pop    = answer && out_ready && (!ack_has_sig || sig_last);
    wire race   = head_type != WR && |(found & own);
    wire quiet  = head_type == WR && q_nosync_q[0];

    assign ack_valid   = answer;
    assign ack_race    = race_q;
    assign ack_has_sig = head_write ? !quiet : race_q;
    assign sig_valid   = fsync_valid || (answer && ack_has_sig);
    assign insert      = step && head_write && !kernel_start;
    assign test        = step && head_type != WR && !kernel_start;

    wire own_sync = pop && ack_has_sig && !kernel_start;
    assign store_sync  = own_sync && head_write;
    assign race_sync   = own_sync && !head_write;
    assign forced_sync = fsync_valid && out_ready && sig_last && !kernel_start;
    assign sig_at      = sig_at_q;
    wire [AT_W-1:0] sig_at_d = !(sig_valid && out_ready) ? sig_at_q
                             : sig_last ? {AT_W{1'b0}} : sig_at_q + 1'b1;

    generate
        if (GRANULE_CYCLES > 1 || LAT > 1) begin : g_tick
            localparam SLOWEST = GRANULE_CYCLES > LAT ? GRANULE_CYCLES : LAT;
            localparam TICK_W  = $clog2(SLOWEST);
            localparam STEP_END = GRANULE_CYCLES - 1;
            localparam LAT_END  = LAT - 1;
            reg [TICK_W-1:0] tick_q;
            wire over = tick_q == (walking ? STEP_END[TICK_W-1:0] : LAT_END[TICK_W-1:0]);
            assign due = over && (tested || !walking);
            always @(posedge clk) begin
                if (rst || kernel_start || step || pop) tick_q <= {TICK_W{1'b0}};
                else if (head_valid && !over)    tick_q <= tick_q + 1'b1;
            end
        end else begin : g_no_tick
            assign due = tested || !walking;
        end
    endgenerate

    // The signatures.
    reg  [SMS-1:0]     shown;   // one-hot: the SM whose signature goes out
    wire [SMS*ROW-1:0] words;   // the word that is next, of each
    wire [SMS-1:0]     emptied = {SMS{kernel_start}} | ({SMS{forced_sync || own_sync}} & shown);
    integer w;
    always @* begin
        sig = {(ROW/64){64'd0}};
        for (w = 0; w < SMS; w = w + 1) begin
            shown[w] = sig_valid && (fsync_valid ? fsync_sm == w[SM_W-1:0] : own[w]);
            if (shown[w])
                sig = sig | words[w*ROW +: ROW];
        end
    end
    wire [6*$clog2(M)-1:0] idx;
    genvar s;
    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            reg  [SMS*M-1:0] usig_q;
            wire [M-1:0]     mask;
            h3_hash #(.M(M)) u_hash (.key(key), .idx(idx));
            bloom_mask #(.M(M)) u_bloom_mask (.idx(idx), .mask(mask));
            assign tested = 1'b1;
            for (s = 0; s < SMS; s = s + 1) begin : g_sm
                wire [M-1:0] of_sm = usig_q[s*M +: M];
                bloom_test #(.M(M)) u_bloom_test (.sig(of_sm), .idx(idx), .found(found[s]));
                if (ROW < M) begin : g_word
                    assign words[s*ROW +: ROW] = of_sm[sig_at_q*ROW +: ROW];
                end else begin : g_all
                    assign words[s*ROW +: ROW] = of_sm;
                end
                always @(posedge clk) begin
                    if (rst || emptied[s])       usig_q[s*M +: M] <= {(M/64){64'd0}};
                    else if (insert && !own[s])  usig_q[s*M +: M] <= of_sm | mask;
                end
            end
        end else begin : g_words
            wire            idle, tests, last;
            wire [AT_W-1:0] read_at, tested_at;
            wire [ROW-1:0]  tested_bit;
            wire [SMS-1:0]  set;
            reg             tested_q;
            reg  [SMS-1:0]  found_q;
            signature_walk #(.M(M), .WORD(ROW)) u_walk (
                .clk(clk), .rst(rst || kernel_start), .drop(kernel_start),
                .start(head_valid && walking && !tested_q), .key(key),
                .idle(idle), .idx(idx), .read_at(read_at), .tests(tests), .last(last),
                .tested_at(tested_at), .tested_bit(tested_bit)
            );
            signature_memory #(.M(M), .WORD(ROW), .BANKS(SMS)) u_memory (
                .clk(clk), .rst(rst), .clear(emptied), .read_at(idle ? sig_at_d : read_at),
                .words(words), .write(set), .write_at(tested_at),
                .data(words | {SMS{tested_bit}})
            );
            assign set    = tests && head_write && !kernel_start ? ~own : {SMS{1'b0}};
            assign tested = tested_q;
            assign found  = found_q;
            for (s = 0; s < SMS; s = s + 1) begin : g_sm
                always @(posedge clk) begin
                    if (rst || idle) found_q[s] <= 1'b1;
                    else if (tests)
                        found_q[s] <= found_q[s] && |(words[s*ROW +: ROW] & tested_bit);
                end
            end
            always @(posedge clk) begin
                if (rst) tested_q <= 1'b0;
                else     tested_q <= last && !kernel_start;
            end
            wire unused_idx = &{1'b0, idx};
        end
    endgenerate

    // The queue.
    assign in_ready = count_q != QUEUE_ENTRIES[QUEUE_W-1:0];
    wire            push       = in_valid && in_ready;
    wire [QUEUE_W-1:0] push_at = count_q - {{(QUEUE_W-1){1'b0}}, pop};
    wire [GRANULES-1:0] touched;
    granule_mask #(.SHIFT(SHIFT)) u_granule_mask (.bytes(in_mask), .granules(touched));
    wire whole = in_type == RCHK_MISS && MISS_BLOCK != 0;
    wire [GRANULES-1:0] push_mask = whole ? {GRANULES{1'b1}} : touched;

    // All fields side by side move together: the oldest message leaves, a new one goes in last.
    localparam FIELDS_W = 2 + SM_W + 32 + GRANULES + 1 + 8;
    reg  [QUEUE_ENTRIES*FIELDS_W-1:0] fields;
    wire [QUEUE_ENTRIES*FIELDS_W-1:0] fields_d;
    integer p;
    always @* begin
        for (p = 0; p < QUEUE_ENTRIES; p = p + 1)
            fields[p*FIELDS_W +: FIELDS_W] =
                {q_type_q[p*2 +: 2], q_sm_q[p*SM_W +: SM_W], q_addr_q[p*32 +: 32],
                 p == 0 && step ? rest : q_mask_q[p*GRANULES +: GRANULES],
                 q_nosync_q[p], q_id_q[p*8 +: 8]};
    end
    queue_push #(.W(FIELDS_W), .ENTRIES(QUEUE_ENTRIES)) u_queue (
        .entries(pop ? fields >> FIELDS_W : fields), .push(push), .push_at(push_at),
        .data({in_type, in_sm, in_addr, push_mask, in_nosync, in_id}), .next(fields_d)
    );

    integer n;
    always @(posedge clk) begin
        for (n = 0; n < SMS; n = n + 1) begin
            if (rst || emptied[n])
                ucnt_q[n*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
            else if (insert && !own[n] && (COUNT_UNIQUE == 0 || !found[n]))
                ucnt_q[n*COUNT_W +: COUNT_W] <= ucnt_q[n*COUNT_W +: COUNT_W] + 1'b1;
        end
        if (rst || kernel_start) begin
            sig_at_q   <= {AT_W{1'b0}};
            count_q    <= {QUEUE_W{1'b0}};
            q_type_q   <= {(QUEUE_ENTRIES*2){1'b0}};
            q_sm_q     <= {(QUEUE_ENTRIES*SM_W){1'b0}};
            q_addr_q   <= {(QUEUE_ENTRIES*32){1'b0}};
            q_mask_q   <= {(QUEUE_ENTRIES*GRANULES){1'b0}};
            q_nosync_q <= {QUEUE_ENTRIES{1'b0}};
            q_id_q     <= {(QUEUE_ENTRIES*8){1'b0}};
            started_q  <= 1'b0;
            race_q     <= 1'b0;
        end else begin
            sig_at_q <= sig_at_d;
            count_q <= push_at + {{(QUEUE_W-1){1'b0}}, push};
            for (n = 0; n < QUEUE_ENTRIES; n = n + 1)
                {q_type_q[n*2 +: 2], q_sm_q[n*SM_W +: SM_W], q_addr_q[n*32 +: 32],
                 q_mask_q[n*GRANULES +: GRANULES], q_nosync_q[n], q_id_q[n*8 +: 8]}
                    <= fields_d[n*FIELDS_W +: FIELDS_W];
            if (step) begin
                started_q <= 1'b1;
                race_q    <= race_q || race;
            end else if (pop) begin
                started_q <= 1'b0;
                race_q    <= 1'b0;
            end
        end
    end
endmodule
`default_nettype wire
