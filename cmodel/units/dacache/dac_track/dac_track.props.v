// dac_track.props.v - a load retires as divergent by its own number of requests, and as
// partially cached when one of its own accesses missed: nothing of the load before counts.
reg [5:0] its_nreq   = 6'd0;
reg       its_misses = 1'b0;
wire counts = acc_result == MISS || (acc_result == HIT_RESERVED && RESERVED_IS_MISS != 0)
           || (acc_result == BYPASS && BYPASS_IS_MISS != 0);
always @(posedge clk) begin
    its_nreq   <= rst ? 6'd0 : start_valid ? start_nreq : its_nreq;
    its_misses <= !rst && !start_valid && (its_misses || (acc_valid && counts));
end
always @* if (started) begin
    assert (retire_valid == (acc_valid && acc_last));
    assert (divergent == (its_nreq > COH_MAX));
    assert (miss_seen == (its_misses || (acc_valid && counts)));
end
