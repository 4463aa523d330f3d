// granule_next - takes the granules of one block one after the other, lowest first
// (tabbakh2018 3.7.2 key, 3.7.8 D-R13: one granule per step).
//
// Combinational.  Of the granules of `mask` key is the number of the lowest one, address >>
// SHIFT, rest holds the others, and after is its position plus one.  any is 0 when there is
// none; key is then that of granule 0, rest empty.
`default_nettype none
module granule_next #(
    parameter SHIFT    = 7,                                 // log2 of the granule's bytes, 0..9
    parameter GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1,  // of a block: derived
    parameter POS_W    = SHIFT < 7 ? 7 - SHIFT : 1          // derived
) (
    input  wire [31:0]         addr,
    input  wire [GRANULES-1:0] mask,
    output wire [31:0]         key,
    output wire                any,
    output wire [GRANULES-1:0] rest,
    output wire [POS_W-1:0]    after
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SHIFT < 0 || SHIFT > 9) begin : g_bad_SHIFT
            SHIFT_must_be_from_0_to_9 u_stop ();
        end
        if (GRANULES != (SHIFT < 7 ? 1 << (7 - SHIFT) : 1)) begin : g_bad_GRANULES
            GRANULES_must_be_left_to_its_derivation u_stop ();
        end
        if (POS_W != (SHIFT < 7 ? 7 - SHIFT : 1)) begin : g_bad_POS_W
            POS_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    generate
        if (GRANULES == 1) begin : g_one
            assign key   = addr >> SHIFT;
            assign any   = mask[0];
            assign rest  = 1'b0;
            assign after = 1'b0;
        end else begin : g_many
            reg [POS_W-1:0] lowest;
            integer g;
            always @* begin
                lowest = {POS_W{1'b0}};
                for (g = GRANULES - 1; g >= 0; g = g - 1)
                    if (mask[g])
                        lowest = g[POS_W-1:0];
            end
            assign key   = ({7'd0, addr[31:7]} << POS_W) | {{(32-POS_W){1'b0}}, lowest};
            assign any   = |mask;
            assign rest  = mask & (mask - {{(GRANULES-1){1'b0}}, 1'b1});
            assign after = lowest + 1'b1;
            wire unused = &{1'b0, addr[6:0]};
        end
    endgenerate
endmodule
`default_nettype wire
