// idle_mon.props.v - adaptation begins again only at the end of a period of CP cycles of this phase,
// never by the first one.
reg [SUB_W:0] cycles = {(SUB_W+1){1'b0}};  // in the phase, since the last period
reg           first  = 1'b1;
always @(posedge clk) begin
    cycles <= rst || kernel_start || !phase_idle || sampled ? {(SUB_W+1){1'b0}} : cycles + 1'b1;
    first  <= rst || kernel_start || !phase_idle || (retrigger || (first && !sampled));
end
always @* if (started) begin
    assert (!retrigger || (sampled && !first));
    assert (sampled == (phase_idle && !kernel_start && cycles == CP - 1));
    assert (cycles == {1'b0, sub_q} && first == init_q && cycles < CP);
end
