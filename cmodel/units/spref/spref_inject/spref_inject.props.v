// spref_inject.props.v - a register is read by a move only behind as many prefetches as the distance; what
// is injected has a lane, of those that decode; nothing is injected for warps that are off or blocked;
// spare registers of a warp are its own: id - maxreg_s is below nloads * distance.
(* anyconst *) reg [5:0] any_wid;
localparam [31:0] WARPS32 = WARPS;
always @* assume ({26'd0, any_wid} < WARPS32);
wire [1:0] its_st = st_q[any_wid*2 +: 2], its_dist = dist_q[any_wid*2 +: 2];
wire [1:0] its_warm = warm_q[any_wid*2 +: 2], its_slot = slot_q[any_wid*2 +: 2];
wire       its = dec_wid == any_wid;
wire [5:0] above = out_dst - maxreg_s;
wire [5:0] limit = {3'd0, nloads} * {4'd0, out_dist};
always @* if (started) begin
    assert (its_st != RUN || its_dist != 2'd0);
    assert (its_st != RUN || (its_warm <= its_dist && its_slot < its_dist));
    assert (its_st != COUNT || (its_warm == 2'd0 && its_slot == 2'd0));
    assert (!(its && pop_mov) || (its_st == RUN && its_warm == its_dist));
    assert (!(its && injects) || its_st == RUN);
    assert (!injects || (out_mask[63:32] != 32'd0 && (out_mask[63:32] & ~dec_mask) == 32'd0));
    assert (!(its && push) || above < limit);
    assert (!pop_tail || injects);
end
