// dac_vc.props.v - an access is remembered once, and until its PC is forgotten or ENTRIES others
// have been pushed; what was not pushed since is no hit; with FREE_FIRST nothing is displaced
// while an entry is free.  As the contract asks, only what is not remembered is pushed.
(* anyconst *) reg [PTR_W-1:0] one, other;
(* anyconst *) reg [PC_W-1:0]  any_pc;
(* anyconst *) reg [TAG_W-1:0] any_tag;
always @* assume (one != other && (!push || !(|match)));
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
    assert (!valid_q[one] || !valid_q[other]
            || pc_q[one] != pc_q[other] || tag_q[one] != tag_q[other]);
    assert (!known || (valid_q[place] && pc_q[place] == any_pc && tag_q[place] == any_tag));
    assert (known || !valid_q[one] || pc_q[one] != any_pc || tag_q[one] != any_tag);
    assert (!acc_valid || pc != any_pc || tag != any_tag || hit == known);
    assert (!known || FREE_FIRST != 0 || place == ptr_q - 1'b1 - since[PTR_W-1:0]);
    assert (!known || FREE_FIRST != 0 || since < ENTRIES);
    assert (!(FREE_FIRST != 0 && disp_valid) || (&valid_q));
end
