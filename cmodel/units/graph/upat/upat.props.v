// upat.props.v - the greatest is one of the counts, the lowest that has so many; a reservation ends
// when it is taken, with the next update, or with a launch.
(* anyconst *) reg [IDX_W-1:0] any_idx;
reg reserved_before = 1'b0, ended = 1'b0;
always @(posedge clk) begin
    reserved_before <= res_valid_q;
    ended <= rst || kernel_start || (update && !reserve) || (take && !update);
end
always @* if (started) begin
    assert (ctr_q[max_idx_q] == max_q);
    assert (ctr_q[any_idx] <= max_q);
    assert (ctr_q[any_idx] != max_q || any_idx >= max_idx_q);
    assert (!ended || !res_valid);
    assert (ended || !reserved_before || res_valid);
end
