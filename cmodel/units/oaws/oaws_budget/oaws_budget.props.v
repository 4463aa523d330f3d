// oaws_budget.props.v - Miss_inflight is what was issued less what was retired, until it tells
// that it could not follow; it stays at its bounds and never wraps; the budget is never more
// than the entries that were free.
reg [8:0] account  = 9'd0;  // issued less retired
reg       exact    = 1'b1;  // neither overflow nor underflow yet
reg       was_over = 1'b0, was_under = 1'b0;
reg [5:0] was_free = RESET_AVAIL;
always @(posedge clk) begin
    account   <= rst ? 9'd0 : account + issued - retired;
    exact     <= rst || (exact && !overflow && !underflow);
    was_over  <= !rst && overflow;
    was_under <= !rst && underflow;
    was_free  <= rst ? RESET_AVAIL : free_cnt;
end
wire [5:0] free_seen = AVAIL_SAMPLED != 0 ? was_free : free_cnt;
wire [8:0] budget_9  = {budget[7], budget};
always @* if (started) begin
    assert (!exact || account == inflight_9);
    assert (!was_over || inflight_q == INFLIGHT_MAX);
    assert (!was_under || inflight_q == 0);
    assert (!(overflow && underflow));
    assert (budget_9 + inflight_9 == {3'b0, free_seen} || free_seen > AVAIL_MAX);
    assert (budget[7] || budget <= {2'b0, free_seen});
end
