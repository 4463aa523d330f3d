// gto_sched.props.v - who issues qualifies; some warp issues whenever one qualifies; the
// oldest one, unless the last one goes on.  The order is that of the ranks.
integer f, g;
always @* if (started) begin
    assert (grant_valid == |qualified);
    assert (!grant_valid || qualified[grant_wid]);
    assert (!greedy || (last_valid_q && grant_wid == last_wid_q));
    assert (!last_valid_q || resident[last_wid_q]);
    for (f = 0; f < WARPS; f = f + 1)
        assert (!grant_valid || greedy || !qualified[f]
                || rank[grant_wid*WID_W +: WID_W] <= rank[f*WID_W +: WID_W]);
    for (f = 1; f < WARPS; f = f + 1)
        for (g = 0; g < f; g = g + 1)
            assert (!resident[f] || !resident[g]
                    || order[f*(f-1)/2 + g] == (rank[f*WID_W +: WID_W] < rank[g*WID_W +: WID_W]));
end
