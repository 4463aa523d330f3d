// age_behind - the slots that stand behind some slot of `pick`.
//
// Combinational.  `order` has a bit for each pair: hi*(hi-1)/2 + lo says that slot hi stands before
// the lower slot lo.
`default_nettype none
module age_behind #(
    parameter SLOTS = 24  // 2..64
) (
    input  wire [SLOTS*(SLOTS-1)/2-1:0] order,
    input  wire [SLOTS-1:0]             pick,
    output wire [SLOTS-1:0]             behind
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SLOTS < 2 || SLOTS > 64) begin : g_bad_SLOTS
            SLOTS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    // Slot hi behind lower ones, and lower ones behind it and those below it.
    genvar hi;
    generate
        for (hi = 0; hi < SLOTS; hi = hi + 1) begin : g_slot
            wire [SLOTS-1:0] found;
            if (hi == 0) begin : g_none_lower
                assign found = {SLOTS{1'b0}};
            end else begin : g_lower
                localparam ROW = hi * (hi - 1) / 2;
                wire [hi-1:0] row = order[ROW +: hi];
                assign found = g_slot[hi-1].found
                             | ({{(SLOTS-hi){1'b0}}, row} & {SLOTS{pick[hi]}})
                             | ({{(SLOTS-1){1'b0}}, |(pick[hi-1:0] & ~row)} << hi);
            end
        end
    endgenerate
    assign behind = g_slot[SLOTS-1].found;
endmodule
`default_nettype wire
