// fup20 - full-permutation set index without a modulo stage (wang2015 3.7).
//
// Combinational.  Four adjacent groups of log2(SETS) address bits, from the block
// address up, are XORed in two levels: (S1 ^ S2) ^ (S3 ^ S4).  Address bits past
// ADDR_W read 0 (case 2 of the source).
`default_nettype none
module fup20 #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32    // a power of two
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
        if (SETS < 2 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_4096 u_stop ();
        end
        if (ADDR_W < $clog2(BLOCK_BYTES) + $clog2(SETS)) begin : g_bad_ADDR_W_also
            ADDR_W_must_cover_block_offset_and_index u_stop ();
        end
    endgenerate

    localparam OFFS     = $clog2(BLOCK_BYTES);
    localparam LOGN     = $clog2(SETS);
    localparam GROUPS_W = 4 * LOGN;

    wire [ADDR_W+GROUPS_W-1:0] padded = {{GROUPS_W{1'b0}}, addr};
    wire [GROUPS_W-1:0]        group  = padded[OFFS +: GROUPS_W];

    wire [LOGN-1:0] low  = group[0 +: LOGN] ^ group[LOGN +: LOGN];
    wire [LOGN-1:0] high = group[2*LOGN +: LOGN] ^ group[3*LOGN +: LOGN];
    assign set_index = low ^ high;

    wire unused = &{1'b0, padded};
endmodule
`default_nettype wire
