// bxor - bitwise-XOR set index: the index field XOR the field of equal width
// directly above it (wang2015 3.4 BXOR, aci-iacm-blpp 3.3 BXI).
//
// Combinational, log2(SETS) two-input XORs.  Address bits past ADDR_W read 0.
// With the tag addr[ADDR_W-1 : log2(BLOCK_BYTES) + log2(SETS)] the index gives
// the block address back.
`default_nettype none
module bxor #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32    // a power of two
) (
    input  wire [ADDR_W-1:0]       addr,
    output wire [$clog2(SETS)-1:0] set_index
);
    localparam OFFS = $clog2(BLOCK_BYTES);
    localparam LOGN = $clog2(SETS);

    wire [ADDR_W+LOGN-1:0] padded = {{LOGN{1'b0}}, addr};
    assign set_index = padded[OFFS +: LOGN] ^ padded[OFFS+LOGN +: LOGN];

    wire unused = &{1'b0, padded};
endmodule
`default_nettype wire
