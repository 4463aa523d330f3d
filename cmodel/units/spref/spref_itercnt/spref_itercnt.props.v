// spref_itercnt.props.v - the sum follows its setp by a cycle; a count is what the last setp of its lane
// gave, and stays where there was none; a lane that does not execute it adds nothing.  And the sum is
// that of the 32 counts: two numbers made of three have the same sum, whatever the three are; 30 times
// that leaves two of 32, which are added.  32 times 15 fit into nine bits, so that none is lost.
(* anyconst *) reg [5:0] any_wid;
(* anyconst *) reg [4:0] any_lane;
reg       was_setp = 1'b0, soon = 1'b0;
reg [3:0] soon_count = 4'd0, its_count = 4'd0;
wire      hits_it = setp_valid && wid == any_wid && mask[any_lane];
localparam [31:0] WARPS32 = WARPS;
always @* assume ({26'd0, any_wid} < WARPS32);
always @(posedge clk) begin
    was_setp   <= !rst && setp_valid;
    soon       <= !rst && hits_it;
    soon_count <= pending[any_lane*4 +: 4];
    its_count  <= rst ? 4'd0 : soon ? soon_count : its_count;
end
always @* if (started) begin
    assert (sum_valid == was_setp);
    assert (n <= 6'd32);
    assert (stage_mask_q[any_lane] || stage_count_q[any_lane*4 +: 4] == 4'd0);
    assert (soon == (stage_valid_q && stage_wid_q == any_wid && stage_mask_q[any_lane]));
    assert (!soon || soon_count == stage_count_q[any_lane*4 +: 4]);
    assert (count_q[any_wid*128 + any_lane*4 +: 4] == its_count);
    assert (read_wid != any_wid || p[any_lane*4 +: 4] == its_count);
end

// Three numbers and the two made of them.
(* anyseq *) reg [8:0] any_a, any_b, any_c;
function [8:0] bits(input [8:0] a, input [8:0] b, input [8:0] c);
    bits = a ^ b ^ c;
endfunction
function [8:0] carries(input [8:0] a, input [8:0] b, input [8:0] c);
    carries = ((a & b) | (a & c) | (b & c)) << 1;
endfunction
always @* assert (any_a + any_b + any_c == bits(any_a, any_b, any_c) + carries(any_a, any_b, any_c));

// The 32, then two at a time in the place of three.
reg [92*9-1:0] added;
integer q;
always @* begin
    added = {(92*9){1'b0}};
    for (q = 0; q < 32; q = q + 1)
        added[q*9 +: 9] = {5'd0, stage_count_q[q*4 +: 4]};
    for (q = 0; q < 30; q = q + 1) begin
        added[(32 + 2*q)*9 +: 9] = bits(added[3*q*9 +: 9], added[(3*q + 1)*9 +: 9], added[(3*q + 2)*9 +: 9]);
        added[(33 + 2*q)*9 +: 9] = carries(added[3*q*9 +: 9], added[(3*q + 1)*9 +: 9], added[(3*q + 2)*9 +: 9]);
    end
end
always @* assert (sum == added[90*9 +: 9] + added[91*9 +: 9]);
