// h3_hash - six H3 hashes of a granule number (tabbakh2018 3.7.2, D-R1).
//
// Combinational.  idx[j*log2(M) +: log2(M)] = c[j] ^ XOR of q[j][i] over all i with
// key[i] = 1, low bits.  The 14-bit words q and c are the successive values of a 32-bit
// xorshift generator, q[0][0] first, then q[0][1] .. q[5][31], then c[0] .. c[5]; they
// are elaborated here and become the wiring of 6 log2(M) parity trees.
`default_nettype none
module h3_hash #(
    parameter M = 4096  // bits of a signature: a power of two, 64..16384
) (
    input  wire [31:0]            key,
    output wire [6*$clog2(M)-1:0] idx
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
    endgenerate

    localparam K     = 6;
    localparam IDX_W = $clog2(M);
    localparam WORDS = K * 32 + K;

    // Runs at elaboration only.
    function [WORDS*14-1:0] xorshift(input [31:0] seed);
        reg [31:0] s;
        integer    n;
        begin
            s = seed;
            for (n = 0; n < WORDS; n = n + 1) begin
                s = s ^ (s << 13);
                s = s ^ (s >> 17);
                s = s ^ (s << 5);
                xorshift[n*14 +: 14] = s[13:0];
            end
        end
    endfunction
    localparam [WORDS*14-1:0] WORD = xorshift(32'h2545F491);

    genvar j, b, i;
    generate
        for (j = 0; j < K; j = j + 1) begin : g_hash
            for (b = 0; b < IDX_W; b = b + 1) begin : g_bit
                wire [31:0] row;
                for (i = 0; i < 32; i = i + 1) begin : g_row
                    assign row[i] = WORD[(j*32 + i)*14 + b];
                end
                assign idx[j*IDX_W + b] = WORD[(K*32 + j)*14 + b] ^ (^(key & row));
            end
        end
    endgenerate
endmodule
`default_nettype wire
