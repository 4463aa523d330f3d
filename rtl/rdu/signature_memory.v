// signature_memory - signatures of M bits in memories of one word a row, one read and one write a
// cycle (tabbakh2018 3.7.2, 3.7.8, D-R13).
//
// BANKS memories lie side by side under one address: at the edge word read_at of each is read, and
// words shows them until the next edge; what is written at the same edge is read as written.  `write`, a
// bit each bank, puts its word of `data` to write_at.  A word that was not written since its bank
// was cleared reads as 0: `clear`, a bit each bank, takes one cycle and touches one bit a word.  It
// comes before a write of the same cycle.
`default_nettype none
module signature_memory #(
    parameter M     = 1024,  // bits of a signature: a power of two, 64..16384
    parameter WORD  = 256,   // bits of a word: a power of two, 64..512, at most M
    parameter BANKS = 1,     // signatures, 1..16
    parameter AT_W  = WORD < M ? $clog2(M / WORD) : 1  // derived
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [BANKS-1:0]      clear,
    input  wire [AT_W-1:0]       read_at,
    output wire [BANKS*WORD-1:0] words,
    input  wire [BANKS-1:0]      write,
    input  wire [AT_W-1:0]       write_at,
    input  wire [BANKS*WORD-1:0] data
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (WORD < 64 || WORD > 512 || (WORD & (WORD - 1)) != 0 || WORD > M) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_512_and_at_most_M u_stop ();
        end
        if (BANKS < 1 || BANKS > 16) begin : g_bad_BANKS
            BANKS_must_be_from_1_to_16 u_stop ();
        end
        if (AT_W != (WORD < M ? $clog2(M / WORD) : 1)) begin : g_bad_AT_W
            AT_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam WORDS = M / WORD;

    reg [BANKS*WORD-1:0]  word_q [0:WORDS-1];
    reg [BANKS*WORD-1:0]  read_q;
    reg [WORDS*BANKS-1:0] live_q, live_d;  // written since the last clear
    wire [BANKS-1:0]      same = write_at == read_at ? write : {BANKS{1'b0}};

    assign words = read_q;

    integer w;
    always @* begin
        for (w = 0; w < WORDS; w = w + 1)
            live_d[w*BANKS +: BANKS] = (live_q[w*BANKS +: BANKS] & ~clear)
                                     | (write_at == w[AT_W-1:0] ? write : {BANKS{1'b0}});
    end

    always @(posedge clk) begin
        if (rst) live_q <= {(WORDS*BANKS){1'b0}};
        else     live_q <= live_d;
    end

    wire [BANKS-1:0] live = live_q[read_at*BANKS +: BANKS] & ~clear;
    integer r;
    always @(posedge clk) begin
        for (r = 0; r < BANKS; r = r + 1) begin
            if (rst || !(live[r] || same[r])) read_q[r*WORD +: WORD] <= {(WORD/64){64'd0}};
            else if (same[r]) read_q[r*WORD +: WORD] <= data[r*WORD +: WORD];
            else              read_q[r*WORD +: WORD] <= word_q[read_at][r*WORD +: WORD];
        end
    end

    // Without reset: read only where live_q is 1.
    integer b;
    always @(posedge clk) begin
        for (b = 0; b < BANKS; b = b + 1)
            if (write[b]) word_q[write_at][b*WORD +: WORD] <= data[b*WORD +: WORD];
    end
endmodule
`default_nettype wire
