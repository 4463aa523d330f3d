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

`ifdef FORMAL
    reg started = 1'b0;  // a reset has been
    always @(posedge clk) started <= 1'b1;
    always @* if (!started) assume (rst);
    // A flush visits every set once, in order, and ends with the last; a cycle without dirty
    // lines always gets on; what is written back is the lowest dirty line.
    reg [SET_W:0] steps = {(SET_W+1){1'b0}};  // of the running flush
    always @(posedge clk)
        steps <= rst || flush_done ? {(SET_W+1){1'b0}} : steps + {{SET_W{1'b0}}, flush_step};
    always @* if (started) begin
        assert (steps == {1'b0, flush_set});
        assert (!flush_done || steps == SETS - 1);
        assert (!flush_req || any || flush_step);
        assert (!flush_step || !any || (wb_valid && wb_ready && WB_OVERLAP != 0));
        assert (!wb_valid || (dirty[wb_way] && (dirty & ~({WAYS{1'b1}} << wb_way)) == 0));
    end
`endif
endmodule
`default_nettype wire
