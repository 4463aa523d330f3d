// adi_toggles - the counters from which adi_engine chooses the new index bit (aci 3.7.5, 3.7.7,
// SEL): how often each candidate differed from the last access of the same cluster.
//
// sample: the access enters the tag cache and the counters at this edge; the first of a cluster
// enters the tag cache alone.  clear wins: all counters are 0 and no cluster is known after it.
// A candidate's counter stands at its place among the candidates; with COMPACT = 0 every bit is
// one, and those of kept_sel never differ inside a cluster.  toggles shows the registers, or with
// AT_ONCE what they will hold when this sample has entered.
`default_nettype none
module adi_toggles #(
    parameter S       = 5,  // index bits, 2..7; clusters are told apart by S - 1 of them
    parameter BITS    = 25, // block-address bits that may be candidates, S..32
    parameter SEL_W   = 5,  // bits of a selector, clog2(BITS)..5
    parameter M       = 10, // bits per counter, 2..16
    parameter COMPACT = 1,  // 1: no tag and counter for retained bits
    parameter AT_ONCE = 0   // 1: the sample of a cycle shows in that cycle
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   clear,
    input  wire                                   sample,
    input  wire [BITS-1:0]                        blk,
    input  wire [S-2:0]                           cluster,
    input  wire [(S-1)*SEL_W-1:0]                 kept_sel,
    output wire [(BITS-(S-1)*(COMPACT%2))*M-1:0]  toggles
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
        if (M < 2 || M > 16) begin : g_bad_M
            M_must_be_from_2_to_16 u_stop ();
        end
        if (COMPACT < 0 || COMPACT > 1) begin : g_bad_COMPACT
            COMPACT_must_be_0_or_1 u_stop ();
        end
        if (AT_ONCE < 0 || AT_ONCE > 1) begin : g_bad_AT_ONCE
            AT_ONCE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam CANDS    = COMPACT != 0 ? BITS - S + 1 : BITS;
    localparam CLUSTERS = 1 << (S - 1);

    reg [CANDS-1:0]    tag_q [0:CLUSTERS-1];
    reg [CLUSTERS-1:0] tag_valid_q;
    reg [CANDS*M-1:0]  tog_q, tog_s;

    wire [CANDS-1:0] cand;
    generate
        if (COMPACT != 0) begin : g_compact
            adi_candidates #(.S(S), .BITS(BITS), .SEL_W(SEL_W)) u_candidates (
                .word(blk), .kept_sel(kept_sel), .cand(cand)
            );
        end else begin : g_all
            assign cand = blk;
            wire unused = &{1'b0, kept_sel};
        end
    endgenerate

    wire             known   = sample && tag_valid_q[cluster];
    wire [CANDS-1:0] toggled = (tag_q[cluster] ^ cand) & {CANDS{known}};
    integer          c;
    always @* begin
        for (c = 0; c < CANDS; c = c + 1)
            tog_s[c*M +: M] = tog_q[c*M +: M] + {{(M-1){1'b0}}, toggled[c]};
    end

    assign toggles = AT_ONCE != 0 ? tog_s : tog_q;

    always @(posedge clk) begin
        if (rst || clear) begin
            tog_q       <= {CANDS*M{1'b0}};
            tag_valid_q <= {CLUSTERS{1'b0}};
        end else begin
            tog_q <= tog_s;
            if (sample) tag_valid_q[cluster] <= 1'b1;
        end
    end

    // Without reset: read only where tag_valid_q is 1.
    always @(posedge clk) begin
        if (sample) tag_q[cluster] <= cand;
    end
endmodule
`default_nettype wire
