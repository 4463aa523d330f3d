// obm.props.v - an operation is done at last: each pair that it judges is gone, so that there are at
// most as many as entries; a pair is judged once; frozen counters stay; decisions are the counter's.
(* anyconst *) reg [AT_W-1:0]  any_at;
(* anyconst *) reg [SIG_W-1:0] any_sig;
always @* assume (op < 2'd3);
reg [AT_W:0] left = {(AT_W+1){1'b0}};
reg [CTR_W-1:0] ctr_before = {CTR_W{1'b0}};
reg             changed = 1'b0, was_reset = 1'b1;
always @(posedge clk) begin
    ctr_before <= ctr_q[any_sig];
    changed    <= changes && of == any_sig;
    was_reset  <= rst;
end
integer n;
always @* begin
    left = {(AT_W+1){1'b0}};
    for (n = 0; n < ENTRIES; n = n + 1) left = left + {{AT_W{1'b0}}, pick_q[n]};
end
wire judging = phase_q == PICK || phase_q == READ || phase_q == FIRST || phase_q == SECOND;
always @* if (started) begin
    assert (phase_q <= DECIDE);
    assert (!(is_ib_q[any_at] || is_vb_q[any_at]) || (valid_q[any_at] && judging));
    assert (!(is_ib_q[any_at] && is_vb_q[any_at]));
    assert (left <= {{AT_W{1'b0}}, 1'b1});
    assert (phase_q != READ || left == {{AT_W{1'b0}}, 1'b1});
    assert (!(judges && pick[any_at]) || valid_q[any_at]);
    assert (was_reset || changed || ctr_q[any_sig] == ctr_before);
    assert (FREEZE == 0 || ctr_q[any_sig] == INIT[CTR_W-1:0]);
    assert (!byp || ctr_q[sig_q] >= (1 << (CTR_W - 1)));
    assert (lfsr_q != 16'd0);
end
