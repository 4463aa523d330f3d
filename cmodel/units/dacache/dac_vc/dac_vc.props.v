// dac_vc.props.v - an access is remembered once, and until its PC is forgotten or ENTRIES others
// have been pushed; what was not pushed since is no hit; with FREE_FIRST nothing is displaced
// while an entry is free.  As the contract asks, only what is not remembered is pushed.
// The assertions speak of all entries, so that those of a cycle follow from those of the one before.
(* anyconst *) reg [PC_W-1:0]  any_pc;
(* anyconst *) reg [TAG_W-1:0] any_tag;
integer f, g;
always @* assume (!push || !(|match));
reg             known = 1'b0;
reg [PTR_W-1:0] place = {PTR_W{1'b0}};  // its entry
reg [PTR_W:0]   since = {(PTR_W+1){1'b0}};  // pushes after it
wire its_own = push && pc == any_pc && tag == any_tag;
wire gone    = (inv_valid && inv_pc == any_pc) || (push && !use_free && ptr_q == place);
always @(posedge clk) begin
    known <= !rst && !kernel_start && (its_own || (known && !gone));
    place <= its_own ? entry : place;
    since <= its_own ? {(PTR_W+1){1'b0}} : since + {{PTR_W{1'b0}}, push};
end
always @* if (started) begin
    for (f = 0; f < ENTRIES; f = f + 1) begin
        assert (known || !valid_q[f] || pc_q[f] != any_pc || tag_q[f] != any_tag);
        for (g = 0; g < f; g = g + 1)
            assert (!valid_q[f] || !valid_q[g] || pc_q[f] != pc_q[g] || tag_q[f] != tag_q[g]);
    end
    assert (!known || (valid_q[place] && pc_q[place] == any_pc && tag_q[place] == any_tag));
    assert (!acc_valid || pc != any_pc || tag != any_tag || hit == known);
    assert (!known || FREE_FIRST != 0 || place == ptr_q - 1'b1 - since[PTR_W-1:0]);
    assert (!known || FREE_FIRST != 0 || since < ENTRIES);
    assert (!(FREE_FIRST != 0 && disp_valid) || (&valid_q));
end
