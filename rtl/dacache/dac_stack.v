// dac_stack - the LRU stacks of all sets (wang2015 3.12.4, 3.12.6, A.7).
//
// One operation per cycle on the stack of `set_index`:
//   op 1  promote: the line at `pos` climbs `climb` positions towards MRU and stops there
//   op 2  insert:  the line at `pos` (the victim) is taken out and put in at `insert_pos`
// The lines between the old and the new position shift by one.  lru_stack shows the
// stack before the operation in the same cycle; the new stack is there from the next
// cycle on, so operations on one set may follow back to back.  Other op codes, and
// positions that are no way (WAYS no power of two), change nothing.
// Reset: position i holds way i in every set.
`default_nettype none
module dac_stack #(
    parameter SETS = 32,  // a power of two, at least 2
    parameter WAYS = 8    // ways, 2..16
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [1:0]                   op,
    input  wire [$clog2(SETS)-1:0]      set_index,
    input  wire [$clog2(WAYS)-1:0]      pos,
    input  wire [$clog2(WAYS)-1:0] insert_pos,
    input  wire [$clog2(WAYS)-1:0] climb,
    output wire [WAYS*$clog2(WAYS)-1:0] lru_stack,
    output wire                         moved
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_4096 u_stop ();
        end
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
    endgenerate

    localparam WAY_W   = $clog2(WAYS);
    localparam STACK_W = WAYS * WAY_W;
    localparam [WAY_W:0] WAYS_X = WAYS[WAY_W:0];
    localparam [1:0] OP_PROMOTE = 2'd1, OP_INSERT = 2'd2;

    reg [STACK_W-1:0] stack_q [0:SETS-1];
    reg [SETS-1:0]    written_q, written_d;  // a set not yet written holds the reset order

    reg [STACK_W-1:0] identity;
    integer w;
    always @* begin
        identity = {STACK_W{1'b0}};
        for (w = 0; w < WAYS; w = w + 1)
            identity[w*WAY_W +: WAY_W] = w[WAY_W-1:0];
    end
    assign lru_stack = written_q[set_index] ? stack_q[set_index] : identity;

    wire legal   = {1'b0, pos} < WAYS_X && (op == OP_PROMOTE ||
                                          (op == OP_INSERT && {1'b0, insert_pos} < WAYS_X));
    wire [WAY_W-1:0] climbed = pos > climb ? pos - climb : {WAY_W{1'b0}};
    wire [WAY_W-1:0] to      = op == OP_PROMOTE ? climbed : insert_pos;
    assign moved = legal && to != pos;

    // What each position takes: its own line, that of a neighbour, or the line at `pos`.  The
    // positions alone say which, so that it is known when the stack has been read.
    reg [WAYS-1:0] at_pos, at_to, takes_before, takes_after;
    integer p;
    always @* begin
        for (p = 0; p < WAYS; p = p + 1) begin
            at_pos[p]       = p[WAY_W-1:0] == pos;
            at_to[p]        = p[WAY_W-1:0] == to;
            takes_before[p] = p[WAY_W-1:0] > to && p[WAY_W-1:0] <= pos;
            takes_after[p]  = p[WAY_W-1:0] >= pos && p[WAY_W-1:0] < to;
        end
    end
    wire [WAYS-1:0] keeps = ~(at_to | takes_before | takes_after);

    // One position of padding at either end: the neighbours of position i.
    wire [STACK_W+2*WAY_W-1:0] padded = {{WAY_W{1'b0}}, lru_stack, {WAY_W{1'b0}}};
    reg  [WAY_W-1:0]   line;
    reg  [STACK_W-1:0] stack_d;
    integer i;
    always @* begin
        line = {WAY_W{1'b0}};
        for (i = 0; i < WAYS; i = i + 1)
            line = line | (lru_stack[i*WAY_W +: WAY_W] & {WAY_W{at_pos[i]}});
        for (i = 0; i < WAYS; i = i + 1)
            stack_d[i*WAY_W +: WAY_W] = (lru_stack[i*WAY_W +: WAY_W]  & {WAY_W{keeps[i]}})
                                      | (padded[i*WAY_W +: WAY_W]     & {WAY_W{takes_before[i]}})
                                      | (padded[(i+2)*WAY_W +: WAY_W] & {WAY_W{takes_after[i]}})
                                      | (line                         & {WAY_W{at_to[i]}});
    end

    always @* begin
        written_d = written_q;
        if (moved) written_d[set_index] = 1'b1;
    end

    always @(posedge clk) begin
        if (rst) written_q <= {SETS{1'b0}};
        else     written_q <= written_d;
    end

    // Without reset: read only where written_q is 1.
    always @(posedge clk) begin
        if (moved) stack_q[set_index] <= stack_d;
    end
endmodule
`default_nettype wire
