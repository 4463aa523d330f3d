// adi_entropy - the counters from which adi_engine chooses the victim (aci 3.7.5, VIC): for each
// index bit how often it was 1, for each pair of them how often they differed.
//
// sample: the index bits enter the counters at this edge.  clear wins: all are 0 after it.
// Pairs are in the order (0,1), (0,2) .. (1,2) ..  Counters wrap at 2^M.  ones and differences
// show the registers, or with AT_ONCE what they will hold when this sample has entered.
`default_nettype none
module adi_entropy #(
    parameter S       = 5,  // index bits, 2..7
    parameter M       = 10, // bits per counter, 2..16
    parameter AT_ONCE = 0   // 1: the sample of a cycle shows in that cycle
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   clear,
    input  wire                   sample,
    input  wire [S-1:0]           idx,
    output wire [S*M-1:0]         ones,
    output wire [S*(S-1)/2*M-1:0] differences
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 2 || S > 7) begin : g_bad_S
            S_must_be_from_2_to_7 u_stop ();
        end
        if (M < 2 || M > 16) begin : g_bad_M
            M_must_be_from_2_to_16 u_stop ();
        end
        if (AT_ONCE < 0 || AT_ONCE > 1) begin : g_bad_AT_ONCE
            AT_ONCE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam PAIRS = S * (S - 1) / 2;

    reg  [S*M-1:0]     ce_q;
    reg  [PAIRS*M-1:0] cx_q;
    wire [S*M-1:0]     ce_s;
    wire [PAIRS*M-1:0] cx_s;

    genvar a, b;
    generate
        for (a = 0; a < S; a = a + 1) begin : g_bit
            assign ce_s[a*M +: M] = ce_q[a*M +: M] + {{(M-1){1'b0}}, sample && idx[a]};
            for (b = a + 1; b < S; b = b + 1) begin : g_pair
                localparam P = a * (2 * S - a - 1) / 2 + b - a - 1;
                assign cx_s[P*M +: M] =
                    cx_q[P*M +: M] + {{(M-1){1'b0}}, sample && idx[a] != idx[b]};
            end
        end
    endgenerate

    assign ones        = AT_ONCE != 0 ? ce_s : ce_q;
    assign differences = AT_ONCE != 0 ? cx_s : cx_q;

    always @(posedge clk) begin
        if (rst || clear) begin
            ce_q <= {S*M{1'b0}};
            cx_q <= {PAIRS*M{1'b0}};
        end else begin
            ce_q <= ce_s;
            cx_q <= cx_s;
        end
    end
endmodule
`default_nettype wire
