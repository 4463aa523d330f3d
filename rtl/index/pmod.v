// pmod - prime-modulo set index (wang2015 3.5 pMOD, aci-iacm-blpp 3.6 PRI).
//
// Combinational.  set_index = block address mod the largest prime not above SETS,
// hence always below that prime.  The index alone does not fix the low bits:
// those from the prime up alias to lower ones.  `xalias` tells the two apart, so
// that {tag, xalias, set_index} identifies the block.
`default_nettype none
module pmod #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32    // a power of two, 4 .. 4096
) (
    input  wire [ADDR_W-1:0]                                       addr,
    output wire [$clog2(SETS)-1:0]                                 set_index,
    output wire [ADDR_W-$clog2(BLOCK_BYTES)-$clog2(SETS)-1:0]      tag,
    output wire                                                    xalias
);
    localparam OFFS  = $clog2(BLOCK_BYTES);
    localparam LOGN  = $clog2(SETS);
    localparam BLK_W = ADDR_W - OFFS;

    wire [LOGN-1:0] low = addr[OFFS +: LOGN];
    wire [LOGN-1:0] low_residue;

    mod_prime #(.IN_W(BLK_W), .SETS(SETS)) u_block_mod (
        .value   (addr[ADDR_W-1:OFFS]),
        .residue (set_index)
    );
    mod_prime #(.IN_W(LOGN), .SETS(SETS)) u_low_mod (
        .value   (low),
        .residue (low_residue)
    );
    assign tag    = addr[ADDR_W-1:OFFS+LOGN];
    assign xalias = low_residue != low;

    wire unused = &{1'b0, addr};
endmodule
`default_nettype wire
