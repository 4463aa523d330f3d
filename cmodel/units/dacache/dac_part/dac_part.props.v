// dac_part.props.v - the partition stays within its bounds and moves by one warp at a time, when
// told; the counter stays below C_max; a coherent load trains nothing.  A partition that grew
// or shrank does not grow again before C_max/2 loads have trained it.
reg [FCW_W-1:0]   fcw_before  = INIT;
reg [COUNT_W-1:0] cnt_before  = HALF;
reg               was_grow = 1'b0, was_shrink = 1'b0, was_still = 1'b0;
reg [COUNT_W:0]   trained     = {(COUNT_W+1){1'b0}};  // loads since the last change
always @(posedge clk) begin
    fcw_before <= rst || clears ? INIT : fcw_q;
    cnt_before <= rst || clears ? HALF : cnt_q;
    was_grow   <= !rst && grow;
    was_shrink <= !rst && shrink;
    was_still  <= rst || clears || !retire_valid || nreq <= COH_MAX;
    trained    <= rst || clears || grow || shrink ? {(COUNT_W+1){1'b0}}
                : trained + {{COUNT_W{1'b0}}, trains && trained < HALF};
end
always @* if (started) begin
    assert (fcw_q >= LEAST && fcw_q <= GREATEST && cnt_q <= TOP);
    assert (!(grow && shrink));
    assert (fcw_q == fcw_before + was_grow - was_shrink);
    assert (!was_still || cnt_q == cnt_before);
    assert (!was_grow || cnt_q == HALF);
    assert (cnt_q <= HALF + trained);
    assert (!grow || trained >= HALF - 1'b1);
end
