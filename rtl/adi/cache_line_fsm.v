// cache_line_fsm - the state of every line of a cache whose set index may change
// (dissertation 3.3; aci 3.8.2, 3.8.3, 3.8.6, 3.8.7).
//
// States: INVALID; RESERVED for a pending miss; VALID; DOOMED, reserved by a request from
// before the last index change; and with WRITE_BACK MODIFIED.  A code of 5..7 cannot be
// reached; it counts as INVALID.
//
// Every input is taken at the edge of its cycle; the states shown are those before it.
//   rsv    INVALID, VALID, MODIFIED -> RESERVED.  RESERVED and DOOMED cannot be reserved:
//          refused, nothing happens.
//   fill   RESERVED -> VALID (MODIFIED when fill_dirty), DOOMED -> INVALID: the data is
//          delivered, the line not kept.  A line that is not reserved is left alone (stray).
//   flush  VALID, MODIFIED -> INVALID, RESERVED -> DOOMED, for every way of flush_set.
//          Write back modified lines first: flush_dirty shows them.
//   line_op on one line: EVICT as the flush, for one line (write-evict on a hit; on a
//          reserved line it makes the coming fill deliver and not stay, aci 3.8.6-5);
//          DIRTY VALID -> MODIFIED (write hit); CLEAN MODIFIED -> VALID (written back);
//          else nothing.
// Several on one line in the same cycle: first the reservation or the fill is judged by
// the state shown.  Flush or EVICT count as earlier than a fill (RESERVED -> INVALID,
// dropped); a flush as later than a reservation (-> DOOMED); line_op is ignored beside a
// reservation, DIRTY and CLEAN also beside a flush or fill.  A reservation and a fill cannot
// both succeed.
// Merged stores in a dropped fill would be lost: fill_writeback says so.
`default_nettype none
module cache_line_fsm #(
    parameter SETS       = 32,  // a power of two, 2..1024
    parameter WAYS       = 4,   // 2..16
    parameter WRITE_BACK = 0    // 1: state MODIFIED exists, 3 bits per line instead of 2
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [$clog2(SETS)-1:0]          rd_set,
    input  wire                             rsv_valid,
    input  wire [$clog2(SETS)-1:0]          rsv_set,
    input  wire [$clog2(WAYS)-1:0]          rsv_way,
    input  wire                             fill_valid,
    input  wire                             fill_dirty,
    input  wire [$clog2(SETS)-1:0]          fill_set,
    input  wire [$clog2(WAYS)-1:0]          fill_way,
    input  wire [1:0]                       line_op,
    input  wire [$clog2(SETS)-1:0]          line_set,
    input  wire [$clog2(WAYS)-1:0]          line_way,
    input  wire                             flush_step,
    input  wire [$clog2(SETS)-1:0]          flush_set,
    output wire [WAYS*(2+WRITE_BACK)-1:0]   state_rd,
    output reg                              all_reserved,
    output reg  [WAYS-1:0]                  flush_dirty,
    output wire                             reserved,
    output wire                             rsv_refused,
    output wire                             fill_kept,
    output wire                             fill_dropped,
    output wire                             fill_writeback,
    output wire                             fill_stray
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 1024 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_1024 u_stop ();
        end
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (WRITE_BACK < 0 || WRITE_BACK > 1) begin : g_bad_WRITE_BACK
            WRITE_BACK_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam WAY_W  = $clog2(WAYS);
    localparam LINE_W = 2 + WRITE_BACK;
    localparam ROW_W  = WAYS * LINE_W;

    localparam [2:0] INVALID = 3'd0, RESERVED = 3'd1, VALID = 3'd2, DOOMED = 3'd3,
                     MODIFIED = 3'd4;
    localparam [1:0] EVICT = 2'd1, DIRTY = 2'd2, CLEAN = 2'd3;

    reg [ROW_W-1:0] line_q [0:SETS-1];

    // What a fill leaves in a line that is kept.
    wire [LINE_W-1:0] filled =
        (WRITE_BACK != 0 && fill_dirty) ? MODIFIED[LINE_W-1:0] : VALID[LINE_W-1:0];

    // One line's next state.
    function [LINE_W-1:0] after;
        input [2:0] was;
        input       rsv, fill, flush;
        input [1:0] op;
        begin
            after = was[LINE_W-1:0];
            if (was == RESERVED || was == DOOMED) begin
                if (fill && (was == DOOMED || flush || op == EVICT)) after = INVALID[LINE_W-1:0];
                else if (fill)                                       after = filled;
                else if (flush || op == EVICT)                       after = DOOMED[LINE_W-1:0];
            end else if (rsv) begin
                after = flush ? DOOMED[LINE_W-1:0] : RESERVED[LINE_W-1:0];
            end else if (flush || op == EVICT) begin
                after = INVALID[LINE_W-1:0];
            end else if (WRITE_BACK != 0) begin
                if (op == DIRTY && was == VALID) after = MODIFIED[LINE_W-1:0];
                if (op == CLEAN && was == MODIFIED) after = VALID[LINE_W-1:0];
            end
        end
    endfunction

    // One line of a row, as a 3-bit code; WAYS is padded up to a power of two.
    function [2:0] line_of;
        input [ROW_W-1:0] row;
        input [WAY_W-1:0] way;
        integer           w;
        begin
            line_of = INVALID;
            for (w = 0; w < WAYS; w = w + 1) begin
                if (way == w[WAY_W-1:0]) line_of[LINE_W-1:0] = row[w*LINE_W +: LINE_W];
            end
        end
    endfunction

    // The next row of a set under everything that happens this cycle.
    function [ROW_W-1:0] row_after;
        input [ROW_W-1:0]        row;
        input [$clog2(SETS)-1:0] set_index;
        integer                  w;
        begin
            row_after = row;
            for (w = 0; w < WAYS; w = w + 1) begin
                row_after[w*LINE_W +: LINE_W] = after(
                    line_of(row, w[WAY_W-1:0]),
                    rsv_valid && rsv_set == set_index && rsv_way == w[WAY_W-1:0],
                    fill_valid && fill_set == set_index && fill_way == w[WAY_W-1:0],
                    flush_step && flush_set == set_index,
                    (line_set == set_index && line_way == w[WAY_W-1:0]) ? line_op : 2'd0);
            end
        end
    endfunction

    // Shown before the edge.
    wire [ROW_W-1:0] flush_row = line_q[flush_set];
    wire [2:0]       rsv_was   = line_of(line_q[rsv_set], rsv_way);
    wire [2:0]       fill_was  = line_of(line_q[fill_set], fill_way);
    wire             rsv_bad   = rsv_was == RESERVED || rsv_was == DOOMED;
    wire             pending   = fill_was == RESERVED || fill_was == DOOMED;
    wire             doomed    = fill_was == DOOMED || (flush_step && flush_set == fill_set)
                                 || (line_op == EVICT && line_set == fill_set
                                     && line_way == fill_way);

    assign state_rd       = line_q[rd_set];
    assign reserved       = rsv_valid && !rsv_bad;
    assign rsv_refused    = rsv_valid && rsv_bad;
    assign fill_kept      = fill_valid && pending && !doomed;
    assign fill_dropped   = fill_valid && pending && doomed;
    assign fill_writeback = fill_dropped && fill_dirty && WRITE_BACK != 0;
    assign fill_stray     = fill_valid && !pending;

    integer way;
    reg [2:0] shown;
    always @* begin
        all_reserved = 1'b1;
        flush_dirty  = {WAYS{1'b0}};
        shown        = INVALID;
        for (way = 0; way < WAYS; way = way + 1) begin
            shown = line_of(state_rd, way[WAY_W-1:0]);
            if (shown != RESERVED && shown != DOOMED) all_reserved = 1'b0;
            shown = line_of(flush_row, way[WAY_W-1:0]);
            flush_dirty[way] = shown == MODIFIED;
        end
    end

    // Up to four sets change; equal ones get equal rows.
    integer i;
    always @(posedge clk) begin
        if (rst) begin
            for (i = 0; i < SETS; i = i + 1) line_q[i] <= {ROW_W{1'b0}};
        end else begin
            if (rsv_valid)       line_q[rsv_set]  <= row_after(line_q[rsv_set], rsv_set);
            if (fill_valid)      line_q[fill_set] <= row_after(line_q[fill_set], fill_set);
            if (line_op != 2'd0) line_q[line_set]  <= row_after(line_q[line_set], line_set);
            if (flush_step)      line_q[flush_set] <= row_after(line_q[flush_set], flush_set);
        end
    end
endmodule
`default_nettype wire
