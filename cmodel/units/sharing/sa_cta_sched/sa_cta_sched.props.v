// sa_cta_sched.props.v - every CTA is issued once and none is lost: what is issued, what is in the
// SMs' groups and what is in none make up the kernel; groups do not overlap, and lie below next; one
// pointer at a time moves, by one.
reg  [CTAW-1:0] issued = {CTAW{1'b0}};  // since the launch
reg  [CTAW-1:0] owned;
integer f, h;
always @(posedge clk)
    issued <= rst || launch_valid ? {CTAW{1'b0}} : issued + {{(CTAW-1){1'b0}}, (|passes) || pool_passes};
always @* begin
    owned = {CTAW{1'b0}};
    for (f = 0; f < NSM; f = f + 1)
        owned = owned + end_q[f*CTAW +: CTAW] - cur_q[f*CTAW +: CTAW];
end
always @* assume (!launch_valid || launch_group != {CTAW{1'b0}});
always @* if (started) begin
    assert (issued + owned == next_q);
    assert (next_q <= total_q);
    assert (!all_issued || issued == total_q);
    assert ((pick & (pick - 1'b1)) == {NSM{1'b0}} && (passes & (passes - 1'b1)) == {NSM{1'b0}});
    assert ((pick & ~has) == {NSM{1'b0}} || more);
    assert (!pool_passes || (passes == {NSM{1'b0}} && more && pool_behind == next_q + ONE));
    assert (ONE_CYCLE != 0 || !(valid_q && |pick));
    assert (ONE_CYCLE != 0 || pool_behind == cta_q + ONE);
    assert (ONE_CYCLE != 0 || !pool_passes || cta_q == next_q);
    for (f = 0; f < NSM; f = f + 1) begin
        assert (cur_q[f*CTAW +: CTAW] <= end_q[f*CTAW +: CTAW]);
        assert (end_q[f*CTAW +: CTAW] <= next_q);
        assert (ONE_CYCLE != 0 || !passes[f] || cta_q == cur_q[f*CTAW +: CTAW]);
        assert (!passes[f] || gets[f]
                || (has[f] && behind[f*CTAW +: CTAW] == cur_q[f*CTAW +: CTAW] + ONE));
        for (h = 0; h < f; h = h + 1)
            assert (cur_q[f*CTAW +: CTAW] >= end_q[h*CTAW +: CTAW]
                    || cur_q[h*CTAW +: CTAW] >= end_q[f*CTAW +: CTAW]
                    || !has[f] || !has[h]);
    end
end
