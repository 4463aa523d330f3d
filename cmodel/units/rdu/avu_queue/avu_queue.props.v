// avu_queue.props.v - the queue never overflows and loses nothing: its length changes by what
// is accepted and what leaves; entries past it are empty; what an operation means and what is to be
// taken are entries of it, and one entry at most is taken.
integer f;
reg [COUNT_W-1:0] length = {COUNT_W{1'b0}};
always @(posedge clk)
    length <= rst || kernel_start ? {COUNT_W{1'b0}}
            : length + {{(COUNT_W-1){1'b0}}, op == PUSH && ready}
                     - {{(COUNT_W-1){1'b0}}, entry_committed || (op == REDONE && ready && |sel)};
always @* if (started) begin
    assert (count_q <= ENTRIES);
    assert (count_q == length);
    assert (!full || !ready || op != PUSH);
    assert ((head & (head - 1'b1)) == {ENTRIES{1'b0}});
    assert (!head_valid || (head & ~used) == {ENTRIES{1'b0}});
    assert (!acts || ((sel | head) & ~used) == {ENTRIES{1'b0}});
    for (f = 0; f < ENTRIES; f = f + 1)
        assert (used[f] || !(value_q[f] || bound_q[f] || failed_q[f] || redo_q[f]));
end
