// queue_push - puts an entry in at the end of a queue kept in order of age, entry 0 the oldest.
//
// Combinational.  next is `entries` with `data` at push_at, the number of entries in use.
`default_nettype none
module queue_push #(
    parameter W       = 8,  // bits of an entry
    parameter ENTRIES = 8   // 2..64
) (
    input  wire [ENTRIES*W-1:0]         entries,
    input  wire                         push,
    input  wire [$clog2(ENTRIES+1)-1:0] push_at,
    input  wire [W-1:0]                 data,
    output reg  [ENTRIES*W-1:0]         next
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (W < 1 || W > 256) begin : g_bad_W
            W_must_be_from_1_to_256 u_stop ();
        end
        if (ENTRIES < 2 || ENTRIES > 64) begin : g_bad_ENTRIES
            ENTRIES_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam AT_W = $clog2(ENTRIES + 1);

    integer i;
    always @* begin
        next = entries;
        for (i = 0; i < ENTRIES; i = i + 1)
            if (push && i[AT_W-1:0] == push_at) next[i*W +: W] = data;
    end
endmodule
`default_nettype wire
