// spref_top - prefetching into spare registers, of one SM (lakshminarayana2014-graph 3.1): a loop is
// found and understood, its pending iterations are counted, and behind its loads go those of later
// iterations, into registers that no thread needs.
//
// dec_*: one instruction a cycle, in its order per warp, with operands as spref_tagtrk has them; out_*
// say in the same cycle what becomes of it.  exec_*: a setp executes, in the cycle of its decode at the
// earliest.  br_*: a branch was executed, in the cycle of its decode at the earliest, and a cycle behind
// the setp that its predicate comes from.  A warp's next iteration is decoded behind its branch.
// kernel_start loads MaxReg_s and MaxReg_d and forgets all loops; it wins over all.
`default_nettype none
module spref_top #(
    parameter WARPS      = 48,  // warp slots, 2..64
    parameter FIXED1     = 0,   // 1: SPREF1, one iteration ahead
    parameter CACHE_ONLY = 0,   // 1: SPREF1-C, tails go to the cache alone
    parameter MID        = 4,   // 1..15
    parameter HIGH       = 6,   // MID..15
    parameter GIVE_UP    = 15   // 1..15
) (
    input  wire          clk,
    input  wire          rst,
    input  wire          kernel_start,
    input  wire [5:0]    kernel_regs,
    input  wire [5:0]    kernel_room,
    input  wire          launch_valid,
    input  wire [5:0]    launch_wid,
    input  wire          exit_valid,
    input  wire [5:0]    exit_wid,
    input  wire          dec_valid,
    input  wire [5:0]    dec_wid,
    input  wire [31:0]   dec_pc,
    input  wire [31:0]   dec_mask,
    input  wire [3:0]    op,
    input  wire [5:0]    dst,
    input  wire [5:0]    src0,
    input  wire [5:0]    src1,
    input  wire [5:0]    src2,
    input  wire          imm_valid,
    input  wire [31:0]   imm,
    input  wire          raw_upd,
    input  wire          pred,
    input  wire          step_ok,
    input  wire [31:0]   step_val,
    input  wire          is_branch,
    input  wire          ro,
    input  wire [15:0]   offset,
    input  wire [2:0]    cmp,
    input  wire [5:0]    pdst,
    input  wire [5:0]    psrc,
    input  wire          psrc_not,
    input  wire          exec_valid,
    input  wire [5:0]    exec_wid,
    input  wire [31:0]   exec_pc,
    input  wire [31:0]   exec_mask,
    input  wire [1023:0] idx,
    input  wire [1023:0] last,
    input  wire          br_valid,
    input  wire          br_taken,
    input  wire [5:0]    br_wid,
    input  wire [31:0]   br_pc,
    input  wire [31:0]   br_tgt,
    output wire [1:0]    out_valid,
    output wire [3:0]    out_op,
    output wire [5:0]    out_dst,
    output wire [11:0]   out_src,
    output wire [63:0]   out_mask,
    output wire [1:0]    out_addr_mode,
    output wire [31:0]   out_ahead,
    output wire [2:0]    out_shift,
    output wire [5:0]    out_base,
    output wire [15:0]   out_imm,
    output wire          stall_decode,
    output wire [1:0]    pass,
    output wire          loop_valid,
    output wire [31:0]   loop_start,
    output wire [31:0]   loop_end,
    output wire [31:0]   setp_pc,
    output wire          sum_valid,
    output wire [1:0]    distance,
    output wire          found,
    output wire          rejected,
    output wire          enters,
    output wire          blocked,
    output wire          clamped
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (FIXED1 < 0 || FIXED1 > 1) begin : g_bad_FIXED1
            FIXED1_must_be_0_or_1 u_stop ();
        end
        if (CACHE_ONLY < 0 || CACHE_ONLY > 1) begin : g_bad_CACHE_ONLY
            CACHE_ONLY_must_be_0_or_1 u_stop ();
        end
        if (MID < 1 || MID > 15) begin : g_bad_MID
            MID_must_be_from_1_to_15 u_stop ();
        end
        if (HIGH < 1 || HIGH > 15) begin : g_bad_HIGH
            HIGH_must_be_from_1_to_15 u_stop ();
        end
        if (GIVE_UP < 1 || GIVE_UP > 15) begin : g_bad_GIVE_UP
            GIVE_UP_must_be_from_1_to_15 u_stop ();
        end
    endgenerate

    reg [5:0] maxreg_s_q, maxreg_d_q;
    always @(posedge clk) begin
        if (rst) begin
            maxreg_s_q <= 6'd0;
            maxreg_d_q <= 6'd0;
        end else if (kernel_start) begin
            maxreg_s_q <= kernel_regs;
            maxreg_d_q <= kernel_room;
        end
    end

    // Step A: the loop and its loads.
    wire       pass_begin, pass_end, accepted;
    wire [5:0] train_wid;
    wire       detected, inner, gave_up, abandoned;
    spref_loopdet #(.GIVE_UP(GIVE_UP)) u_loopdet (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .br_valid(br_valid), .br_taken(br_taken), .br_pc(br_pc), .br_tgt(br_tgt),
        .dec_valid(dec_valid), .dec_pc(dec_pc), .dec_wid(dec_wid),
        .exit_valid(exit_valid), .exit_wid(exit_wid), .found(accepted),
        .loop_valid(loop_valid), .loop_start(loop_start), .loop_end(loop_end),
        .pass(pass), .pass_begin(pass_begin), .pass_end(pass_end), .train_wid(train_wid),
        .detected(detected), .rejected(rejected), .inner(inner), .gave_up(gave_up),
        .abandoned(abandoned)
    );
    assign found = accepted;

    wire [1:0]  addr_tag, addr_lid, end_tag, head_id, dst_tag_next, dst_lid_next;
    wire [31:0] addr_delta, index_step;
    wire [5:0]  addr_base, index;
    wire [2:0]  addr_shift;
    wire        addr_done, strides_full;
    spref_tagtrk u_tagtrk (
        .clk(clk), .rst(rst), .pass(pass), .tag_init(pass_begin && pass == 2'd1),
        .pass_begin(pass_begin), .pass_end(pass_end),
        .op(op), .dst(dst), .src0(src0), .src1(src1), .src2(src2), .imm_valid(imm_valid), .imm(imm),
        .raw_upd(raw_upd), .pred(pred), .head_id(head_id), .step_ok(step_ok), .step_val(step_val),
        .addr_tag(addr_tag), .addr_lid(addr_lid), .addr_delta(addr_delta), .addr_base(addr_base),
        .addr_shift(addr_shift), .addr_done(addr_done), .end_tag(end_tag),
        .dst_tag_next(dst_tag_next), .dst_lid_next(dst_lid_next),
        .index(index), .index_step(index_step), .strides_full(strides_full)
    );

    wire        is_head, is_tail, pair, down, plus_one, tail_over;
    wire [31:0] stride;
    wire [3:0]  has;
    wire [2:0]  step_log2;
    spref_tlt #(.PORTS(1)) u_tlt (
        .clk(clk), .rst(rst), .kernel_start(kernel_start),
        .pass(pass), .pass_begin(pass_begin), .pass_end(pass_end), .dec_pc(dec_pc),
        .op(op), .pred(pred), .is_branch(is_branch), .ro(ro), .offset(offset),
        .addr_tag(addr_tag), .addr_lid(addr_lid), .addr_delta(addr_delta), .addr_base(addr_base),
        .addr_shift(addr_shift), .addr_done(addr_done), .end_tag(end_tag),
        .cmp(cmp), .pdst(pdst), .psrc(psrc), .psrc_not(psrc_not), .pc(dec_pc),
        .head_id(head_id), .found(accepted), .is_head(is_head), .is_tail(is_tail), .idx(pair),
        .stride(stride), .shift(out_shift), .base(out_base), .imm(out_imm), .has(has),
        .setp_pc(setp_pc), .step_log2(step_log2), .down(down), .plus_one(plus_one),
        .tail_over(tail_over)
    );

    // Steps B and C: pending iterations, and how far ahead.
    wire [5:0]   sum_wid, n;
    wire [8:0]   sum;
    wire [127:0] pending;
    wire [2:0]   nloads;
    wire         less;
    spref_itercnt #(.WARPS(WARPS)) u_itercnt (
        .clk(clk), .rst(rst),
        .setp_valid(exec_valid && loop_valid && !kernel_start && exec_pc == setp_pc),
        .wid(exec_wid), .mask(exec_mask), .idx(idx), .last(last),
        .step_log2(step_log2), .down(down), .plus_one(plus_one), .read_wid(dec_wid),
        .sum_valid(sum_valid), .sum_wid(sum_wid), .sum(sum), .n(n), .p(pending)
    );
    spref_dist #(.MID(MID), .HIGH(HIGH)) u_dist (
        .sum(sum), .n(n), .fixed1(FIXED1 != 0), .nloads(nloads), .spare(maxreg_d_q - maxreg_s_q),
        .d(distance), .clamped(less)
    );
    assign clamped = sum_valid && less;

    // The index steps otherwise than it did in training.
    wire [31:0] stepped = op == 4'd2 ? 32'd0 - step_val : step_val;
    wire        steps   = dec_valid && loop_valid && raw_upd && !imm_valid && dst == index
                       && (op == 4'd1 || op == 4'd2) && dec_pc >= loop_start && dec_pc <= loop_end;
    wire        strays  = steps && (!step_ok || stepped != index_step);

    // Step D: moves and prefetches.
    wire [1:0] list_sel, out_dist;
    wire       list_reset, push, pop_mov, pop_tail;
    wire [5:0] mov_id, tail_id;
    spref_inject #(.WARPS(WARPS), .CACHE_ONLY(CACHE_ONLY)) u_inject (
        .clk(clk), .rst(rst), .clear(kernel_start || !loop_valid),
        .launch_valid(launch_valid), .launch_wid(launch_wid), .ready(loop_valid),
        .maxreg_s(maxreg_s_q), .has(has),
        .dec_valid(dec_valid), .dec_wid(dec_wid), .dec_mask(dec_mask),
        .dec_start(dec_pc == loop_start), .is_head(is_head), .is_tail(is_tail), .idx(pair),
        .p(pending), .mov_id(mov_id), .tail_id(tail_id),
        .br_valid(br_valid && br_pc == loop_end), .br_wid(br_wid), .br_taken(br_taken),
        .sum_valid(sum_valid), .sum_wid(sum_wid), .d(distance),
        .block_valid(strays), .block_wid(dec_wid),
        .out_valid(out_valid), .out_op(out_op), .out_dst(out_dst), .out_src(out_src),
        .out_mask(out_mask), .out_addr_mode(out_addr_mode), .out_dist(out_dist),
        .stall_decode(stall_decode), .nloads(nloads), .list_sel(list_sel), .list_reset(list_reset),
        .push(push), .pop_mov(pop_mov), .pop_tail(pop_tail), .enters(enters), .blocked(blocked)
    );
    spref_alist #(.WARPS(WARPS)) u_alist (
        .clk(clk), .rst(rst), .wid(dec_wid), .sel(list_sel), .reset(list_reset), .push(push),
        .push_id(out_dst), .pop_mov(pop_mov), .pop_tail(pop_tail), .mov_id(mov_id), .tail_id(tail_id)
    );
    assign out_ahead = out_addr_mode != 2'd1 ? 32'd0
                     : (out_dist[0] ? stride : 32'd0) + (out_dist[1] ? stride << 1 : 32'd0);

    wire unused = &{1'b0, train_wid, detected, inner, gave_up, abandoned, tail_over, strides_full,
                    dst_tag_next, dst_lid_next};
endmodule
`default_nettype wire
