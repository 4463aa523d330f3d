// mat.props.v - the count of any one macroblock that keeps its entry: it is what was counted, less
// what it cost; an answer follows each query, and with F_PERCENT = 0 it is never to bypass.
(* anyconst *) reg [NAME_W-1:0] its_name;
reg              known = 1'b0;   // the entry is its own
reg [CTR_W-1:0]  its_ctr = {CTR_W{1'b0}};
reg [2:0]        asked = 3'd0;   // cycles since a query was taken, 0: none is
wire its_write = writes && name_q == its_name;
wire lost      = writes && name_q != its_name && write_at == its_name[IDX_W-1:0];
always @(posedge clk) begin
    if (rst) begin
        known   <= 1'b0;
        its_ctr <= {CTR_W{1'b0}};
        asked   <= 3'd0;
    end else begin
        known <= its_write || (known && !lost);
        if (its_write && phase_q == COUNT)
            its_ctr <= !known ? {{(CTR_W-1){1'b0}}, 1'b1} : &its_ctr ? its_ctr : its_ctr + 1'b1;
        else if (its_write)
            its_ctr <= its_ctr - 1'b1;
        else if (lost)
            its_ctr <= {CTR_W{1'b0}};
        asked <= takes_q ? 3'd1 : asked == 3'd0 || asked == 3'd4 ? 3'd0 : asked + 3'd1;
    end
end
always @* if (started) begin
    assert (phase_q <= DECIDE);
    assert (!known || (live_q[its_name[IDX_W-1:0]] && tag_q[its_name[IDX_W-1:0]] == its_name[NAME_W-1:IDX_W]
                       && ctr_q[its_name[IDX_W-1:0]] == its_ctr));
    assert (q_done == (asked == 3'd4));
    assert ((phase_q == VICTIM) == (asked == 3'd1) && (phase_q == MATCH) == (asked == 3'd2)
            && (phase_q == SCALE) == (asked == 3'd3));
    assert (idle || phase_q == DECIDE || name_q != its_name || counted == (known ? its_ctr : {CTR_W{1'b0}}));
    assert (phase_q != SCALE || name_q != its_name || vict_ctr_q == (known ? its_ctr : {CTR_W{1'b0}}));
    assert (!q_done || name_q != its_name || vict_prod_q == (known ? {7'd0, its_ctr} : {PROD_W{1'b0}})
                                                            * {{(PROD_W-7){1'b0}}, F_PERCENT[6:0]});
    assert (F_PERCENT != 0 || !q_done || !byp);
end
