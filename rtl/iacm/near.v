// near - is `now` within EPS_8THS eighths of `was` (aci 3.10.4 C11, 3.11, 3.12)?  A quarter, 2, is
// the document's for warp counts and IPCs alike.  Combinational; 0 is near 0 alone.
`default_nettype none
module near #(
    parameter W        = 19,  // bits, 2..28
    parameter EPS_8THS = 2    // 1..8
) (
    input  wire [W-1:0] now,
    input  wire [W-1:0] was,
    output wire         is_near
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (W < 2 || W > 28) begin : g_bad_W
            W_must_be_from_2_to_28 u_stop ();
        end
        if (EPS_8THS < 1 || EPS_8THS > 8) begin : g_bad_EPS_8THS
            EPS_8THS_must_be_from_1_to_8 u_stop ();
        end
    endgenerate

    localparam [W+3:0] EPS = EPS_8THS[W+3:0];

    wire [W-1:0] gap   = now > was ? now - was : was - now;
    wire [W+3:0] bound = {4'b0, was} * EPS;
    assign is_near = {1'b0, gap, 3'b0} <= bound;
endmodule
`default_nettype wire
