// bloom_mask - the bits of a signature that an element sets (tabbakh2018 3.7.2).
//
// Combinational.  mask has bit idx_j set for each of the six indices, so at most six.
`default_nettype none
module bloom_mask #(
    parameter M = 4096  // bits of a signature: a power of two, 64..16384
) (
    input  wire [6*$clog2(M)-1:0] idx,
    output reg  [M-1:0]           mask
);
    localparam IDX_W = $clog2(M);

    integer j;
    always @* begin
        mask = {(M/64){64'd0}};
        for (j = 0; j < 6; j = j + 1)
            mask[idx[j*IDX_W +: IDX_W]] = 1'b1;
    end
endmodule
`default_nettype wire
