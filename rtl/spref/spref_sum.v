// spref_sum - the sum of 32 numbers of W bits (lakshminarayana2014-graph 3.1.5).
//
// Combinational.  Three numbers become two of the same sum, without a carry that travels: the three that have
// waited longest, until two are left, which are added.
`default_nettype none
module spref_sum #(
    parameter W = 4  // bits of a number, 1..8
) (
    input  wire [32*W-1:0] number,
    output wire [W+4:0]    sum
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (W < 1 || W > 8) begin : g_bad_W
            W_must_be_from_1_to_8 u_stop ();
        end
    endgenerate

    localparam S     = W + 5;       // bits of the sum
    localparam STEPS = 30;          // from 32 numbers to two
    localparam ALL   = 32 + 2 * STEPS;

    reg [ALL*S-1:0] queue;  // number i at i*S
    reg [S-1:0]     a, b, c;
    integer i;
    always @* begin
        queue = {(ALL*S){1'b0}};
        for (i = 0; i < 32; i = i + 1)
            queue[i*S +: W] = number[i*W +: W];
        for (i = 0; i < STEPS; i = i + 1) begin
            a = queue[(3*i + 0)*S +: S];
            b = queue[(3*i + 1)*S +: S];
            c = queue[(3*i + 2)*S +: S];
            queue[(32 + 2*i)*S +: S] = a ^ b ^ c;
            queue[(33 + 2*i)*S +: S] = ((a & b) | (a & c) | (b & c)) << 1;
        end
    end
    assign sum = queue[(ALL-2)*S +: S] + queue[(ALL-1)*S +: S];

    wire unused = &{1'b0, a, b, c};
endmodule
`default_nettype wire
