// icm_monitor.props.v - sets touched are no more than accesses, and at least one when a load
// is complete, and as many as are marked; the access counter stays where it is full.
reg [NACC_W-1:0] counted = {NACC_W{1'b0}};
always @(posedge clk) counted <= done_q || rst ? {NACC_W{1'b0}} : nacc_q;
reg [LOGN:0] marked;
integer m;
always @* begin
    marked = {(LOGN+1){1'b0}};
    for (m = 0; m < SETS; m = m + 1) marked = marked + {{LOGN{1'b0}}, touched_q[m]};
end
always @* if (started) begin
    assert (nsets == marked);
    assert (nsets <= nacc_q);
    assert (!load_valid || nsets != {(LOGN+1){1'b0}});
    assert (nacc_q >= counted);
end
