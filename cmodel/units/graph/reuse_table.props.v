// reuse_table.props.v - flags never fall but by a launch or an opened or freed entry (RECOMPUTE = 0), a
// free entry holds nothing, and UPDATE ends.
(* anyconst *) reg [ID_W-1:0] any_id;
always @* assume (any_id != {ID_W{1'b1}});
wire [COLUMNS-1:0] any_reuse, any_hits;
genvar a;
generate
    for (a = 0; a < COLUMNS; a = a + 1) begin : g_any
        assign any_reuse[a] = |(reuse_q[a*ENTRIES +: ENTRIES] >> any_id & {{(ENTRIES-1){1'b0}}, 1'b1});
        assign any_hits[a]  = |hits_q[a*ENTRIES + any_id];
    end
endgenerate
reg               trained_before = 1'b0, stays = 1'b0;
reg [COLUMNS-1:0] reuse_before = {COLUMNS{1'b0}};
reg [ID_W+1:0]    cycles = {(ID_W+2){1'b0}};  // of UPDATE
always @(posedge clk) begin
    trained_before <= trained_q[any_id];
    reuse_before   <= any_reuse;
    stays  <= started && !rst && !kernel_start && !open[any_id] && !is_freed[any_id];
    cycles <= rst || kernel_start || !busy ? {(ID_W+2){1'b0}} : cycles + 1'b1;
end
always @* if (started) begin
    assert (!stays || !trained_before || trained_q[any_id]);
    assert (RECOMPUTE != 0 || !stays || (reuse_before & ~any_reuse) == {COLUMNS{1'b0}});
    assert (valid_q[any_id] || !(trained_q[any_id] || |any_reuse || |acc_q[any_id] || |any_hits));
    assert (at_q <= LAST && where_q <= LAST);
    assert ((busy && phase_q != FREE) || at_q == {ID_W{1'b0}});
    assert (!busy || cycles == {2'b00, at_q} + (REPLACE == 0 || seeks ? {(ID_W+2){1'b0}} : ENTRIES[ID_W+1:0])
            + {{(ID_W+1){1'b0}}, halves && REPLACE != 0});
    assert (REPLACE != 0 || halves || !busy);
    assert (!freed || &valid_q);
end
