// blpp_monitor.props.v - within a window no counter falls; a new one begins with at most one event; misses
// that come with an access each are no more than those.
reg [CW-1:0] was_access = {CW{1'b0}};
reg [BW-1:0] was_bytes  = {BW{1'b0}};
reg          begun      = 1'b1;  // by sample or reset, in the last cycle
reg          paired     = 1'b1;  // since the window began
always @(posedge clk) begin
    was_access <= l1_access_q;
    was_bytes  <= bytes_q;
    begun      <= rst || sample;
    paired     <= rst || ((sample || paired) && (l1_access || !l1_miss));
end
always @* if (started) begin
    assert (begun ? l1_access_q <= 1 : l1_access_q >= was_access);
    assert (begun || bytes_q >= was_bytes);
    assert (!paired || l1_miss_q <= l1_access_q);
    assert (!(&bytes_q) || saturated);
end
