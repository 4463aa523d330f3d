// age_first - of the slots in `pick` the one that stands before all others of them.
//
// Combinational.  `order` is that of age_behind, or its complement for the last one.  `found`
// has that slot's bit alone, or none when `pick` is empty; `slot` is its number, or 0.
`default_nettype none
module age_first #(
    parameter SLOTS = 24  // 2..64
) (
    input  wire [SLOTS*(SLOTS-1)/2-1:0] order,
    input  wire [SLOTS-1:0]             pick,
    output wire [SLOTS-1:0]             found,
    output reg  [$clog2(SLOTS)-1:0]     slot
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SLOTS < 2 || SLOTS > 64) begin : g_bad_SLOTS
            SLOTS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam SLOT_W = $clog2(SLOTS);

    wire [SLOTS-1:0] behind;
    age_behind #(.SLOTS(SLOTS)) u_behind (.order(order), .pick(pick), .behind(behind));
    assign found = pick & ~behind;

    integer i;
    always @* begin
        slot = {SLOT_W{1'b0}};
        for (i = 0; i < SLOTS; i = i + 1)
            slot = slot | ({SLOT_W{found[i]}} & i[SLOT_W-1:0]);
    end
endmodule
`default_nettype wire
