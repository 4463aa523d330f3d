// nap.props.v - what is asked for is always fetched, a row moves by one step of a counter in an evict
// of its own alone, and nothing goes around its ends.
(* anyconst *) reg [IDX_W-1:0] any_row;
(* anyconst *) reg [2:0]       any_ctr;
always @* assume (any_ctr < 3'd6);
wire [CTR_W-1:0] now = row_q[any_row][any_ctr*CTR_W +: CTR_W];
reg [CTR_W-1:0] was = {CTR_W{1'b0}};
reg             same_run = 1'b0, trained = 1'b0, up = 1'b0, asked = 1'b0;
reg [3:0]       needed = 4'b0000;
always @(posedge clk) begin
    was      <= now;
    same_run <= started && !rst;
    trained  <= evict_valid && evict_idx == any_row && moves[any_ctr];
    up       <= reads[any_ctr];
    asked    <= !rst && miss_valid;
    needed   <= miss_need;
end
always @* if (started) begin
    assert (done == asked);
    assert (!asked || (mask & needed) == needed);
    assert (!same_run || trained || now == was);
    assert (!same_run || !trained || !up || now == (&was ? was : was + 1'b1));
    assert (!same_run || !trained || up || now == (|was ? was - 1'b1 : was));
end
