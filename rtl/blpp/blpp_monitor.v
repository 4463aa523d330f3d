// blpp_monitor - the counters that page placement decides by (dissertation 5.2, Fig. 37;
// aci 3.17.5, 3.17.8).
//
// Accesses and misses of L1D and L2, and bytes between cores and memory partitions, counted for a window.
// Counters stay at their greatest value, which `saturated` tells.  sample begins a new window: what comes
// in its cycle is the first of the new one.  Outputs are the counters as they stand.
`default_nettype none
module blpp_monitor #(
    parameter CW      = 32,  // bits of a counter of events, 4..32
    parameter BW      = 40,  // bits of the counter of bytes, BYTES_W..40
    parameter BYTES_W = 12   // bits of what a cycle brings, 1..16
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               sample,
    input  wire               l1_access,
    input  wire               l1_miss,
    input  wire               l2_access,
    input  wire               l2_miss,
    input  wire [BYTES_W-1:0] bytes,
    output wire [CW-1:0]      l1_accesses,
    output wire [CW-1:0]      l1_misses,
    output wire [CW-1:0]      l2_accesses,
    output wire [CW-1:0]      l2_misses,
    output wire [BW-1:0]      byte_count,
    output wire               saturated
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CW < 4 || CW > 32) begin : g_bad_CW
            CW_must_be_from_4_to_32 u_stop ();
        end
        if (BW < 8 || BW > 40 || BW < BYTES_W) begin : g_bad_BW
            BW_must_be_from_8_to_40_and_not_below_BYTES_W u_stop ();
        end
        if (BYTES_W < 1 || BYTES_W > 16) begin : g_bad_BYTES_W
            BYTES_W_must_be_from_1_to_16 u_stop ();
        end
    endgenerate

    reg [CW-1:0] l1_access_q, l1_miss_q, l2_access_q, l2_miss_q;
    reg [BW-1:0] bytes_q;

    wire [BW-1:0] more = {{(BW-BYTES_W){1'b0}}, bytes};
    wire [BW:0]   sum  = {1'b0, bytes_q} + {1'b0, more};

    assign l1_accesses = l1_access_q;
    assign l1_misses   = l1_miss_q;
    assign l2_accesses = l2_access_q;
    assign l2_misses   = l2_miss_q;
    assign byte_count  = bytes_q;
    assign saturated   = &l1_access_q || &l1_miss_q || &l2_access_q || &l2_miss_q || &bytes_q;

    always @(posedge clk) begin
        if (rst) begin
            l1_access_q <= {CW{1'b0}};
            l1_miss_q   <= {CW{1'b0}};
            l2_access_q <= {CW{1'b0}};
            l2_miss_q   <= {CW{1'b0}};
            bytes_q     <= {BW{1'b0}};
        end else if (sample) begin
            l1_access_q <= {{(CW-1){1'b0}}, l1_access};
            l1_miss_q   <= {{(CW-1){1'b0}}, l1_miss};
            l2_access_q <= {{(CW-1){1'b0}}, l2_access};
            l2_miss_q   <= {{(CW-1){1'b0}}, l2_miss};
            bytes_q     <= more;
        end else begin
            l1_access_q <= l1_access_q + {{(CW-1){1'b0}}, l1_access && !(&l1_access_q)};
            l1_miss_q   <= l1_miss_q   + {{(CW-1){1'b0}}, l1_miss   && !(&l1_miss_q)};
            l2_access_q <= l2_access_q + {{(CW-1){1'b0}}, l2_access && !(&l2_access_q)};
            l2_miss_q   <= l2_miss_q   + {{(CW-1){1'b0}}, l2_miss   && !(&l2_miss_q)};
            bytes_q     <= sum[BW] ? {BW{1'b1}} : sum[BW-1:0];
        end
    end
endmodule
`default_nettype wire
