// spref_tagtrk - value tags, load-ids, strides and address forms of the registers of a loop
// (lakshminarayana2014-graph 3.1.3, 3.1.4).
//
// One instruction a cycle, of the pass that `pass` names (0: nothing happens).  What the tags say of it
// is there in its cycle, what it writes is seen by the next one.  tag_init comes with the first
// instruction of a first pass, pass_begin with that of either; pass_end with the last one: in a first
// pass, constants that were written in it turn random behind it.  dst is the register that the
// operation writes, 63 for none; op-0 of a load is its address.  head_id is this load's id when
// it becomes a head-load, and is not looked at otherwise.  raw_upd is 1 just when src0 is dst, which
// is not 63; src1 is 63 where imm_valid is 1.
// A strided register stands in one of four entries; a fifth is random.  index is the one
// register that may advance by a register (index_step its value in the training warp).
`default_nettype none
module spref_tagtrk (
    input  wire        clk,
    input  wire        rst,
    input  wire [1:0]  pass,
    input  wire        tag_init,
    input  wire        pass_begin,
    input  wire        pass_end,
    input  wire [3:0]  op,
    input  wire [5:0]  dst,
    input  wire [5:0]  src0,
    input  wire [5:0]  src1,
    input  wire [5:0]  src2,
    input  wire        imm_valid,
    input  wire [31:0] imm,
    input  wire        raw_upd,
    input  wire        pred,
    input  wire [1:0]  head_id,
    input  wire        step_ok,
    input  wire [31:0] step_val,
    output wire [1:0]  addr_tag,
    output wire [1:0]  addr_lid,
    output wire [31:0] addr_delta,
    output wire [5:0]  addr_base,
    output wire [2:0]  addr_shift,
    output wire        addr_done,
    output wire [1:0]  end_tag,
    output wire [1:0]  dst_tag_next,
    output wire [1:0]  dst_lid_next,
    output wire [5:0]  index,
    output wire [31:0] index_step,
    output wire        strides_full
);
    localparam REGS = 63, STRIDES = 4;
    localparam [5:0] NONE = 6'd63;
    localparam [3:0] MUL = 4'd3, MAD = 4'd6, LD = 4'd7, SETP = 4'd8;
    localparam [1:0] STRIDE = 2'd1, RANDOM = 2'd2;

    reg [REGS*2-1:0]     tag_q, tag_d;
    reg [REGS*2-1:0]     lid_q, lid_d;
    reg [REGS*6-1:0]     base_q, base_d;
    reg [REGS*3-1:0]     shift_q, shift_d;
    reg [STRIDES*6-1:0]  cam_reg_q, cam_reg_d;
    reg [STRIDES*32-1:0] cam_delta_q, cam_delta_d;
    reg [STRIDES-1:0]    cam_done_q, cam_done_d;
    reg [5:0]            index_q, index_d;
    reg [31:0]           index_step_q, index_step_d;

    // As they are for this instruction.
    wire first = pass == 2'd1;
    wire [STRIDES-1:0]   done    = pass_begin ? {STRIDES{1'b0}} : cam_done_q;
    wire [STRIDES*6-1:0] cam_reg = tag_init ? {STRIDES{NONE}} : cam_reg_q;
    wire [5:0]           holder  = tag_init ? NONE : index_q;

    // Operands; one more register, 63, is a constant.
    wire [127:0] tags   = tag_init ? 128'd0 : {2'd0, tag_q};
    wire [127:0] lids   = tag_init ? 128'd0 : {2'd0, lid_q};
    wire [383:0] bases  = {NONE, base_q};
    wire [191:0] shifts = {3'd0, shift_q};
    wire [1:0] t0 = tags[src0*2 +: 2], t1 = tags[src1*2 +: 2], t2 = tags[src2*2 +: 2];
    wire [1:0] l0 = lids[src0*2 +: 2], l1 = lids[src1*2 +: 2], l2 = lids[src2*2 +: 2];
    wire [5:0] base0 = bases[src0*6 +: 6], base1 = bases[src1*6 +: 6];
    wire [2:0] shift0 = shifts[src0*3 +: 3], shift1 = shifts[src1*3 +: 3];

    reg [31:0] d0, d1, d2;
    reg        done0, done_dst;
    reg [STRIDES-1:0] of_dst, vacant, chosen;
    integer e;
    always @* begin
        d0 = 32'd0;
        d1 = 32'd0;
        d2 = 32'd0;
        done0    = 1'b0;
        done_dst = 1'b0;
        for (e = 0; e < STRIDES; e = e + 1) begin
            of_dst[e] = cam_reg[e*6 +: 6] == dst && dst != NONE;
            vacant[e] = cam_reg[e*6 +: 6] == NONE;
            if (cam_reg[e*6 +: 6] == src0 && src0 != NONE) begin
                d0    = cam_delta_q[e*32 +: 32];
                done0 = done[e];
            end
            if (cam_reg[e*6 +: 6] == src1 && src1 != NONE) d1 = cam_delta_q[e*32 +: 32];
            if (cam_reg[e*6 +: 6] == src2 && src2 != NONE) d2 = cam_delta_q[e*32 +: 32];
            if (of_dst[e]) done_dst = done[e];
        end
        chosen = |of_dst ? of_dst : vacant & (~vacant + 4'd1);
    end

    // Powers of two, and shifts.
    reg  [4:0] log2;
    integer b;
    always @* begin
        log2 = 5'd0;
        for (b = 0; b < 32; b = b + 1)
            if (imm[b]) log2 = b[4:0];
    end
    wire       multiplies = op == MUL || op == MAD;
    wire       scale_ok = multiplies ? imm != 32'd0 && (imm & (imm - 32'd1)) == 32'd0
                                     : imm[31:5] == 27'd0;
    wire [4:0] scale    = multiplies ? log2 : imm[4:0];

    // The result.
    wire        own1 = src1 == dst && src1 != NONE, own2 = src2 == dst && src2 != NONE;
    wire [1:0]  rule_tag;
    wire [31:0] rule_delta;
    wire        reg_step;
    spref_tag_rule u_tag (
        .first(first), .op(op), .raw_upd(raw_upd), .own1(own1), .own2(own2), .pred(pred),
        .t0(t0), .t1(t1), .t2(t2), .d0(d0), .d1(d1), .d2(d2), .done0(done0),
        .imm_valid(imm_valid), .imm(imm), .scale_ok(scale_ok), .scale(scale),
        .index_ok(holder == NONE ? first : holder == dst), .step_ok(step_ok), .step_val(step_val),
        .tag(rule_tag), .delta(rule_delta), .reg_step(reg_step)
    );
    wire k0 = t0 == 2'd0 || t0 == 2'd3, k1 = t1 == 2'd0 || t1 == 2'd3, k2 = t2 == 2'd0 || t2 == 2'd3;
    wire [1:0] rule_lid;
    wire [5:0] rule_base;
    wire [2:0] rule_shift;
    spref_form_rule u_form (
        .op(op), .pred(pred), .head_id(head_id), .l0(l0), .l1(l1), .l2(l2),
        .k0(k0), .k1(k1), .k2(k2), .src0(src0), .src1(src1), .src2(src2),
        .base0(base0), .base1(base1), .shift0(shift0), .shift1(shift1),
        .imm_valid(imm_valid), .scale_ok(scale_ok), .scale(scale),
        .lid(rule_lid), .base(rule_base), .shift(rule_shift)
    );
    wire writes   = pass != 2'd0 && op < SETP && dst != NONE;
    wire strided  = rule_tag == STRIDE && !done_dst;
    wire placed   = strided && |chosen;
    assign strides_full = writes && strided && !(|chosen);
    assign dst_tag_next = op == LD ? RANDOM : rule_tag == STRIDE && !placed ? RANDOM : rule_tag;
    assign dst_lid_next = rule_lid;

    integer r;
    always @* begin
        tag_d        = tags[REGS*2-1:0];
        lid_d        = lids[REGS*2-1:0];
        base_d       = base_q;
        shift_d      = shift_q;
        cam_reg_d    = cam_reg;
        cam_delta_d  = cam_delta_q;
        cam_done_d   = done;
        index_d      = holder;
        index_step_d = index_step_q;
        if (writes) begin
            tag_d[dst*2 +: 2]   = dst_tag_next;
            lid_d[dst*2 +: 2]   = dst_lid_next;
            base_d[dst*6 +: 6]  = rule_base;
            shift_d[dst*3 +: 3] = rule_shift;
            for (r = 0; r < STRIDES; r = r + 1) begin
                if (dst_tag_next == STRIDE) begin
                    if (chosen[r]) begin
                        cam_reg_d[r*6 +: 6]     = dst;
                        cam_delta_d[r*32 +: 32] = rule_delta;
                        cam_done_d[r]           = 1'b1;
                    end
                end else if (of_dst[r])
                    cam_reg_d[r*6 +: 6] = NONE;
            end
            if (reg_step && dst_tag_next == STRIDE) begin
                index_d      = dst;
                index_step_d = op == 4'd2 ? 32'd0 - step_val : step_val;
            end
        end
        if (pass_end && first)
            for (r = 0; r < REGS; r = r + 1)
                if (tag_d[r*2 +: 2] == 2'd3) tag_d[r*2 +: 2] = RANDOM;
    end

    always @(posedge clk) begin
        if (rst) begin
            tag_q        <= {REGS{2'd0}};
            lid_q        <= {REGS{2'd0}};
            base_q       <= {REGS{NONE}};
            shift_q      <= {REGS{3'd0}};
            cam_reg_q    <= {STRIDES{NONE}};
            cam_delta_q  <= {STRIDES{32'd0}};
            cam_done_q   <= {STRIDES{1'b0}};
            index_q      <= NONE;
            index_step_q <= 32'd0;
        end else if (pass != 2'd0) begin
            tag_q        <= tag_d;
            lid_q        <= lid_d;
            base_q       <= base_d;
            shift_q      <= shift_d;
            cam_reg_q    <= cam_reg_d;
            cam_delta_q  <= cam_delta_d;
            cam_done_q   <= cam_done_d;
            index_q      <= index_d;
            index_step_q <= index_step_d;
        end
    end

    assign addr_tag   = t0;
    assign addr_lid   = l0;
    assign addr_delta = t0 == STRIDE ? d0 : 32'd0;
    assign addr_base  = base0;
    assign addr_shift = shift0;
    assign addr_done  = t0 == STRIDE && done0;
    assign end_tag    = t1;
    assign index      = index_q;
    assign index_step = index_step_q;
endmodule
`default_nettype wire
