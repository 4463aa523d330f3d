// balance_monitor - running sums of the balance metric (wang2015 3.8 BAL, Eq 3.2).
//
// An access is counted at the edge at which acc_valid is 1: the b-th access of a set
// adds 1 to total and b to sum, so that sum is the sum over all sets of b(b+1)/2.
// total and sum are visible from the next cycle on.  An access to a set whose
// counter is full is not counted at all and is an overflow: total and sum stay the
// exact sums of the counted accesses, and cannot themselves overflow.
// clear empties everything; an access in the same cycle is the first one after.
`default_nettype none
module balance_monitor #(
    parameter SETS    = 32,  // a power of two
    parameter COUNT_W = 12   // accesses of one set, bits; 2 .. 24
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              clear,
    input  wire                              acc_valid,
    input  wire [$clog2(SETS)-1:0]           set_index,
    output wire [COUNT_W+$clog2(SETS)-1:0]   total,
    output wire [2*COUNT_W+$clog2(SETS)-2:0] sum,
    output wire                              overflow
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_4096 u_stop ();
        end
        if (COUNT_W < 2 || COUNT_W > 24) begin : g_bad_COUNT_W
            COUNT_W_must_be_from_2_to_24 u_stop ();
        end
    endgenerate

    localparam LOGN    = $clog2(SETS);
    localparam TOTAL_W = COUNT_W + LOGN;
    localparam SUM_W   = 2 * COUNT_W + LOGN - 1;

    reg [TOTAL_W-1:0] total_q, total_d;
    reg [SUM_W-1:0]   sum_q, sum_d;
    reg [SETS-1:0]    seen_q, seen_d;
    reg [COUNT_W-1:0] count_q [0:SETS-1];

    wire               known = seen_q[set_index] & ~clear;
    wire [COUNT_W-1:0] b     = known ? count_q[set_index] : {COUNT_W{1'b0}};
    wire [COUNT_W-1:0] b_inc = b + 1'b1;
    wire               full  = &b;
    wire               take  = acc_valid & ~full;

    assign total    = total_q;
    assign sum      = sum_q;
    assign overflow = acc_valid & full;

    always @* begin
        total_d = clear ? {TOTAL_W{1'b0}} : total_q;
        sum_d   = clear ? {SUM_W{1'b0}} : sum_q;
        seen_d  = clear ? {SETS{1'b0}} : seen_q;
        if (take) begin
            total_d = total_d + 1'b1;
            sum_d   = sum_d + {{(SUM_W-COUNT_W){1'b0}}, b_inc};
            seen_d[set_index] = 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            total_q <= {TOTAL_W{1'b0}};
            sum_q   <= {SUM_W{1'b0}};
            seen_q  <= {SETS{1'b0}};
        end else begin
            total_q <= total_d;
            sum_q   <= sum_d;
            seen_q  <= seen_d;
        end
    end

    // Without reset: read only where seen_q is 1.
    always @(posedge clk) begin
        if (take) count_q[set_index] <= b_inc;
    end
endmodule
`default_nettype wire
