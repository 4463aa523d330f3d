// adi_new_bit_scan - which candidate changes most: select_new_bit of aci 3.7.5 by toggle counters
// (3.7.7).  Of equals the victim's own bit wins, then the lowest.
//
// scan is 1 in each of a decision's DEC_CYC cycles, and cycle counts them.  A decision of one
// cycle looks at all bits in it; else all cycles but the last look at STEP bits each, upwards, and
// the last one leaves the result as it is.  new_bit counts in the last cycle, and as last_bit
// until the next scan.  The walk counts the candidates that it has met, which is where the next
// one's counter stands; a retained bit has none when compact, and no toggles otherwise.
`default_nettype none
module adi_new_bit_scan #(
    parameter S       = 5,  // index bits, 2..7
    parameter BITS    = 25, // block-address bits that may be candidates, S..32
    parameter SEL_W   = 5,  // bits of a selector, clog2(BITS)..5
    parameter M       = 10, // bits per counter, 2..16
    parameter COMPACT = 1,  // 1: no counter for retained bits
    parameter DEC_CYC = 32  // cycles of a decision, 1..32
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire                                          scan,
    input  wire [(DEC_CYC<2 ? 1 : $clog2(DEC_CYC))-1:0]  cycle,
    input  wire [SEL_W-1:0]                              victim_bit,
    input  wire [(S-1)*SEL_W-1:0]                        kept_sel,
    input  wire [(BITS-(S-1)*(COMPACT%2))*M-1:0]         toggles,
    output wire [SEL_W-1:0]                              new_bit,
    output wire [SEL_W-1:0]                              last_bit
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (S < 2 || S > 7) begin : g_bad_S
            S_must_be_from_2_to_7 u_stop ();
        end
        if (BITS < S || BITS > 32) begin : g_bad_BITS
            BITS_must_be_from_S_to_32 u_stop ();
        end
        if (SEL_W < $clog2(BITS) || SEL_W > 5) begin : g_bad_SEL_W
            SEL_W_must_be_from_clog2_of_BITS_to_5 u_stop ();
        end
        if (M < 2 || M > 16) begin : g_bad_M
            M_must_be_from_2_to_16 u_stop ();
        end
        if (COMPACT < 0 || COMPACT > 1) begin : g_bad_COMPACT
            COMPACT_must_be_0_or_1 u_stop ();
        end
        if (DEC_CYC < 1 || DEC_CYC > 32) begin : g_bad_DEC_CYC
            DEC_CYC_must_be_from_1_to_32 u_stop ();
        end
    endgenerate

    localparam CANDS    = COMPACT != 0 ? BITS - S + 1 : BITS;
    localparam DEC_W    = DEC_CYC < 2 ? 1 : $clog2(DEC_CYC);
    localparam SCAN_CYC = DEC_CYC < 2 ? 1 : DEC_CYC - 1;
    localparam STEP     = (BITS + SCAN_CYC - 1) / SCAN_CYC;
    localparam REACH_W  = $clog2(DEC_CYC < 2 ? BITS + 1 : DEC_CYC * STEP);
    localparam BIT_W    = REACH_W > SEL_W ? REACH_W : SEL_W;
    localparam SLOT_W   = $clog2(CANDS + 1);

    reg [SEL_W-1:0]  new_bit_q;
    reg [M-1:0]      top_tog_q;
    reg [SLOT_W-1:0] slot_q;

    wire first = DEC_CYC < 2 || cycle == {DEC_W{1'b0}};

    wire [BIT_W-1:0] base =
        DEC_CYC < 2 ? {BIT_W{1'b0}} : {{(BIT_W-DEC_W){1'b0}}, cycle} * STEP[BIT_W-1:0];
    reg [SEL_W-1:0]  best;
    reg [M-1:0]      top_tog, tog;
    reg [SLOT_W-1:0] slot;
    reg [BIT_W-1:0]  k;
    reg              candidate;
    integer          y, i, n;
    always @* begin
        best    = first ? victim_bit : new_bit_q;
        top_tog = first ? {M{1'b0}} : top_tog_q;
        slot    = first ? {SLOT_W{1'b0}} : slot_q;
        for (y = 0; y < STEP; y = y + 1) begin
            k         = base + y[BIT_W-1:0];
            candidate = k < BITS[BIT_W-1:0];
            for (i = 0; COMPACT != 0 && i < S - 1; i = i + 1)
                candidate = candidate && kept_sel[i*SEL_W +: SEL_W] != k[SEL_W-1:0];
            tog = {M{1'b0}};
            for (n = 0; n < CANDS; n = n + 1)
                tog = tog | (toggles[n*M +: M] & {M{slot == n[SLOT_W-1:0]}});
            if (candidate && (tog > top_tog
                              || (tog == top_tog && k[SEL_W-1:0] == victim_bit))) begin
                top_tog = tog;
                best    = k[SEL_W-1:0];
            end
            slot = slot + {{(SLOT_W-1){1'b0}}, candidate};
        end
    end

    assign new_bit  = DEC_CYC < 2 ? best : new_bit_q;
    assign last_bit = new_bit_q;

    always @(posedge clk) begin
        if (rst) begin
            new_bit_q <= {SEL_W{1'b0}};
            top_tog_q <= {M{1'b0}};
            slot_q    <= {SLOT_W{1'b0}};
        end else if (scan) begin
            new_bit_q <= best;
            top_tog_q <= top_tog;
            slot_q    <= slot;
        end
    end
endmodule
`default_nettype wire
