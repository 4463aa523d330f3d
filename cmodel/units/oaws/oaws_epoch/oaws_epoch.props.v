// oaws_epoch.props.v - a tick comes in the EPOCH-th cycle with enable since the last one, and
// in no other: none is lost, none is early, and a pause starts the period anew.
reg [COUNT_W-1:0] enabled = {COUNT_W{1'b0}};  // cycles with enable since then
always @(posedge clk)
    enabled <= rst || !enable || age_tick ? {COUNT_W{1'b0}} : enabled + 1'b1;
always @* if (started) begin
    assert (age_tick == (enable && enabled == EPOCH - 1));
    assert (count_q == enabled && count_q < EPOCH);
end
