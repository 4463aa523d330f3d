// bim.props.v - the active array has nothing that the other one lacks, notes are of evictions, the
// default changes only as flipped says, and then both arrays are empty.
(* anyconst *) reg [WO_W-1:0] any_word;
reg was_fine = 1'b0, was_flip = 1'b0, same_run = 1'b0, was_asked = 1'b0;
always @(posedge clk) begin
    was_fine <= fine_q;
    was_flip <= flipped;
    same_run <= started && !rst;
    was_asked    <= !rst && miss_valid;
end
always @* if (started) begin
    assert (done == was_asked);
    assert (active_q ? !(|(one_q[any_word] & ~two_q[any_word])) : !(|(two_q[any_word] & ~one_q[any_word])));
    assert (evict_q || !note_q);
    assert (notes_q <= evicts_q);
    assert (!same_run || fine_q == (was_fine ^ was_flip));
    assert (!same_run || !was_flip || (one_q[any_word] == 32'd0 && two_q[any_word] == 32'd0));
end
