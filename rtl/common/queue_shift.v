// queue_shift - one field of a queue kept in order of age, entry 0 the oldest.
//
// Combinational.  next is `entries` after, in this order: the entry at remove_at is taken
// out and the younger ones move down by one; `data` is put in at push_at, the number of
// entries that are then in use.  Freed entries read 0.
`default_nettype none
module queue_shift #(
    parameter W       = 8,  // bits of the field
    parameter ENTRIES = 8   // entries, at least 2
) (
    input  wire [ENTRIES*W-1:0]         entries,
    input  wire                       remove,
    input  wire [$clog2(ENTRIES)-1:0]   remove_at,
    input  wire                       push,
    input  wire [$clog2(ENTRIES+1)-1:0] push_at,
    input  wire [W-1:0]               data,
    output reg  [ENTRIES*W-1:0]         next
);
    localparam AT_W   = $clog2(ENTRIES);
    localparam PUSH_W = $clog2(ENTRIES + 1);

    wire [(ENTRIES+1)*W-1:0] padded = {{W{1'b0}}, entries};
    integer i;
    always @* begin
        next = entries;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            if (remove && i[AT_W-1:0] >= remove_at)
                next[i*W +: W] = padded[(i+1)*W +: W];
            if (push && i[PUSH_W-1:0] == push_at)
                next[i*W +: W] = data;
        end
    end

    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (W < 1 || W > 256) begin : g_bad_W
            W_must_be_from_1_to_256 u_stop ();
        end
        if (ENTRIES < 2 || ENTRIES > 64) begin : g_bad_ENTRIES
            ENTRIES_must_be_from_2_to_64 u_stop ();
        end
    endgenerate
endmodule
`default_nettype wire
