// dac_stack.props.v - a set's stack is a permutation: no way is lost or doubled; an operation
// moves one line of one set and leaves the order of all others; a promotion never lowers a line.
(* anyconst *) reg [$clog2(SETS)-1:0] any_set;
(* anyconst *) reg [WAY_W-1:0]        one, other;  // positions
always @* assume ({1'b0, one} < WAYS_X && {1'b0, other} < WAYS_X && one != other);
function [WAY_W-1:0] way_at(input [STACK_W-1:0] order, input [WAY_W-1:0] place);
    way_at = order[place*WAY_W +: WAY_W];
endfunction
wire [STACK_W-1:0] its_stack = written_q[any_set] ? stack_q[any_set] : identity;
// Where the line at position `one` will be, as the order of the others asks.
wire [WAY_W-1:0] one_to = one == pos ? to
                        : one > pos && one <= to ? one - 1'b1
                        : one < pos && one >= to ? one + 1'b1 : one;
reg [STACK_W-1:0] before  = {STACK_W{1'b0}};
reg [WAY_W-1:0]   one_now = {WAY_W{1'b0}};
reg               compare = 1'b0, was_moved = 1'b0;
always @(posedge clk) begin
    before    <= its_stack;
    compare   <= !rst;
    was_moved <= moved && set_index == any_set;
    one_now   <= moved && set_index == any_set ? one_to : one;
end
always @* if (started) begin
    assert (way_at(its_stack, one) != way_at(its_stack, other));
    assert ({1'b0, way_at(its_stack, one)} < WAYS_X);
    assert (!compare || was_moved || its_stack == before);
    assert (!compare || way_at(its_stack, one_now) == way_at(before, one));
    assert (!moved || op != OP_PROMOTE || to <= pos);
    assert (!moved || op == OP_PROMOTE || op == OP_INSERT);
end
