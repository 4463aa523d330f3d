// spref_alist.props.v - pointers go from 0 to 2; what was pushed is read in its order, by moves and for
// tails each; other warps' lists are not touched.
(* anyconst *) reg [5:0] any_wid;
localparam [31:0] WARPS32 = WARPS;
always @* assume ({26'd0, any_wid} < WARPS32);
wire ours = wid == any_wid && !sel[0] && !sel[1];  // head 0
reg  [5:0] last_id = 6'd0;
reg        one_new = 1'b0;  // one id was pushed since the lists were reset, and none was read
always @(posedge clk) begin
    if (ours && push) last_id <= push_id;
    one_new <= !rst && (wid == any_wid && (reset || (sel[1:0] == 2'd0 && (push || pop_mov)))
                        ? reset && ours && push && !pop_mov : one_new);
end
reg [7:0] before = 8'd0;
reg       alone  = 1'b0;
always @(posedge clk) begin
    before <= wr_q[any_wid*8 +: 8];
    alone  <= started && !rst && wid != any_wid;
end
integer q;
always @* if (started) begin
    assert (wr_q[any_wid*8 +: 2] != 2'd3);
    assert (rd_mov_q[any_wid*8 +: 2] != 2'd3);
    assert (rd_tail_q[any_wid*4 +: 2] != 2'd3);
    assert (!(one_new && ours && !reset) || mov_id == last_id);
    assert (!one_new || (wr_q[any_wid*8 +: 2] == 2'd1 && rd_mov_q[any_wid*8 +: 2] == 2'd0
                         && ids_q[any_wid*72 +: 6] == last_id));
    assert (!alone || wr_q[any_wid*8 +: 8] == before);
end
