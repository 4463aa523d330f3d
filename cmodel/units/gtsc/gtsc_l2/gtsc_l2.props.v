// gtsc_l2.props.v - a version does not end before it begins, timestamps never wrap, mem_ts
// falls only by flash or kernel_start.  The lease stays what it is, as the contract asks.
(* anyconst *) reg [LINE_W-1:0]     any_line;
(* anyconst *) reg [LEASE_BITS-1:0] the_lease;
always @* assume ({1'b0, any_line} < LINES_X && lease == the_lease
                  && the_lease != {LEASE_BITS{1'b0}});
reg [TS_BITS-1:0] mem_before = {TS_BITS{1'b0}};
always @(posedge clk) mem_before <= rst || flash || kernel_start ? {TS_BITS{1'b0}} : mem_ts_q;
always @* if (started) begin
    assert (!stamped_q[any_line] || wts_q[any_line] <= rts_q[any_line]);
    assert (mem_ts_q >= mem_before);
    assert (resp == RESP_NONE || is_read || (resp_wts <= resp_rts && resp_wts > c_rts));
end
