// icm_monitor.props.v - sets touched are no more than accesses, and at least one when a load
// is complete; the access counter stays where it is full.
reg [NACC_W-1:0] counted = {NACC_W{1'b0}};
always @(posedge clk) counted <= done_q || rst ? {NACC_W{1'b0}} : nacc_q;
always @* if (started) begin
    assert (nsets <= nacc_q);
    assert (!load_valid || nsets != {(LOGN+1){1'b0}});
    assert (nacc_q >= counted);
end
