// warp_limit - the limit on active warps in front of a scheduler (dissertation 4.2.3; aci 3.10.5).
//
// eligible: the `limit` oldest of the resident warps that do not wait at a barrier or fence; the warp
// issued last has no privilege, and a warp that waits makes room for one behind it.  age_rank: resident
// warps have different ranks, 0 the oldest; that of a free slot does not matter.  Combinational.
`default_nettype none
module warp_limit #(
    parameter WARPS = 24,  // warp slots, 2..64: 24 of a scheduler, 48 of an SM
    parameter WCW   = 5    // bits of the limit, 2..7
) (
    input  wire [WARPS*$clog2(WARPS)-1:0] age_rank,
    input  wire [WARPS-1:0]               resident,
    input  wire [WARPS-1:0]               waiting,
    input  wire [WCW-1:0]                 limit,
    output reg  [WARPS-1:0]               eligible
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (WCW < 2 || WCW > 7) begin : g_bad_WCW
            WCW_must_be_from_2_to_7 u_stop ();
        end
    endgenerate

    localparam RANK_W = $clog2(WARPS);
    localparam COUNT_W = WCW > RANK_W + 1 ? WCW : RANK_W + 1;

    wire [WARPS-1:0] able = resident & ~waiting;

    // By rank: is its warp able, and how many able ones are older?
    integer           w, r;
    reg [WARPS-1:0]   able_at;
    reg [COUNT_W-1:0] older;
    reg [WARPS-1:0]   within_limit;
    always @* begin
        able_at = {WARPS{1'b0}};
        for (r = 0; r < WARPS; r = r + 1) begin
            for (w = 0; w < WARPS; w = w + 1)
                if (able[w] && age_rank[w*RANK_W +: RANK_W] == r[RANK_W-1:0]) able_at[r] = 1'b1;
        end
        older        = {COUNT_W{1'b0}};
        within_limit = {WARPS{1'b0}};
        for (r = 0; r < WARPS; r = r + 1) begin
            within_limit[r] = older < {{(COUNT_W-WCW){1'b0}}, limit};
            older           = older + {{(COUNT_W-1){1'b0}}, able_at[r]};
        end
        eligible = {WARPS{1'b0}};
        for (r = 0; r < WARPS; r = r + 1) begin
            for (w = 0; w < WARPS; w = w + 1)
                if (able[w] && age_rank[w*RANK_W +: RANK_W] == r[RANK_W-1:0])
                    eligible[w] = within_limit[r];
        end
    end
endmodule
`default_nettype wire
