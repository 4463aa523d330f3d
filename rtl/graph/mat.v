// mat - memory address table: how often macroblocks of memory are accessed, and whether a missing line
// is worth its victim's place (lakshminarayana2014 3.5.1).
//
// Direct mapped, by the bits of the byte address behind the macroblock's; the bits above are the tag.
// acc_addr is a read access: its macroblock is counted, up to the greatest count, or takes the entry
// and counts from 1; that takes two cycles.  q_miss_addr came from below, q_vict_addr is the line
// that it would replace (its set has no empty way, else nobody asks): four cycles later, with
// q_done, byp says that it is not to be cached: F_PERCENT % of the victim's count are more than
// its own, a macroblock that is not in the table counting 0.  With AGE the victim's
// count then falls by one.  One at a time: a query takes five cycles; both wait for ready and are held until
// then; of both in a cycle the access is first.
// After reset the table is empty.
`default_nettype none
module mat #(
    parameter ENTRIES    = 1024,  // a power of two, 4..4096
    parameter ADDR_W     = 32,    // byte address, 16..57 bits
    parameter BLOCK_LOG2 = 10,    // log2 of the bytes of a macroblock, 7..12
    parameter CTR_W      = 8,     // D-MAT-1: of a count, 4..12 bits
    parameter F_PERCENT  = 99,    // f, 0..100; 0: nothing is bypassed
    parameter AGE        = 1      // D-MAT-2: 1: protecting a victim costs it a count
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              acc_valid,
    output wire              acc_ready,
    input  wire [ADDR_W-1:0] acc_addr,
    input  wire              q_valid,
    output wire              q_ready,
    input  wire [ADDR_W-1:0] q_miss_addr,
    input  wire [ADDR_W-1:0] q_vict_addr,
    output wire              q_done,
    output wire              byp,
    output wire              replaced,
    output wire              aged
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 4 || ENTRIES > 4096 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (ADDR_W < 16 || ADDR_W > 57) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_16_to_57 u_stop ();
        end
        if (BLOCK_LOG2 < 7 || BLOCK_LOG2 > 12) begin : g_bad_BLOCK_LOG2
            BLOCK_LOG2_must_be_from_7_to_12 u_stop ();
        end
        if (BLOCK_LOG2 + $clog2(ENTRIES) >= ADDR_W) begin : g_bad_tag
            ADDR_W_must_leave_a_tag_above_BLOCK_LOG2_and_the_index_of_ENTRIES u_stop ();
        end
        if (CTR_W < 4 || CTR_W > 12) begin : g_bad_CTR_W
            CTR_W_must_be_from_4_to_12 u_stop ();
        end
        if (F_PERCENT < 0 || F_PERCENT > 100) begin : g_bad_F_PERCENT
            F_PERCENT_must_be_from_0_to_100 u_stop ();
        end
        if (AGE < 0 || AGE > 1) begin : g_bad_AGE
            AGE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam IDX_W  = $clog2(ENTRIES);
    localparam TAG_W  = ADDR_W - BLOCK_LOG2 - IDX_W;
    localparam NAME_W = TAG_W + IDX_W;     // a macroblock's name: tag and index
    localparam PROD_W = CTR_W + 7;
    localparam [2:0] IDLE = 3'd0, COUNT = 3'd1, VICTIM = 3'd2, MATCH = 3'd3,
                     SCALE = 3'd4, DECIDE = 3'd5;

    reg [ENTRIES-1:0] live_q;  // the entry was written since reset
    reg [TAG_W-1:0]   tag_q [0:ENTRIES-1];
    reg [CTR_W-1:0]   ctr_q [0:ENTRIES-1];
    reg [2:0]         phase_q;
    reg [NAME_W-1:0]  name_q;  // of what was read last
    reg [NAME_W-1:0]  vict_q;  // of the victim, to be read
    reg [TAG_W-1:0]   read_tag_q;
    reg [CTR_W-1:0]   read_ctr_q;
    reg [CTR_W-1:0]   miss_ctr_q, vict_ctr_q;
    reg [PROD_W-1:0]  miss_prod_q, vict_prod_q;

    wire idle      = phase_q == IDLE;
    wire takes_acc = acc_valid && idle;
    wire takes_q   = q_valid && q_ready;
    assign acc_ready = idle;
    assign q_ready   = idle && !acc_valid;

    // What is read: the access's entry, the missing line's, then the victim's.
    wire [NAME_W-1:0] wanted = phase_q == VICTIM ? vict_q
                             : acc_valid         ? acc_addr[ADDR_W-1:BLOCK_LOG2]
                                                 : q_miss_addr[ADDR_W-1:BLOCK_LOG2];
    wire [IDX_W-1:0]  read_at  = wanted[IDX_W-1:0];
    wire [IDX_W-1:0]  write_at = name_q[IDX_W-1:0];

    wire              same    = read_tag_q == name_q[NAME_W-1:IDX_W];
    wire [CTR_W-1:0]  counted = same ? read_ctr_q : {CTR_W{1'b0}};
    wire [CTR_W-1:0]  more    = &counted ? counted : counted + 1'b1;

    assign q_done   = phase_q == DECIDE;
    assign byp      = miss_prod_q < vict_prod_q;
    assign aged     = q_done && byp && AGE != 0;
    assign replaced = phase_q == COUNT && !same && |read_ctr_q;

    wire             writes = phase_q == COUNT || aged;
    wire [CTR_W-1:0] ctr_d  = phase_q == COUNT ? more : read_ctr_q - 1'b1;

    // Without reset: read only where live_q is 1.
    always @(posedge clk) begin
        if (writes) tag_q[write_at] <= name_q[NAME_W-1:IDX_W];
    end
    always @(posedge clk) begin
        if (writes) ctr_q[write_at] <= ctr_d;
    end

    always @(posedge clk) begin
        if (rst) live_q <= {ENTRIES{1'b0}};
        else if (writes) live_q[write_at] <= 1'b1;
    end

    wire was_live = live_q[read_at];
    always @(posedge clk) begin
        if (rst) begin
            read_tag_q <= {TAG_W{1'b0}};
            read_ctr_q <= {CTR_W{1'b0}};
            name_q     <= {NAME_W{1'b0}};
        end else if (takes_acc || takes_q || phase_q == VICTIM) begin
            read_tag_q <= was_live ? tag_q[read_at] : {TAG_W{1'b0}};
            read_ctr_q <= was_live ? ctr_q[read_at] : {CTR_W{1'b0}};
            name_q     <= wanted;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            phase_q     <= IDLE;
            vict_q      <= {NAME_W{1'b0}};
            miss_ctr_q  <= {CTR_W{1'b0}};
            vict_ctr_q  <= {CTR_W{1'b0}};
            miss_prod_q <= {PROD_W{1'b0}};
            vict_prod_q <= {PROD_W{1'b0}};
        end else begin
            case (phase_q)
                IDLE:    phase_q <= takes_acc ? COUNT : takes_q ? VICTIM : IDLE;
                VICTIM:  phase_q <= MATCH;
                MATCH:   phase_q <= SCALE;
                SCALE:   phase_q <= DECIDE;
                default: phase_q <= IDLE;
            endcase
            if (takes_q) vict_q <= q_vict_addr[ADDR_W-1:BLOCK_LOG2];
            if (phase_q == VICTIM) miss_ctr_q <= counted;
            if (phase_q == MATCH) vict_ctr_q <= counted;
            if (phase_q == SCALE) begin
                miss_prod_q <= {7'd0, miss_ctr_q} * {{(PROD_W-7){1'b0}}, 7'd100};
                vict_prod_q <= {7'd0, vict_ctr_q} * {{(PROD_W-7){1'b0}}, F_PERCENT[6:0]};
            end
        end
    end

    wire unused = &{1'b0, acc_addr[BLOCK_LOG2-1:0], q_miss_addr[BLOCK_LOG2-1:0], q_vict_addr[BLOCK_LOG2-1:0]};
endmodule
`default_nettype wire
