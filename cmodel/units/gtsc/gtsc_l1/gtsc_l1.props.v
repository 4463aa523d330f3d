// gtsc_l1.props.v - a lock is of a copy whose ack is owed; a load is performed under a lease that
// has not ended.  What holds of warps' timestamps is in gtsc_warps.props.v.
(* anyconst *) reg [LINE_W-1:0] any_line;
always @* assume ({1'b0, any_line} < LINES_X);
always @* if (started) begin
    assert (!locked_q[any_line] || (live_q[any_line]
            && owed_q[any_line*OWED_W +: OWED_W] != {OWED_W{1'b0}}));
    assert (!hit || (copy && t <= c_rts));
    assert (!(copy && locked && (install || renews)));
end
