// caps_dist.props.v - a load has one stride; the ages are a permutation; nobody is evicted while
// there is room; a misprediction counter falls only by decay or when its entry is given away,
// and never wraps; no walk but at most THR mispredictions; no training CTA outlives its flush.
// PCs are only compared and copied: ENTRIES + 1 different ones behave as all.
(* anyconst *) reg [WAY_W-1:0] one, other;
(* anyconst *) reg [CTA_W-1:0] any_cta;
always @* assume (one != other && tag < 2 * ENTRIES);
// A load that waits is held.
reg            waits = 1'b0;
reg [PC_W-1:0] tag_before = {PC_W{1'b0}};
always @(posedge clk) begin
    waits      <= !rst && ld_valid && !ld_ready;
    tag_before <= tag;
end
always @* assume (!waits || (ld_valid && tag == tag_before));
wire [7:0] its_count = count_q[one*8 +: 8];
reg        was_valid = 1'b0, was_given = 1'b0, was_halved = 1'b0, was_wrong = 1'b0;
reg        was_flush = 1'b0;
reg [7:0]  count_before = 8'd0;
always @(posedge clk) begin
    was_valid    <= valid_q[one] && !rst;
    was_given    <= stride_new && way == one;
    was_halved   <= halve;
    was_wrong    <= mispredict && way == one;
    was_flush    <= !rst && !kernel_start && flush_valid && flush_slot == any_cta;
    count_before <= its_count;
end
always @* if (started) begin
    assert (!valid_q[one] || !valid_q[other] || pc_q[one*PC_W +: PC_W] != pc_q[other*PC_W +: PC_W]);
    assert (age_q[one*WAY_W +: WAY_W] != age_q[other*WAY_W +: WAY_W]);
    assert (!evict || (&valid_q));
    assert (!valid_q[one] || was_valid || was_given);
    assert (!was_valid || was_given || was_halved
            || its_count == count_before + (was_wrong && count_before != 8'hff));
    assert (!job_valid || case1 || dist_count <= THR);
    assert (!was_flush || !valid_q[one] || !lead_valid_q[one] || lead_cta_q[one*CTA_W +: CTA_W] != any_cta);
    assert (!(verify || stride_new || invalidate || job_valid) || (ld_valid && ld_ready && ld_affine));
    assert (!(verify && stride_new) && !(stride_new && invalidate));
end
