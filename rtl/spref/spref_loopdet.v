// spref_loopdet - the one loop of an SM whose loads are prefetched: found by a taken backward branch,
// gone over twice to tag registers, then ready (lakshminarayana2014-graph 3.1.4).
//
// br_*: a branch was executed, taken by a lane at least.  dec_*: an instruction is decoded.  Both may
// come in one cycle.  What a branch does to the loop wins over what is decoded in that cycle: it then
// belongs to no pass.  pass, pass_begin and pass_end say in the cycle of the decode which pass the
// instruction belongs to: the first instruction of a pass is the one at loop_start with which a warp
// begins an iteration.  found is looked at in the last cycle of the second pass: 0 rejects the loop.
// exit_*: a warp exits; that of the pass ends it.  kernel_start wins over all.
// D-SPREF-1 to D-SPREF-4: two rejected loops are remembered; a loop inside the tracked one takes its
// place, or has it rejected when it was rejected itself; a second backward branch to loop_start
// rejects the loop, whenever it is seen.
`default_nettype none
module spref_loopdet #(
    parameter GIVE_UP = 15  // backward branches of other loops after which waiting ends, 1..15
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        kernel_start,
    input  wire        br_valid,
    input  wire        br_taken,
    input  wire [31:0] br_pc,
    input  wire [31:0] br_tgt,
    input  wire        dec_valid,
    input  wire [31:0] dec_pc,
    input  wire [5:0]  dec_wid,
    input  wire        exit_valid,
    input  wire [5:0]  exit_wid,
    input  wire        found,
    output wire        loop_valid,
    output wire [31:0] loop_start,
    output wire [31:0] loop_end,
    output wire [1:0]  pass,
    output wire        pass_begin,
    output wire        pass_end,
    output wire [5:0]  train_wid,
    output wire        detected,
    output wire        rejected,
    output wire        inner,
    output wire        gave_up,
    output wire        abandoned
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (GIVE_UP < 1 || GIVE_UP > 15) begin : g_bad_GIVE_UP
            GIVE_UP_must_be_from_1_to_15 u_stop ();
        end
    endgenerate

    localparam [2:0] IDLE = 3'd0, WAIT2 = 3'd1, PASS2 = 3'd2, WAIT3 = 3'd3, PASS3 = 3'd4,
                     READY = 3'd5;
    localparam [31:0] LAST32 = GIVE_UP - 1;
    localparam [3:0]  LAST = LAST32[3:0];

    reg [2:0]  fsm_q, fsm_d;
    reg [31:0] start_q, end_q;
    reg [5:0]  train_q;
    reg [3:0]  count_q, count_d;
    reg [1:0]  rej_valid_q;
    reg [63:0] rej_pc_q;  // the last one lowest

    wire waiting = fsm_q == WAIT2 || fsm_q == WAIT3;
    wire passing = fsm_q == PASS2 || fsm_q == PASS3;

    // What the branch does to the loop.
    wire back   = br_valid && br_taken && br_tgt <= br_pc && !kernel_start;
    wire known  = (rej_valid_q[0] && rej_pc_q[31:0] == br_pc)
               || (rej_valid_q[1] && rej_pc_q[63:32] == br_pc);
    wire other  = back && fsm_q != IDLE && br_pc != end_q;
    wire second = other && br_tgt == start_q;
    wire enters = other && passing && br_tgt > start_q && br_pc < end_q;
    wire passes = other && waiting && !second;
    assign detected = back && fsm_q == IDLE && !known;
    assign inner    = enters && !known;
    assign gave_up  = passes && count_q == LAST;
    wire   acts     = detected || second || enters || gave_up;

    // What the decoded instruction is to the passes.
    wire begins = dec_valid && waiting && dec_pc == start_q;
    wire ours   = dec_valid && passing && dec_wid == train_q;
    wire in_loop = dec_pc >= start_q && dec_pc <= end_q;
    wire leaves = passing && ((ours && !in_loop) || (exit_valid && exit_wid == train_q));
    wire member = (begins || (ours && !leaves)) && !acts && !kernel_start;
    wire second_pass = fsm_q == WAIT3 || fsm_q == PASS3;
    assign pass       = !member ? 2'd0 : second_pass ? 2'd2 : 2'd1;
    assign pass_begin = member && begins;
    assign pass_end   = member && dec_pc == end_q;
    assign abandoned  = leaves && !acts && !kernel_start;
    wire   judged     = pass_end && second_pass;
    assign rejected   = second || (enters && known) || (judged && !found);

    always @* begin
        fsm_d   = fsm_q;
        count_d = count_q;
        if (detected || inner)         fsm_d = WAIT2;
        else if (rejected || gave_up)  fsm_d = IDLE;
        else if (abandoned)            fsm_d = WAIT2;
        else if (judged)               fsm_d = READY;
        else if (pass_end)             fsm_d = WAIT3;
        else if (pass_begin)           fsm_d = second_pass ? PASS3 : PASS2;
        if (acts || abandoned || member)  count_d = 4'd0;
        else if (passes)                  count_d = count_q + 4'd1;
    end

    always @(posedge clk) begin
        if (rst || kernel_start) begin
            fsm_q       <= IDLE;
            start_q     <= 32'd0;
            end_q       <= 32'd0;
            train_q     <= 6'd0;
            count_q     <= 4'd0;
            rej_valid_q <= 2'b00;
        end else begin
            fsm_q   <= fsm_d;
            count_q <= count_d;
            if (detected || inner) begin
                start_q <= br_tgt;
                end_q   <= br_pc;
            end
            if (pass_begin) train_q <= dec_wid;
            if (rejected)   rej_valid_q <= {rej_valid_q[0], 1'b1};
        end
    end

    // Without reset: read only where rej_valid_q is 1.
    always @(posedge clk)
        if (rejected) rej_pc_q <= {rej_pc_q[31:0], end_q};

    assign loop_valid = fsm_q == READY;
    assign loop_start = start_q;
    assign loop_end   = end_q;
    assign train_wid  = train_q;
endmodule
`default_nettype wire
