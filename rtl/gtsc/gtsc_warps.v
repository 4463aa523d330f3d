// gtsc_warps - timestamps of an SM's warps under G-TSC, and their hits with SELF_INC (tabbakh2018
// 3.6.4, D-G13).
//
// ts and self_due are of the warp, whose number is below WARPS, as it stands.  At an edge with
// op_valid its timestamp becomes next_ts with advances; all that do not advance become 1 with flush.
// self_due: it has had all hits of SELF_INC but one.  Hits are counted at such an edge, and all of them
// forgotten with flush.
`default_nettype none
module gtsc_warps #(
    parameter WARPS    = 4,   // 2..64
    parameter TS_BITS  = 16,  // timestamp, 3..32 bits
    parameter SELF_INC = 0    // hits until self_due, 0..256, 0: never
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     op_valid,
    input  wire [$clog2(WARPS)-1:0] warp,
    input  wire                     flush,
    input  wire                     advances,
    input  wire [TS_BITS-1:0]       next_ts,
    input  wire                     hit,
    output wire [TS_BITS-1:0]       ts,
    output wire                     self_due
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (TS_BITS < 3 || TS_BITS > 32) begin : g_bad_TS_BITS
            TS_BITS_must_be_from_3_to_32 u_stop ();
        end
        if (SELF_INC < 0 || SELF_INC > 256) begin : g_bad_SELF_INC
            SELF_INC_must_be_from_0_to_256 u_stop ();
        end
    endgenerate

    localparam WARP_W = $clog2(WARPS);
    localparam [TS_BITS-1:0] TS_ONE = {{(TS_BITS-1){1'b0}}, 1'b1};

    reg [WARPS*TS_BITS-1:0] warp_ts_q;
    assign ts = warp_ts_q[warp*TS_BITS +: TS_BITS];

    // Which warp it is is known long before it is known whether its timestamp moves.
    reg [WARPS-1:0] at_this;
    integer w, m;
    always @* begin
        for (w = 0; w < WARPS; w = w + 1)
            at_this[w] = op_valid && warp == w[WARP_W-1:0];
    end
    always @(posedge clk) begin
        for (m = 0; m < WARPS; m = m + 1) begin
            if (rst)
                warp_ts_q[m*TS_BITS +: TS_BITS] <= TS_ONE;
            else if (at_this[m] && advances)
                warp_ts_q[m*TS_BITS +: TS_BITS] <= next_ts;
            else if (op_valid && flush)
                warp_ts_q[m*TS_BITS +: TS_BITS] <= TS_ONE;
        end
    end

    // SELF_INC: every so many hits of a warp its timestamp is due to move by itself.
    generate
        if (SELF_INC > 1) begin : g_hits
            localparam HITS_W = $clog2(SELF_INC);
            localparam [HITS_W:0] LAST = SELF_INC[HITS_W:0] - 1'b1;
            reg [WARPS*HITS_W-1:0] hits_q;
            wire [HITS_W-1:0] hits_now = hits_q[warp*HITS_W +: HITS_W];
            assign self_due = hits_now == LAST[HITS_W-1:0];
            always @(posedge clk) begin
                if (rst || (op_valid && flush))
                    hits_q <= {(WARPS*HITS_W){1'b0}};
                else if (op_valid && hit)
                    hits_q[warp*HITS_W +: HITS_W] <= self_due ? {HITS_W{1'b0}} : hits_now + 1'b1;
            end
            wire unused_last = &{1'b0, LAST[HITS_W]};
        end else begin : g_no_hits
            assign self_due = SELF_INC == 1;
            wire unused_hit = &{1'b0, hit};
        end
    endgenerate
endmodule
`default_nettype wire
