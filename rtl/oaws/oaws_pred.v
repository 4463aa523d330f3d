// oaws_pred - predicted misses of a load (wang2015 3.16, 3.17, 3.19, A.9).
//
//   coherent (is_div = 0)            1
//   static   (dyn = 0)               ceil(div * smr_k / 20)
//   dynamic, gprio >= fcw            div
//   dynamic, gprio < fcw             ceil(div * num / den) + gprio, den = 0: gprio
// and never more than the MSHRs, or than the claimed bits hold (CLAIM5 = 1).
//
// start takes the operands.  A prediction without division is there in the next cycle, one with a
// division PRED_STEP cycles after start: done = 1 and pred hold for that cycle.  A start in the cycle
// of `done` loses nothing; one before gives up the prediction under way.  A quotient of more than
// six bits (num > den only) is the greatest prediction.
// Standard: six cycles for all that is multiplied and divided, static predictions among them
// (oaws_pred_steps).  ONE_CYCLE = 1: products are there in the cycle of start, and with them static
// predictions and quotients that are too great, which then need no division (oaws_pred_once).
`default_nettype none
module oaws_pred #(
    parameter MSHRS           = 32,  // 2..63
    parameter CLAIM5          = 0,   // 1: predictions of as many bits as hold MSHRS - 1
    parameter PRED_STEP       = 6,   // cycles of a division: 6; with ONE_CYCLE 1, 2, 3 or 6
    parameter STATIC_UP       = 1,   // round Div * SMR up
    parameter DYN_UP          = 1,   // round Div * HMR up
    parameter THRASH_ADDS_AGE = 0,   // add gprio for thrashing warps too
    parameter ONE_CYCLE       = 0    // 1: operands are multiplied in the cycle of start
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    input  wire       is_div,
    input  wire [5:0] div,
    input  wire [9:0] num,
    input  wire [9:0] den,
    input  wire [5:0] gprio,
    input  wire [5:0] fcw,
    input  wire       dyn,
    input  wire [4:0] smr_k,
    output wire       done,
    output wire [$clog2(MSHRS+1-CLAIM5)-1:0] pred
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (MSHRS < 2 || MSHRS > 63) begin : g_bad_MSHRS
            MSHRS_must_be_from_2_to_63 u_stop ();
        end
        if (CLAIM5 < 0 || CLAIM5 > 1) begin : g_bad_CLAIM5
            CLAIM5_must_be_0_or_1 u_stop ();
        end
        if (PRED_STEP < 1 || PRED_STEP > 6) begin : g_bad_PRED_STEP
            PRED_STEP_must_be_from_1_to_6 u_stop ();
        end
        if (STATIC_UP < 0 || STATIC_UP > 1) begin : g_bad_STATIC_UP
            STATIC_UP_must_be_0_or_1 u_stop ();
        end
        if (DYN_UP < 0 || DYN_UP > 1) begin : g_bad_DYN_UP
            DYN_UP_must_be_0_or_1 u_stop ();
        end
        if (THRASH_ADDS_AGE < 0 || THRASH_ADDS_AGE > 1) begin : g_bad_THRASH_ADDS_AGE
            THRASH_ADDS_AGE_must_be_0_or_1 u_stop ();
        end
        if (6 % PRED_STEP != 0) begin : g_bad_PRED_STEP_also
            PRED_STEP_must_divide_6 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE == 0 && PRED_STEP != 6) begin : g_bad_PRED_STEP_of_steps
            PRED_STEP_must_be_6_without_ONE_CYCLE u_stop ();
        end
    endgenerate

    generate
        if (ONE_CYCLE != 0) begin : g_once
            oaws_pred_once #(
                .MSHRS(MSHRS), .CLAIM5(CLAIM5), .PRED_STEP(PRED_STEP), .STATIC_UP(STATIC_UP),
                .DYN_UP(DYN_UP), .THRASH_ADDS_AGE(THRASH_ADDS_AGE)
            ) u_once (
                .clk(clk), .rst(rst), .start(start), .is_div(is_div), .div(div), .num(num),
                .den(den), .gprio(gprio), .fcw(fcw), .dyn(dyn), .smr_k(smr_k),
                .done(done), .pred(pred)
            );
        end else begin : g_steps
            oaws_pred_steps #(
                .MSHRS(MSHRS), .CLAIM5(CLAIM5), .STATIC_UP(STATIC_UP), .DYN_UP(DYN_UP),
                .THRASH_ADDS_AGE(THRASH_ADDS_AGE)
            ) u_steps (
                .clk(clk), .rst(rst), .start(start), .is_div(is_div), .div(div), .num(num),
                .den(den), .gprio(gprio), .fcw(fcw), .dyn(dyn), .smr_k(smr_k),
                .done(done), .pred(pred)
            );
        end
    endgenerate
endmodule
`default_nettype wire
