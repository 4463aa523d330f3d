// copyback_q.props.v - what one line brought leaves in its packet, word by word, unless a kernel
// ends; packets are not cut, and lines stay in order.
(* anyconst *) reg [PTR_W-1:0]    place;  // the line that goes there
(* anyconst *) reg [1:0]          lane;
(* anyconst *) reg [PART_W-1:0]   which;
always @* assume (which != {PART_W{1'b0}} && which <= LAST);
reg              known = 1'b0;
reg [ADDR_W-1:0] its_addr = {ADDR_W{1'b0}};
reg [63:0]       its_word = 64'd0;
wire [5:0]       index = {1'b0, which, 2'b00} - 6'd4 + {4'd0, lane};
wire             comes = push && free_q == place;
always @(posedge clk) begin
    known <= !rst && (comes || (known && valid_d[place]));
    if (comes) begin
        its_addr <= ev_addr;
        its_word <= ev_data[index*64 +: 64];
    end
end
reg cut = 1'b0;  // the last cycle had a packet under way that was not done
always @(posedge clk) cut <= started && !rst && begun && !done;
integer q;
reg [PTR_W:0] count;
always @* begin
    count = {(PTR_W+1){1'b0}};
    for (q = 0; q < DEPTH; q = q + 1) count = count + {{PTR_W{1'b0}}, valid_q[q]};
end
wire [PTR_W-1:0] behind = first_q + count[PTR_W-1:0];
always @* if (started) begin
    assert (known == valid_q[place]);
    assert (!known || addr_q[place] == its_addr);
    assert (!known || data_q[place][index*64 +: 64] == its_word);
    assert (!(flit_valid && first_q == place && part_q == which) || flit[lane*64 +: 64] == its_word);
    assert (!cut || flit_valid);
    assert (part_q <= LAST);
    assert (part_q == {PART_W{1'b0}} || flit_valid);
    assert (behind == free_q);
    assert (flit_valid == (count != {(PTR_W+1){1'b0}}));
    for (q = 0; q < DEPTH; q = q + 1)
        assert (valid_q[first_q + q[PTR_W-1:0]] == (q[PTR_W:0] < count));
end
