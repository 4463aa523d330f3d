// gto_sched.props.v - who issues qualifies; some warp issues whenever one qualifies; the
// oldest one, unless the last one goes on.
integer f;
always @* if (started) begin
    assert (grant_valid == |qualified);
    assert (!grant_valid || qualified[grant_wid]);
    assert (!greedy || (last_valid_q && grant_wid == last_wid_q));
    assert (!last_valid_q || resident[last_wid_q]);
    for (f = 0; f < WARPS; f = f + 1)
        assert (!grant_valid || greedy || !qualified[f]
                || rank[grant_wid*WID_W +: WID_W] <= rank[f*WID_W +: WID_W]);
end
