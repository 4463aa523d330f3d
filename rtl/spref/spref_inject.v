// spref_inject - which target loads become moves out of spare registers, and which prefetches go in
// behind them (lakshminarayana2014-graph 3.1.7, Step D; 3.1.9).
//
// One decoded instruction a cycle.  In its cycle: out_*[0] is what becomes of it, out_*[1] what is
// injected behind it, and list_sel to pop_tail say what the lists of its warp do.  A move goes before
// the prefetch: d registers of a load are enough.  dec_start begins an iteration, and is looked at
// before a target load at the same PC.  br_*: the loop's backward branch of a warp; sum_*: the counts
// of its setp, with the distance for them, in the same cycle as the branch at the latest.
// The first instruction of an iteration is decoded behind the warp's branch: in the cycle of that it
// begins nothing.  What happens to a warp in one cycle is all seen against the state before it; of decode,
// branch, block and launch the later one in this order wins.  Slots of WARPS or more are no warp.
`default_nettype none
module spref_inject #(
    parameter WARPS      = 48,  // warp slots, 2..64
    parameter CACHE_ONLY = 0    // 1: SPREF1-C: tails go to the cache alone
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         clear,
    input  wire         launch_valid,
    input  wire [5:0]   launch_wid,
    input  wire         ready,
    input  wire [5:0]   maxreg_s,
    input  wire [3:0]   has,
    input  wire         dec_valid,
    input  wire [5:0]   dec_wid,
    input  wire [31:0]  dec_mask,
    input  wire         dec_start,
    input  wire         is_head,
    input  wire         is_tail,
    input  wire         idx,
    input  wire [127:0] p,
    input  wire [5:0]   mov_id,
    input  wire [5:0]   tail_id,
    input  wire         br_valid,
    input  wire [5:0]   br_wid,
    input  wire         br_taken,
    input  wire         sum_valid,
    input  wire [5:0]   sum_wid,
    input  wire [1:0]   d,
    input  wire         block_valid,
    input  wire [5:0]   block_wid,
    output wire [1:0]   out_valid,
    output wire [3:0]   out_op,
    output wire [5:0]   out_dst,
    output wire [11:0]  out_src,
    output wire [63:0]  out_mask,
    output wire [1:0]   out_addr_mode,
    output wire [1:0]   out_dist,
    output wire         stall_decode,
    output wire [2:0]   nloads,
    output wire [1:0]   list_sel,
    output wire         list_reset,
    output wire         push,
    output wire         pop_mov,
    output wire         pop_tail,
    output wire         enters,
    output wire         blocked
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (CACHE_ONLY < 0 || CACHE_ONLY > 1) begin : g_bad_CACHE_ONLY
            CACHE_ONLY_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [1:0] OFF = 2'd0, COUNT = 2'd1, RUN = 2'd2, BLOCKED = 2'd3;
    localparam [1:0] ORIG = 2'd0, MOV = 2'd1, LD = 2'd2, PREF = 2'd3;
    localparam [5:0] NONE = 6'd63;

    reg [WARPS*2-1:0] st_q, dist_q, warm_q, slot_q;
    reg [WARPS-1:0]   back_q;

    // The decoding, and the branching warp.
    reg [1:0] dec_st, dec_dist, dec_warm, dec_slot, br_st, br_dist, br_warm, br_slot, sum_st, block_st;
    reg       dec_back, dec_is, br_is;
    integer w;
    always @* begin
        dec_st   = OFF;
        dec_dist = 2'd0;
        dec_warm = 2'd0;
        dec_slot = 2'd0;
        dec_back = 1'b0;
        dec_is   = 1'b0;
        br_st    = OFF;
        br_dist  = 2'd0;
        br_warm  = 2'd0;
        br_slot  = 2'd0;
        br_is    = 1'b0;
        sum_st   = OFF;
        block_st = OFF;
        for (w = 0; w < WARPS; w = w + 1) begin
            if (dec_wid == w[5:0]) begin
                dec_st   = dec_st | st_q[w*2 +: 2];
                dec_dist = dec_dist | dist_q[w*2 +: 2];
                dec_warm = dec_warm | warm_q[w*2 +: 2];
                dec_slot = dec_slot | slot_q[w*2 +: 2];
                dec_back = dec_back | back_q[w];
                dec_is   = 1'b1;
            end
            if (br_wid == w[5:0]) begin
                br_st   = br_st | st_q[w*2 +: 2];
                br_dist = br_dist | dist_q[w*2 +: 2];
                br_warm = br_warm | warm_q[w*2 +: 2];
                br_slot = br_slot | slot_q[w*2 +: 2];
                br_is   = 1'b1;
            end
            if (sum_wid == w[5:0])   sum_st   = sum_st | st_q[w*2 +: 2];
            if (block_wid == w[5:0]) block_st = block_st | st_q[w*2 +: 2];
        end
    end

    // The first instruction of an iteration.
    wire own    = br_valid && br_wid == dec_wid;
    wire starts = dec_valid && dec_is && dec_start && ready && !clear && !own;
    assign enters = starts && (!dec_back || dec_st == OFF);

    // Which loads get registers, and how many such there are before this one.
    wire [3:0] to_reg = CACHE_ONLY == 0 ? has : {1'b0, has[2] && has[3], 1'b0, has[0] && has[1]};
    wire [2:0] up_to0 = {2'd0, to_reg[0]}, up_to1 = up_to0 + {2'd0, to_reg[1]},
               up_to2 = up_to1 + {2'd0, to_reg[2]};
    assign nloads   = up_to2 + {2'd0, to_reg[3]};
    assign list_sel = {idx, is_tail && !is_head};
    wire   mine     = to_reg[list_sel];
    wire [2:0] rank = list_sel == 2'd3 ? up_to2 : list_sel == 2'd2 ? up_to1
                    : list_sel == 2'd1 ? up_to0 : 3'd0;

    // A target load of a running warp.
    wire target = dec_valid && ready && !clear && (is_head || is_tail) && has[list_sel]
               && dec_st == RUN && !enters;
    wire moves  = target && mine && dec_warm == dec_dist;
    reg  [31:0] goes_on;
    integer l;
    always @* begin
        for (l = 0; l < 32; l = l + 1)
            goes_on[l] = p[l*4 +: 4] > {2'd0, dec_dist};
    end
    wire [31:0] ahead   = dec_mask & goes_on;
    wire        tail    = list_sel[0];
    wire        injects = target && ahead != 32'd0;
    wire [5:0]  offset  = (dec_dist[1] ? {2'd0, rank, 1'b0} : 6'd0) + (dec_dist[0] ? {3'd0, rank} : 6'd0);
    wire [5:0]  spare   = maxreg_s + offset + {4'd0, dec_slot};

    assign out_valid     = {injects, dec_valid};
    assign out_op        = {injects ? (mine ? LD : PREF) : ORIG, moves ? MOV : ORIG};
    assign out_dst       = injects && mine ? spare : NONE;
    assign out_src       = {injects && tail ? tail_id : NONE, moves ? mov_id : NONE};
    assign out_mask      = {injects ? ahead : 32'd0, dec_valid ? dec_mask : 32'd0};
    assign out_addr_mode = !injects ? 2'd0 : tail ? 2'd2 : 2'd1;
    assign out_dist      = injects ? dec_dist : 2'd0;
    assign stall_decode  = injects;
    assign list_reset    = enters;
    assign push          = injects && mine;
    assign pop_mov       = moves;
    assign pop_tail      = injects && tail;

    // The branch; the distance may come with it.
    wire       counted  = sum_valid && sum_st == COUNT && !clear;
    wire [1:0] br_d     = counted && sum_wid == br_wid ? d : br_dist;
    wire       branches = br_valid && br_is && ready && !clear;
    wire       to_run   = br_st == COUNT && br_d != 2'd0;
    assign blocked = (branches && br_taken && br_st == COUNT && !to_run)
                  || (block_valid && (block_st == COUNT || block_st == RUN) && !clear);
    wire [1:0] slot_up  = br_slot + 2'd1;

    integer v;
    always @(posedge clk) begin
        if (rst) begin
            st_q   <= {WARPS{OFF}};
            dist_q <= {WARPS{2'd0}};
            warm_q <= {WARPS{2'd0}};
            slot_q <= {WARPS{2'd0}};
            back_q <= {WARPS{1'b0}};
        end else begin
            for (v = 0; v < WARPS; v = v + 1) begin
                if (counted && sum_wid == v[5:0]) dist_q[v*2 +: 2] <= d;
                if (starts && dec_wid == v[5:0]) begin
                    back_q[v] <= 1'b0;
                    if (enters) begin
                        st_q[v*2 +: 2]   <= COUNT;
                        warm_q[v*2 +: 2] <= 2'd0;
                        slot_q[v*2 +: 2] <= 2'd0;
                    end
                end
                if (branches && br_wid == v[5:0]) begin
                    back_q[v] <= br_taken;
                    if (!br_taken)
                        st_q[v*2 +: 2] <= OFF;
                    else if (br_st == COUNT)
                        st_q[v*2 +: 2] <= to_run ? RUN : BLOCKED;
                    else if (br_st == RUN) begin
                        warm_q[v*2 +: 2] <= br_warm == br_dist ? br_warm : br_warm + 2'd1;
                        slot_q[v*2 +: 2] <= slot_up == br_dist ? 2'd0 : slot_up;
                    end
                end
                if (block_valid && block_wid == v[5:0] && (block_st == COUNT || block_st == RUN))
                    st_q[v*2 +: 2] <= BLOCKED;
                if (clear || (launch_valid && launch_wid == v[5:0])) begin
                    st_q[v*2 +: 2] <= OFF;
                    back_q[v]      <= 1'b0;
                end
            end
        end
    end
endmodule
`default_nettype wire
