// caps_prefetch_gen.props.v - neither queue loses or doubles a request: its length is what
// came less what was taken, and the slots in use are so many from the head on.
(* anyconst *) reg [JOB_W-1:0] any_job;
(* anyconst *) reg [PF_W-1:0] any_slot;
reg [JOB_W:0] jobs     = {(JOB_W+1){1'b0}};
reg [PF_W:0] requests = {(PF_W+1){1'b0}};
wire [JOB_W-1:0] job_place  = any_job - job_head_q;
wire [PF_W-1:0] slot_place = any_slot - pf_head_q;
always @(posedge clk) begin
    jobs     <= rst || kernel_start ? {(JOB_W+1){1'b0}}
              : jobs + {{JOB_W{1'b0}}, job_valid && !job_drop} - {{JOB_W{1'b0}}, pop_job};
    requests <= rst || kernel_start ? {(PF_W+1){1'b0}}
              : requests + {{PF_W{1'b0}}, emit} - {{PF_W{1'b0}}, pf_valid && pf_ready};
end
always @* if (started) begin
    assert (job_pending_q[any_job] == ({1'b0, job_place} < jobs));
    assert (pf_pending_q[any_slot] == ({1'b0, slot_place} < requests));
    assert (jobs <= JOB_ENTRIES && requests <= PF_ENTRIES);
    assert (job_tail_q == job_head_q + jobs[JOB_W-1:0]);
    assert (pf_tail_q == pf_head_q + requests[PF_W-1:0]);
    assert (pf_valid == (requests != 0));
    assert (rests == (walk_rests && jobs == 0));
    assert (idle == (rests && requests == 0));
end
