// oaws_dlc.props.v - a load that is found has accesses, and no more misses than those; what an
// occurrence does has one name; an answer follows its request.
reg [2:0] asked = 3'd0, occurred = 3'd0;
wire [2:0] asked_now    = {asked[1:0], lk_valid && lk_ready};
wire [2:0] occurred_now = {occurred[1:0], coal_valid && coal_ready};
always @(posedge clk) begin
    asked    <= rst || kernel_start ? 3'd0 : asked_now;
    occurred <= rst || kernel_start ? 3'd0 : occurred_now;
end
always @* if (started) begin
    assert (!lk_done || asked_now[ONE_CYCLE != 0 ? 0 : 2]);
    assert (!(lk_done && lk_hit) || lk_miss <= lk_acc);
    assert (!(update || alloc) || occurred_now[ONE_CYCLE != 0 ? 0 : 2]);
    assert (!(update && alloc));
    assert (alloc || !evict);
    assert (update || !halve);
end
