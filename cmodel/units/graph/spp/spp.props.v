// spp.props.v - an answer follows every miss that was taken, has what was asked for, and, while
// tags of a set differ, is of one entry; ranks of a set stay a permutation.
(* anyconst *) reg [SET_W-1:0] any_set;
reg       asked = 1'b0;
reg [3:0] needed = 4'b0000;
always @(posedge clk) begin
    asked  <= !rst && takes;
    needed <= miss_need;
end
wire its_row      = busy_q && set_q == any_set;
wire row_is_whole = row_valid_q == valid_q[any_set*WAYS +: WAYS]
                    && row_rank_q == rank_q[any_set*(WAYS*WAY_W) +: WAYS*WAY_W];
integer a, b;
always @* if (started) begin
    assert (done == asked);
    assert (!asked || (mask & needed) == needed);
    assert (!its_row || row_is_whole);
    assert (!its_row || (same & (same - 1'b1)) == {WAYS{1'b0}});
    for (a = 0; a < WAYS; a = a + 1) begin
        assert (!its_row || !row_valid_q[a]
                || row_tag_q[a*TAG_W +: TAG_W] == tag_q[{any_set, a[WAY_W-1:0]}]);
        for (b = 0; b < a; b = b + 1) begin
            assert (rank_q[(any_set*WAYS + a)*WAY_W +: WAY_W] != rank_q[(any_set*WAYS + b)*WAY_W +: WAY_W]);
            assert (!valid_q[any_set*WAYS + a] || !valid_q[any_set*WAYS + b]
                    || tag_q[{any_set, a[WAY_W-1:0]}] != tag_q[{any_set, b[WAY_W-1:0]}]);
        end
    end
end
