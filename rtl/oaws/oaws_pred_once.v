// oaws_pred_once - oaws_pred with its operands multiplied and limited in the cycle of start.
//
// A prediction without division is there in the next cycle, one with a division PRED_STEP cycles
// after start.  Restoring division, 6 / PRED_STEP quotient bits per cycle.
`default_nettype none
module oaws_pred_once #(
    parameter MSHRS           = 32,  // 2..63
    parameter CLAIM5          = 0,   // 1: predictions of as many bits as hold MSHRS - 1
    parameter PRED_STEP       = 6,   // cycles of a division: 1, 2, 3 or 6
    parameter STATIC_UP       = 1,   // round Div * SMR up
    parameter DYN_UP          = 1,   // round Div * HMR up
    parameter THRASH_ADDS_AGE = 0    // add gprio for thrashing warps too
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
    endgenerate

    localparam PRED_W = $clog2(MSHRS + 1 - CLAIM5);
    localparam CAP    = MSHRS - CLAIM5;
    localparam BITS   = 6 / PRED_STEP;
    localparam [7:0] CAP8 = CAP[7:0];

    reg [2:0]  left_q, left_d;
    reg        divide_q, divide_d;
    reg [15:0] accum_q, accum_d;
    reg [9:0]  den_q, den_d;
    reg [5:0]  age_q, age_d;

    // Operands: what needs no division.  x / 20 = x * 3277 / 65536 for x below 2000.
    wire        local_warp = gprio < fcw;
    wire [15:0] product    = {10'b0, div} * {6'b0, num};
    wire        fits       = product[15:6] < den;   // quotient below 64; also den != 0
    wire        needs_div  = is_div && dyn && local_warp && fits;
    wire [22:0] twentieths = {17'b0, div} * {18'b0, smr_k} + (STATIC_UP != 0 ? 23'd19 : 23'd0);
    wire [22:0] scaled     = twentieths * 23'd3277;
    wire [7:0]  static_8   = {1'b0, scaled[22:16]};
    wire [7:0]  thrash_8   = {2'b0, div} + (THRASH_ADDS_AGE != 0 ? {2'b0, gprio} : 8'd0);
    wire        no_history = den == 10'd0;
    reg  [7:0]  at_once;
    always @* begin
        at_once = no_history ? {2'b0, gprio} : CAP8;
        if (!is_div)          at_once = 8'd1;
        else if (!dyn)        at_once = static_8;
        else if (!local_warp) at_once = thrash_8;
    end

    // One cycle of division: the remainder is accum[15:6], quotient bits enter at 0.
    reg [16:0] stepped;
    integer i;
    always @* begin
        stepped = {1'b0, accum_q};
        for (i = 0; i < BITS; i = i + 1) begin
            stepped = {stepped[15:0], 1'b0};
            if (stepped[16:6] >= {1'b0, den_q}) begin
                stepped[16:6] = stepped[16:6] - {1'b0, den_q};
                stepped[0]    = 1'b1;
            end
        end
    end

    wire       round_up  = DYN_UP != 0 && |stepped[16:6];
    wire [7:0] divided_8 = {2'b0, stepped[5:0]} + {2'b0, age_q} + {7'b0, round_up};
    wire [7:0] capped    = divided_8 > CAP8 ? CAP8 : divided_8;
    assign done = left_q == 3'd1;
    assign pred = divide_q ? capped[PRED_W-1:0] : accum_q[PRED_W-1:0];

    always @* begin
        left_d   = left_q;
        divide_d = divide_q;
        accum_d  = accum_q;
        den_d    = den_q;
        age_d    = age_q;
        if (start) begin
            left_d   = needs_div ? PRED_STEP[2:0] : 3'd1;
            divide_d = needs_div;
            accum_d  = needs_div ? product : {8'b0, at_once > CAP8 ? CAP8 : at_once};
            den_d    = den;
            age_d    = gprio;
        end else if (left_q != 3'd0) begin
            left_d = left_q - 3'd1;
            if (divide_q) accum_d = stepped[15:0];
        end
    end

    wire unused = &{1'b0, scaled[15:0], capped};

    always @(posedge clk) begin
        if (rst) begin
            left_q   <= 3'd0;
            divide_q <= 1'b0;
            accum_q  <= 16'd0;
            den_q    <= 10'd0;
            age_q    <= 6'd0;
        end else begin
            left_q   <= left_d;
            divide_q <= divide_d;
            accum_q  <= accum_d;
            den_q    <= den_d;
            age_q    <= age_d;
        end
    end
endmodule
`default_nettype wire
