// rtt.props.v - flags never fall but by a launch or an opened or freed entry (RECOMPUTE = 0), a
// free entry holds nothing, hits are at most accesses, and UPDATE ends.
(* anyconst *) reg [ID_W-1:0] any_rid;
always @* assume (any_rid != {ID_W{1'b1}});
reg shared_before = 1'b0, private_before = 1'b0, trained_before = 1'b0, stays = 1'b0;
reg [ID_W+1:0] cycles = {(ID_W+2){1'b0}};  // of UPDATE
always @(posedge clk) begin
    shared_before  <= shared_q[any_rid];
    private_before <= private_q[any_rid];
    trained_before <= trained_q[any_rid];
    stays  <= started && !rst && !kernel_start && !is_open[any_rid] && !is_freed[any_rid];
    cycles <= rst || kernel_start || !busy ? {(ID_W+2){1'b0}} : cycles + 1'b1;
end
always @* if (started) begin
    assert (!stays || !trained_before || trained_q[any_rid]);
    assert (RECOMPUTE != 0 || !stays || !shared_before || shared_q[any_rid]);
    assert (RECOMPUTE != 0 || !stays || !private_before || private_q[any_rid]);
    assert (valid_q[any_rid] || !(trained_q[any_rid] || shared_q[any_rid] || private_q[any_rid]
            || |acc_q[any_rid] || |shd_q[any_rid] || |pvt_q[any_rid]));
    assert (shd_q[any_rid] <= acc_q[any_rid] && pvt_q[any_rid] <= acc_q[any_rid]);
    assert (at_q <= LAST && where_q <= LAST);
    assert ((busy && phase_q != FREE) || at_q == {ID_W{1'b0}});
    assert (!busy || cycles == {2'b00, at_q} + (REPLACE == 0 || seeks ? {(ID_W+2){1'b0}} : ENTRIES[ID_W+1:0])
            + {{(ID_W+1){1'b0}}, halves && REPLACE != 0});
    assert (REPLACE != 0 || halves || !busy);
    assert (!lk_excl || (lk_private && !lk_shared));
end
