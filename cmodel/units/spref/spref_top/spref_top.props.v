// spref_top.props.v - a register that a move copies, or that a tail's address comes from, is one of the
// spare ones; nothing is injected without a ready loop, nor without spare registers; a move is of a
// load that the table names.
always @* assume (raw_upd == (src0 == dst && dst != 6'd63));
always @* assume (!imm_valid || src1 == 6'd63);
wire any = |has;
always @* if (started) begin
    assert (out_valid[1] == stall_decode);
    assert (!out_valid[1] || loop_valid);
    assert (!out_valid[1] || (is_head || is_tail));
    assert (!pop_mov || (loop_valid && any && (is_head || is_tail)));
    assert (!out_valid[1] || (out_mask[63:32] & ~dec_mask) == 32'd0);
    assert (pass == 2'd0 || !loop_valid);
    assert (out_addr_mode != 2'd1 || is_head);
    assert (out_addr_mode != 2'd2 || is_tail);
    assert (!(distance != 2'd0 && maxreg_d_q == maxreg_s_q) || nloads == 3'd0);
end
