// spp.props.v - an answer follows every miss that was taken, has what was asked for, and, while
// tags of a set differ, is of one entry; ranks of a set stay a permutation.
(* anyconst *) reg [SET_W-1:0] any_set;
(* anyconst *) reg [WAY_W-1:0] way_a, way_b;
reg       asked = 1'b0;
reg [3:0] needed = 4'b0000;
always @(posedge clk) begin
    asked  <= !rst && takes;
    needed <= miss_need;
end
wire ranks_differ = rank_q[{any_set, way_a}*WAY_W +: WAY_W] != rank_q[{any_set, way_b}*WAY_W +: WAY_W];
wire rows_differ  = row_rank_q[way_a*WAY_W +: WAY_W] != row_rank_q[way_b*WAY_W +: WAY_W];
wire row_is_whole = row_valid_q == valid_q[set_q*WAYS +: WAYS]
                    && row_rank_q == rank_q[set_q*(WAYS*WAY_W) +: WAYS*WAY_W];
wire both_valid   = valid_q[{any_set, way_a}] && valid_q[{any_set, way_b}];
wire both_in_row  = row_valid_q[way_a] && row_valid_q[way_b];
always @* if (started) begin
    assert (done == asked);
    assert (!asked || (mask & needed) == needed);
    assert (!busy_q || row_is_whole);
    assert (way_a == way_b || ranks_differ);
    assert (way_a == way_b || !busy_q || rows_differ);
    assert (way_a == way_b || !both_valid
            || tag_q[{any_set, way_a}] != tag_q[{any_set, way_b}]);
    assert (way_a == way_b || !busy_q || !both_in_row
            || row_tag_q[way_a*TAG_W +: TAG_W] != row_tag_q[way_b*TAG_W +: TAG_W]);
    assert (!busy_q || !row_valid_q[way_a] || row_tag_q[way_a*TAG_W +: TAG_W] == tag_q[{set_q, way_a}]);
    assert (!busy_q || (same & (same - 1'b1)) == {WAYS{1'b0}});
end
