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
// How many periods are left at most: of the binary steps, down and up, and then of the linear ones,
// down and up.
localparam RANK_W = WCW + 3;
reg [RANK_W-1:0] magnitude;  // of nc: its highest bit
integer f;
always @* begin
    magnitude = {RANK_W{1'b0}};
    for (f = 0; f < WCW; f = f + 1)
        if (nc[f]) magnitude = f[RANK_W-1:0];
end
wire [RANK_W-1:0] counts = {3'd0, nt_q}, count = {3'd0, nc};
wire [RANK_W-1:0] rank = linear_q ? (up_q ? counts - count + 1'b1 : counts + count + 1'b1)
                       : 2 * counts + WCW + (up_q ? 2 + !highest - magnitude : 4 + magnitude);
always @* if (started) begin
    assert (nc != {WCW{1'b0}} && nc <= nt_q);
    assert (np_q != {WCW{1'b0}} && np_q <= nt_q);
    assert (nc == nc_before || may_change);
    assert (!done || nt_q == 1 || better || worse);
    assert (init_q ? periods == 0 && sub_q == 0 : periods + rank < 2 * counts + 2 * WCW + 5);
    assert (init_q || (nt_q != ONE && ns_q != {WCW{1'b0}} && ns_q <= nt_q));
    assert (init_q || !up_q || (nc >= ns_q && (!linear_q || ns_q != ONE)));
    assert (init_q || up_q || nc <= ns_q);
    assert (sub_q <= LAST);
end
