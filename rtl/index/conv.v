// conv - conventional set index: the low block-address bits (wang2015 3.3 CONV,
// aci-iacm-blpp 3.2 CVI).
//
// Combinational, wires only.  Address bits past ADDR_W do not exist.
`default_nettype none
module conv #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32    // a power of two
) (
    input  wire [ADDR_W-1:0]       addr,
    output wire [$clog2(SETS)-1:0] set_index
);
    localparam OFFS = $clog2(BLOCK_BYTES);
    localparam LOGN = $clog2(SETS);

    assign set_index = addr[OFFS +: LOGN];

    wire unused = &{1'b0, addr};
endmodule
`default_nettype wire
