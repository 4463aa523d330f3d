// adi_engine.props.v - the index never changes but at the end of a flush, which once wanted
// stays wanted; the selectors name different candidates; a decision takes its cycles and no
// more.
reg [S*SEL_W-1:0] sel_before = {S*SEL_W{1'b0}};
reg               wanted = 1'b0, was_flushed = 1'b0;
reg [6:0]         deciding = 7'd0;
always @(posedge clk) begin
    sel_before  <= rst ? sel_home : sel_q;
    wanted      <= !rst && flush_req && !flush_done;
    was_flushed <= !rst && flush_req && flush_done;
    deciding    <= rst || sub_phase != 2'd3 || flush_req ? 7'd0 : deciding + 7'd1;
end
integer f, g;
always @* if (started) begin
    assert (sel_q == sel_before || was_flushed);
    assert (!wanted || flush_req);
    assert (sub_phase != 2'd3 || flush_req || deciding < DEC_CYC);
    assert (phase_q <= HOME);
    assert (vic_pos_q < S);
    for (f = 0; f < S; f = f + 1) begin
        assert (sel_q[f*SEL_W +: SEL_W] < CAND_BITS);
        for (g = 0; g < f; g = g + 1)
            assert (sel_q[f*SEL_W +: SEL_W] != sel_q[g*SEL_W +: SEL_W]);
    end
end
