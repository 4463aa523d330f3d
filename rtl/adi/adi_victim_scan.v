// adi_victim_scan - which index bit is the least useful one: select_victim of aci 3.7.5.
//
// Items are the S index bits, by their entropy, then the pairs (0,1), (0,2) .. (1,2) .., by their
// usefulness: MIN(c, NV - c) of a counter for both.  scan is 1 in each of a decision's DEC_CYC
// cycles, and cycle counts them.  A decision of one cycle looks at all items in it; else all
// cycles but the last look at STEP items each, and the last one only compares what they found.
// victim counts in the last cycle.  A pair's victim is the one of lower entropy, which is found
// with the pair.
`default_nettype none
module adi_victim_scan #(
    parameter S       = 5,    // index bits, 2..7
    parameter M       = 10,   // bits per counter, 2..16
    parameter NV      = 1024, // samples of a period, 2..2^M
    parameter DEC_CYC = 32    // cycles of a decision, 1..32
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire                                          scan,
    input  wire [(DEC_CYC<2 ? 1 : $clog2(DEC_CYC))-1:0]  cycle,
    input  wire [S*M-1:0]                                ones,
    input  wire [S*(S-1)/2*M-1:0]                        differences,
    output wire [$clog2(S)-1:0]                          victim
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 2 || S > 7) begin : g_bad_S
            S_must_be_from_2_to_7 u_stop ();
        end
        if (M < 2 || M > 16) begin : g_bad_M
            M_must_be_from_2_to_16 u_stop ();
        end
        if (NV < 2 || NV > (1 << M)) begin : g_bad_NV
            NV_must_be_from_2_to_2_to_the_M u_stop ();
        end
        if (DEC_CYC < 1 || DEC_CYC > 32) begin : g_bad_DEC_CYC
            DEC_CYC_must_be_from_1_to_32 u_stop ();
        end
    endgenerate

    localparam POS_W    = $clog2(S);
    localparam ITEMS    = S + S * (S - 1) / 2;
    localparam DEC_W    = DEC_CYC < 2 ? 1 : $clog2(DEC_CYC);
    localparam SCAN_CYC = DEC_CYC < 2 ? 1 : DEC_CYC - 1;
    localparam STEP     = (ITEMS + SCAN_CYC - 1) / SCAN_CYC;
    localparam ITEM_W   = $clog2(DEC_CYC * STEP);

    reg [M-1:0]     low_e_q, low_u_q;
    reg [POS_W-1:0] low_e_pos_q, low_u_pos_q;

    // MIN(c, NV - c).  A counter that reached 2^M has wrapped to 0: the same result.
    function [M-1:0] fold;
        input [M-1:0] c;
        begin
            fold = {c, 1'b0} < NV[M:0] ? c : NV[M-1:0] - c;
        end
    endfunction

    wire first = DEC_CYC < 2 || cycle == {DEC_W{1'b0}};

    wire [ITEM_W-1:0] base =
        DEC_CYC < 2 ? {ITEM_W{1'b0}} : {{(ITEM_W-DEC_W){1'b0}}, cycle} * STEP[ITEM_W-1:0];
    reg [M-1:0]      low_e, low_u;
    reg [POS_W-1:0]  low_e_pos, low_u_pos;
    reg [ITEM_W-1:0] item;
    reg              is_bit, is_pair;
    reg [POS_W-1:0]  pos_a, pos_b;                  // of the item; of an index bit pos_a
    reg [M-1:0]      ones_a, ones_b, differ;        // their counters
    reg [M-1:0]      entropy_a, entropy_b, usefulness;
    integer          x, a, b, n;
    always @* begin
        low_e     = first ? {M{1'b1}} : low_e_q;
        low_e_pos = first ? {POS_W{1'b0}} : low_e_pos_q;
        low_u     = first ? {M{1'b1}} : low_u_q;
        low_u_pos = first ? {POS_W{1'b0}} : low_u_pos_q;
        for (x = 0; x < STEP; x = x + 1) begin
            item    = base + x[ITEM_W-1:0];
            is_bit  = 1'b0;
            is_pair = 1'b0;
            pos_a   = {POS_W{1'b0}};
            pos_b   = {POS_W{1'b0}};
            ones_a  = {M{1'b0}};
            ones_b  = {M{1'b0}};
            differ  = {M{1'b0}};
            n       = S;
            for (a = 0; a < S; a = a + 1) begin
                is_bit = is_bit || item == a[ITEM_W-1:0];
                pos_a  = pos_a | (a[POS_W-1:0] & {POS_W{item == a[ITEM_W-1:0]}});
                ones_a = ones_a | (ones[a*M +: M] & {M{item == a[ITEM_W-1:0]}});
                for (b = a + 1; b < S; b = b + 1) begin
                    is_pair = is_pair || item == n[ITEM_W-1:0];
                    pos_a   = pos_a | (a[POS_W-1:0] & {POS_W{item == n[ITEM_W-1:0]}});
                    pos_b   = pos_b | (b[POS_W-1:0] & {POS_W{item == n[ITEM_W-1:0]}});
                    ones_a  = ones_a | (ones[a*M +: M] & {M{item == n[ITEM_W-1:0]}});
                    ones_b  = ones_b | (ones[b*M +: M] & {M{item == n[ITEM_W-1:0]}});
                    differ  = differ | (differences[(n-S)*M +: M] & {M{item == n[ITEM_W-1:0]}});
                    n       = n + 1;
                end
            end
            entropy_a  = fold(ones_a);
            entropy_b  = fold(ones_b);
            usefulness = fold(differ);
            if (is_bit && entropy_a < low_e) begin
                low_e     = entropy_a;
                low_e_pos = pos_a;
            end
            if (is_pair && usefulness < low_u) begin
                low_u     = usefulness;
                low_u_pos = entropy_b < entropy_a ? pos_b : pos_a;
            end
        end
    end

    generate
        if (DEC_CYC < 2) begin : g_now
            assign victim = low_e < low_u ? low_e_pos : low_u_pos;
        end else begin : g_found
            assign victim = low_e_q < low_u_q ? low_e_pos_q : low_u_pos_q;
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            low_e_q     <= {M{1'b0}};
            low_e_pos_q <= {POS_W{1'b0}};
            low_u_q     <= {M{1'b0}};
            low_u_pos_q <= {POS_W{1'b0}};
        end else if (scan) begin
            low_e_q     <= low_e;
            low_e_pos_q <= low_e_pos;
            low_u_q     <= low_u;
            low_u_pos_q <= low_u_pos;
        end
    end
endmodule
`default_nettype wire
