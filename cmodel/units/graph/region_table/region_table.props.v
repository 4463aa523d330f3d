// region_table.props.v - an answer is that of its look-up: the entry has the address, no lower one
// does; all ones if none does.
(* anyconst *) reg [ID_W-1:0] lower;
reg              asked = 1'b0, lower_had = 1'b0;
reg [ENTRIES:0]  had = {(ENTRIES+1){1'b0}};
always @(posedge clk) begin
    asked     <= !rst && lk_valid;
    had       <= {1'b0, holds};
    lower_had <= lower != {ID_W{1'b1}} && holds[lower];
end
always @* if (started) begin
    assert (lk_done == asked);
    assert (!asked || (rid == {ID_W{1'b1}} ? had == {(ENTRIES+1){1'b0}} : had[rid]));
    assert (!asked || !lower_had || rid <= lower);
end
