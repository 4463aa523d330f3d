// pas_take - takes one warp out of an ordered list of pending warps.
//
// Combinational.  Of the positions in `pick` the lowest that is also in `prefer`, else the
// lowest, is removed and later positions move up; the last one becomes 0.  `pick` and
// `prefer` move with the list, so that stages can be chained.  Without `enable` or any
// pick nothing changes and found is 0.
`default_nettype none
module pas_take #(
    parameter WARPS = 48  // positions
) (
    input  wire                     enable,
    input  wire [WARPS*$clog2(WARPS)-1:0] list,
    input  wire [WARPS-1:0]            pick,
    input  wire [WARPS-1:0]            prefer,
    output wire                     found,
    output reg  [$clog2(WARPS)-1:0]    wid,
    output wire                     preferred,
    output reg  [WARPS*$clog2(WARPS)-1:0] list_out,
    output reg  [WARPS-1:0]            pick_out,
    output reg  [WARPS-1:0]            prefer_out
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam WID_W = $clog2(WARPS);

    assign preferred = |(pick & prefer);
    assign found     = enable && |pick;

    wire [WARPS-1:0] choice = preferred ? pick & prefer : pick;
    wire [WARPS-1:0] lowest = choice & (~choice + 1'b1);
    wire [WARPS-1:0] unmoved = lowest - 1'b1;  // positions below the taken one

    integer p;
    always @* begin
        wid        = {WID_W{1'b0}};
        list_out   = list;
        pick_out   = pick;
        prefer_out = prefer;
        if (found) begin
            list_out = {{WID_W{1'b0}}, list[WARPS*WID_W-1:WID_W]};
            for (p = 0; p < WARPS; p = p + 1) begin
                wid = wid | (list[p*WID_W +: WID_W] & {WID_W{lowest[p]}});
                if (unmoved[p])
                    list_out[p*WID_W +: WID_W] = list[p*WID_W +: WID_W];
            end
            pick_out   = (pick & unmoved) | ({1'b0, pick[WARPS-1:1]} & ~unmoved);
            prefer_out = (prefer & unmoved) | ({1'b0, prefer[WARPS-1:1]} & ~unmoved);
        end
    end
endmodule
`default_nettype wire
