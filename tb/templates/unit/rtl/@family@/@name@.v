// @name@ - counts accesses since the last clear, up to LIMIT, and says when it got there.
// (A beginning: say here what yours is, and after which section of which document it works.)
//
// hit = 1 counts one, unless LIMIT is reached; clear = 1 begins at 0 anew, and wins over hit.
// hot = 1 from the cycle after the LIMIT-th hit to that of the clear, included.
`default_nettype none
module @name@ #(
    parameter LIMIT = 12  // hits, 2..255
) (
    input  wire clk,
    input  wire rst,
    input  wire hit,
    input  wire clear,
    output wire hot
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (LIMIT < 2 || LIMIT > 255) begin : g_bad_LIMIT
            LIMIT_must_be_from_2_to_255 u_stop ();
        end
    endgenerate

    localparam COUNT_W = $clog2(LIMIT + 1);

    reg [COUNT_W-1:0] count_q, count_d;
    assign hot = count_q == LIMIT[COUNT_W-1:0];

    always @* begin
        count_d = count_q;
        if (clear)
            count_d = {COUNT_W{1'b0}};
        else if (hit && !hot)
            count_d = count_q + 1'b1;
    end

    always @(posedge clk) begin
        if (rst) count_q <= {COUNT_W{1'b0}};
        else     count_q <= count_d;
    end
endmodule
`default_nettype wire
