// flex_sdm.props.v - PSEL moves by no more than the slices, only up for non-inclusive leaders and
// only down for exclusive ones, and never around its ends; frozen, it stays.
reg [PSEL_W-1:0] before = {PSEL_W{1'b0}};
reg              moved  = 1'b0, up = 1'b0, down = 1'b0;
always @(posedge clk) begin
    before <= psel_q;
    moved  <= started && !rst;
    up     <= |(miss_valid & leads_ni);
    down   <= |(miss_valid & leads_ex);
end
always @* if (started) begin
    assert (!moved || psel_q >= before || before - psel_q <= SLICES);
    assert (!moved || psel_q <= before || psel_q - before <= SLICES);
    assert (!moved || down || psel_q >= before);
    assert (!moved || up || psel_q <= before);
    assert (!(leads_ni & leads_ex));
    assert (FREEZE != 1 || psel_q == {PSEL_W{1'b0}});
    assert (FREEZE != 2 || psel_q == {PSEL_W{1'b1}});
end
