// adi_candidates - a word without the bits that S - 1 selectors name, closed up (aci 3.7.5:
// the candidates of an access, in address order).
//
// Combinational.  A bit moves down by the number of selectors below it, 0 to S - 1 places, and
// every place takes the one bit that moves there: nothing waits for another bit's move.  The
// selectors are different and below BITS, in any order.
`default_nettype none
module adi_candidates #(
    parameter S     = 5,  // one more than there are selectors, 2..7
    parameter BITS  = 25, // of the word, S..32
    parameter SEL_W = 5   // bits of a selector, clog2(BITS)..5
) (
    input  wire [BITS-1:0]        word,
    input  wire [(S-1)*SEL_W-1:0] kept_sel,
    output reg  [BITS-S:0]        cand
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 2 || S > 7) begin : g_bad_S
            S_must_be_from_2_to_7 u_stop ();
        end
        if (BITS < S || BITS > 32) begin : g_bad_BITS
            BITS_must_be_from_S_to_32 u_stop ();
        end
        if (SEL_W < $clog2(BITS) || SEL_W > 5) begin : g_bad_SEL_W
            SEL_W_must_be_from_clog2_of_BITS_to_5 u_stop ();
        end
    endgenerate

    localparam [S-1:0] NONE_BELOW = 1;

    reg [S-1:0]     below; // one-hot: how many selectors are below bit k
    reg             kept;  // one names bit k itself
    reg [SEL_W-1:0] selector;
    integer         k, i, d;
    always @* begin
        cand     = {(BITS-S+1){1'b0}};
        below    = NONE_BELOW;
        kept     = 1'b0;
        selector = {SEL_W{1'b0}};
        for (k = 0; k < BITS; k = k + 1) begin
            below = NONE_BELOW;
            kept  = 1'b0;
            for (i = 0; i < S - 1; i = i + 1) begin
                selector = kept_sel[i*SEL_W +: SEL_W];
                if (selector < k[SEL_W-1:0]) below = below << 1;
                if (selector == k[SEL_W-1:0]) kept = 1'b1;
            end
            for (d = 0; d < S; d = d + 1) begin
                if (k >= d && k - d <= BITS - S)
                    cand[k-d] = cand[k-d] | (word[k] && below[d] && !kept);
            end
        end
    end
endmodule
`default_nettype wire
