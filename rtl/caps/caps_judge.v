// caps_judge - a load against its base and its stride, a stage a cycle (caps-prefetch 3.2.3).
//
// What caps_train and caps_verify answer in the cycle of the question, for a load that is
// held (ld_valid) with all other inputs until `done`, which is 1 for one cycle:
//   LOOK     match and choice are noted (hit, way); how many warps away the load's warp is
//   PICK     verified: the way's stride; training: how far its first request is from the base
//   TIMES    verified: the stride times the distance, a cycle for each bit of the distance
//   SETTLE   sums are made in bytes: as long as a carry waits, it goes one byte further; then
//            base and sum are compared with the load, in every byte of every request
//   COMPARE  in all bytes
//   RAISE    training from below: the complement and 1
//   DIVIDE   training from afar: by the distance, in 33 cycles (caps_divide)
//   ANSWER   done
// The word is `checks` for verified, `teaches` for training; with neither, PICK is followed
// by ANSWER.  Both may depend on `hit`, and count from PICK on.  With restart, or when the load
// is taken away, it begins anew.
`default_nettype none
module caps_judge #(
    parameter WAY_W        = 2,  // bits of a way
    parameter STRICT_CNT   = 0,  // 1: different request counts are not uniform
    parameter TRAIN_FAR    = 0,  // 1: any warp trains, its difference divided by the distance
    parameter VERIFY_BYTES = 0   // 1: byte-exact comparison
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             restart,
    input  wire             ld_valid,
    input  wire             match,
    input  wire [WAY_W-1:0] choice,
    input  wire             checks,
    input  wire             teaches,
    input  wire [5:0]       wic,
    input  wire [2:0]       n,
    input  wire [127:0]     addr,
    input  wire [5:0]       lead,
    input  wire [1:0]       last,
    input  wire [127:0]     base,
    input  wire [31:0]      way_stride,
    output wire             done,
    output wire             hit,
    output wire [WAY_W-1:0] way,
    output wire             trains,
    output wire             uniform,
    output wire [31:0]      stride,
    output wire             wrong
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WAY_W < 1 || WAY_W > 4) begin : g_bad_WAY_W
            WAY_W_must_be_from_1_to_4 u_stop ();
        end
        if (STRICT_CNT < 0 || STRICT_CNT > 1) begin : g_bad_STRICT_CNT
            STRICT_CNT_must_be_0_or_1 u_stop ();
        end
        if (TRAIN_FAR < 0 || TRAIN_FAR > 1) begin : g_bad_TRAIN_FAR
            TRAIN_FAR_must_be_0_or_1 u_stop ();
        end
        if (VERIFY_BYTES < 0 || VERIFY_BYTES > 1) begin : g_bad_VERIFY_BYTES
            VERIFY_BYTES_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [2:0] LOOK = 3'd0, PICK = 3'd1, TIMES = 3'd2, SETTLE = 3'd3, COMPARE = 3'd4,
                     RAISE = 3'd5, DIVIDE = 3'd6, ANSWER = 3'd7;

    reg [2:0]       phase_q, phase_d;
    reg             hit_q, hit_d;
    reg [WAY_W-1:0] way_q, way_d;
    reg             below_q, below_d;    // the warp is below the leading one
    reg [5:0]       factor_q, factor_d;  // how far; what is left of it
    reg [31:0]      addend_q, addend_d;  // the stride times a power of two; below, complemented
    reg [31:0]      amount_q, amount_d;  // where the load is to be or is, less the base
    reg [3:0]       carry_q, carry_d;    // that wait to go into its bytes
    reg [15:0]      equal_q, equal_d;    // byte by byte, of the four requests
    reg             same_q, same_d;      // of all requests that both warps have

    wire       below = wic < lead;
    wire [5:0] up    = wic - lead;
    wire [5:0] down  = lead - wic;
    wire       near  = factor_q == 6'd1;

    // Sums in bytes, whose carries wait.  The negative is the complement and 1.
    reg [31:0]  difference, sum, settled;
    reg [4:0]   difference_out, sum_out, settled_out;
    integer b;
    always @* begin
        difference_out[0] = 1'b1;
        sum_out[0]        = 1'b0;
        settled_out[0]    = 1'b0;
        for (b = 0; b < 4; b = b + 1) begin
            {difference_out[b+1], difference[b*8 +: 8]} =
                {1'b0, addr[b*8 +: 8]} + {1'b0, ~base[b*8 +: 8]};
            {sum_out[b+1], sum[b*8 +: 8]} =
                {1'b0, amount_q[b*8 +: 8]} + {1'b0, addend_q[b*8 +: 8]}
                + {8'd0, b == 0 ? below_q : carry_q[b]};
            {settled_out[b+1], settled[b*8 +: 8]} =
                {1'b0, amount_q[b*8 +: 8]} + {8'd0, carry_q[b]};
        end
    end

    // Is base + amount the load's address?  Yes, if in every bit the carry that this asks for
    // is the one that the bit below then gives.  Of an address in the same line, bit 7 asks
    // for the carry of the bits below.
    wire        by_line = VERIFY_BYTES == 0 && checks;
    reg [15:0]  equal;
    reg [31:0]  asked, given;
    reg [7:0]   low;
    integer i;
    always @* begin
        for (i = 0; i < 4; i = i + 1) begin
            asked = base[i*32 +: 32] ^ amount_q ^ addr[i*32 +: 32];
            given = (base[i*32 +: 32] & amount_q)
                  | ((base[i*32 +: 32] | amount_q) & ~addr[i*32 +: 32]);
            low   = {1'b0, base[i*32 +: 7]} + {1'b0, amount_q[6:0]};
            equal[i*4]     = by_line ? asked[7] == low[7] : asked[7:0] == {given[6:0], 1'b0};
            equal[i*4 + 1] = asked[15:8]  == given[14:7];
            equal[i*4 + 2] = asked[23:16] == given[22:15];
            equal[i*4 + 3] = asked[31:24] == given[30:23];
        end
    end

    // Request 0 always takes part.
    wire same = (&equal_q[3:0]) && ((&equal_q[7:4]) || n <= 3'd1 || last == 2'd0)
              && ((&equal_q[11:8]) || n <= 3'd2 || last <= 2'd1)
              && ((&equal_q[15:12]) || n <= 3'd3 || last != 2'd3);

    wire        divided, whole;
    wire [31:0] quotient;
    generate
        if (TRAIN_FAR != 0) begin : g_far
            // The negative of -2^31 is 2^31, whose bits are the same.
            wire negative = amount_q[31] && !(below_q && amount_q[30:0] == 31'd0);
            caps_divide u_divide (
                .clk(clk), .rst(rst), .enable(phase_q == DIVIDE), .number(amount_q),
                .negative(negative), .by(factor_q), .done(divided), .whole(whole),
                .quotient(quotient)
            );
        end else begin : g_near
            assign divided  = 1'b1;
            assign whole    = 1'b1;
            assign quotient = amount_q;
        end
    endgenerate
    wire [2:0] after = TRAIN_FAR != 0 && !near ? DIVIDE : ANSWER;

    always @* begin
        phase_d  = phase_q;
        hit_d    = hit_q;
        way_d    = way_q;
        below_d  = below_q;
        factor_d = factor_q;
        addend_d = addend_q;
        amount_d = amount_q;
        carry_d  = carry_q;
        equal_d  = equal_q;
        same_d   = same_q;
        case (phase_q)
            LOOK: begin
                phase_d  = PICK;
                hit_d    = match;
                way_d    = choice;
                below_d  = below;
                factor_d = below ? down : up;
            end
            PICK: begin
                phase_d  = checks ? TIMES : teaches ? SETTLE : ANSWER;
                addend_d = checks ? way_stride ^ {32{below_q}} : addend_q;
                amount_d = checks ? 32'd0 : difference;
                carry_d  = checks ? 4'd0 : difference_out[3:0];
            end
            TIMES: begin
                phase_d  = factor_q[5:1] == 5'd0 ? SETTLE : TIMES;
                factor_d = {1'b0, factor_q[5:1]};
                addend_d = {addend_q[30:0], below_q};
                amount_d = factor_q[0] ? sum : amount_q;
                carry_d  = factor_q[0] ? sum_out[3:0] : carry_q;
            end
            SETTLE: begin
                phase_d  = carry_q == 4'd0 ? COMPARE : SETTLE;
                amount_d = settled;
                carry_d  = settled_out[3:0];
                equal_d  = equal;
            end
            COMPARE: begin
                phase_d  = checks ? ANSWER : below_q ? RAISE : after;
                amount_d = below_q ? ~amount_q : amount_q;
                carry_d  = 4'd1;
                same_d   = same;
            end
            RAISE: begin
                phase_d  = carry_q == 4'd0 ? after : RAISE;
                amount_d = settled;
                carry_d  = settled_out[3:0];
            end
            DIVIDE: if (divided) begin
                phase_d  = ANSWER;
                amount_d = quotient;
                same_d   = same_q && whole;
            end
            default: phase_d = LOOK;
        endcase
        if (restart || !ld_valid)
            phase_d = LOOK;
    end

    always @(posedge clk) begin
        if (rst) begin
            phase_q  <= LOOK;
            hit_q    <= 1'b0;
            way_q    <= {WAY_W{1'b0}};
            below_q  <= 1'b0;
            factor_q <= 6'd0;
            addend_q <= 32'd0;
            amount_q <= 32'd0;
            carry_q  <= 4'd0;
            equal_q  <= 16'd0;
            same_q   <= 1'b0;
        end else begin
            phase_q  <= phase_d;
            hit_q    <= hit_d;
            way_q    <= way_d;
            below_q  <= below_d;
            factor_q <= factor_d;
            addend_q <= addend_d;
            amount_q <= amount_d;
            carry_q  <= carry_d;
            equal_q  <= equal_d;
            same_q   <= same_d;
        end
    end

    wire recount = STRICT_CNT != 0 && n != {1'b0, last} + 3'd1;
    assign done    = phase_q == ANSWER;
    assign hit     = hit_q;
    assign way     = way_q;
    assign trains  = TRAIN_FAR != 0 ? factor_q != 6'd0 : near;
    assign uniform = same_q && !recount;
    assign stride  = amount_q;
    assign wrong   = !same_q;

    wire unused = &{1'b0, difference_out, sum_out, settled_out, asked, given, low};
endmodule
`default_nettype wire
