// mod_prime - residue of a value modulo the largest prime not above SETS, without
// division (aci-iacm-blpp 3.6; wang2015 3.7, mod 31 of 13 bits).
//
// Combinational.  With SETS = 2^L and PRIME = SETS - DELTA, 2^L == DELTA, so that
// digit i of the value in base 2^L has the constant weight DELTA^i mod PRIME; with another
// ABOVE what is reduced is digit 0 and ABOVE times the number above it.  The weighted digits
// are summed; then the part above L bits is folded back, times DELTA, until the result is below
// 2 PRIME, where one subtraction remains, which is made beside the last fold.  Where DELTA is 1
// a digit times a power of two is the digit turned, and a carry out of the top goes in at the
// bottom: all copies of digits, one for each bit of a weight, are added in L bits, three by three.
`default_nettype none
module mod_prime #(
    parameter IN_W  = 33,  // bits of the value, 1 .. 64
    parameter SETS  = 32,  // a power of two, 4 .. 4096
    parameter ABOVE = SETS // what counts above the lowest digit, 1 .. 4096: SETS for the value itself
) (
    input  wire [IN_W-1:0]         value,
    output wire [$clog2(SETS)-1:0] residue
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (IN_W < 1 || IN_W > 64) begin : g_bad_IN_W
            IN_W_must_be_from_1_to_64 u_stop ();
        end
        if (SETS < 4 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (ABOVE < 1 || ABOVE > 4096) begin : g_bad_ABOVE
            ABOVE_must_be_from_1_to_4096 u_stop ();
        end
    endgenerate

    // All functions below run at elaboration only.
    function integer largest_prime(input integer bound);
        integer candidate, divisor, found;
        begin
            largest_prime = 2;
            found = 0;
            for (candidate = bound; candidate > 2; candidate = candidate - 1) begin
                if (found == 0) begin
                    found = 1;
                    for (divisor = 2; divisor * divisor <= candidate; divisor = divisor + 1)
                        if (candidate % divisor == 0) found = 0;
                    if (found == 1) largest_prime = candidate;
                end
            end
        end
    endfunction

    localparam L      = $clog2(SETS);
    localparam PRIME  = largest_prime(SETS);
    localparam DELTA  = SETS - PRIME;
    localparam DIGITS = (IN_W + L - 1) / L;

    // The weight of the digit after one of this weight, digit `i`.
    function integer next_weight(input integer weight, input integer i);
        next_weight = i == 1 ? ABOVE % PRIME : (weight * DELTA) % PRIME;
    endfunction

    // Copies of digits, one for each bit of each weight.
    function integer copies(input integer digits);
        integer i, weight, rest;
        begin
            copies = 0;
            weight = 1;
            for (i = 0; i < digits; i = i + 1) begin
                for (rest = weight; rest > 0; rest = rest / 2)
                    copies = copies + rest % 2;
                weight = next_weight(weight, i + 1);
            end
        end
    endfunction

    // The greatest value that can stand after `folds` folds.
    function integer greatest(input integer folds);
        integer i, weight;
        begin
            greatest = 0;
            weight = 1;
            for (i = 0; i < DIGITS; i = i + 1) begin
                greatest = greatest + weight * (SETS - 1);
                weight = next_weight(weight, i + 1);
            end
            for (i = 0; i < folds; i = i + 1)
                greatest = SETS - 1 + DELTA * (greatest / SETS);
        end
    endfunction

    // Three folds bring any sum of 64 bits' digits below 2 PRIME.
    localparam FOLDS = greatest(0) < 2 * PRIME ? 0 :
                       greatest(1) < 2 * PRIME ? 1 :
                       greatest(2) < 2 * PRIME ? 2 : 3;
    localparam SUM_W = $clog2(greatest(0) + 1);

    // The weights of all digits, digit 0 lowest.
    function [DIGITS*SUM_W-1:0] weights(input integer first);
        integer i, weight;
        begin
            weight = first;
            for (i = 0; i < DIGITS; i = i + 1) begin
                weights[i*SUM_W +: SUM_W] = weight[SUM_W-1:0];
                weight = next_weight(weight, i + 1);
            end
        end
    endfunction

    localparam [DIGITS*SUM_W-1:0] WEIGHTS = weights(1);
    localparam [SUM_W-1:0]        DELTA_S = DELTA[SUM_W-1:0];
    localparam [SUM_W-1:0]        LOW_S   = {SUM_W{1'b1}} >> (SUM_W - L);

    wire [DIGITS*L+SUM_W-1:0] padded = {{(DIGITS*L+SUM_W-IN_W){1'b0}}, value};

    generate
        if (DELTA == 1) begin : g_turned
            // The copies, then what each addition of three leaves; the last two are the sum.
            localparam COPIES = copies(DIGITS);
            localparam LAST   = COPIES > 2 ? 3 * COPIES - 6 : 0;
            reg [(3*COPIES+2)*L-1:0] number;
            reg [2*L-1:0]            twice;
            reg [L-1:0]              a, b, c, carry;
            integer digit, k, n;
            always @* begin
                number = {((3*COPIES+2)*L){1'b0}};
                twice  = {(2*L){1'b0}};
                n      = 0;
                for (digit = 0; digit < DIGITS; digit = digit + 1) begin
                    twice = {2{padded[digit*L +: L]}};
                    for (k = 0; k < L; k = k + 1)
                        if (WEIGHTS[digit*SUM_W + k]) begin
                            number[n*L +: L] = twice[L - k +: L];
                            n = n + 1;
                        end
                end
                for (k = 0; k < COPIES - 2; k = k + 1) begin
                    a     = number[3*k*L +: L];
                    b     = number[(3*k+1)*L +: L];
                    c     = number[(3*k+2)*L +: L];
                    carry = (a & b) | (a & c) | (b & c);
                    number[(COPIES + 2*k)*L +: L]     = a ^ b ^ c;
                    number[(COPIES + 2*k + 1)*L +: L] = {carry[L-2:0], carry[L-1]};
                end
            end

            // 2^L - 1 is 0, too, and so is twice that.
            wire [L-1:0] x     = number[LAST*L +: L];
            wire [L-1:0] y     = number[(LAST+1)*L +: L];
            wire [L:0]   plain = {1'b0, x} + {1'b0, y};
            wire [L:0]   less  = {1'b0, x} + {1'b0, y} + {{L{1'b0}}, 1'b1};
            assign residue = &x && &y ? {L{1'b0}} : less[L] ? less[L-1:0] : plain[L-1:0];
            wire unused_number = &{1'b0, number, plain, FOLDS[0], LOW_S, DELTA_S, padded};
        end else begin : g_folded
            reg [SUM_W-1:0] sum;
            integer i;
            always @* begin
                sum = {SUM_W{1'b0}};
                for (i = 0; i < DIGITS; i = i + 1)
                    sum = sum + WEIGHTS[i*SUM_W +: SUM_W] * (padded[i*L +: SUM_W] & LOW_S);
                for (i = 0; i < FOLDS - 1; i = i + 1)
                    sum = (sum & LOW_S) + DELTA_S * (sum >> L);
            end

            // The last fold, and beside it the same less the prime: 2^L more and DELTA, so that
            // its bit L says whether that was too much.
            wire [SUM_W-1:0] above = FOLDS > 0 ? DELTA_S * (sum >> L) : sum & ~LOW_S;
            wire [SUM_W+L:0] low   = {{(L+1){1'b0}}, sum & LOW_S};
            wire [SUM_W+L:0] high  = {{(L+1){1'b0}}, above};
            wire [L:0]       plain = low[L:0] + high[L:0];
            wire [L:0]       less  = low[L:0] + high[L:0] + DELTA[L:0];
            assign residue = less[L] ? less[L-1:0] : plain[L-1:0];
            wire unused_sum = &{1'b0, low, high, plain, padded};
        end
    endgenerate
endmodule
`default_nettype wire
