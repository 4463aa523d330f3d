// spref_itercnt - pending iterations of every thread: the shadow counts, written when the loop's setp
// executes, and their sum over its lanes (lakshminarayana2014-graph 3.1.5).
//
// One setp a cycle.  Its lanes' counts are subtracted and saturated in its cycle, summed in the next
// one (sum_valid), and are in the shadow counts behind that.  Lanes that do not execute it keep theirs.
// A wid of WARPS or more is summed, and stored nowhere.  p shows the counts of read_wid, 0 if there is
// no such warp.
`default_nettype none
module spref_itercnt #(
    parameter WARPS = 48  // warp slots, 2..64
) (
    input  wire          clk,
    input  wire          rst,
    input  wire          setp_valid,
    input  wire [5:0]    wid,
    input  wire [31:0]   mask,
    input  wire [1023:0] idx,
    input  wire [1023:0] last,
    input  wire [2:0]    step_log2,
    input  wire          down,
    input  wire          plus_one,
    input  wire [5:0]    read_wid,
    output wire          sum_valid,
    output wire [5:0]    sum_wid,
    output wire [8:0]    sum,
    output wire [5:0]    n,
    output reg  [127:0]  p
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    reg [WARPS*128-1:0] count_q;
    reg                 stage_valid_q;
    reg [5:0]           stage_wid_q;
    reg [31:0]          stage_mask_q;
    reg [127:0]         stage_count_q;

    wire [127:0] pending, counted;  // of each lane; of those that execute it
    genvar g;
    generate
        for (g = 0; g < 32; g = g + 1) begin : g_lane
            spref_pending u_pending (
                .idx(idx[g*32 +: 32]), .last(last[g*32 +: 32]), .step_log2(step_log2),
                .down(down), .plus_one(plus_one), .count(pending[g*4 +: 4])
            );
            assign counted[g*4 +: 4] = pending[g*4 +: 4] & {4{mask[g]}};
        end
    endgenerate

    spref_sum #(.W(4)) u_sum (.number(stage_count_q), .sum(sum));
    spref_sum #(.W(1)) u_lanes (.number(stage_mask_q), .sum(n));

    integer r;
    always @* begin
        p = 128'd0;
        for (r = 0; r < WARPS; r = r + 1)
            p = p | (count_q[r*128 +: 128] & {128{read_wid == r[5:0]}});
    end

    integer w, l;
    always @(posedge clk) begin
        if (rst) begin
            count_q       <= {WARPS{128'd0}};
            stage_valid_q <= 1'b0;
            stage_wid_q   <= 6'd0;
            stage_mask_q  <= 32'd0;
            stage_count_q <= 128'd0;
        end else begin
            stage_valid_q <= setp_valid;
            if (setp_valid) begin
                stage_wid_q   <= wid;
                stage_mask_q  <= mask;
                stage_count_q <= counted;
            end
            for (w = 0; w < WARPS; w = w + 1)
                for (l = 0; l < 32; l = l + 1)
                    if (stage_valid_q && stage_wid_q == w[5:0] && stage_mask_q[l])
                        count_q[w*128 + l*4 +: 4] <= stage_count_q[l*4 +: 4];
        end
    end

    assign sum_valid = stage_valid_q;
    assign sum_wid   = stage_wid_q;
endmodule
`default_nettype wire
