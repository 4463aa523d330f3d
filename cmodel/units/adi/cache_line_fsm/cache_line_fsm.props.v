// cache_line_fsm.props.v - no line is forgotten: one that waits for its data waits until a
// fill names it, and only then is it anything but RESERVED or DOOMED; codes without a meaning
// do not occur.
(* anyconst *) reg [$clog2(SETS)-1:0] any_set;
(* anyconst *) reg [WAY_W-1:0]        any_way;
wire [2:0] line   = line_of(line_q[any_set], any_way);
wire       filled_now = fill_valid && fill_set == any_set && fill_way == any_way;
reg        waited = 1'b0;
always @(posedge clk) waited <= !rst && (line == RESERVED || line == DOOMED) && !filled_now;
always @* if (started) begin
    assert (line <= (WRITE_BACK != 0 ? MODIFIED : DOOMED));
    assert (!waited || line == RESERVED || line == DOOMED);
end
