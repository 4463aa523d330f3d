// awl_ctrl.props.v - at least one warp, and none that cannot be resident, is active; the count changes
// only with a step or a launch; every search ends: within so many periods as it could try counts.
reg [WCW-1:0] nc_before = {WCW{1'b1}};
reg           may_change = 1'b1;
reg [WCW+2:0] periods = {(WCW+3){1'b0}};  // of this search
always @(posedge clk) begin
    nc_before  <= rst ? {WCW{1'b1}} : nc;
    may_change <= rst || kernel_start || better || worse;
    periods    <= rst || kernel_start || done ? {(WCW+3){1'b0}}
                                              : periods + {{(WCW+2){1'b0}}, better || worse};
end
always @* if (started) begin
    assert (nc != {WCW{1'b0}} && nc <= nt_q);
    assert (np_q != {WCW{1'b0}} && np_q <= nt_q);
    assert (nc == nc_before || may_change);
    assert (!done || nt_q == 1 || better || worse);
    assert (periods < 3 * nt_q + 2 * WCW + 4);
end
