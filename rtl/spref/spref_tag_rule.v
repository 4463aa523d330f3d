// spref_tag_rule - value tag and stride of a result, from those of the operands
// (lakshminarayana2014-graph 3.1.4, Table 1 and what completes it).
//
// Combinational.  A tag 3 is a constant that this first pass has written.  t*: tags of op-0 to op-2,
// d*: their strides.  `reg_step`: the update of a register by a register, which is allowed of one
// register alone, `index_ok`; its step is step_val.  `done0`: op-0 is strided and was written in this
// pass already.  `own1`, `own2`: op-1, op-2 is the destination.  multiplications of strides are by
// powers of two, `scale` of them (D-SPREF-5).
`default_nettype none
module spref_tag_rule (
    input  wire        first,
    input  wire [3:0]  op,
    input  wire        raw_upd,
    input  wire        own1,
    input  wire        own2,
    input  wire        pred,
    input  wire [1:0]  t0,
    input  wire [1:0]  t1,
    input  wire [1:0]  t2,
    input  wire [31:0] d0,
    input  wire [31:0] d1,
    input  wire [31:0] d2,
    input  wire        done0,
    input  wire        imm_valid,
    input  wire [31:0] imm,
    input  wire        scale_ok,
    input  wire [4:0]  scale,
    input  wire        index_ok,
    input  wire        step_ok,
    input  wire [31:0] step_val,
    output wire [1:0]  tag,
    output wire [31:0] delta,
    output wire        reg_step
);
    localparam [3:0] OTHER = 4'd0, ADD = 4'd1, SUB = 4'd2, MUL = 4'd3, SHL = 4'd4, MOV = 4'd5,
                     MAD = 4'd6;
    localparam [1:0] CONST = 2'd0, STRIDE = 2'd1, RANDOM = 2'd2;

    wire k0 = t0 == 2'd0 || t0 == 2'd3, k1 = t1 == 2'd0 || t1 == 2'd3, k2 = t2 == 2'd0 || t2 == 2'd3;
    wire s0 = t0 == STRIDE, s1 = t1 == STRIDE, s2 = t2 == STRIDE;
    wire any_random = t0 == RANDOM || t1 == RANDOM || t2 == RANDOM;
    wire adds  = op == ADD || op == SUB;

    // r = r + c: of a register that this pass has not written yet, and by the first pass's step.
    wire [31:0] amount = imm_valid ? imm : step_val;
    wire [31:0] step   = op == SUB ? 32'd0 - amount : amount;
    wire untouched = (first ? t0 == CONST : s0 && d0 == step) && !done0;
    wire advances  = adds && raw_upd && !own1 && k1 && untouched;
    assign reg_step = advances && !imm_valid;
    wire stepped   = advances && (imm_valid || (index_ok && step_ok));

    // A product by a power of two, or a shift.
    wire        scales   = op == MUL || op == MAD || op == SHL;
    wire        factored = s0 && k1 && imm_valid && scale_ok;
    wire [31:0] product  = d0 << scale;
    wire        prod_k   = k0 && k1;

    // A sum of a stride and a constant.
    wire [31:0] left    = op == MAD ? product : d0;
    wire [31:0] right   = op == MAD ? d2 : op == SUB ? 32'd0 - d1 : d1;
    wire        left_s  = op == MAD ? factored : s0;
    wire        left_k  = op == MAD ? prod_k : k0;
    wire        right_s = op == MAD ? s2 : s1;
    wire        right_k = op == MAD ? k2 : k1;
    wire        sums    = adds || op == MAD;
    wire        sum_s   = (left_s && right_k) || (left_k && right_s);

    wire self     = raw_upd || own1 || own2;
    wire linear   = !self && ((sums && sum_s) || (scales && op != MAD && factored))
                 || (op == MOV && s0 && !raw_upd);
    wire constant = !self && ((sums && left_k && right_k) || (scales && op != MAD && prod_k)
                           || (op == OTHER && k0 && k1 && k2))
                 || (op == MOV && k0);
    wire strided  = !pred && !any_random && (stepped || linear);
    wire fixed    = !pred && !any_random && constant && !strided;
    assign tag   = strided ? STRIDE : fixed ? (first ? 2'd3 : CONST) : RANDOM;
    assign delta = stepped ? step
                 : op == MOV ? d0
                 : sums ? (left_s ? left : right) : product;
endmodule
`default_nettype wire
