// oaws_epoch - ageing period of the divergent load classifier (wang2015 3.16.1).
//
// age_tick = 1 in every EPOCH-th cycle with enable; enable = 0 starts the period anew.
`default_nettype none
module oaws_epoch #(
    parameter EPOCH = 16384  // cycles, 2..2^24
) (
    input  wire clk,
    input  wire rst,
    input  wire enable,
    output wire age_tick
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (EPOCH < 2 || EPOCH > 16777216) begin : g_bad_EPOCH
            EPOCH_must_be_from_2_to_16777216 u_stop ();
        end
    endgenerate

    localparam COUNT_W = $clog2(EPOCH);
    localparam LAST    = EPOCH - 1;

    reg  [COUNT_W-1:0] count_q, count_d;
    wire               last = count_q == LAST[COUNT_W-1:0];
    assign age_tick = enable && last;

    always @* begin
        count_d = count_q + 1'b1;
        if (last || !enable)
            count_d = {COUNT_W{1'b0}};
    end

    always @(posedge clk) begin
        if (rst) count_q <= {COUNT_W{1'b0}};
        else     count_q <= count_d;
    end
endmodule
`default_nettype wire
