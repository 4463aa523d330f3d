// caps_verify - compares a load with its prediction (caps-prefetch 3.2.3).
//
// Combinational.  Prediction i is base i + (wic - lead) * stride, modulo 2^32; wrong is 1
// when a request that both warps have lies in another line (VERIFY_BYTES: at another
// byte) than predicted.  Request 0 always takes part.
`default_nettype none
module caps_verify #(
    parameter VERIFY_BYTES = 0  // 1: byte-exact comparison
) (
    input  wire [5:0]   wic,
    input  wire [2:0]   n,
    input  wire [127:0] addr,
    input  wire [5:0]   lead,
    input  wire [1:0]   last,
    input  wire [127:0] base,
    input  wire [31:0]  stride,
    output reg          wrong
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (VERIFY_BYTES < 0 || VERIFY_BYTES > 1) begin : g_bad_VERIFY_BYTES
            VERIFY_BYTES_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam LOW = VERIFY_BYTES != 0 ? 0 : 7;

    wire [6:0]  distance = {1'b0, wic} - {1'b0, lead};
    wire [31:0] offset   = {{25{distance[6]}}, distance} * stride;

    reg [31:0] predicted;
    integer lane;
    always @* begin
        wrong     = 1'b0;
        predicted = 32'd0;
        for (lane = 0; lane < 4; lane = lane + 1) begin
            predicted = base[lane*32 +: 32] + offset;
            if (lane == 0 || (lane[2:0] < n && lane[1:0] <= last))
                if (predicted[31:LOW] != addr[lane*32 + LOW +: 32 - LOW])
                    wrong = 1'b1;
        end
    end

    wire unused = &{1'b0, predicted, addr};
endmodule
`default_nettype wire
