// spref_pending - iterations that a lane has still to run behind this one, saturated at 15
// (lakshminarayana2014-graph 3.1.5).
//
// Combinational.  The difference is that of 32-bit integers: where it overflows, or the loop is over,
// the count is 0, which prefetches nothing.
`default_nettype none
module spref_pending (
    input  wire [31:0] idx,
    input  wire [31:0] last,
    input  wire [2:0]  step_log2,
    input  wire        down,
    input  wire        plus_one,
    output wire [3:0]  count
);
    // last - idx, or idx - last, one more with plus_one: one adder.
    wire [31:0] more   = down ? idx : last;
    wire [31:0] less   = down ? last : idx;
    wire [31:0] diff   = more - less;
    wire        none   = plus_one ? diff[31] : diff[31] || diff == 32'd0;

    // ceil((diff + plus_one) / step), of a difference of 0 or more.
    wire [6:0]  below = ~(7'h7f << step_log2);  // step - 1
    wire [31:0] high  = diff >> step_log2;
    wire [6:0]  low   = diff[6:0] & below;
    wire        round = plus_one || low != 7'd0;
    wire        many = high[31:4] != 28'd0;
    wire [4:0]  exact = {1'b0, high[3:0]} + {4'd0, round};
    assign count = none ? 4'd0 : many || exact[4] ? 4'd15 : exact[3:0];
endmodule
`default_nettype wire
