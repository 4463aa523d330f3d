// ptt.props.v - a flag never falls but by a launch or a freed entry (RECOMPUTE = 0), a free entry holds
// nothing, a PC is there once, and UPDATE ends.
(* anyconst *) reg [ID_W-1:0] any_id, other_id;
always @* assume (any_id != {ID_W{1'b1}} && other_id != {ID_W{1'b1}} && any_id != other_id);
reg trained_before = 1'b0, reuse_before = 1'b0, stays = 1'b0;
reg [ID_W+1:0] cycles = {(ID_W+2){1'b0}};  // of UPDATE
always @(posedge clk) begin
    trained_before <= trained_q[any_id];
    reuse_before   <= reuse_q[any_id];
    stays  <= started && !rst && !kernel_start && !is_freed[any_id];
    cycles <= rst || kernel_start || !busy ? {(ID_W+2){1'b0}} : cycles + 1'b1;
end
always @* if (started) begin
    assert (!stays || !trained_before || trained_q[any_id]);
    assert (RECOMPUTE != 0 || !stays || !reuse_before || reuse_q[any_id]);
    assert (valid_q[any_id] || !(trained_q[any_id] || reuse_q[any_id] || |acc_q[any_id] || |hits_q[any_id]));
    assert (!(valid_q[any_id] && valid_q[other_id]) || pc_q[any_id] != pc_q[other_id]);
    assert (at_q <= LAST && where_q <= LAST);
    assert ((busy && phase_q != FREE) || at_q == {ID_W{1'b0}});
    assert (!busy || cycles == {2'b00, at_q} + (REPLACE == 0 || seeks ? {(ID_W+2){1'b0}} : ENTRIES[ID_W+1:0])
            + {{(ID_W+1){1'b0}}, halves && REPLACE != 0});
    assert (REPLACE != 0 || halves || !busy);
    assert (!take || (res_valid && !valid_q[res_id] && res_idx == hash));
    assert (!freed || &valid_q);
end
