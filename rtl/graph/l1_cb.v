// l1_cb - the copy-back bit of each L1 line: is it copied back to the L2 when it is evicted
// (lakshminarayana2014 3.4.2, 3.4.4)?
//
// Beside the tag array.  fill: line number fill_line (set * ways + way) gets a block whose request
// was exclusive (fill_excl) or not; what it replaces is shown in the same cycle: evict_valid, there
// was a line; evict_cb, it is to be copied back.  inv: a store took line inv_line away; before a
// fill of the same cycle.  flush (a kernel ends) takes all away, and wins over a fill; nothing is
// evicted.
`default_nettype none
module l1_cb #(
    parameter LINES = 384  // 2..1024
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     flush,
    input  wire                     inv_valid,
    input  wire [$clog2(LINES)-1:0] inv_line,
    input  wire                     fill_valid,
    input  wire [$clog2(LINES)-1:0] fill_line,
    input  wire                     fill_excl,
    output wire                     evict_valid,
    output wire                     evict_cb
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (LINES < 2 || LINES > 1024) begin : g_bad_LINES
            LINES_must_be_from_2_to_1024 u_stop ();
        end
    endgenerate

    reg [LINES-1:0] valid_q, cb_q;

    wire fills = fill_valid && !flush;
    wire taken = inv_valid && inv_line == fill_line;

    assign evict_valid = fills && valid_q[fill_line] && !taken;
    assign evict_cb    = evict_valid && cb_q[fill_line];

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {LINES{1'b0}};
        end else if (flush) begin
            valid_q <= {LINES{1'b0}};
        end else begin
            if (inv_valid) valid_q[inv_line] <= 1'b0;
            if (fills) valid_q[fill_line] <= 1'b1;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (fills) cb_q[fill_line] <= fill_excl;
    end
endmodule
`default_nettype wire
