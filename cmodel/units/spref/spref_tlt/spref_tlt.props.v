// spref_tlt.props.v - a loop is accepted only with a head, and behind one setp of its predicate; a tail's
// address is the head's value shifted and a register; a third load-id is never given.
reg [1:0] fitting = 2'd0, unfit = 2'd0;  // setps of this pass, up to two
wire [1:0] fitting_now = pass_begin ? 2'd0 : fitting, unfit_now = pass_begin ? 2'd0 : unfit;
wire one_more = loops && fits && fitting_now != 2'd2, one_less = loops && !fits && unfit_now != 2'd2;
always @(posedge clk) if (rst || pass != 2'd0) begin
    fitting <= rst ? 2'd0 : fitting_now + {1'b0, one_more};
    unfit   <= rst ? 2'd0 : unfit_now + {1'b0, one_less};
end
always @* assume (!pass_begin || pass != 2'd0);
always @* if (started) begin
    assert (head_valid_q[0] || !head_valid_q[1]);
    assert (head_id != 2'd3);
    assert (!found || (has[0] && fitting_now + {1'b0, one_more} == 2'd1 && unfit_now == 2'd0 && !one_less));
    assert (!tail_valid_q[0] || tail_base_q[5:0] != NONE);
    assert (!tail_valid_q[1] || tail_base_q[11:6] != NONE);
    assert (!(head_id != 2'd0 && branched));
end
