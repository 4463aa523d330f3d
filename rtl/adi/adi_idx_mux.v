// adi_idx_mux - the set index of adaptive cache indexing (dissertation 3.3; aci 3.7.9).
//
// Combinational.  Bit i of the index is the block-address bit that selector i names:
// value k selects blk[k], that is address bit A[B+k].  A selector of NB or more, which
// adi_engine never makes, reads 0.  The only part of ADI on the hit path.
`default_nettype none
module adi_idx_mux #(
    parameter S  = 5,  // index bits, 1..16
    parameter NB = 25  // block-address bits, 2..64
) (
    input  wire [NB-1:0]           blk,
    input  wire [S*$clog2(NB)-1:0] sel,
    output wire [S-1:0]            idx
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 1 || S > 16) begin : g_bad_S
            S_must_be_from_1_to_16 u_stop ();
        end
        if (NB < 2 || NB > 64) begin : g_bad_NB
            NB_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam SEL_W = $clog2(NB);

    wire [(1<<SEL_W)+NB-1:0] wide   = {{(1<<SEL_W){1'b0}}, blk};
    wire [(1<<SEL_W)-1:0]    padded = wide[(1<<SEL_W)-1:0];

    genvar i;
    generate
        for (i = 0; i < S; i = i + 1) begin : g_position
            assign idx[i] = padded[sel[i*SEL_W +: SEL_W]];
        end
    endgenerate

    wire unused = &{1'b0, wide};
endmodule
`default_nettype wire
