// spref_loopdet.props.v - a loop becomes ready only behind a second pass, and that only behind a first;
// passes have one warp and stay within the loop; a rejected loop is not taken up again at once.
reg        first_done = 1'b0, second_done = 1'b0;
reg [31:0] last_rejected = 32'd0;
reg        any_rejected  = 1'b0;
always @(posedge clk) begin
    first_done  <= !(rst || kernel_start || detected || inner || abandoned || rejected || gave_up)
                && (first_done || (pass == 2'd1 && pass_end));
    second_done <= !(rst || kernel_start || detected || inner || rejected)
                && (second_done || (pass == 2'd2 && pass_end && found));
    any_rejected  <= !(rst || kernel_start) && (any_rejected || rejected);
    last_rejected <= rejected ? end_q : last_rejected;
end
always @* if (started) begin
    assert (fsm_q <= READY);
    assert (pass != 2'd3);
    assert (pass != 2'd2 || first_done);
    assert (!loop_valid || second_done);
    assert (pass == 2'd0 || (dec_valid && dec_pc >= loop_start && dec_pc <= loop_end));
    assert (pass == 2'd0 || pass_begin || dec_wid == train_wid);
    assert (!(detected && any_rejected) || br_pc != last_rejected);
    assert (!(detected && (inner || gave_up || rejected)));
end
