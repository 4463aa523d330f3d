// oaws_store.props.v - a slot shows the prediction of the instruction that is in it: the last one
// entered, or a refresh asked for after it entered, and never one asked for before; the walk
// asks for all slots in turn, one every PRED_STEP cycles.  A result comes only once for each
// walk_start, as the contract asks.
(* anyconst *) reg [SLOT_W-1:0] any_slot;
always @* assume (any_slot <= LAST_SLOT[SLOT_W-1:0]);
reg [PRED_W-1:0] its_pred = {PRED_W{1'b0}};
reg              walking  = 1'b0;  // a walk_start whose result has not come
reg              its_walk = 1'b0;  // it was for any_slot,
reg              entered  = 1'b0;  // which got another instruction since
reg [SLOT_W-1:0] turn     = {SLOT_W{1'b0}};
reg [5:0]        wait_for = 6'd0;  // cycles to the next walk_start
always @* assume (!walk_valid || walking);
wire enters_it = enter_valid && enter_slot == any_slot;
wire renews_it = walk_valid && its_walk && !entered && !enters_it;
always @(posedge clk) begin
    its_pred <= rst ? {PRED_W{1'b0}} : enters_it ? enter_d : renews_it ? walk_d : its_pred;
    walking  <= !rst && (walk_start || (walking && !walk_valid));
    its_walk <= !rst && (walk_start ? walk_slot == any_slot : its_walk);
    entered  <= !rst && (walk_start ? enters_it : entered || enters_it);
    turn     <= rst ? {SLOT_W{1'b0}} : !walk_start ? turn
              : turn == LAST_SLOT[SLOT_W-1:0] ? {SLOT_W{1'b0}} : turn + 1'b1;
    wait_for <= rst ? 6'd0 : walk_start ? LAST_STEP[5:0] : wait_for - 1'b1;
end
wire [SLOT_W-1:0] its_warp = any_slot >> 1;
always @* if (started) begin
    assert (pred_q[any_slot*PRED_W +: PRED_W] == its_pred);
    assert (head[its_warp] != any_slot[0] || pred[its_warp*PRED_W +: PRED_W] == its_pred);
    assert (!(walk_valid && its_walk) || refresh == renews_it);
    assert (walk_start == (wait_for == 6'd0));
    assert (step_q <= LAST_STEP[STEP_W-1:0]);
    assert (wait_for == (walk_start ? 0 : PRED_STEP - step_q));
    assert (walk_slot == turn && turn <= LAST_SLOT[SLOT_W-1:0]);
    assert (!walking || (pending_q == any_slot) == its_walk);
    assert (!walking || !its_walk || stale_q == entered);
end
