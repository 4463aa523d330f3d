// spref_itercnt.props.v - the sum follows its setp by a cycle, over no more than 15 for each lane; a
// count is what the last setp of its lane gave, and stays where there was none.
(* anyconst *) reg [5:0] any_wid;
(* anyconst *) reg [4:0] any_lane;
reg       was_setp = 1'b0, soon = 1'b0;
reg [3:0] soon_count = 4'd0, its_count = 4'd0;
wire      hits_it = setp_valid && wid == any_wid && mask[any_lane];
localparam [31:0] WARPS32 = WARPS;
always @* assume ({26'd0, any_wid} < WARPS32);
always @(posedge clk) begin
    was_setp   <= !rst && setp_valid;
    soon       <= !rst && hits_it;
    soon_count <= pending[any_lane*4 +: 4];
    its_count  <= rst ? 4'd0 : soon ? soon_count : its_count;
end
always @* if (started) begin
    assert (sum_valid == was_setp);
    assert ({3'd0, n} * 9'd15 >= sum);
    assert (n <= 6'd32);
    assert (count_q[any_wid*128 + any_lane*4 +: 4] == its_count);
    assert (read_wid != any_wid || p[any_lane*4 +: 4] == its_count);
end
