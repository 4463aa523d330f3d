// spref_dist - how many iterations ahead a warp prefetches: by the average of pending iterations, and as
// far as spare registers reach (lakshminarayana2014-graph 3.1.6, Listing 1).
//
// Combinational, without a division: the average of n lanes is below MID just when their sum is below
// MID * n.  No lane, or no register for a target load: 0.
`default_nettype none
module spref_dist #(
    parameter MID  = 4,  // 1..15
    parameter HIGH = 6   // MID..15
) (
    input  wire [8:0] sum,
    input  wire [5:0] n,
    input  wire       fixed1,
    input  wire [2:0] nloads,
    input  wire [5:0] spare,
    output wire [1:0] d,
    output wire       clamped
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (MID < 1 || MID > 15) begin : g_bad_MID
            MID_must_be_from_1_to_15 u_stop ();
        end
        if (HIGH < 1 || HIGH > 15) begin : g_bad_HIGH
            HIGH_must_be_from_1_to_15 u_stop ();
        end
        if (MID > HIGH) begin : g_bad_MID_HIGH
            MID_must_not_exceed_HIGH u_stop ();
        end
    endgenerate

    localparam [31:0] MID32 = MID, HIGH32 = HIGH;

    wire [9:0] mid  = {4'd0, n} * {6'd0, MID32[3:0]};
    wire [9:0] high = {4'd0, n} * {6'd0, HIGH32[3:0]};
    wire [1:0] wanted = n == 6'd0 ? 2'd0
                      : fixed1 || {1'b0, sum} < mid ? 2'd1 : {1'b0, sum} < high ? 2'd2 : 2'd3;

    wire [5:0] once   = {3'd0, nloads};
    wire [5:0] twice  = {2'd0, nloads, 1'b0};
    wire [5:0] thrice = once + twice;
    wire [1:0] room   = spare >= thrice ? 2'd3 : spare >= twice ? 2'd2 : spare >= once ? 2'd1 : 2'd0;

    assign clamped = wanted > room;
    assign d       = clamped ? room : wanted;
endmodule
`default_nettype wire
