// rdu_signature.props.v - a key that was put in is found until the filter is emptied, whatever
// else is put in; a bit is set only if a key put in since then has a hash there, so that an
// empty filter finds nothing.  Keys with the same six hashes are one here, which is stronger,
// and spares the proof the hash network.
localparam IDX_W = $clog2(M);
(* anyconst *) reg [6*IDX_W-1:0] its_idx;
(* anyconst *) reg [IDX_W-1:0]   any_bit;
reg inserted = 1'b0, bit_due = 1'b0, sets_bit;
integer f;
always @* begin
    sets_bit = 1'b0;
    for (f = 0; f < 6; f = f + 1)
        if (idx[f*IDX_W +: IDX_W] == any_bit) sets_bit = insert;
end
always @(posedge clk) begin
    inserted <= !rst && !clear && (inserted || (insert && idx == its_idx));
    bit_due  <= !rst && !clear && (bit_due || sets_bit);
end
always @* if (started) begin
    assert (!inserted || idx != its_idx || found);
    assert (sig_q[any_bit] == bit_due);
    for (f = 0; f < 6; f = f + 1)
        assert (!inserted || sig_q[its_idx[f*IDX_W +: IDX_W]]);
end
