// sect_tag.props.v - an answer is one of three, a hit lacks nothing, sectors that were read are
// there, and a line changes only by its own events.
(* anyconst *) reg [LINE_W-1:0] any;
always @* assume (any < LINES);
wire [3:0] there = there_q[any*4 +: 4];
wire [3:0] used  = used_q[any*4 +: 4];
wire       kept  = !(inv_valid && inv_line == any) && !(fill_valid && fill_new && fill_line == any);
// As its contract asks: what is read is there, or comes.
always @* assume (!read_valid || read_line != any || !(|(read_mask & ~((there & {4{kept}})
                  | (fill_mask & {4{fill_valid && fill_line == any}})))));
reg       asked = 1'b0, stays = 1'b0;
reg [3:0] was = 4'd0, was_used = 4'd0;
always @(posedge clk) begin
    asked    <= !rst && lk_valid;
    stays    <= started && !rst && !flush && kept && !(fill_valid && fill_line == any)
                && !(read_valid && read_line == any);
    was      <= there;
    was_used <= used;
end
always @* if (started) begin
    assert (done == asked);
    assert ({1'b0, hit} + {1'b0, sec_miss} + {1'b0, blk_miss} == {1'b0, asked});
    assert (!hit || miss_mask == 4'd0);
    assert (!asked || (miss_mask & ~need_q) == 4'd0);
    assert (!(|(used & ~there)));
    assert (!stays || (there == was && used == was_used));
    assert (!evict_valid || fill_line != any || (evict_used | evict_unused) == there);
end
