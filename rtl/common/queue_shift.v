// queue_shift - one field of a queue kept in order of age, entry 0 the oldest.
//
// Combinational.  next is `entries` after, in this order: the entry at remove_at is taken
// out and the younger ones move down by one; `data` is put in at push_at, the number of
// entries that are then in use.  Freed entries read 0.
`default_nettype none
module queue_shift #(
    parameter W     = 8,  // bits of the field
    parameter DEPTH = 8   // entries, at least 2
) (
    input  wire [DEPTH*W-1:0]         entries,
    input  wire                       remove,
    input  wire [$clog2(DEPTH)-1:0]   remove_at,
    input  wire                       push,
    input  wire [$clog2(DEPTH+1)-1:0] push_at,
    input  wire [W-1:0]               data,
    output reg  [DEPTH*W-1:0]         next
);
    localparam AT_W   = $clog2(DEPTH);
    localparam PUSH_W = $clog2(DEPTH + 1);

    wire [(DEPTH+1)*W-1:0] padded = {{W{1'b0}}, entries};
    integer i;
    always @* begin
        next = entries;
        for (i = 0; i < DEPTH; i = i + 1) begin
            if (remove && i[AT_W-1:0] >= remove_at)
                next[i*W +: W] = padded[(i+1)*W +: W];
            if (push && i[PUSH_W-1:0] == push_at)
                next[i*W +: W] = data;
        end
    end
endmodule
`default_nettype wire
