// flush_ctrl - walks the sets of a cache for a flush (dissertation 3.3; aci 3.8.3, 3.8.7).
//
// flush_req is held by the requester until the cycle in which flush_done is 1; the flush
// starts in the first cycle of flush_req, and flush_set names the set of each cycle.  A
// cycle with flush_step = 1 flushes every way of flush_set at its clock edge.  Without
// dirty lines that is one set per cycle, so flush_done comes in cycle number SETS.
// A set with dirty lines first writes them back, lowest way first, one per cycle in which
// wb_ready is 1; the owner of the lines must clear a line's bit of dirty when its
// wb_valid and wb_ready are 1.  With WB_OVERLAP the last write-back of a set and its step
// share a cycle.  dirty belongs to flush_set in the same cycle.  With flush_req low
// nothing moves; dropping flush_req half way keeps the place (not done by adi_engine).
`default_nettype none
module flush_ctrl #(
    parameter SETS       = 32,  // a power of two, 4..4096
    parameter WAYS       = 4,   // 2..64
    parameter WB_OVERLAP = 0    // 1: a set's last write-back and its step in one cycle
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    flush_req,
    input  wire [WAYS-1:0]         dirty,
    input  wire                    wb_ready,
    output wire                    flush_busy,
    output wire [$clog2(SETS)-1:0] flush_set,
    output wire                    flush_step,
    output wire                    flush_done,
    output wire                    wb_valid,
    output reg  [$clog2(WAYS)-1:0] wb_way
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 4 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (WAYS < 2 || WAYS > 64) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_64 u_stop ();
        end
        if (WB_OVERLAP < 0 || WB_OVERLAP > 1) begin : g_bad_WB_OVERLAP
            WB_OVERLAP_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam SET_W = $clog2(SETS);
    localparam WAY_W = $clog2(WAYS);

    reg [SET_W-1:0] set_q;
    reg [SET_W-1:0] set_d;

    // One bit set at most, or none: x & (x - 1) removes the lowest bit.
    wire [WAYS-1:0] others   = dirty & (dirty - {{(WAYS-1){1'b0}}, 1'b1});
    wire            any      = |dirty;
    wire            last_out = (WB_OVERLAP != 0) && any && !(|others) && wb_ready;

    assign flush_busy = flush_req;
    assign flush_set  = set_q;
    assign wb_valid   = flush_req && any;
    assign flush_step = flush_req && (!any || last_out);
    assign flush_done = flush_step && (&set_q);

    integer w;
    always @* begin
        wb_way = {WAY_W{1'b0}};
        for (w = WAYS - 1; w >= 0; w = w - 1) begin
            if (dirty[w]) wb_way = w[WAY_W-1:0];
        end
    end

    always @* begin
        set_d = set_q;
        if (flush_step) set_d = set_q + {{(SET_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (rst) set_q <= {SET_W{1'b0}};
        else     set_q <= set_d;
    end
endmodule
`default_nettype wire
