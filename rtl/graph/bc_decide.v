// bc_decide - Bypass + Copyback: what becomes of the line of a primary miss (lakshminarayana2014 3.5.4,
// Table 12).
//
// Combinational.  l1_*: of the load's PC, is it known whether lines that it fetches are hit in the
// L1, and are they; rg_*: of the line's region, are its flags known, SharedReuse, PvtReuse.
// byp_l1: the data go to the core alone; byp_l2: the line is not inserted in the L2; cb: it is copied
// back when the L1 gives it up.  rg_known 0 makes rg_shared and rg_private meaningless, l1_known 0
// l1_reuse.  draw is any number, uniform and fresh for each miss: with SAMPLE = 1 one in 32 of those
// that would be bypassed takes its places in the caches anyway (D-BC-5).
`default_nettype none
module bc_decide #(
    parameter UNKNOWN_PASSES = 1,  // D-BC-1: 1: no reuse of the region is enough to bypass the L2
    parameter LEVELS         = 3,  // caches that may be bypassed: 1 the L1, 2 the L2, 3 both
    parameter SAMPLE         = 0   // D-BC-5: 1: one bypass in 32 is not done
) (
    input  wire       l1_known,
    input  wire       l1_reuse,
    input  wire       rg_known,
    input  wire       rg_shared,
    input  wire       rg_private,
    input  wire [4:0] draw,
    output wire       byp_l1,
    output wire       byp_l2,
    output wire       cb,
    output wire       sampled
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (UNKNOWN_PASSES < 0 || UNKNOWN_PASSES > 1) begin : g_bad_UNKNOWN_PASSES
            UNKNOWN_PASSES_must_be_0_or_1 u_stop ();
        end
        if (LEVELS < 1 || LEVELS > 3) begin : g_bad_LEVELS
            LEVELS_must_be_from_1_to_3 u_stop ();
        end
        if (SAMPLE < 0 || SAMPLE > 1) begin : g_bad_SAMPLE
            SAMPLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [1:0] MAY = LEVELS[1:0];

    wire pc_no   = l1_known && !l1_reuse;
    wire unshare = rg_known && !rg_shared;
    wire private = unshare && rg_private;
    wire none    = unshare && !rg_private;

    wire wants_l1 = MAY[0] && pc_no && !private;
    wire wants_l2 = MAY[1] && (private || (none && (l1_known || UNKNOWN_PASSES != 0)));

    assign sampled = SAMPLE != 0 && (wants_l1 || wants_l2) && draw == 5'd0;
    assign byp_l1  = wants_l1 && !sampled;
    assign byp_l2  = wants_l2 && !sampled;
    assign cb      = MAY[1] && private;
endmodule
`default_nettype wire
