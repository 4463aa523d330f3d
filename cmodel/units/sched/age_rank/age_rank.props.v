// age_rank.props.v - resident warps have different ranks below their number: nobody is lost,
// nobody tied.
integer         f, g;
reg [WID_W:0]    residents;
always @* begin
    residents = {(WID_W+1){1'b0}};
    for (f = 0; f < WARPS; f = f + 1)
        residents = residents + {{WID_W{1'b0}}, resident_q[f]};
end
always @* if (started) begin
    for (f = 0; f < WARPS; f = f + 1) begin
        assert (resident_q[f] ? {1'b0, rank_q[f*WID_W +: WID_W]} < residents
                              : rank_q[f*WID_W +: WID_W] == {WID_W{1'b0}});
        for (g = 0; g < f; g = g + 1)
            assert (!resident_q[f] || !resident_q[g]
                    || rank_q[f*WID_W +: WID_W] != rank_q[g*WID_W +: WID_W]);
    end
end
