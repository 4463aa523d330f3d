// dac_clp.props.v - a PC has one entry, and a load once classified is answered with its class
// until ENTRIES others have come; none is displaced while an entry is free; what was never
// classified since kernel_start is unknown.
// The assertions speak of all entries, so that those of a cycle follow from those of the one before.
(* anyconst *) reg [PC_W-1:0]  any_pc;
integer f, g;
reg             known = 1'b0, class = 1'b0, asked = 1'b0, full = 1'b0;
reg [PTR_W-1:0] place = {PTR_W{1'b0}};  // its entry
reg [PTR_W:0]   since = {(PTR_W+1){1'b0}};  // PCs that came after it
reg [1:0]       due   = UNKNOWN;
wire its_own = ins_valid && ins_pc == any_pc;
wire fresh   = its_own && !known;
wire dropped = known && ins_new && since == ENTRIES - 1;
wire forgets = rst || kernel_start;
always @(posedge clk) begin
    known <= !forgets && (fresh || (known && !dropped));
    class <= fresh || (its_own && INS_UPDATES != 0) ? ins_flag : class;
    place <= fresh ? ptr_q : place;
    since <= fresh ? {(PTR_W+1){1'b0}} : since + {{PTR_W{1'b0}}, ins_new};
    asked <= !forgets && (lk_valid ? lk_pc == any_pc : asked);
    due   <= forgets || !known ? UNKNOWN : class ? LOCALITY : NONE;
    if (!lk_valid && !forgets) due <= due;
    full  <= !forgets && (full || (ins_new && (&ptr_q)));
end
always @* if (started) begin
    for (f = 0; f < ENTRIES; f = f + 1) begin
        assert (valid_q[f] == (full || f < ptr_q));
        assert (known || !valid_q[f] || pc_q[f] != any_pc);
        for (g = 0; g < f; g = g + 1)
            assert (!valid_q[f] || !valid_q[g] || pc_q[f] != pc_q[g]);
    end
    assert (!evict || (&valid_q));
    assert (known == (valid_q[place] && pc_q[place] == any_pc && known));
    assert (!known || (flag_q[place] == class && since < ENTRIES));
    assert (!known || place == ptr_q - 1'b1 - since[PTR_W-1:0]);
    assert (!asked || state == due);
end
