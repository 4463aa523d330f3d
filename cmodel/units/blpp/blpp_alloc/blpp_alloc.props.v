// blpp_alloc.props.v - every request is answered a cycle later, by a memory that has room if one has.
reg asked = 1'b0, had_gpu = 1'b0, had_cpu = 1'b0, all_gpu = 1'b0;
always @(posedge clk) begin
    asked   <= alloc_req && !rst;
    had_gpu <= !gpu_full;
    had_cpu <= !cpu_full;
    all_gpu <= p_opt == 17'd65536;
end
always @* if (started) begin
    assert (node_valid == asked);
    assert (lfsr_q != 16'd0);
    if (node_valid) begin
        assert (need_replace == (!had_gpu && !had_cpu));
        assert (need_replace || (node ? had_cpu : had_gpu));
        assert (!all_gpu || !node || (!had_gpu && had_cpu));
    end
end
