// vcache8.props.v - a line is here once, with the data that it came with, until it is probed, stored
// to, evicted or flushed: none is lost; ranks stay an order.
(* anyconst *) reg [ADDR_W-1:0] its_addr;
(* anyconst *) reg [RANK_W-1:0] one, other;
always @* assume (one != other);
reg        known = 1'b0, its_cb = 1'b0;
reg [63:0] its_word = 64'd0;
wire comes = write && insert_addr == its_addr;
wire lost  = (probe_valid && probe_addr == its_addr) || (inv_valid && inv_addr == its_addr)
             || (evict_valid && evict_addr == its_addr) || flush;
always @(posedge clk) begin
    known <= !rst && (comes || (known && !lost));
    if (comes) begin
        its_cb   <= insert_cb;
        its_word <= insert_data[63:0];
    end
end
reg [ENTRIES-1:0] its_own;
integer h;
always @* for (h = 0; h < ENTRIES; h = h + 1) its_own[h] = valid_q[h] && addr_q[h] == its_addr;
always @* if (started) begin
    assert (rank_q[one*RANK_W +: RANK_W] != rank_q[other*RANK_W +: RANK_W]);
    assert (!(valid_q[one] && valid_q[other]) || addr_q[one] != addr_q[other]);
    assert (known == |its_own);
    for (h = 0; h < ENTRIES; h = h + 1)
        assert (!its_own[h] || (cb_q[h] == its_cb && data_q[h][63:0] == its_word));
    assert (!(probe_valid && probe_addr == its_addr) || hit == known);
    assert (!(hit && probe_addr == its_addr) || (out_data[63:0] == its_word && out_cb == its_cb));
    assert (!(evict_valid && evict_addr == its_addr) || (known && out_data[63:0] == its_word));
    assert (!(hit && evict_valid));
end
