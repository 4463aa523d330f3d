// rdu_signature - one signature: a Bloom filter of M bits with six H3 hashes
// (tabbakh2018 3.7.2, D-R1; its logic is that of rdu and avu).
//
// One key per cycle.  found and idx answer for it in the same cycle, from the contents
// as they stand.  At the clock edge insert sets its six bits; clear empties the filter
// and wins over insert.  There is no key for which the outputs are undefined.
`default_nettype none
module rdu_signature #(
    parameter M = 1024  // bits: a power of two, 64..16384
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [31:0]            key,
    input  wire                   insert,
    input  wire                   clear,
    output wire                   found,
    output wire [6*$clog2(M)-1:0] idx,
    output wire                   fresh
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
    endgenerate

    reg  [M-1:0] sig_q;
    wire [M-1:0] mask;

    h3_hash #(.M(M)) u_hash (.key(key), .idx(idx));
    bloom_test #(.M(M)) u_bloom_test (.sig(sig_q), .idx(idx), .found(found));
    bloom_mask #(.M(M)) u_bloom_mask (.idx(idx), .mask(mask));
    assign fresh = insert && !clear && !found;

    always @(posedge clk) begin
        if (rst || clear) sig_q <= {(M/64){64'd0}};
        else if (insert)  sig_q <= sig_q | mask;
    end
endmodule
`default_nettype wire
