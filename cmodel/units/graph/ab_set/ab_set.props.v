// ab_set.props.v - an exponent is E_MIN to E_MAX; an operation is done in the cycle behind that in which
// it was taken; nothing is right and wrong at once; without BYPASS nothing is bypassed, without
// VIRTUAL no inserted line is tracked; after a flush no set has an episode.
(* anyconst *) reg [SET_W-1:0] any_set;
always @* assume (any_set < SETS && set_index < SETS && op < 2'd3);
reg was_taken = 1'b0, was_flushed = 1'b0;
always @(posedge clk) begin
    was_taken   <= !rst && takes;
    was_flushed <= !rst && flush;
end
always @* if (started) begin
    assert (done == was_taken);
    assert (!live_q[any_set] || exp_q[any_set] <= E_MAX);
    assert (!live_q[any_set] || E_MIN == 0 || exp_q[any_set] >= E_MIN);
    assert (!busy_q || set_q != any_set || its_exp_q <= E_MAX);
    assert (set_q < SETS);
    assert (!was_flushed || !tracked_q[any_set]);
    assert (!was_flushed || !busy_q || !its_track_q);
    assert (!(effective && ineffective) && !(tracks && ends));
    assert (BYPASS != 0 || !byp);
    assert (!tracks || byp || VIRTUAL != 0);
    assert (BYPASS != 0 || !tracked_q[any_set] || virtual_q[any_set]);
    assert (VIRTUAL != 0 || !tracked_q[any_set] || !virtual_q[any_set]);
    assert (lfsr_q != 16'd0);
end
