// spref_tagtrk.props.v - strided registers are those that have an entry, one each; a register with a
// load-id is random; no constant of a first pass is left behind it.
(* anyconst *) reg [5:0] any_reg;
always @* assume (any_reg != NONE);
always @* assume (raw_upd == (src0 == dst && dst != NONE));
always @* assume (!imm_valid || src1 == NONE);
always @* assume (tag_init == (pass_begin && first));
always @* assume (pass != 2'd3);
always @* assume (!pass_begin || pass != 2'd0);
reg in_first = 1'b0, in_pass = 1'b0;
always @(posedge clk) if (pass != 2'd0 || rst) begin
    in_pass  <= !rst && !pass_end;
    in_first <= !rst && first && !pass_end;
end
always @* assume (pass == 2'd0 || pass_begin || in_pass);
always @* assume (pass == 2'd0 || pass_begin || in_first == first);
always @* assume (!(pass_begin && in_first && pass == 2'd2));
wire [1:0] its_tag = tag_q[any_reg*2 +: 2], its_lid = lid_q[any_reg*2 +: 2];
reg [2:0] entries;
reg       heads_random;  // of all registers: a move hands both on
integer q;
always @* begin
    heads_random = 1'b1;
    for (q = 0; q < REGS; q = q + 1)
        if (lid_q[q*2 +: 2] != 2'd0 && tag_q[q*2 +: 2] != RANDOM) heads_random = 1'b0;
    entries = 3'd0;
    for (q = 0; q < STRIDES; q = q + 1)
        entries = entries + {2'd0, cam_reg_q[q*6 +: 6] == any_reg};
end
always @* if (started) begin
    assert (entries == {2'd0, its_tag == STRIDE});
    assert (in_first || its_tag != 2'd3);
    assert (!(pass == 2'd2 && dst_tag_next == 2'd3));
    assert (heads_random);
    assert (its_lid != 2'd3 || base_q[any_reg*6 +: 6] == NONE);
end
