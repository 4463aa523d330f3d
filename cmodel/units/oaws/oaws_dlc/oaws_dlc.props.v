// oaws_dlc.props.v - a load has one entry and no more misses than accesses; entries are
// totally ordered by their last use.
(* anyconst *) reg [ENTRY_W-1:0] one, other;
always @* assume (one != other);
always @* if (started) begin
    assert (!valid_q[one] || !valid_q[other] || pc_q[one] != pc_q[other]);
    assert (!valid_q[one] || miss_q[one] <= acc_q[one]);
    assert (lru_q[one*ENTRY_W +: ENTRY_W] != lru_q[other*ENTRY_W +: ENTRY_W]);
end
