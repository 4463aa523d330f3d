// granule_next - takes the granules of one block one after the other, lowest first
// (tabbakh2018 3.7.2 key, 3.7.8 D-R13: one granule per step).
//
// Combinational.  key is the number of the lowest granule of todo, address >> SHIFT;
// rest is todo without it.  An empty todo has the key of granule 0 and an empty rest.
`default_nettype none
module granule_next #(
    parameter SHIFT    = 7,                                  // log2 of the granule's bytes, 0..9
    parameter GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1    // of a block: derived
) (
    input  wire [31:0]         addr,
    input  wire [GRANULES-1:0] todo,
    output wire [31:0]         key,
    output wire [GRANULES-1:0] rest
);
    generate
        if (GRANULES == 1) begin : g_one
            assign key  = addr >> SHIFT;
            assign rest = 1'b0;
            wire unused = &{1'b0, todo};
        end else begin : g_many
            localparam POS_W = 7 - SHIFT;
            reg [POS_W-1:0] lowest;
            integer g;
            always @* begin
                lowest = {POS_W{1'b0}};
                for (g = GRANULES - 1; g >= 0; g = g - 1)
                    if (todo[g])
                        lowest = g[POS_W-1:0];
            end
            assign key  = ({7'd0, addr[31:7]} << POS_W) | {{(32-POS_W){1'b0}}, lowest};
            assign rest = todo & (todo - {{(GRANULES-1){1'b0}}, 1'b1});
            wire unused = &{1'b0, addr[6:0]};
        end
    endgenerate
endmodule
`default_nettype wire
