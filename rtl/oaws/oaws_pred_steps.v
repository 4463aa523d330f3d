// oaws_pred_steps - oaws_pred in six cycles, one register between any two operations.
//
//   start   six partial products added to two numbers; what needs no division
//   6       these two, to the product; three times the divisor
//   5 4 3   two bits of the quotient each; first, whether it has more than six
//   2       remainder rounded, age added
//   1       done: limited
// A static prediction is Div * smr_k / 20 in the same way.
`default_nettype none
module oaws_pred_steps #(
    parameter MSHRS           = 32,
    parameter CLAIM5          = 0,
    parameter STATIC_UP       = 1,
    parameter DYN_UP          = 1,
    parameter THRASH_ADDS_AGE = 0
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
        if (STATIC_UP < 0 || STATIC_UP > 1) begin : g_bad_STATIC_UP
            STATIC_UP_must_be_0_or_1 u_stop ();
        end
        if (DYN_UP < 0 || DYN_UP > 1) begin : g_bad_DYN_UP
            DYN_UP_must_be_0_or_1 u_stop ();
        end
        if (THRASH_ADDS_AGE < 0 || THRASH_ADDS_AGE > 1) begin : g_bad_THRASH_ADDS_AGE
            THRASH_ADDS_AGE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam PRED_W = $clog2(MSHRS + 1 - CLAIM5);
    localparam CAP    = MSHRS - CLAIM5;
    localparam [7:0] CAP8 = CAP[7:0];

    reg [2:0]  left_q, left_d;      // cycles to the prediction, 0 idle
    reg        up_q, up_d;          // its remainder is rounded up
    reg        beyond_q, beyond_d;  // more than six bits of quotient
    reg [15:0] accum_q, accum_d;    // remainder and, shifted in from below, quotient
    reg [11:0] carry_q, carry_d;    // to be added to it, from bit 4 on: none is below
    reg [9:0]  den_q, den_d;
    reg [11:0] thrice_q, thrice_d;
    reg [5:0]  age_q, age_d;

    // Partial products, three and three, six to four, to three, to two.
    wire [9:0]  factor = dyn ? num : {5'b0, smr_k};
    wire [15:0] p0 = div[0] ? {6'b0, factor}       : 16'd0;
    wire [15:0] p1 = div[1] ? {5'b0, factor, 1'b0} : 16'd0;
    wire [15:0] p2 = div[2] ? {4'b0, factor, 2'b0} : 16'd0;
    wire [15:0] p3 = div[3] ? {3'b0, factor, 3'b0} : 16'd0;
    wire [15:0] p4 = div[4] ? {2'b0, factor, 4'b0} : 16'd0;
    wire [15:0] p5 = div[5] ? {1'b0, factor, 5'b0} : 16'd0;
    wire [15:0] low    = p0 ^ p1 ^ p2;
    wire [15:0] low_c  = ((p0 & p1) | (p0 & p2) | (p1 & p2)) << 1;
    wire [15:0] high   = p3 ^ p4 ^ p5;
    wire [15:0] high_c = ((p3 & p4) | (p3 & p5) | (p4 & p5)) << 1;
    wire [15:0] mid    = low ^ low_c ^ high;
    wire [15:0] mid_c  = ((low & low_c) | (low & high) | (low_c & high)) << 1;
    wire [15:0] partial   = mid ^ mid_c ^ high_c;
    wire [15:0] partial_c = ((mid & mid_c) | (mid & high_c) | (mid_c & high_c)) << 1;

    wire        local_warp = gprio < fcw;
    wire        needs_div  = is_div && (!dyn || (local_warp && den != 10'd0));
    wire [7:0]  thrash_8   = {2'b0, div} + (THRASH_ADDS_AGE != 0 ? {2'b0, gprio} : 8'd0);
    wire [7:0]  at_once    = !is_div ? 8'd1 : local_warp ? {2'b0, gprio} : thrash_8;

    // Two bits of the quotient: how often the divisor goes into the remainder.
    wire [12:0] rest   = {1'b0, accum_q[15:4]};
    wire [12:0] less_1 = rest - {3'b0, den_q};
    wire [12:0] less_2 = rest - {2'b0, den_q, 1'b0};
    wire [12:0] less_3 = rest - {1'b0, thrice_q};
    reg  [9:0]  remains;
    reg  [1:0]  digit;
    always @* begin
        remains = rest[9:0];
        digit   = 2'd0;
        if (!less_3[12]) begin
            remains = less_3[9:0];
            digit   = 2'd3;
        end else if (!less_2[12]) begin
            remains = less_2[9:0];
            digit   = 2'd2;
        end else if (!less_1[12]) begin
            remains = less_1[9:0];
            digit   = 2'd1;
        end
    end

    wire       round_up  = up_q && |accum_q[15:6];
    wire [7:0] divided_8 = {2'b0, accum_q[5:0]} + {2'b0, age_q} + {7'b0, round_up};
    wire [7:0] limited   = accum_q[7:0] > CAP8 ? CAP8 : accum_q[7:0];
    assign done = left_q == 3'd1;
    assign pred = limited[PRED_W-1:0];

    always @* begin
        left_d   = left_q == 3'd0 ? 3'd0 : left_q - 3'd1;
        up_d     = up_q;
        beyond_d = beyond_q;
        accum_d  = accum_q;
        carry_d  = carry_q;
        den_d    = den_q;
        thrice_d = thrice_q;
        age_d    = age_q;
        case (left_q)
            3'd6: begin
                accum_d  = accum_q + {carry_q, 4'd0};
                thrice_d = {2'b0, den_q} + {1'b0, den_q, 1'b0};
            end
            3'd5, 3'd4, 3'd3: begin
                accum_d = {remains, accum_q[3:0], digit};
                if (left_q == 3'd5) beyond_d = accum_q[15:6] >= den_q;
            end
            3'd2: accum_d = {8'd0, beyond_q ? CAP8 : divided_8};
            default: ;
        endcase
        if (start) begin
            left_d   = needs_div ? 3'd6 : 3'd1;
            up_d     = dyn ? DYN_UP != 0 : STATIC_UP != 0;
            accum_d  = needs_div ? partial : {8'd0, at_once};
            carry_d  = partial_c[15:4];
            den_d    = dyn ? den : 10'd20;
            age_d    = dyn ? gprio : 6'd0;
        end
    end

    wire unused = &{1'b0, partial_c, limited, less_1, less_2, less_3};

    always @(posedge clk) begin
        if (rst) begin
            left_q   <= 3'd0;
            up_q     <= 1'b0;
            beyond_q <= 1'b0;
            accum_q  <= 16'd0;
            carry_q  <= 12'd0;
            den_q    <= 10'd0;
            thrice_q <= 12'd0;
            age_q    <= 6'd0;
        end else begin
            left_q   <= left_d;
            up_q     <= up_d;
            beyond_q <= beyond_d;
            accum_q  <= accum_d;
            carry_q  <= carry_d;
            den_q    <= den_d;
            thrice_q <= thrice_d;
            age_q    <= age_d;
        end
    end
endmodule
`default_nettype wire
