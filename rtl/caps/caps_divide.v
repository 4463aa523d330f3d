// caps_divide - a signed number divided by the distance of two warps (caps-prefetch 3.2.7, D2).
//
// number, negative and by are held while `enable` is 1.  Not negative, bit 31 of the number is
// 2^31.  In the 33rd such cycle `done` is 1 and the quotient, rounded down, is there; whole:
// nothing is left over.  A bit of the quotient a cycle, bit 31 first: what it leaves over is
// less than `by`, as for every other bit.  When enable falls, the division is forgotten.
// by is 2 or more.
`default_nettype none
module caps_divide (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,
    input  wire [31:0] number,
    input  wire        negative,
    input  wire [5:0]  by,
    output wire        done,
    output wire        whole,
    output wire [31:0] quotient
);
    reg [5:0]  steps_q, steps_d;
    reg [5:0]  rest_q, rest_d;
    reg [31:0] bits_q, bits_d;  // of the number, still to come; of the quotient, from below

    wire [6:0] rest = {rest_q, bits_q[31]};
    wire [6:0] less = rest - {1'b0, by};
    wire       fits = rest >= {1'b0, by};

    always @* begin
        steps_d = 6'd0;
        rest_d  = rest_q;
        bits_d  = bits_q;
        if (enable && !done) begin
            steps_d = steps_q + 6'd1;
            if (steps_q == 6'd0) begin
                rest_d = negative ? by - 6'd1 : {5'd0, number[31]};
                bits_d = {number[30:0], negative};
            end else begin
                rest_d = fits ? less[5:0] : rest[5:0];
                bits_d = {bits_q[30:0], fits};
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            steps_q <= 6'd0;
            rest_q  <= 6'd0;
            bits_q  <= 32'd0;
        end else begin
            steps_q <= steps_d;
            rest_q  <= rest_d;
            bits_q  <= bits_d;
        end
    end

    assign done     = steps_q == 6'd32;
    assign whole    = rest_q == 6'd0;
    assign quotient = bits_q;

    wire unused = &{1'b0, less};
endmodule
`default_nettype wire
