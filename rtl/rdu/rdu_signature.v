// rdu_signature - one signature: a Bloom filter of M bits with six H3 hashes
// (tabbakh2018 3.7.2, D-R1; its logic is that of rdu and avu).
//
// A key is taken in a cycle with key_valid and key_ready.  found_valid comes 7 cycles later, a key
// every 8 cycles: its six bits are read one after the other from a memory of one word a row, and
// with insert set, each as it was read.  With it found answers from the contents as they stood;
// idx are its hashes.  ONE_CYCLE: found_valid comes in the cycle of the key, a key every cycle, and
// insert takes effect at its edge: M flip-flops.  clear empties the filter in one cycle; a key
// under way gets no answer, and the next is taken no sooner; it wins over all else.
`default_nettype none
module rdu_signature #(
    parameter M         = 1024,  // bits: a power of two, 64..16384
    parameter WORD      = 256,   // most bits of a row of the memory: a power of two, 64..512
    parameter ONE_CYCLE = 0      // 1: all bits are looked at and changed at once
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   clear,
    input  wire                   key_valid,
    input  wire [31:0]            key,
    input  wire                   insert,
    output wire                   key_ready,
    output wire                   found_valid,
    output wire                   found,
    output wire [6*$clog2(M)-1:0] idx,
    output wire                   fresh
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (WORD < 64 || WORD > 512 || (WORD & (WORD - 1)) != 0) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_512 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            reg  [M-1:0] sig_q;
            wire [M-1:0] mask;
            h3_hash #(.M(M)) u_hash (.key(key), .idx(idx));
            bloom_test #(.M(M)) u_bloom_test (.sig(sig_q), .idx(idx), .found(found));
            bloom_mask #(.M(M)) u_bloom_mask (.idx(idx), .mask(mask));
            assign key_ready   = !clear;
            assign found_valid = key_valid && !clear;
            assign fresh       = found_valid && insert && !found;
            always @(posedge clk) begin
                if (rst || clear)                sig_q <= {(M/64){64'd0}};
                else if (found_valid && insert)  sig_q <= sig_q | mask;
            end
        end else begin : g_words
            localparam ROW   = WORD < M ? WORD : M;
            localparam AT_W  = ROW < M ? $clog2(M / ROW) : 1;
            wire             idle, tests, last;
            wire [AT_W-1:0]  read_at, tested_at;
            wire [ROW-1:0]   tested_bit, row;
            reg              insert_q, found_q;
            signature_walk #(.M(M), .WORD(ROW)) u_walk (
                .clk(clk), .rst(rst), .drop(clear), .start(key_valid && !clear), .key(key),
                .idle(idle), .idx(idx), .read_at(read_at), .tests(tests), .last(last),
                .tested_at(tested_at), .tested_bit(tested_bit)
            );
            signature_memory #(.M(M), .WORD(ROW)) u_memory (
                .clk(clk), .rst(rst), .clear(clear), .read_at(read_at), .words(row),
                .write(tests && insert_q && !clear), .write_at(tested_at), .data(row | tested_bit)
            );
            assign key_ready   = idle && !clear;
            assign found_valid = last && !clear;
            assign found       = found_q && |(row & tested_bit);
            assign fresh       = found_valid && insert_q && !found;
            always @(posedge clk) begin
                if (rst) begin
                    insert_q <= 1'b0;
                    found_q  <= 1'b0;
                end else if (idle) begin
                    insert_q <= insert;
                    found_q  <= 1'b1;
                end else if (tests) begin
                    found_q <= found;
                end
            end
        end
    endgenerate
endmodule
`default_nettype wire
