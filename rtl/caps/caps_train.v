// caps_train - stride between a leading warp and another (caps-prefetch 3.2.3).
//
// Combinational.  trains: the load's warp may teach: it is one above or below the leading
// warp, or with TRAIN_FAR any other.  uniform: every request that both warps have differs
// by the same amount, which is a whole number of strides, and with STRICT_CNT both have
// equally many.  stride is per warp upwards, modulo 2^32; a distant warp's difference is
// taken as signed.
// Request 0 always takes part; n is 1..4, last is the base's count less one.
`default_nettype none
module caps_train #(
    parameter STRICT_CNT = 0,  // 1: different request counts are not uniform
    parameter TRAIN_FAR  = 0   // 1: any warp trains, its difference divided by the distance
) (
    input  wire [5:0]   wic,
    input  wire [2:0]   n,
    input  wire [127:0] addr,
    input  wire [5:0]   lead,
    input  wire [1:0]   last,
    input  wire [127:0] base,
    output wire         trains,
    output wire         uniform,
    output wire [31:0]  stride
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (STRICT_CNT < 0 || STRICT_CNT > 1) begin : g_bad_STRICT_CNT
            STRICT_CNT_must_be_0_or_1 u_stop ();
        end
        if (TRAIN_FAR < 0 || TRAIN_FAR > 1) begin : g_bad_TRAIN_FAR
            TRAIN_FAR_must_be_0_or_1 u_stop ();
        end
    endgenerate

    wire above = {1'b0, wic} == {1'b0, lead} + 7'd1;
    wire below = {1'b0, lead} == {1'b0, wic} + 7'd1;

    wire [31:0] diff0 = addr[31:0] - base[31:0];
    wire [31:0] diff1 = addr[63:32] - base[63:32];
    wire [31:0] diff2 = addr[95:64] - base[95:64];
    wire [31:0] diff3 = addr[127:96] - base[127:96];

    // Equal differences stay equal when negated, so only the result is.
    wire differs1 = n > 3'd1 && last >= 2'd1 && diff1 != diff0;
    wire differs2 = n > 3'd2 && last >= 2'd2 && diff2 != diff0;
    wire differs3 = n > 3'd3 && last == 2'd3 && diff3 != diff0;
    wire recount  = STRICT_CNT != 0 && n != {1'b0, last} + 3'd1;

    wire same     = !differs1 && !differs2 && !differs3 && !recount;

    generate
        if (TRAIN_FAR != 0) begin : g_far
            // Magnitudes are divided; equal warps do not come here, 0 would divide.
            wire [5:0]  up    = wic - lead;
            wire        lower = wic < lead;
            wire [5:0]  apart = lower ? 6'd0 - up : up;
            wire [31:0] size  = diff0[31] ? 32'd0 - diff0 : diff0;
            wire [31:0] by    = {26'd0, apart == 6'd0 ? 6'd1 : apart};
            wire [31:0] whole = size / by;
            wire [31:0] rest  = size % by;
            assign trains  = above || below || apart != 6'd0;
            assign uniform = same && rest == 32'd0;
            assign stride  = diff0[31] != lower ? 32'd0 - whole : whole;
        end else begin : g_near
            assign trains  = above || below;
            assign uniform = same;
            assign stride  = below ? 32'd0 - diff0 : diff0;
        end
    endgenerate
endmodule
`default_nettype wire
