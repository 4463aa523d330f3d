// signature_lookup - is a key in a signature that lies in words (tabbakh2018 3.7.2, D-R13)?
//
// wanted and key are held until known, 9 cycles later: found is then its answer, of one cycle.  In each
// cycle words is the word read_at of the cycle before.  A key that is no longer wanted is dropped; one
// that comes while it is still walked waits for the end of that walk.
`default_nettype none
module signature_lookup #(
    parameter M    = 1024,  // bits of a signature: a power of two, 64..16384
    parameter WORD = 256,   // bits of a word: a power of two, 64..512, at most M
    parameter AT_W = WORD < M ? $clog2(M / WORD) : 1  // derived
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            wanted,
    input  wire [31:0]     key,
    output wire [AT_W-1:0] read_at,
    input  wire [WORD-1:0] words,
    output wire            known,
    output wire            found
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

    wire                   idle, looks, ends;
    wire [WORD-1:0]        bit_meant;
    wire [AT_W-1:0]        tested_at;
    wire [6*$clog2(M)-1:0] idx;
    reg                    known_q, found_q;
    signature_walk #(.M(M), .WORD(WORD)) u_walk (
        .clk(clk), .rst(rst), .drop(!wanted), .start(wanted && !known_q), .key(key),
        .idle(idle), .idx(idx), .read_at(read_at), .tests(looks), .last(ends),
        .tested_at(tested_at), .tested_bit(bit_meant)
    );
    assign known = known_q;
    assign found = found_q;
    always @(posedge clk) begin
        if (rst) begin
            known_q <= 1'b0;
            found_q <= 1'b1;
        end else begin
            known_q <= ends && wanted;
            if (idle)       found_q <= 1'b1;
            else if (looks) found_q <= found_q && |(words & bit_meant);
        end
    end
    wire unused = &{1'b0, tested_at, idx};
endmodule
`default_nettype wire
