// rxi - the XOR index found in Fermi's L1D, 128-byte blocks (aci-iacm-blpp 3.4
// RXI; wang2015 3.6 PRH, also called the Fermi hash).
//
// Combinational.  Index bits 0..4 are addr[7..11] XOR addr[13], [14], [15], [17],
// [19]; bit 5 is addr[12] and bit 6 addr[16].  Below 32 sets the upper equations
// are left out.  Printed by the source for 32 sets; 64 follow public simulators;
// results at 8, 16 and 128 sets rest on the specification's decision alone.
//
// Up to 64 sets the index and the address bits above the index field give the
// block address back.  At 128 sets they do not: addr[13] lies inside the field,
// yet reaches the index only through addr[7] ^ addr[13]; the tag must keep it.
`default_nettype none
module rxi #(
    parameter ADDR_W = 40,  // byte address, bits; at least 20
    parameter SETS   = 32   // a power of two, 8 .. 128
) (
    input  wire [ADDR_W-1:0]       addr,
    output wire [$clog2(SETS)-1:0] set_index
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ADDR_W < 20 || ADDR_W > 64) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_20_to_64 u_stop ();
        end
        if (SETS < 8 || SETS > 128 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_8_to_128 u_stop ();
        end
    endgenerate

    localparam LOGN = $clog2(SETS);

    wire [4:0] hash  = {addr[19], addr[17], addr[15], addr[14], addr[13]};
    wire [6:0] index = {addr[16], addr[12], addr[11:7] ^ hash};
    assign set_index = index[LOGN-1:0];

    wire unused = &{1'b0, addr, index};
endmodule
`default_nettype wire
