// rpd_bypass.props.v - a miss gets a line or bypasses, never both, and never a line that is protected or
// waits for data; no counter is above PD; one that is not named by the cycle never rises.
integer f;
reg [WAYS-1:0] lines_open;
always @* begin
    for (f = 0; f < WAYS; f = f + 1)
        lines_open[f] = invalid[f] || open[f];
end
(* anyconst *) reg [$clog2(SETS)-1:0] any_set;
localparam LAST_SET = SETS - 1;
always @* assume (any_set <= LAST_SET[$clog2(SETS)-1:0]);
wire [WAYS*W-1:0] row = rpd_q[any_set];
reg  [WAYS*W-1:0] before = {WAYS*W{1'b0}};
reg  [WAYS-1:0]   named = {WAYS{1'b1}};
always @(posedge clk) begin
    before <= row;
    for (f = 0; f < WAYS; f = f + 1)
        named[f] <= rst || (fill_valid && fill_set == any_set && fill_way == f)
                    || (req_set == any_set && ((req_valid && hit && hit_way == f)
                                               || (victim_valid && victim_way == f)));
end
always @* if (started) begin
    assert (!(bypass && victim_valid));
    assert (missed == (bypass || victim_valid));
    assert (!victim_valid || lines_open[victim_way]);
    assert (!bypass || lines_open == {WAYS{1'b0}});
    for (f = 0; f < WAYS; f = f + 1) begin
        assert (row[f*W +: W] <= FULL);
        assert (named[f] || row[f*W +: W] <= before[f*W +: W]);
    end
end
