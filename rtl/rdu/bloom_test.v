// bloom_test - is an element in a signature (tabbakh2018 3.7.2).
//
// Combinational.  found is 1 when the bits at all six indices are set.
`default_nettype none
module bloom_test #(
    parameter M = 4096  // bits of a signature: a power of two, 64..16384
) (
    input  wire [M-1:0]           sig,
    input  wire [6*$clog2(M)-1:0] idx,
    output reg                    found
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
    endgenerate

    localparam IDX_W = $clog2(M);

    integer j;
    always @* begin
        found = 1'b1;
        for (j = 0; j < 6; j = j + 1)
            if (!sig[idx[j*IDX_W +: IDX_W]])
                found = 1'b0;
    end
endmodule
`default_nettype wire
