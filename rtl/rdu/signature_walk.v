// signature_walk - the six bits of a key, one after the other, in a signature that lies in words
// (tabbakh2018 3.7.2, D-R1, D-R13).
//
// start, while idle, takes the key: its hashes are in idx from the next cycle on.  In that and the
// five cycles after it read_at is the word of one hash each; while idle it is word 0.  In the cycle
// after each of these `tests` says that the word is there, word tested_at, of which the one bit that
// tested_bit has set is meant; `last` is 1
// for the sixth, seven cycles after start, and idle in the next one.  With `last` idx has the hashes
// in their order again.  From drop on nothing more of the key is tested; idle comes no sooner.  With
// drop, start is not given.
`default_nettype none
module signature_walk #(
    parameter M     = 1024,  // bits of a signature: a power of two, 64..16384
    parameter WORD  = 256,   // bits of a word: a power of two, 64..512, at most M
    parameter AT_W  = WORD < M ? $clog2(M / WORD) : 1  // derived
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    drop,
    input  wire                    start,
    input  wire [31:0]             key,
    output wire                    idle,
    output wire [6*$clog2(M)-1:0]  idx,
    output wire [AT_W-1:0]         read_at,
    output wire                    tests,
    output wire                    last,
    output wire [AT_W-1:0]         tested_at,
    output reg  [WORD-1:0]         tested_bit
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (WORD < 64 || WORD > 512 || (WORD & (WORD - 1)) != 0 || WORD > M) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_512_and_at_most_M u_stop ();
        end
        if (AT_W != (WORD < M ? $clog2(M / WORD) : 1)) begin : g_bad_AT_W
            AT_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam IDX_W = $clog2(M);
    localparam BIT_W = $clog2(WORD);
    localparam [2:0] LAST = 3'd7;

    reg  [2:0]         step_q;  // 0 idle, 1 to 6 a word is read, 2 to 7 one is tested
    reg                kept_q;  // 0: the key was dropped
    reg  [6*IDX_W-1:0] idx_q;   // the hash to be read lowest, the one to be tested highest
    wire [6*IDX_W-1:0] hashes;
    h3_hash #(.M(M)) u_hash (.key(key), .idx(hashes));

    assign idle  = step_q == 3'd0;
    assign tests = step_q[2:1] != 2'd0 && kept_q;
    assign last  = step_q == LAST && kept_q;
    assign idx   = idx_q;

    generate
        if (WORD < M) begin : g_words
            assign read_at   = idle ? {AT_W{1'b0}} : idx_q[BIT_W +: AT_W];
            assign tested_at = idx_q[5*IDX_W + BIT_W +: AT_W];
        end else begin : g_word
            assign read_at   = 1'b0;
            assign tested_at = 1'b0;
        end
    endgenerate

    // Decoded in two halves, so that no register has to drive a whole word.
    localparam LOW_W  = BIT_W / 2;
    localparam HIGH_W = BIT_W - LOW_W;
    wire [(1<<LOW_W)-1:0]  low  = {{((1<<LOW_W)-1){1'b0}}, 1'b1} << idx_q[5*IDX_W +: LOW_W];
    wire [(1<<HIGH_W)-1:0] high = {{((1<<HIGH_W)-1){1'b0}}, 1'b1}
                               << idx_q[5*IDX_W + LOW_W +: HIGH_W];
    integer h;
    always @* begin
        for (h = 0; h < (1 << HIGH_W); h = h + 1)
            tested_bit[h<<LOW_W +: 1<<LOW_W] = high[h] ? low : {(1<<LOW_W){1'b0}};
    end

    always @(posedge clk) begin
        if (rst) begin
            step_q <= 3'd0;
            kept_q <= 1'b0;
            idx_q  <= {(6*IDX_W){1'b0}};
        end else begin
            if (start || !idle) step_q <= step_q + 3'd1;
            if (idle)           kept_q <= 1'b1;
            else if (drop)      kept_q <= 1'b0;
            if (idle && start)
                idx_q <= hashes;
            else if (!idle && step_q != LAST)
                idx_q <= {idx_q[0 +: IDX_W], idx_q[6*IDX_W-1:IDX_W]};
        end
    end
endmodule
`default_nettype wire
