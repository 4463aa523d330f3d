// gtsc_l1.props.v - a lock is of a copy whose ack is owed; a warp's timestamp is 1 at least
// and falls only by flush; a load is performed under a lease that has not ended.
(* anyconst *) reg [LINE_W-1:0] any_line;
(* anyconst *) reg [WARP_W-1:0] any_warp;
always @* assume ({1'b0, any_line} < LINES_X && {1'b0, any_warp} < WARPS_X);
wire [TS_BITS-1:0] its_ts = warp_ts_q[any_warp*TS_BITS +: TS_BITS];
reg  [TS_BITS-1:0] ts_before = TS_ZERO;
always @(posedge clk) ts_before <= rst || (op_valid && flush) ? TS_ZERO : its_ts;
always @* if (started) begin
    assert (!locked_q[any_line] || (live_q[any_line]
            && owed_q[any_line*OWED_W +: OWED_W] != {OWED_W{1'b0}}));
    assert (its_ts >= ts_before && its_ts != TS_ZERO);
    assert (!hit || (copy && t <= c_rts));
    assert (!(copy && locked && (install || renews)));
end
