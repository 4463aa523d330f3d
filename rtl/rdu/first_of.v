// first_of - the lowest bit that is set, alone.
//
// Combinational.
`default_nettype none
module first_of #(
    parameter N = 8  // bits, 2..64
) (
    input  wire [N-1:0] among,
    output reg  [N-1:0] first
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (N < 2 || N > 64) begin : g_bad_N
            N_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    integer i;
    always @* begin
        for (i = 0; i < N; i = i + 1)
            first[i] = among[i] && (among & (({{(N-1){1'b0}}, 1'b1} << i) - 1'b1)) == {N{1'b0}};
    end
endmodule
`default_nettype wire
