// pas_sched.props.v - no warp is lost: a live warp stands in exactly one queue, and only live
// ones do; the leading queue is part of the ready queue, and neither overflows.
reg [WARPS-1:0] in_ready, in_pending, twice;
integer f;
always @* begin
    in_ready   = {WARPS{1'b0}};
    in_pending = {WARPS{1'b0}};
    twice      = {WARPS{1'b0}};
    for (f = 0; f < RQ; f = f + 1)
        if (f[RQ_COUNT_W-1:0] < rq_count_q) begin
            twice[rq_q[f*WID_W +: WID_W]] = twice[rq_q[f*WID_W +: WID_W]]
                                         || in_ready[rq_q[f*WID_W +: WID_W]];
            in_ready[rq_q[f*WID_W +: WID_W]] = 1'b1;
        end
    for (f = 0; f < WARPS; f = f + 1)
        if (f[PQ_COUNT_W-1:0] < pq_count_q) begin
            twice[pq_q[f*WID_W +: WID_W]] = twice[pq_q[f*WID_W +: WID_W]]
                                         || in_pending[pq_q[f*WID_W +: WID_W]];
            in_pending[pq_q[f*WID_W +: WID_W]] = 1'b1;
        end
end
always @* if (started) begin
    assert ((in_ready ^ in_pending) == live_q && !(|twice));
    assert (rq_count_q <= RQ && lq_count_q <= rq_count_q && pq_count_q <= WARPS);
    assert ((marked_q & ~live_q) == {WARPS{1'b0}});
end
