// pdisp - prime-displacement set index (wang2015 3.5 pDisp, A.1).
//
// Combinational.  set_index = (P T + x) mod n', with T the address above the index
// field, x the index field and n' the largest prime not above SETS; sets n' and up
// are never used.  x and x - n' alias; `xalias` tells them apart, so that
// {tag, xalias, set_index} identifies the block.  T is reduced before the product.
`default_nettype none
module pdisp #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32,   // a power of two, 4 .. 4096
    parameter P           = 9     // displacement; no multiple of n'
) (
    input  wire [ADDR_W-1:0]                                       addr,
    output wire [$clog2(SETS)-1:0]                                 set_index,
    output wire [ADDR_W-$clog2(BLOCK_BYTES)-$clog2(SETS)-1:0]      tag,
    output wire                                                    xalias
);
    localparam OFFS  = $clog2(BLOCK_BYTES);
    localparam LOGN  = $clog2(SETS);
    localparam TAG_W = ADDR_W - OFFS - LOGN;
    localparam SUM_W = LOGN + $clog2(P + 1) + 1;

    localparam [SUM_W-1:0] P_S = P[SUM_W-1:0];

    wire [LOGN-1:0] low = addr[OFFS +: LOGN];
    wire [LOGN-1:0] low_residue;
    wire [LOGN-1:0] tag_residue;
    wire [SUM_W-1:0] displaced =
        P_S * {{(SUM_W-LOGN){1'b0}}, tag_residue} + {{(SUM_W-LOGN){1'b0}}, low};

    mod_prime #(.IN_W(TAG_W), .SETS(SETS)) u_tag_mod (
        .value   (tag),
        .residue (tag_residue)
    );
    mod_prime #(.IN_W(SUM_W), .SETS(SETS)) u_sum_mod (
        .value   (displaced),
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
