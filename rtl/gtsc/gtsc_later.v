// gtsc_later - is timestamp a later than b?
//
// Combinational.  Both halves are compared at once.
`default_nettype none
module gtsc_later #(
    parameter W = 16  // 2 at least
) (
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire         later
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (W < 2 || W > 64) begin : g_bad_W
            W_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam LOW_W = W / 2;
    wire high_later = a[W-1:LOW_W] > b[W-1:LOW_W];
    wire high_same  = a[W-1:LOW_W] == b[W-1:LOW_W];
    wire low_later  = a[LOW_W-1:0] > b[LOW_W-1:0];
    assign later = high_later || (high_same && low_later);
endmodule
`default_nettype wire
