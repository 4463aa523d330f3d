// spref_form_rule - load-id and address form of a result, from those of the operands: (head << shift)
// + R[base] is the one form that a tail's address has (lakshminarayana2014-graph 3.1.4).
//
// Combinational.  l*: load-ids, 3 for a value of a head in no such form.  shift*, base*: the form; base
// 63: nothing is added yet.  k*: the operand is a constant; src*: its register.
`default_nettype none
module spref_form_rule (
    input  wire [3:0] op,
    input  wire       pred,
    input  wire [1:0] head_id,
    input  wire [1:0] l0,
    input  wire [1:0] l1,
    input  wire [1:0] l2,
    input  wire       k0,
    input  wire       k1,
    input  wire       k2,
    input  wire [5:0] src0,
    input  wire [5:0] src1,
    input  wire [5:0] src2,
    input  wire [5:0] base0,
    input  wire [5:0] base1,
    input  wire [2:0] shift0,
    input  wire [2:0] shift1,
    input  wire       imm_valid,
    input  wire       scale_ok,
    input  wire [4:0] scale,
    output wire [1:0] lid,
    output wire [5:0] base,
    output wire [2:0] shift
);
    localparam [3:0] ADD = 4'd1, MUL = 4'd3, SHL = 4'd4, MOV = 4'd5, MAD = 4'd6, LD = 4'd7;
    localparam [5:0] NONE = 6'd63;

    // The ids of all operands: the first one, none of two that differ.
    wire [1:0] first = l0 != 2'd0 ? l0 : l1 != 2'd0 ? l1 : l2;
    wire clash = (l0 != 2'd0 && l0 != first) || (l1 != 2'd0 && l1 != first)
              || (l2 != 2'd0 && l2 != first);

    // The four steps that keep the form.
    wire plain0  = (l0 == 2'd1 || l0 == 2'd2) && base0 == NONE;
    wire plain1  = (l1 == 2'd1 || l1 == 2'd2) && base1 == NONE;
    wire scales  = plain0 && shift0 == 3'd0 && imm_valid && scale_ok && scale <= 5'd7;
    wire scaled  = (op == MUL || op == SHL) && scales;
    wire left    = op == ADD && plain0 && k1 && src1 != NONE && l1 == 2'd0;
    wire right   = op == ADD && plain1 && k0 && src0 != NONE && l0 == 2'd0;
    wire both    = op == MAD && scales && k2 && src2 != NONE && l2 == 2'd0;
    wire moved   = op == MOV;
    wire kept    = scaled || left || right || both || moved;

    wire [1:0] derived = clash ? 2'd0 : first == 2'd0 ? 2'd0 : !kept ? 2'd3 : first;
    assign lid   = pred ? 2'd0 : op == LD ? head_id : derived;
    wire   form  = !pred && op != LD && derived != 2'd0 && derived != 2'd3;
    assign base  = !form ? NONE : left ? src1 : right ? src0 : both ? src2 : moved ? base0 : NONE;
    assign shift = !form ? 3'd0 : scaled || both ? scale[2:0] : right ? shift1 : shift0;
endmodule
`default_nettype wire
