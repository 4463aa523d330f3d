// granule_mask - the tracked granules of a 128-byte block that a byte mask touches
// (tabbakh2018 3.7, granules of 3.7.2).
//
// Combinational.  A granule is 2^SHIFT bytes; one of a block or more is a single bit.
`default_nettype none
module granule_mask #(
    parameter SHIFT    = 7,                                // log2 of the granule's bytes, 0..9
    parameter GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1  // of a block: derived
) (
    input  wire [127:0]          bytes,
    output wire [GRANULES-1:0]   granules
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SHIFT < 0 || SHIFT > 9) begin : g_bad_SHIFT
            SHIFT_must_be_from_0_to_9 u_stop ();
        end
        if (GRANULES != (SHIFT < 7 ? 1 << (7 - SHIFT) : 1)) begin : g_bad_GRANULES
            GRANULES_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam BYTES = 128 / GRANULES;

    genvar g;
    generate
        for (g = 0; g < GRANULES; g = g + 1) begin : g_granule
            assign granules[g] = |bytes[g*BYTES +: BYTES];
        end
    endgenerate
endmodule
`default_nettype wire
