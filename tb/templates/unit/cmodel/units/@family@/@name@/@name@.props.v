// @name@.props.v - the count never passes the limit, and hot does not end without a clear.
reg was_hot = 1'b0;
always @(posedge clk)
    was_hot <= !rst && hot && !clear;
always @* if (started) begin
    assert (count_q <= LIMIT);
    assert (!was_hot || hot);
end
