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
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
    endgenerate

    localparam IDX_W  = $clog2(M);
    localparam LOW_W  = IDX_W / 2;
    localparam HIGH_W = IDX_W - LOW_W;

    // A bit is set where both halves of an index are decoded to it.
    integer j, h;
    reg [(1<<LOW_W)-1:0]  low;
    reg [(1<<HIGH_W)-1:0] high;
    always @* begin
        mask = {(M/64){64'd0}};
        for (j = 0; j < 6; j = j + 1) begin
            low  = {{((1<<LOW_W)-1){1'b0}}, 1'b1} << idx[j*IDX_W +: LOW_W];
            high = {{((1<<HIGH_W)-1){1'b0}}, 1'b1} << idx[j*IDX_W + LOW_W +: HIGH_W];
            for (h = 0; h < (1 << HIGH_W); h = h + 1)
                mask[h<<LOW_W +: 1<<LOW_W] = mask[h<<LOW_W +: 1<<LOW_W]
                                           | (high[h] ? low : {(1<<LOW_W){1'b0}});
        end
    end
endmodule
`default_nettype wire
