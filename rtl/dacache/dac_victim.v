// dac_victim - the way that a missing block takes (wang2015 3.12.6).
//
// Combinational.  An INVALID way (neither valid nor reserved), lowest way id first,
// wherever it stands in the stack; else the non-RESERVED line nearest to the LRU end
// at a position above p_eff, or at any position with `uncon`.  vpos and vway mean
// something only while found = 1.  A negative p_eff leaves no locality region.
// `lru_stack` must be a permutation of the ways; vpos is else undefined.
`default_nettype none
module dac_victim #(
    parameter WAYS         = 8,  // ways, 2..16
    parameter PREF_INVALID = 1   // 1: INVALID ways first
) (
    input  wire [WAYS*$clog2(WAYS)-1:0] lru_stack,  // position 0 (MRU) in the low bits
    input  wire [WAYS-1:0]              valid,   // by way
    input  wire [WAYS-1:0]              reserved,
    input  wire [$clog2(WAYS):0]        p_eff,   // two's complement
    input  wire                         uncon,
    output reg                          found,
    output reg  [$clog2(WAYS)-1:0]      vpos,
    output reg  [$clog2(WAYS)-1:0]      vway
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (PREF_INVALID < 0 || PREF_INVALID > 1) begin : g_bad_PREF_INVALID
            PREF_INVALID_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WAY_W = $clog2(WAYS);
    localparam CODES = 1 << WAY_W;

    // By way code; codes that are no way count as reserved.
    wire [CODES:0] reserved_x = {{(CODES+1-WAYS){1'b1}}, reserved};
    wire [CODES:0] invalid_x  = {{(CODES+1-WAYS){1'b0}}, ~valid & ~reserved};
    wire [CODES-1:0] held     = reserved_x[CODES-1:0];
    wire [CODES-1:0] empty    = PREF_INVALID != 0 ? invalid_x[CODES-1:0] : {CODES{1'b0}};
    wire unused = &{1'b0, reserved_x[CODES], invalid_x[CODES]};

    wire [WAY_W:0] region_begin = uncon || p_eff[WAY_W] ? {(WAY_W+1){1'b0}} : p_eff + 1'b1;

    integer i;
    reg [WAY_W-1:0] way;
    always @* begin
        found = 1'b0;
        vpos  = {WAY_W{1'b0}};
        vway  = {WAY_W{1'b0}};
        way   = {WAY_W{1'b0}};
        if (|empty) begin
            found = 1'b1;
            for (i = CODES - 1; i >= 0; i = i - 1)
                if (empty[i]) vway = i[WAY_W-1:0];
            for (i = 0; i < WAYS; i = i + 1)
                if (lru_stack[i*WAY_W +: WAY_W] == vway) vpos = i[WAY_W-1:0];
        end else begin
            for (i = 0; i < WAYS; i = i + 1) begin
                way = lru_stack[i*WAY_W +: WAY_W];
                if (i[WAY_W:0] >= region_begin && !held[way]) begin
                    found = 1'b1;
                    vpos  = i[WAY_W-1:0];
                    vway  = way;
                end
            end
        end
    end
endmodule
`default_nettype wire
