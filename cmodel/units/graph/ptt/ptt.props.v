// ptt.props.v - a PC is there once, and a reserved entry goes to its hash alone.  Entries and UPDATE:
// reuse_table.props.v.
(* anyconst *) reg [ID_W-1:0] any_id, other_id;
always @* assume (any_id != {ID_W{1'b1}} && other_id != {ID_W{1'b1}} && any_id != other_id);
always @* if (started) begin
    assert (!(valid[any_id] && valid[other_id]) || pc_q[any_id] != pc_q[other_id]);
    assert (!take || (res_valid && !valid[res_id] && res_idx == hash));
    assert (!freed || &valid);
end
