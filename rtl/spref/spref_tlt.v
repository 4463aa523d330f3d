// spref_tlt - the loads of the loop that are prefetched: two heads and a tail of each, and the setp
// that ends the loop (lakshminarayana2014-graph 3.1.4, Step A).
//
// Trained by the second pass, one instruction a cycle, with what spref_tagtrk says of its operands in
// that cycle.  head_id answers in the same cycle, since the load's result has that load-id; what is
// written is seen by the next one.  A load is a target if it reads read-only data without a
// predicate, before any branch and before the loop's setp.  The predicate of the backward branch is
// learnt in the last cycle of the first pass; the one setp of the second pass that writes it must
// compare a register that was advanced in this pass, by 1 << step_log2, with a constant (D-SPREF-8).
// found in the last cycle of the second pass: there is a head, and the loop's end is understood.  A
// first pass, and kernel_start, empty the table.  pc: look-ups, answered in the same cycle; fields of
// what is not found are 0.
`default_nettype none
module spref_tlt #(
    parameter PORTS = 2  // look-ups in a cycle, 1..2
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                kernel_start,
    input  wire [1:0]          pass,
    input  wire                pass_begin,
    input  wire                pass_end,
    input  wire [31:0]         dec_pc,
    input  wire [3:0]          op,
    input  wire                pred,
    input  wire                is_branch,
    input  wire                ro,
    input  wire [15:0]         offset,
    input  wire [1:0]          addr_tag,
    input  wire [1:0]          addr_lid,
    input  wire [31:0]         addr_delta,
    input  wire [5:0]          addr_base,
    input  wire [2:0]          addr_shift,
    input  wire                addr_done,
    input  wire [1:0]          end_tag,
    input  wire [2:0]          cmp,
    input  wire [5:0]          pdst,
    input  wire [5:0]          psrc,
    input  wire                psrc_not,
    input  wire [PORTS*32-1:0] pc,
    output wire [1:0]          head_id,
    output wire                found,
    output reg  [PORTS-1:0]    is_head,
    output reg  [PORTS-1:0]    is_tail,
    output reg  [PORTS-1:0]    idx,
    output reg  [PORTS*32-1:0] stride,
    output reg  [PORTS*3-1:0]  shift,
    output reg  [PORTS*6-1:0]  base,
    output reg  [PORTS*16-1:0] imm,
    output wire [3:0]          has,
    output wire [31:0]         setp_pc,
    output wire [2:0]          step_log2,
    output wire                down,
    output wire                plus_one,
    output wire                tail_over
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (PORTS < 1 || PORTS > 2) begin : g_bad_PORTS
            PORTS_must_be_1_or_2 u_stop ();
        end
    endgenerate

    localparam [5:0] NONE = 6'd63;
    localparam [3:0] LD = 4'd7, SETP = 4'd8;
    localparam [1:0] STRIDE = 2'd1, RANDOM = 2'd2;
    localparam [2:0] LT = 3'd0, LE = 3'd1, GT = 3'd2, GE = 3'd3, NE = 3'd4, EQ = 3'd5;

    reg [1:0]  head_valid_q, tail_valid_q;
    reg [63:0] head_pc_q, head_stride_q, tail_pc_q;
    reg [5:0]  tail_shift_q;
    reg [11:0] tail_base_q;
    reg [31:0] tail_imm_q;
    reg [5:0]  loop_pred_q;
    reg        loop_not_q, branched_q, down_q, plus_one_q;
    reg [1:0]  setps_q;
    reg [31:0] setp_pc_q;
    reg [2:0]  step_log2_q;

    wire first  = pass == 2'd1;
    wire second = pass == 2'd2;
    wire fresh  = pass_begin;  // what this pass has seen so far is nothing
    wire branched    = branched_q && !fresh;
    wire [1:0] setps = fresh ? 2'd0 : setps_q;

    // A load of the second pass.
    wire target = second && op == LD && ro && !pred && !branched && setps == 2'd0;
    wire head   = target && addr_tag == STRIDE && !head_valid_q[1];
    wire slot   = head_valid_q[0];
    wire whose  = addr_lid == 2'd2;
    wire form   = target && addr_tag != STRIDE && (addr_lid == 2'd1 || whose) && addr_base != NONE;
    wire tail   = form && !tail_valid_q[whose];
    assign tail_over = form && tail_valid_q[whose];
    assign head_id   = !head ? 2'd0 : slot ? 2'd2 : 2'd1;

    // A setp of the second pass: it goes on while cmp, or its contrary, holds.
    reg [2:0] going;
    always @* begin
        case ({loop_not_q, cmp})
            {1'b1, LT}: going = GE;
            {1'b1, LE}: going = GT;
            {1'b1, GT}: going = LE;
            {1'b1, GE}: going = LT;
            {1'b1, NE}: going = EQ;
            {1'b1, EQ}: going = NE;
            default:    going = cmp;
        endcase
    end
    wire        below  = addr_delta[31];
    wire [31:0] amount = below ? 32'd0 - addr_delta : addr_delta;
    wire        power  = amount != 32'd0 && (amount & (amount - 32'd1)) == 32'd0
                      && amount[31:8] == 24'd0;
    reg  [2:0]  log2;
    integer b;
    always @* begin
        log2 = 3'd0;
        for (b = 0; b < 8; b = b + 1)
            if (amount[b]) log2 = b[2:0];
    end
    wire ordered = below ? going == GT || going == GE : going == LT || going == LE;
    wire counts  = ordered || (going == NE && amount == 32'd1);
    wire constant_end = end_tag != STRIDE && end_tag != RANDOM;
    wire loops   = second && op == SETP && pdst == loop_pred_q && pdst != NONE;
    wire fits    = !pred && addr_tag == STRIDE && addr_done && constant_end && power && counts;
    wire [1:0] setps_next = !loops ? setps : setps == 2'd0 && fits ? 2'd1 : 2'd2;

    assign found = second && pass_end && head_valid_q[0] && setps_next == 2'd1;

    always @(posedge clk) begin
        if (rst) begin
            head_valid_q <= 2'b00;
            tail_valid_q <= 2'b00;
            loop_pred_q  <= NONE;
            loop_not_q   <= 1'b0;
            branched_q   <= 1'b0;
            setps_q      <= 2'd0;
            setp_pc_q    <= 32'd0;
            step_log2_q  <= 3'd0;
            down_q       <= 1'b0;
            plus_one_q   <= 1'b0;
        end else begin
            if (kernel_start || (first && pass_begin)) begin
                head_valid_q <= 2'b00;
                tail_valid_q <= 2'b00;
            end else begin
                if (head) head_valid_q[slot]  <= 1'b1;
                if (tail) tail_valid_q[whose] <= 1'b1;
            end
            if (pass != 2'd0) begin
                branched_q <= branched || is_branch;
                setps_q    <= setps_next;
            end
            if (first && pass_end) begin
                loop_pred_q <= is_branch ? psrc : NONE;
                loop_not_q  <= psrc_not;
            end
            if (loops) begin
                setp_pc_q   <= dec_pc;
                step_log2_q <= log2;
                down_q      <= below;
                plus_one_q  <= going == LE || going == GE;
            end
        end
    end

    // What the entries hold; 0 after reset, for look-ups of nothing.
    always @(posedge clk) begin
        if (rst) begin
            head_pc_q     <= 64'd0;
            head_stride_q <= 64'd0;
            tail_pc_q     <= 64'd0;
            tail_shift_q  <= 6'd0;
            tail_base_q   <= 12'd0;
            tail_imm_q    <= 32'd0;
        end else begin
            if (head) begin
                head_pc_q[slot*32 +: 32]     <= dec_pc;
                head_stride_q[slot*32 +: 32] <= addr_delta;
            end
            if (tail) begin
                tail_pc_q[whose*32 +: 32]   <= dec_pc;
                tail_shift_q[whose*3 +: 3]  <= addr_shift;
                tail_base_q[whose*6 +: 6]   <= addr_base;
                tail_imm_q[whose*16 +: 16]  <= offset;
            end
        end
    end

    // Look-ups.
    integer p, h;
    always @* begin
        is_head = {PORTS{1'b0}};
        is_tail = {PORTS{1'b0}};
        idx     = {PORTS{1'b0}};
        stride  = {PORTS{32'd0}};
        shift   = {PORTS{3'd0}};
        base    = {PORTS{6'd0}};
        imm     = {PORTS{16'd0}};
        for (p = 0; p < PORTS; p = p + 1) begin
            for (h = 0; h < 2; h = h + 1) begin
                if (head_valid_q[h] && head_pc_q[h*32 +: 32] == pc[p*32 +: 32]) begin
                    is_head[p]         = 1'b1;
                    idx[p]             = idx[p] | h[0];
                    stride[p*32 +: 32] = stride[p*32 +: 32] | head_stride_q[h*32 +: 32];
                end
                if (tail_valid_q[h] && tail_pc_q[h*32 +: 32] == pc[p*32 +: 32]) begin
                    is_tail[p]       = 1'b1;
                    idx[p]           = idx[p] | h[0];
                    shift[p*3 +: 3]  = shift[p*3 +: 3] | tail_shift_q[h*3 +: 3];
                    base[p*6 +: 6]   = base[p*6 +: 6] | tail_base_q[h*6 +: 6];
                    imm[p*16 +: 16]  = imm[p*16 +: 16] | tail_imm_q[h*16 +: 16];
                end
            end
        end
    end

    assign has       = {tail_valid_q[1], head_valid_q[1], tail_valid_q[0], head_valid_q[0]};
    assign setp_pc   = setp_pc_q;
    assign step_log2 = step_log2_q;
    assign down      = down_q;
    assign plus_one  = plus_one_q;
endmodule
`default_nettype wire
