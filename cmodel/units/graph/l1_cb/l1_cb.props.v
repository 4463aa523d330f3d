// l1_cb.props.v - a line whose fill was not exclusive is never copied back; one whose was, always,
// unless it was stored to or a kernel ended.
(* anyconst *) reg [$clog2(LINES)-1:0] any_line;
always @* assume (any_line < LINES && fill_line < LINES && inv_line < LINES);
reg held = 1'b0, exclusive = 1'b0;
wire its_fill = fills && fill_line == any_line;
wire its_store = inv_valid && inv_line == any_line;
always @(posedge clk) begin
    held <= !rst && !flush && (its_fill || (held && !its_store));
    if (its_fill) exclusive <= fill_excl;
end
always @* if (started) begin
    assert (valid_q[any_line] == held);
    assert (!held || cb_q[any_line] == exclusive);
    assert (!its_fill || evict_valid == (held && !its_store));
    assert (!its_fill || evict_cb == (held && exclusive && !its_store));
end
