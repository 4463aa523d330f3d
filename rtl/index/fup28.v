// fup28 - full-permutation set index over all feature bits (wang2015 3.7).
//
// Combinational.  The window of max(FEATURE_BITS, 4 log2(SETS)) address bits from
// the block address up is split into S1, S2, S3 of log2(SETS) bits and S4, the
// rest.  Where S4 is wider than the index (case 3 of the source) it is reduced
// modulo the largest prime not above SETS; otherwise it enters as it is (cases 1
// and 2).  Two XOR levels: (S1 ^ S2) ^ (S3 ^ S4').  Address bits past ADDR_W read
// 0; bits above the window have no effect.
// With the tag addr[ADDR_W-1 : log2(BLOCK_BYTES) + log2(SETS)] the index gives the
// block address back, in the default order of groups only.
`default_nettype none
module fup28 #(
    parameter ADDR_W       = 40,   // byte address, bits
    parameter BLOCK_BYTES  = 128,  // a power of two
    parameter SETS         = 32,   // a power of two, 4 .. 4096
    parameter FEATURE_BITS = 28,   // address bits that must reach the index
    parameter S4_LOWEST    = 0     // 1: S4 below S1, S2, S3 instead of above
) (
    input  wire [ADDR_W-1:0]       addr,
    output wire [$clog2(SETS)-1:0] set_index
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ADDR_W < 16 || ADDR_W > 64) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_16_to_64 u_stop ();
        end
        if (BLOCK_BYTES < 4 || BLOCK_BYTES > 4096
            || (BLOCK_BYTES & (BLOCK_BYTES - 1)) != 0) begin : g_bad_BLOCK_BYTES
            BLOCK_BYTES_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (SETS < 4 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (FEATURE_BITS < 4 || FEATURE_BITS > 52) begin : g_bad_FEATURE_BITS
            FEATURE_BITS_must_be_from_4_to_52 u_stop ();
        end
        if (S4_LOWEST < 0 || S4_LOWEST > 1) begin : g_bad_S4_LOWEST
            S4_LOWEST_must_be_0_or_1 u_stop ();
        end
        if (ADDR_W < $clog2(BLOCK_BYTES) + $clog2(SETS)) begin : g_bad_ADDR_W_also
            ADDR_W_must_cover_block_offset_and_index u_stop ();
        end
    endgenerate

    localparam OFFS     = $clog2(BLOCK_BYTES);
    localparam LOGN     = $clog2(SETS);
    localparam WINDOW_W = FEATURE_BITS > 4 * LOGN ? FEATURE_BITS : 4 * LOGN;
    localparam S4_W     = WINDOW_W - 3 * LOGN;
    localparam S1_AT    = S4_LOWEST != 0 ? S4_W : 0;
    localparam S4_AT    = S4_LOWEST != 0 ? 0 : 3 * LOGN;

    wire [ADDR_W+WINDOW_W-1:0] padded = {{WINDOW_W{1'b0}}, addr};
    wire [WINDOW_W-1:0]        window = padded[OFFS +: WINDOW_W];
    wire [S4_W-1:0]            s4     = window[S4_AT +: S4_W];
    wire [LOGN-1:0]            s4_reduced;

    generate
        if (S4_W > LOGN) begin : g_wide
            mod_prime #(.IN_W(S4_W), .SETS(SETS)) u_s4_mod (
                .value   (s4),
                .residue (s4_reduced)
            );
        end else begin : g_narrow
            assign s4_reduced = s4;
        end
    endgenerate

    wire [LOGN-1:0] low  = window[S1_AT +: LOGN] ^ window[S1_AT+LOGN +: LOGN];
    wire [LOGN-1:0] high = window[S1_AT+2*LOGN +: LOGN] ^ s4_reduced;
    assign set_index = low ^ high;

    wire unused = &{1'b0, padded};
endmodule
`default_nettype wire
