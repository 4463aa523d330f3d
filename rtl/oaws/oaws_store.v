// oaws_store - predictions beside the instruction buffer (wang2015 3.19).
//
// enter_valid writes the prediction of an instruction that entered the buffer.  Every
// PRED_STEP cycles walk_start asks for a new prediction of the next slot in turn; its
// result comes by walk_valid until the next walk_start cycle at the latest, that cycle
// included, and is stored there, unless the slot has got another instruction since
// walk_start (that cycle included).  pred shows, for each warp, the prediction of the
// instruction that `head` selects; a write is seen in the next cycle.  Predictions
// beyond PRED_W bits are stored as their maximum.  All predictions are 0 after reset.
// A slot number of 2 * WARPS or more stores nothing.
`default_nettype none
module oaws_store #(
    parameter WARPS     = 48,  // warp slots, 1..64
    parameter PRED_W    = 6,   // stored prediction, 1..6 bits
    parameter PRED_STEP = 6    // cycles between refreshes, 1..64
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       enter_valid,
    input  wire [$clog2(2*WARPS)-1:0] enter_slot,
    input  wire [5:0]                 enter_pred,
    input  wire [WARPS-1:0]           head,
    input  wire                       walk_valid,
    input  wire [5:0]                 walk_pred,
    output wire                       walk_start,
    output wire [$clog2(2*WARPS)-1:0] walk_slot,
    output reg  [WARPS*PRED_W-1:0]    pred,
    output wire                       refresh,
    output wire                       outdated
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 1 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_1_to_64 u_stop ();
        end
        if (PRED_W < 1 || PRED_W > 6) begin : g_bad_PRED_W
            PRED_W_must_be_from_1_to_6 u_stop ();
        end
        if (PRED_STEP < 1 || PRED_STEP > 64) begin : g_bad_PRED_STEP
            PRED_STEP_must_be_from_1_to_64 u_stop ();
        end
    endgenerate

    localparam SLOTS  = 2 * WARPS;
    localparam SLOT_W = $clog2(SLOTS);
    localparam STEP_W = PRED_STEP < 2 ? 1 : $clog2(PRED_STEP);
    localparam LAST_SLOT = SLOTS - 1;
    localparam LAST_STEP = PRED_STEP - 1;

    reg [SLOTS*PRED_W-1:0] pred_q;  // by slot, slot 0 lowest
    reg [STEP_W-1:0] step_q, step_d;
    reg [SLOT_W-1:0] walk_slot_q, walk_slot_d, pending_q, pending_d;
    reg              stale_q, stale_d;

    assign walk_start = step_q == {STEP_W{1'b0}};
    assign walk_slot  = walk_slot_q;

    wire dropped = stale_q || (enter_valid && enter_slot == pending_q);
    assign refresh  = walk_valid && !dropped;
    assign outdated = walk_valid && dropped;

    wire               enter_wide = |(enter_pred >> PRED_W);
    wire               walk_wide  = |(walk_pred >> PRED_W);
    wire [PRED_W-1:0]  enter_d    = enter_wide ? {PRED_W{1'b1}} : enter_pred[PRED_W-1:0];
    wire [PRED_W-1:0]  walk_d     = walk_wide ? {PRED_W{1'b1}} : walk_pred[PRED_W-1:0];

    integer w;
    always @* begin
        for (w = 0; w < WARPS; w = w + 1)
            pred[w*PRED_W +: PRED_W] = head[w] ? pred_q[(2*w+1)*PRED_W +: PRED_W]
                                              : pred_q[2*w*PRED_W +: PRED_W];
    end

    always @* begin
        step_d      = step_q == LAST_STEP[STEP_W-1:0] ? {STEP_W{1'b0}} : step_q + 1'b1;
        stale_d     = dropped;
        pending_d   = pending_q;
        walk_slot_d = walk_slot_q;
        if (walk_start) begin
            pending_d   = walk_slot_q;
            stale_d     = enter_valid && enter_slot == walk_slot_q;
            walk_slot_d = walk_slot_q == LAST_SLOT[SLOT_W-1:0] ? {SLOT_W{1'b0}}
                                                               : walk_slot_q + 1'b1;
        end
    end

    // What enters a slot wins over its refresh, so that a refresh need not know of it.
    integer n;
    always @(posedge clk) begin
        if (rst) begin
            pred_q      <= {SLOTS*PRED_W{1'b0}};
            step_q      <= {STEP_W{1'b0}};
            walk_slot_q <= {SLOT_W{1'b0}};
            pending_q   <= {SLOT_W{1'b0}};
            stale_q     <= 1'b0;
        end else begin
            for (n = 0; n < SLOTS; n = n + 1) begin
                if (enter_valid && enter_slot == n[SLOT_W-1:0])
                    pred_q[n*PRED_W +: PRED_W] <= enter_d;
                else if (walk_valid && !stale_q && pending_q == n[SLOT_W-1:0])
                    pred_q[n*PRED_W +: PRED_W] <= walk_d;
            end
            step_q      <= step_d;
            walk_slot_q <= walk_slot_d;
            pending_q   <= pending_d;
            stale_q     <= stale_d;
        end
    end
endmodule
`default_nettype wire
