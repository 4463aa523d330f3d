// pli - polynomial-modulus set index (aci-iacm-blpp 3.5 PLI, Fig. 5).
//
// Combinational.  The block address, read as a polynomial over GF(2), modulo POLY:
// each index bit is the XOR of the block-address bits k for which x^k mod POLY has
// that coefficient.  As x^k mod POLY = x^k below the order, the tag above the
// index field and the index give the block address back.
`default_nettype none
module pli #(
    parameter ADDR_W      = 32,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32,   // a power of two
    parameter POLY        = 37    // with its leading term: SETS <= POLY < 2 SETS
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
        if (POLY < 2 || POLY > 8191) begin : g_bad_POLY
            POLY_must_be_from_2_to_8191 u_stop ();
        end
        if (ADDR_W < $clog2(BLOCK_BYTES) + $clog2(SETS)) begin : g_bad_ADDR_W_also
            ADDR_W_must_cover_block_offset_and_index u_stop ();
        end
        if (POLY / SETS != 1) begin : g_bad_POLY_also
            POLY_must_be_from_SETS_to_2_SETS_less_1 u_stop ();
        end
    endgenerate

    localparam OFFS  = $clog2(BLOCK_BYTES);
    localparam LOGN  = $clog2(SETS);
    localparam BLK_W = ADDR_W - OFFS;

    // Elaboration only: bit k is the coefficient x^bit_number of x^k mod POLY.
    function [BLK_W-1:0] row(input integer bit_number);
        integer k, remainder;
        begin
            remainder = 1;
            for (k = 0; k < BLK_W; k = k + 1) begin
                row[k] = ((remainder >> bit_number) % 2) == 1;
                remainder = remainder * 2;
                if (remainder >= SETS) remainder = remainder ^ POLY;
            end
        end
    endfunction

    genvar g;
    generate
        for (g = 0; g < LOGN; g = g + 1) begin : g_index_bit
            localparam [BLK_W-1:0] ROW = row(g);
            assign set_index[g] = ^(addr[ADDR_W-1:OFFS] & ROW);
        end
    endgenerate

    wire unused = &{1'b0, addr};
endmodule
`default_nettype wire
