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
        if (ADDR_W <= $clog2(BLOCK_BYTES) + $clog2(SETS)) begin : g_bad_ADDR_W_also
            ADDR_W_must_leave_a_tag u_stop ();
        end
    endgenerate

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
