// age_order - the order in which slots stand, one bit for each pair of them, after a step.
//
// Combinational; the caller keeps the order: bit hi*(hi-1)/2 + lo says that slot hi stands before the
// lower slot lo.
// The next order: slots of `front` before all others; among equals those of `head` are put first,
// then come those that nobody names, then `first`, then `last`; those of one of these groups stay
// as they were.  A slot is in one group at most.  An order without a cycle gets none.
`default_nettype none
module age_order #(
    parameter SLOTS = 24  // 2..64
) (
    input  wire [SLOTS*(SLOTS-1)/2-1:0] order,
    input  wire [SLOTS-1:0]             front,
    input  wire [SLOTS-1:0]             head,
    input  wire [SLOTS-1:0]             first,
    input  wire [SLOTS-1:0]             last,
    output wire [SLOTS*(SLOTS-1)/2-1:0] order_next
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SLOTS < 2 || SLOTS > 64) begin : g_bad_SLOTS
            SLOTS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    wire [SLOTS-1:0] moved = first | last;

    // Slot hi against all that are lower.
    genvar hi;
    generate
        for (hi = 1; hi < SLOTS; hi = hi + 1) begin : g_slot
            localparam ROW = hi * (hi - 1) / 2;
            wire [hi-1:0] hi_earlier = ({hi{head[hi]}} & ~head[hi-1:0])
                                     | (moved[hi-1:0] & ~{hi{moved[hi]}})
                                     | (last[hi-1:0] & ~{hi{last[hi]}});
            wire [hi-1:0] lo_earlier = (head[hi-1:0] & ~{hi{head[hi]}})
                                     | ({hi{moved[hi]}} & ~moved[hi-1:0])
                                     | ({hi{last[hi]}} & ~last[hi-1:0]);
            wire [hi-1:0] among_equals = hi_earlier | (order[ROW +: hi] & ~lo_earlier);
            wire [hi-1:0] equal        = ~({hi{front[hi]}} ^ front[hi-1:0]);
            assign order_next[ROW +: hi] = (equal & among_equals) | (~equal & {hi{front[hi]}});
        end
    endgenerate
endmodule
`default_nettype wire
