// avu_rename.props.v - every physical register is free, or holds the result of one register
// at most.
(* anyconst *) reg [PHYS_W-1:0]          any_phys;
(* anyconst *) reg [$clog2(ENTRIES)-1:0] one, other;
always @* assume (one < other && other < ENTRIES);
always @* if (started) begin
    assert (!valid_q[one] || !valid_q[other]
            || phys_q[one*PHYS_W +: PHYS_W] != phys_q[other*PHYS_W +: PHYS_W]);
    assert (!valid_q[one] || !free_q[phys_q[one*PHYS_W +: PHYS_W]]);
end
