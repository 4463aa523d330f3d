// iacm_core_ctrl.props.v - a phase ends only by its own end or a launch, nothing runs that is switched off,
// in order 0 and 1 the two never run together, and the engine is restarted whenever it is started.
reg adi_before = 1'b0, awl_before = 1'b0, was_end = 1'b1, restarted = 1'b1;
always @(posedge clk) begin
    adi_before <= !rst && adi_q;
    awl_before <= !rst && awl_q;
    was_end    <= rst || kernel_start || settled || (awl_q && awl_done) || (phase_idle && retrigger);
    restarted  <= rst || adi_restart;
end
always @* if (started) begin
    assert (was_end || (adi_q == adi_before && awl_q == awl_before));
    assert (!adi_q || adi_before || restarted);
    assert (ADI_ON != 0 || !adi_q);
    assert (AWL_ON != 0 || !awl_q);
    assert (ORDER == 2 || !(adi_q && awl_q));
    assert (phase_idle == (phase == 2'd2));
    assert (!adi_stay || adi_q);
end
