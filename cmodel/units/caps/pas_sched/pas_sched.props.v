// pas_sched.props.v - no warp is lost: of the lists, a live warp stands in exactly one queue, and only
// live ones do; the leading queue is part of the ready queue, and neither overflows.  Of the form that
// takes several cycles, only live warps are ready, and counted: RQ, or one more while one gives way;
// the order has no cycle, and marked warps stand before others.
integer f, h;
always @* if (started)
    assert ((marked_q & ~live_q) == {WARPS{1'b0}} && (rq_vec & ~live_q) == {WARPS{1'b0}});
generate
if (ONE_CYCLE != 0) begin : g_lists_sound
reg [WARPS-1:0] in_ready, in_pending, twice;
always @* begin
    in_ready   = {WARPS{1'b0}};
    in_pending = {WARPS{1'b0}};
    twice      = {WARPS{1'b0}};
    for (f = 0; f < RQ; f = f + 1)
        if (f[RQ_COUNT_W-1:0] < g_lists.rq_count_q) begin
            twice[g_lists.rq_q[f*WID_W +: WID_W]] = twice[g_lists.rq_q[f*WID_W +: WID_W]]
                                         || in_ready[g_lists.rq_q[f*WID_W +: WID_W]];
            in_ready[g_lists.rq_q[f*WID_W +: WID_W]] = 1'b1;
        end
    for (f = 0; f < WARPS; f = f + 1)
        if (f[$clog2(WARPS+1)-1:0] < g_lists.pq_count_q) begin
            twice[g_lists.pq_q[f*WID_W +: WID_W]] = twice[g_lists.pq_q[f*WID_W +: WID_W]]
                                         || in_pending[g_lists.pq_q[f*WID_W +: WID_W]];
            in_pending[g_lists.pq_q[f*WID_W +: WID_W]] = 1'b1;
        end
end
always @* if (started) begin
    assert ((in_ready ^ in_pending) == live_q && !(|twice));
    assert (g_lists.rq_count_q <= RQ && g_lists.lq_count_q <= g_lists.rq_count_q && g_lists.pq_count_q <= WARPS);
end
end else begin : g_moves_sound
reg [WARPS:0] ready_number;
reg [WARPS*WARPS-1:0] follows;  // row f: the slots behind slot f
reg                   ordered;
always @* begin
    ready_number = {(WARPS+1){1'b0}};
    follows      = {(WARPS*WARPS){1'b0}};
    for (f = 0; f < WARPS; f = f + 1) begin
        ready_number = ready_number + {{WARPS{1'b0}}, rq_vec[f]};
        for (h = 0; h < f; h = h + 1) begin
            follows[f*WARPS + h] = g_moves.order_q[f*(f-1)/2 + h];
            follows[h*WARPS + f] = !g_moves.order_q[f*(f-1)/2 + h];
        end
    end
    ordered = 1'b1;
    for (f = 0; f < WARPS; f = f + 1) begin
        if (marked_q[f] && |(~marked_q & ~follows[f*WARPS +: WARPS]))
            ordered = 1'b0;
        for (h = 0; h < WARPS; h = h + 1)
            if (follows[f*WARPS + h] && |(follows[h*WARPS +: WARPS] & ~follows[f*WARPS +: WARPS]))
                ordered = 1'b0;
    end
end
always @* if (started) begin
    assert (g_moves.ready_count_d == ready_number);
    assert (g_moves.ready_count_d <= RQ + g_moves.evict_q);
    assert (ordered);
end
end
endgenerate
