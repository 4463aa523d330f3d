// rdu.props.v - no message is lost, doubled or overtaken; an answer is held until it is taken;
// no update is lost: what other SMs wrote stays in an SM's signature until its synchronisation
// point, and a check that meets it says so; counters never wrap, and no message begins while
// a signature is full.
(* anyconst *) reg [SM_W-1:0]        any_sm;
(* anyconst *) reg [6*$clog2(M)-1:0] its_idx;  // stands for any key: see rdu_signature
(* anyseq *)   reg                   pick;     // follow this message
localparam IDX_W = $clog2(M);
always @* assume ({1'b0, any_sm} < SMS && (!in_valid || {1'b0, in_sm} < SMS));
wire forgets = rst || kernel_start;
integer h;

// One message on its way through the queue.
reg               follows = 1'b0, foreign = 1'b0;
reg [QUEUE_W-1:0] length  = {QUEUE_W{1'b0}}, ahead = {QUEUE_W{1'b0}};
reg [7:0]         its_id  = 8'd0;
reg [SM_W-1:0]    its_sm  = {SM_W{1'b0}};
wire takes   = push && pick && !follows;
wire arrives = follows && ahead == {QUEUE_W{1'b0}};
always @(posedge clk) begin
    follows <= !forgets && (takes || (follows && !(pop && arrives)));
    length  <= forgets ? {QUEUE_W{1'b0}}
             : length + {{(QUEUE_W-1){1'b0}}, push} - {{(QUEUE_W-1){1'b0}}, pop};
    ahead   <= takes ? length - {{(QUEUE_W-1){1'b0}}, pop} : ahead - {{(QUEUE_W-1){1'b0}}, pop};
    if (takes) begin
        its_id <= in_id;
        its_sm <= in_sm;
    end
end

// What any_sm has not seen, and what the oldest message must say of it.
wire                 is_key  = idx == its_idx;
wire [M-1:0]         its_sig = g_one_cycle.usig_q[any_sm*M +: M];
wire [COUNT_W-1:0]   its_count = ucnt_q[any_sm*COUNT_W +: COUNT_W];
reg                  unseen = 1'b0, races = 1'b0;
wire                 synced = (forced_sync && fsync_sm == any_sm) || (pop && ack_has_sig && ack_sm == any_sm);
always @(posedge clk) begin
    unseen <= !forgets && !synced && (unseen || (insert && is_key && ack_sm != any_sm));
    races  <= !forgets && !pop && (races || (test && is_key && ack_sm == any_sm && unseen));
end

// What is held.
reg            waits = 1'b0, race_before = 1'b0, has_before = 1'b0;
reg [7:0]      id_before = 8'd0;
reg [SM_W-1:0] sm_before = {SM_W{1'b0}};
always @(posedge clk) begin
    waits       <= !forgets && ack_valid && !out_ready;
    race_before <= ack_race;
    has_before  <= ack_has_sig;
    id_before   <= ack_id;
    sm_before   <= ack_sm;
end
reg [POS_W:0] done = {(POS_W+1){1'b0}}, left;  // granules of the oldest message
always @* begin
    left = {(POS_W+1){1'b0}};
    for (h = 0; h < GRANULES; h = h + 1)
        left = left + {{POS_W{1'b0}}, q_mask_q[h]};
end
always @(posedge clk) done <= forgets || pop ? {(POS_W+1){1'b0}} : done + {{POS_W{1'b0}}, step};
always @* if (started) begin
    assert (count_q == length && length <= QUEUE_ENTRIES);
    assert (!follows || (ahead < length && q_id_q[ahead*8 +: 8] == its_id
                         && q_sm_q[ahead*SM_W +: SM_W] == its_sm));
    assert (!(ack_valid && arrives) || (ack_id == its_id && ack_sm == its_sm));
    assert (!waits || (ack_valid && ack_race == race_before && ack_has_sig == has_before
                       && ack_id == id_before && ack_sm == sm_before));
    for (h = 0; h < 6; h = h + 1)
        assert (!unseen || its_sig[its_idx[h*IDX_W +: IDX_W]]);
    assert (!(ack_valid && races) || ack_race);
    assert (!races || race_q);
    assert (done + left <= GRANULES);
    assert (its_count <= (FULL_AT_ONCE != 0 ? N : N - 1 + (done != 0 ? done : GRANULES)));
    assert (its_count < FULL || FULL_AT_ONCE != 0 || !(step && done == 0));
    assert (its_count != 0 || its_sig == {M{1'b0}});
end
