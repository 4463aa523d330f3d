// balance_monitor.props.v - a set's counter is the number of its accesses, never wraps, and only
// when it is full an access is not counted; total and sum are those of the counted accesses,
// and in a monitor small enough to look at all counters, of what these hold.
(* anyconst *) reg [LOGN-1:0] any_set;
localparam WIDE_W = 2 * (SUM_W > TOTAL_W ? SUM_W : TOTAL_W);
reg [COUNT_W-1:0] mine       = {COUNT_W{1'b0}};
reg [TOTAL_W-1:0] accesses   = {TOTAL_W{1'b0}};
reg [SUM_W-1:0]   sum_before = {SUM_W{1'b0}};
reg               was_mine   = 1'b0, was_quiet = 1'b1;
wire [COUNT_W-1:0] its_count = seen_q[any_set] ? count_q[any_set] : {COUNT_W{1'b0}};
wire [COUNT_W-1:0] so_far    = clear ? {COUNT_W{1'b0}} : mine;
wire               its_own   = acc_valid && set_index == any_set && !(&so_far);
always @(posedge clk) begin
    mine       <= rst ? {COUNT_W{1'b0}} : so_far + {{(COUNT_W-1){1'b0}}, its_own};
    accesses   <= rst ? {TOTAL_W{1'b0}} : (clear ? {TOTAL_W{1'b0}} : accesses)
                                          + {{(TOTAL_W-1){1'b0}}, acc_valid && !overflow};
    sum_before <= rst || clear ? {SUM_W{1'b0}} : sum_q;
    was_mine   <= !rst && its_own;
    was_quiet  <= rst || !acc_valid || overflow;
end
always @* if (started) begin
    assert (its_count == mine);
    assert (set_index != any_set || overflow == (acc_valid && (&so_far)));
    assert (total == accesses);
    assert (!was_quiet || sum == sum_before);
    assert (!was_mine || sum == sum_before + {{(SUM_W-COUNT_W){1'b0}}, mine});
end
generate
    if (SETS <= 4) begin : g_small
        reg [WIDE_W-1:0] all, triangles, b_of;
        integer f;
        always @* begin
            all       = {WIDE_W{1'b0}};
            triangles = {WIDE_W{1'b0}};
            for (f = 0; f < SETS; f = f + 1) begin
                b_of      = seen_q[f] ? {{(WIDE_W-COUNT_W){1'b0}}, count_q[f]} : {WIDE_W{1'b0}};
                all       = all + b_of;
                triangles = triangles + ((b_of * (b_of + 1'b1)) >> 1);
            end
        end
        always @* if (started) assert (total == all && sum == triangles);
    end
endgenerate
