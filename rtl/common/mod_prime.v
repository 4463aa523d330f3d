// mod_prime - residue of a value modulo the largest prime not above SETS, without
// division (aci-iacm-blpp 3.6; wang2015 3.7, mod 31 of 13 bits).
//
// Combinational.  With SETS = 2^L and PRIME = SETS - DELTA, 2^L == DELTA, so that
// digit i of the value in base 2^L has the constant weight DELTA^i mod PRIME.  The
// weighted digits are summed; then the part above L bits is folded back, times
// DELTA, until the result is below 2 PRIME, where one subtraction remains.
`default_nettype none
module mod_prime #(
    parameter IN_W = 33,  // bits of the value, 1 .. 64
    parameter SETS = 32   // a power of two, 4 .. 4096
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

    // The greatest value that can stand after `folds` folds.
    function integer greatest(input integer folds);
        integer i, weight;
        begin
            greatest = 0;
            weight = 1;
            for (i = 0; i < DIGITS; i = i + 1) begin
                greatest = greatest + weight * (SETS - 1);
                weight = (weight * DELTA) % PRIME;
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
                weight = (weight * DELTA) % PRIME;
            end
        end
    endfunction

    localparam [DIGITS*SUM_W-1:0] WEIGHTS = weights(1);
    localparam [SUM_W-1:0]        PRIME_S = PRIME[SUM_W-1:0];
    localparam [SUM_W-1:0]        DELTA_S = DELTA[SUM_W-1:0];
    localparam [SUM_W-1:0]        LOW_S   = {SUM_W{1'b1}} >> (SUM_W - L);

    wire [DIGITS*L+SUM_W-1:0] padded = {{(DIGITS*L+SUM_W-IN_W){1'b0}}, value};

    reg [SUM_W-1:0] sum;
    integer i;
    always @* begin
        sum = {SUM_W{1'b0}};
        for (i = 0; i < DIGITS; i = i + 1)
            sum = sum + WEIGHTS[i*SUM_W +: SUM_W] * (padded[i*L +: SUM_W] & LOW_S);
        for (i = 0; i < FOLDS; i = i + 1)
            sum = (sum & LOW_S) + DELTA_S * (sum >> L);
        if (sum >= PRIME_S) sum = sum - PRIME_S;
    end
    assign residue = sum[L-1:0];

    wire unused = &{1'b0, padded, sum};
endmodule
`default_nettype wire
