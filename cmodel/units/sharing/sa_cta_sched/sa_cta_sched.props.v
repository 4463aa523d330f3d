// sa_cta_sched.props.v - every CTA is issued once and none is lost: what is issued, what is in the
// SMs' groups and what is in none make up the kernel; groups do not overlap, and lie below next; one
// pointer at a time moves, by one.  The second half says of the form in three cycles what its states
// have in common, so that one cycle leads from such a state to another, and none need be searched.
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

// The next group: behind what was handed out, and what follows it ends the kernel.  As long as no
// first group is dealt to an SM, it has none, and no SM is served.  What is chosen is one SM that has
// CTAs or finds some; what is issued is the first of its group, or of those in no group.
always @* if (started) begin
    assert (ahead_q + after_q == total_q && after_q <= total_q);
    assert (pool_q || next_q <= ahead_q);
    assert (pool_q || prime_q || !more || next_q != ahead_q);
    assert (!prime_q || next_q == ahead_q);
    assert (pool_q || !more || step_q != {CTAW{1'b0}});
    assert (!pool_q || run);
    assert (last_q <= LAST);
    assert (!prime_q || (last_q == LAST && !walk_q));
    for (f = 0; f < NSM; f = f + 1)
        assert (run || !has[f] || (walk_q && f[SM_W-1:0] < walk_sm));
    assert (!valid_q || run);
end
generate
if (ONE_CYCLE == 0) begin : g_three_cycles_sound
    always @* if (started) begin
        assert (run || !(|g_three_cycles.chosen_q));
        assert (!valid_q || !g_three_cycles.pooled_q || (pool_q && more && cta_q == next_q));
        assert (!valid_q || g_three_cycles.pooled_q || |(of_last & has));
        assert (g_three_cycles.carry_q == &cta_q[CTAW/2-1:0]);
    end
end
endgenerate
