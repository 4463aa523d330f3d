// age_rank.props.v - resident warps have different ranks below their number: nobody is lost,
// nobody tied; and they stand in the order of their ranks.
localparam WID_W = $clog2(WARPS);
integer      f, g;
reg [WID_W:0] residents;
always @* begin
    residents = {(WID_W+1){1'b0}};
    for (f = 0; f < WARPS; f = f + 1)
        residents = residents + {{WID_W{1'b0}}, resident[f]};
end
always @* if (started) begin
    for (f = 0; f < WARPS; f = f + 1) begin
        assert (resident[f] ? {1'b0, gprio[f*WID_W +: WID_W]} < residents
                            : gprio[f*WID_W +: WID_W] == {WID_W{1'b0}});
        for (g = 0; g < f; g = g + 1)
            assert (!resident[f] || !resident[g]
                    || (gprio[f*WID_W +: WID_W] != gprio[g*WID_W +: WID_W]
                        && order[f*(f-1)/2 + g]
                           == (gprio[f*WID_W +: WID_W] < gprio[g*WID_W +: WID_W])));
    end
end
