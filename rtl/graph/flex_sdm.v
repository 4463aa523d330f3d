// flex_sdm - which policy misses less: set-dueling monitors and PSEL (lakshminarayana2014 3.3.3).
//
// One for the chip.  Each slice may say that a read missed, and in which set (numbered over all
// slices).  A miss of a non-inclusive leader counts PSEL up, of an exclusive one down; those of one
// cycle are added up first, and PSEL then stops at 0 and at its greatest (D-FLEX-1).  mode_follow
// is its upper bit: 1, followers are exclusive.  Both outputs follow the misses in the next cycle.
`default_nettype none
module flex_sdm #(
    parameter SLICES   = 6,    // 1..16
    parameter SETS     = 768,  // of all slices, 4..4096, a multiple of 2 * SDM_SETS
    parameter SDM_SETS = 16,   // leaders of each kind, 1..64
    parameter PSEL_W   = 11,   // 2..16
    parameter LEADERS  = 3,    // bit 0: there are non-inclusive ones; bit 1: exclusive ones
    parameter FREEZE   = 0     // 0: it counts; PSEL stays 1: 0, 2: at its greatest
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [SLICES-1:0]              miss_valid,
    input  wire [SLICES*$clog2(SETS)-1:0] miss_set,
    output wire                           mode_follow,
    output wire [PSEL_W-1:0]              psel,
    output wire                           mode_changes
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SLICES < 1 || SLICES > 16) begin : g_bad_SLICES
            SLICES_must_be_from_1_to_16 u_stop ();
        end
        if (SETS < 4 || SETS > 4096 ||
            (SDM_SETS >= 1 && SDM_SETS <= 64 && SETS % (2 * SDM_SETS) != 0)) begin : g_bad_SETS
            SETS_must_be_from_4_to_4096_and_a_multiple_of_2_SDM_SETS u_stop ();
        end
        if (SDM_SETS < 1 || SDM_SETS > 64) begin : g_bad_SDM_SETS
            SDM_SETS_must_be_from_1_to_64 u_stop ();
        end
        if (LEADERS < 0 || LEADERS > 3) begin : g_bad_LEADERS
            LEADERS_must_be_from_0_to_3 u_stop ();
        end
        if (PSEL_W < 2 || PSEL_W > 16) begin : g_bad_PSEL_W
            PSEL_W_must_be_from_2_to_16 u_stop ();
        end
        if (FREEZE < 0 || FREEZE > 2) begin : g_bad_FREEZE
            FREEZE_must_be_from_0_to_2 u_stop ();
        end
    endgenerate

    localparam SET_W = $clog2(SETS);
    localparam SUM_W = PSEL_W + 5;  // beyond PSEL and 16 misses, signed
    localparam [PSEL_W-1:0] START = FREEZE == 1 ? {PSEL_W{1'b0}} :
                                    FREEZE == 2 ? {PSEL_W{1'b1}} : {1'b0, {(PSEL_W-1){1'b1}}};

    reg [PSEL_W-1:0] psel_q;

    wire [SLICES-1:0] leads_ni, leads_ex;
    genvar s;
    generate
        for (s = 0; s < SLICES; s = s + 1) begin : g_slice
            flex_leader #(.SETS(SETS), .SDM_SETS(SDM_SETS), .LEADERS(LEADERS)) u_leader (
                .set_index(miss_set[s*SET_W +: SET_W]), .ni(leads_ni[s]), .ex(leads_ex[s])
            );
        end
    endgenerate

    reg [4:0] ups, downs;
    integer i;
    always @* begin
        ups   = 5'd0;
        downs = 5'd0;
        for (i = 0; i < SLICES; i = i + 1) begin
            ups   = ups   + {4'd0, miss_valid[i] && leads_ni[i]};
            downs = downs + {4'd0, miss_valid[i] && leads_ex[i]};
        end
    end

    wire [SUM_W-1:0]  sum    = {5'd0, psel_q} + {{PSEL_W{1'b0}}, ups} - {{PSEL_W{1'b0}}, downs};
    wire              below  = sum[SUM_W-1];
    wire              above  = !below && |sum[SUM_W-2:PSEL_W];
    wire [PSEL_W-1:0] counted = below ? {PSEL_W{1'b0}} : above ? {PSEL_W{1'b1}} : sum[PSEL_W-1:0];
    wire [PSEL_W-1:0] psel_d = FREEZE != 0 ? psel_q : counted;

    assign mode_follow  = psel_q[PSEL_W-1];
    assign psel         = psel_q;
    assign mode_changes = psel_d[PSEL_W-1] != psel_q[PSEL_W-1];

    always @(posedge clk) begin
        if (rst) begin
            psel_q <= START;
        end else begin
            psel_q <= psel_d;
        end
    end
endmodule
`default_nettype wire
