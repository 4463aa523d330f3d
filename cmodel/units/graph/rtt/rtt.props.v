// rtt.props.v - what is exclusive is reused privately and by no other core; an access is untracked
// that is of no entry in use; with the last entry of UPDATE their count restarts.  Of entries and of
// UPDATE: reuse_table.props.v.
reg restarted = 1'b0;
always @(posedge clk) restarted <= last && !rst;
always @* if (started) begin
    assert (!lk_excl || (lk_known && lk_private && !lk_shared));
    assert (!untracked || freed || !in_use[fill_rid]);
    assert (!restarted || untracked_q <= {{(CTR_W-1){1'b0}}, 1'b1});
end
