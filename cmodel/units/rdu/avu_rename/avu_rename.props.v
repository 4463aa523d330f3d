// avu_rename.props.v - every physical register is free, or holds the result of one register
// at most.
integer one, other;
always @* if (started)
    for (one = 0; one < ENTRIES; one = one + 1) begin
        assert (!valid_q[one] || !free_q[phys_q[one*PHYS_W +: PHYS_W]]);
        for (other = 0; other < one; other = other + 1)
            assert (!valid_q[one] || !valid_q[other]
                    || phys_q[one*PHYS_W +: PHYS_W] != phys_q[other*PHYS_W +: PHYS_W]);
    end
