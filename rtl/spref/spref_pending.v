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
    // The last step is counted by itself: n steps of the index lie before the end if n - 1 whole ones
    // lie before the one in front of it.  So no remainder is looked at: past is last - idx (or idx - last),
    // less one without plus_one.
    wire [31:0] more = down ? idx : last;
    wire [31:0] less = down ? last : idx;
    wire [31:0] past = more + ~less + {31'd0, plus_one};
    // The least integer less one is the greatest.
    wire        least = more == {~less[31], less[30:0]};
    wire        none  = past[31] || (least && !plus_one);

    wire [10:0] whole = past[10:0] >> step_log2;  // step is 128 at most
    wire        many  = past[30:11] != 20'd0 || whole[10:4] != 7'd0 || &whole[3:1];
    wire [3:0]  exact = whole[3:0] + 4'd1;
    assign count = none ? 4'd0 : many ? 4'd15 : exact;
endmodule
`default_nettype wire
