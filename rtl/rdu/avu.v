// avu - access validation unit of one SM: may a load use the copy it found in the L1?
// (tabbakh2018 3.7.2, 3.7.5, 3.7.7, 3.7.8)
//
// chk_*: a line of the current epoch hits; one of the previous epoch hits unless a granule
// of the access is in asig (AVU miss); an older one is expired.  The answer comes with
// chk_done in the same cycle, but for a line of the previous epoch one granule is tested
// after the other, each in 9 cycles from asig's memory of one word a row (ONE_CYCLE: in one, from
// flip-flops), until one is found or all are tested; chk_* is held until then.  An access
// that would be the HITMAX+1-st hit in a row gets need_rchk and sets the count to 0; it
// comes again with chk_again, which is neither counted nor limited.
// sig_valid: word sig_at of a new epoch's signature, which begins with the last word; from the first
// one to the last no check is answered, and a check under way starts anew.  rsp_valid marks the MSHR with the epoch reached at this
// edge, fill_valid hands the MSHR's mark to the line and sets its count to 0; all in that
// order, and fills win over the effects of a check of the same line.  kernel_start wins over all.
// Undefined: chk_* for a line that was not filled, a fill before its rsp_valid.
`default_nettype none
module avu #(
    parameter M       = 1024,  // bits of the signature: a power of two, 64..16384
    parameter SHIFT   = 7,     // log2 of the granule in bytes, 0..9
    parameter LINES   = 16,    // L1 lines: a power of two, 2..1024
    parameter MSHRS   = 8,     // fills in flight: a power of two, 2..64
    parameter EPOCH_W = 5,     // bits of an epoch number, 2..8
    parameter TAGS    = 0,     // what a line holds: see epoch_tags
    parameter HITMAX  = 4,     // unchecked hits in a row, 1..15
    parameter RETAG   = 0,     // 1: a validated access of all granules renews its line
    parameter WORD    = 256,   // most bits of a word of the signature: a power of two, 64..512
    parameter ONE_CYCLE = 0,   // 1: a granule is tested in one cycle
    parameter ROW     = WORD < M ? WORD : M,          // derived
    parameter AT_W    = ROW < M ? $clog2(M / ROW) : 1  // derived
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     kernel_start,
    input  wire                     sig_valid,
    input  wire [AT_W-1:0]          sig_at,
    input  wire [ROW-1:0]           sig,
    input  wire                     rsp_valid,
    input  wire [$clog2(MSHRS)-1:0] rsp_mshr,
    input  wire                     fill_valid,
    input  wire [$clog2(MSHRS)-1:0] fill_mshr,
    input  wire [$clog2(LINES)-1:0] fill_line,
    input  wire                     chk_valid,
    input  wire [$clog2(LINES)-1:0] chk_line,
    input  wire [31:0]              chk_addr,
    input  wire [127:0]             chk_mask,
    input  wire                     chk_again,
    output wire                     chk_done,
    output wire                     hit,
    output wire                     avu_miss,
    output wire                     expired,
    output wire                     need_rchk,
    output wire [EPOCH_W-1:0]       epoch
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (M < 64 || M > 16384 || (M & (M - 1)) != 0) begin : g_bad_M
            M_must_be_a_power_of_two_from_64_to_16384 u_stop ();
        end
        if (SHIFT < 0 || SHIFT > 9) begin : g_bad_SHIFT
            SHIFT_must_be_from_0_to_9 u_stop ();
        end
        if (LINES < 2 || LINES > 1024 || (LINES & (LINES - 1)) != 0) begin : g_bad_LINES
            LINES_must_be_a_power_of_two_from_2_to_1024 u_stop ();
        end
        if (MSHRS < 2 || MSHRS > 64 || (MSHRS & (MSHRS - 1)) != 0) begin : g_bad_MSHRS
            MSHRS_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (EPOCH_W < 2 || EPOCH_W > 8) begin : g_bad_EPOCH_W
            EPOCH_W_must_be_from_2_to_8 u_stop ();
        end
        if (TAGS < 0 || TAGS > 2) begin : g_bad_TAGS
            TAGS_must_be_from_0_to_2 u_stop ();
        end
        if (HITMAX < 1 || HITMAX > 15) begin : g_bad_HITMAX
            HITMAX_must_be_from_1_to_15 u_stop ();
        end
        if (RETAG < 0 || RETAG > 1) begin : g_bad_RETAG
            RETAG_must_be_0_or_1 u_stop ();
        end
        if (WORD < 64 || WORD > 512 || (WORD & (WORD - 1)) != 0) begin : g_bad_WORD
            WORD_must_be_a_power_of_two_from_64_to_512 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
        if (ROW != (WORD < M ? WORD : M)) begin : g_bad_ROW
            ROW_must_be_left_to_its_derivation u_stop ();
        end
        if (AT_W != (ROW < M ? $clog2(M / ROW) : 1)) begin : g_bad_AT_W
            AT_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam GRANULES = SHIFT < 7 ? 1 << (7 - SHIFT) : 1;
    localparam POS_W    = SHIFT < 7 ? 7 - SHIFT : 1;
    localparam HIT_W    = $clog2(HITMAX + 1);
    localparam TAG_W    = TAGS == 0 ? 2 : TAGS == 1 ? EPOCH_W + 1 : EPOCH_W;
    localparam MSHR_W   = $clog2(MSHRS);

    localparam [31:0] LAST_WORD = M / ROW - 1;

    reg                   loading_q;  // words of a signature came, but not yet its last
    reg [EPOCH_W-1:0]     epoch_q;
    reg [LINES*HIT_W-1:0] hcnt_q;
    wire                  begins  = sig_valid && sig_at == LAST_WORD[AT_W-1:0];
    wire [EPOCH_W-1:0]    epoch_d = epoch_q + {{(EPOCH_W-1){1'b0}}, begins};
    assign epoch = epoch_q;

    // The access: its granules that are still to be tested, and the next one.
    wire [1:0]             age;
    wire [GRANULES-1:0]    granules, todo, rest;
    wire [POS_W-1:0]       after;
    wire                   any;
    wire [31:0]            key;
    wire                   tested, found;  // the next one is tested in this cycle; it is in asig
    granule_mask #(.SHIFT(SHIFT)) u_granule_mask (.bytes(chk_mask), .granules(granules));
    granule_next #(.SHIFT(SHIFT)) u_granule_next (
        .addr(chk_addr), .mask(todo), .key(key), .any(any), .rest(rest), .after(after)
    );

    wire stopped   = sig_valid || loading_q || kernel_start;
    wire checks    = chk_valid && !stopped;
    wire previous  = checks && age == 2'd1;
    wire in_asig   = previous && any && tested && found;
    wire validated = previous && (!any || (tested && !found && rest == {GRANULES{1'b0}}));
    wire usable    = (checks && age == 2'd0) || validated;
    wire limit     = hcnt_q[chk_line*HIT_W +: HIT_W] == HITMAX[HIT_W-1:0] && !chk_again;
    assign avu_miss  = in_asig;
    assign expired   = checks && age[1];
    assign need_rchk = usable && limit;
    assign hit       = usable && !limit;
    assign chk_done  = in_asig || expired || usable;

    generate
        if (GRANULES > 1) begin : g_walk
            reg [POS_W-1:0] granule_q;
            assign todo = granules & ({GRANULES{1'b1}} << granule_q);
            always @(posedge clk) begin
                if (rst || !previous || chk_done) granule_q <= {POS_W{1'b0}};
                else if (tested)                 granule_q <= after;
            end
        end else begin : g_single
            assign todo = granules;
            wire unused_after = &{1'b0, after};
        end
    endgenerate

    // The signature.
    generate
        if (ONE_CYCLE != 0) begin : g_one_cycle
            reg  [M-1:0]           asig_q;
            wire [6*$clog2(M)-1:0] idx;
            h3_hash #(.M(M)) u_hash (.key(key), .idx(idx));
            bloom_test #(.M(M)) u_bloom_test (.sig(asig_q), .idx(idx), .found(found));
            assign tested = 1'b1;
            integer w;
            always @(posedge clk) begin
                if (rst || kernel_start) asig_q <= {(M/64){64'd0}};
                else
                    for (w = 0; w < M / ROW; w = w + 1)
                        if (sig_valid && sig_at == w[AT_W-1:0])
                            asig_q[w*ROW +: ROW] <= sig;
            end
        end else begin : g_words
            wire [AT_W-1:0] read_at;
            wire [ROW-1:0]  row;
            signature_lookup #(.M(M), .WORD(ROW)) u_lookup (
                .clk(clk), .rst(rst), .wanted(previous && any), .key(key),
                .read_at(read_at), .words(row), .known(tested), .found(found)
            );
            signature_memory #(.M(M), .WORD(ROW)) u_memory (
                .clk(clk), .rst(rst), .clear(kernel_start), .read_at(read_at), .words(row),
                .write(sig_valid && !kernel_start), .write_at(sig_at), .data(sig)
            );
        end
    endgenerate

    // When lines were fetched: an MSHR is marked by its race answer, a line by its fill.
    wire              renews = RETAG != 0 && validated && hit && (&granules);
    wire [TAG_W-1:0]  mshr_tag, line_moved, fresh, mshr_fresh;
    wire [1:0]        mshr_age;
    wire              same = rsp_valid && rsp_mshr == fill_mshr;
    epoch_tags #(.ENTRIES(LINES), .EPOCH_W(EPOCH_W), .TAGS(TAGS)) u_line_epochs (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .advance(begins),
        .epoch(epoch_q), .epoch_next(epoch_d),
        .refresh(renews), .refresh_at(chk_line),
        .write(fill_valid), .write_at(fill_line), .write_tag(same ? fresh : mshr_tag),
        .read_at(chk_line), .age(age), .moved(line_moved), .fresh(fresh)
    );
    epoch_tags #(.ENTRIES(MSHRS), .EPOCH_W(EPOCH_W), .TAGS(TAGS)) u_mshr_epochs (
        .clk(clk), .rst(rst), .kernel_start(kernel_start), .advance(begins),
        .epoch(epoch_q), .epoch_next(epoch_d),
        .refresh(rsp_valid), .refresh_at(rsp_mshr),
        .write(1'b0), .write_at({MSHR_W{1'b0}}), .write_tag({TAG_W{1'b0}}),
        .read_at(fill_mshr), .age(mshr_age), .moved(mshr_tag), .fresh(mshr_fresh)
    );
    wire unused = &{1'b0, line_moved, mshr_age, mshr_fresh};

    wire [HIT_W-1:0] one_more = hcnt_q[chk_line*HIT_W +: HIT_W] + 1'b1;
    always @(posedge clk) begin
        if (rst || kernel_start) begin
            loading_q <= 1'b0;
            epoch_q   <= {EPOCH_W{1'b0}};
            hcnt_q    <= {(LINES*HIT_W){1'b0}};
        end else begin
            epoch_q <= epoch_d;
            if (sig_valid)
                loading_q <= !begins;
            if (need_rchk)
                hcnt_q[chk_line*HIT_W +: HIT_W] <= {HIT_W{1'b0}};
            else if (hit && !chk_again)
                hcnt_q[chk_line*HIT_W +: HIT_W] <= one_more;
            if (fill_valid)
                hcnt_q[fill_line*HIT_W +: HIT_W] <= {HIT_W{1'b0}};
        end
    end
endmodule
`default_nettype wire
