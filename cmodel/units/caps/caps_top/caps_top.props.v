// caps_top.props.v - a request that is not taken stays as it is; idle means that nothing waits;
// what DIST asks PerCTA to drop is there and is dropped; nothing of a CTA outlives its flush;
// a stride is learnt or checked, and a walk begun, only for a load that is taken.
// A load that waits is held.
(* anyconst *) reg [CTA_W-1:0] any_cta;
reg                     held = 1'b0, was_start = 1'b0, used = 1'b0;
reg [24:0]              line_before = 25'd0;
reg [$clog2(WARPS)-1:0] wid_before  = {$clog2(WARPS){1'b0}};
reg              ld_waits      = 1'b0;
reg [CTA_W-1:0]  ld_cta_before = {CTA_W{1'b0}};
reg [31:0]       ld_pc_before  = 32'd0;
always @(posedge clk) begin
    ld_waits      <= !rst && ld_valid && !ld_ready;
    ld_cta_before <= ld_cta;
    ld_pc_before  <= ld_pc;
end
always @* assume (!ld_waits || (ld_valid && ld_cta == ld_cta_before && ld_pc == ld_pc_before));
wire flushed = cta_flush_valid && cta_flush_slot == any_cta;
always @(posedge clk) begin
    held        <= !rst && !kernel_start && pf_valid && !pf_ready;
    was_start   <= rst || kernel_start;
    used        <= !rst && !kernel_start && !flushed
                && (used || (ld_valid && ld_ready && ld_cta == any_cta));
    line_before <= pf_line;
    wid_before  <= pf_wid;
end
always @* if (started) begin
    assert (!held || (pf_valid && pf_line == line_before && pf_wid == wid_before));
    assert (!idle || !pf_valid);
    assert (!was_start || (idle && !percta_hit));
    assert (invalidate == invalidated);
    assert (used || ld_cta != any_cta || !percta_hit);
    assert (used || read_cta != any_cta || !read_hit);
    assert (!(job_valid || verify || stride_new) || (ld_valid && ld_ready));
    assert (!(verify || stride_new) || percta_hit);
    assert (!job_drop || (job_valid && !idle));
end
