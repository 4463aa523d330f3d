// caps_percta.props.v - a load has one entry in a slot's table; the ages of a table are a
// permutation; nobody is evicted while there is room; an entry keeps its leading warp; a
// flush leaves the slot empty and other slots alone; both ports see the same.
// PCs are only compared and copied: ROWS + 2 different ones behave as all.  Requests are held.
(* anyconst *) reg [$clog2(CTAS)-1:0] any_cta;
(* anyconst *) reg [WAY_W-1:0]        one, other;
always @* assume (one != other && ld_tag < 2 * ROWS && read_pc < 2 * ROWS);
reg                      ld_waits = 1'b0, read_waits = 1'b0;
reg [$clog2(CTAS)-1:0]   ld_cta_before   = {$clog2(CTAS){1'b0}};
reg [$clog2(CTAS)-1:0]   read_cta_before = {$clog2(CTAS){1'b0}};
reg [PC_W-1:0]           ld_tag_before   = {PC_W{1'b0}}, read_pc_before = {PC_W{1'b0}};
always @(posedge clk) begin
    ld_waits        <= !rst && ld_valid && !ld_ready;
    read_waits      <= !rst && read_valid && !read_ready;
    ld_cta_before   <= ld_cta;
    ld_tag_before   <= ld_tag;
    read_cta_before <= read_cta;
    read_pc_before  <= read_pc;
end
always @* begin
    assume (!ld_waits || (ld_valid && ld_cta == ld_cta_before && ld_tag == ld_tag_before));
    assume (!read_waits
            || (read_valid && read_cta == read_cta_before && read_pc == read_pc_before));
end
wire [ROW_W-1:0]         one_row = {any_cta, one}, other_row = {any_cta, other};
wire [ENTRIES*WAY_W-1:0] its_age = age_q[any_cta*(ENTRIES*WAY_W) +: ENTRIES*WAY_W];
reg             was_valid = 1'b0, was_flush = 1'b0, was_left = 1'b0, was_filled = 1'b0;
reg [5:0]       lead_before = 6'd0;
reg [PC_W-1:0]  pc_before   = {PC_W{1'b0}};
always @(posedge clk) begin
    was_valid   <= valid_q[one_row];
    was_flush   <= rst || kernel_start || (flush_valid && flush_slot == any_cta);
    was_left    <= !rst && !kernel_start && ld_cta != any_cta
                && !(flush_valid && flush_slot == any_cta);
    was_filled  <= (alloc || invalidated) && row == one_row;
    lead_before <= lead_q[one_row];
    pc_before   <= pc_q[one_row];
end
always @* if (started) begin
    assert (!valid_q[one_row] || !valid_q[other_row] || pc_q[one_row] != pc_q[other_row]);
    assert (its_age[one*WAY_W +: WAY_W] != its_age[other*WAY_W +: WAY_W]);
    assert (!evict || (&slot_valid));
    assert (!was_flush || !valid_q[one_row]);
    assert (!was_left || valid_q[one_row] == was_valid);
    assert (!valid_q[one_row] || was_filled
            || (was_valid && lead_q[one_row] == lead_before && pc_q[one_row] == pc_before));
    assert (ld_ready || !(alloc || update || invalidated));
    assert (!ld_found || !read_ready || read_cta != ld_cta || read_pc != ld_tag
            || (read_hit == ld_hit && (!ld_hit || read_lead == ld_lead)));
end
