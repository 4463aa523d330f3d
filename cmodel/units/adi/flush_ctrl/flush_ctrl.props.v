// flush_ctrl.props.v - a flush visits every set once, in order, and ends with the last; a
// cycle without dirty lines always gets on; what is written back is the lowest dirty line.
reg [SET_W:0] steps = {(SET_W+1){1'b0}};  // of the running flush
always @(posedge clk)
    steps <= rst || flush_done ? {(SET_W+1){1'b0}} : steps + {{SET_W{1'b0}}, flush_step};
always @* if (started) begin
    assert (steps == {1'b0, flush_set});
    assert (!flush_done || steps == SETS - 1);
    assert (!flush_req || any || flush_step);
    assert (!flush_step || !any || (wb_valid && wb_ready && WB_OVERLAP != 0));
    assert (!wb_valid || (dirty[wb_way] && (dirty & ~({WAYS{1'b1}} << wb_way)) == 0));
end
