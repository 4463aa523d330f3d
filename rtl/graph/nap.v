// nap - neighbour access predictor of a cache of sectors: which neighbours of a sector that misses
// are to come with it (lakshminarayana2014 3.6.4).
//
// A row of counters for each load PC by its hash, without tag: of the neighbours three below to
// three above the first sector that was asked for, six, since nothing reads that of the first itself
// (D-NAP-1).  miss: a block misses whose first sector is f
// and which needs `need`; in the next cycle mask is need and the neighbours inside the line whose
// counter is above THRESHOLD; one miss a cycle.  idx and f are to be kept with the line.  evict: a
// line leaves of whose four sectors `used` were read: each neighbour of its first one counts up if
// it was, else down, between 0 and its greatest.  A miss does not see the evict of its own cycle.
`default_nettype none
module nap #(
    parameter ENTRIES   = 32,  // a power of two, 2..64 (D-NAP-3)
    parameter CTR_W     = 4,   // of a counter, 2..8 bits
    parameter INIT      = 7,   // counters start there (D-NAP-2)
    parameter THRESHOLD = 7    // a neighbour comes if its counter is above (D-NAP-2)
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       miss_valid,
    input  wire [31:0]                miss_pc,
    input  wire [1:0]                 miss_f,
    input  wire [3:0]                 miss_need,
    output wire                       done,
    output wire [3:0]                 mask,
    output wire [$clog2(ENTRIES)-1:0] idx,
    output wire [1:0]                 f,
    input  wire                       evict_valid,
    input  wire [$clog2(ENTRIES)-1:0] evict_idx,
    input  wire [1:0]                 evict_f,
    input  wire [3:0]                 evict_used
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (CTR_W < 2 || CTR_W > 8) begin : g_bad_CTR_W
            CTR_W_must_be_from_2_to_8 u_stop ();
        end
        if (INIT < 0 || INIT >= (1 << CTR_W)) begin : g_bad_INIT
            INIT_must_fit_a_counter u_stop ();
        end
        if (THRESHOLD < 0 || THRESHOLD >= (1 << CTR_W)) begin : g_bad_THRESHOLD
            THRESHOLD_must_fit_a_counter u_stop ();
        end
    endgenerate

    localparam IDX_W  = $clog2(ENTRIES);
    localparam ROW_W  = 6 * CTR_W;
    localparam [CTR_W-1:0] START = INIT[CTR_W-1:0];
    localparam [CTR_W-1:0] ABOVE = THRESHOLD[CTR_W-1:0];

    // Counters of -3, -2, -1, 1, 2, 3, in this order.
    reg [ROW_W-1:0] row_q [0:ENTRIES-1];
    reg             done_q;
    reg [ROW_W-1:0] found_q;
    reg [IDX_W-1:0] idx_q;
    reg [1:0]       f_q;
    reg [3:0]       need_q;

    wire [IDX_W-1:0] miss_idx = miss_pc[2 +: IDX_W] ^ miss_pc[2 + IDX_W +: IDX_W];

    reg [ENTRIES-1:0] is_miss, is_evict;
    reg [ROW_W-1:0]   found, row_at;
    integer i;
    always @* begin
        found  = {ROW_W{1'b0}};
        row_at = {ROW_W{1'b0}};
        for (i = 0; i < ENTRIES; i = i + 1) begin
            is_miss[i]  = miss_idx == i[IDX_W-1:0];
            is_evict[i] = evict_idx == i[IDX_W-1:0];
            found       = found  | (row_q[i] & {ROW_W{is_miss[i]}});
            row_at      = row_at | (row_q[i] & {ROW_W{is_evict[i]}});
        end
    end

    // Of each counter: was its neighbour read, and is there one?
    wire [2:0] lower = evict_used[2:0] << (2'd3 - evict_f);
    wire [2:0] upper = evict_used[3:1] >> evict_f;
    wire [5:0] reads = {upper, lower};
    wire [5:0] moves = {evict_f == 2'd0, !evict_f[1], evict_f != 2'd3,
                        evict_f != 2'd0, evict_f[1], evict_f == 2'd3};
    reg  [ROW_W-1:0] row_d;
    reg  [CTR_W-1:0] ctr;
    integer k;
    always @* begin
        row_d = row_at;
        for (k = 0; k < 6; k = k + 1) begin
            ctr = row_at[k*CTR_W +: CTR_W];
            if (moves[k] && reads[k] && !(&ctr)) row_d[k*CTR_W +: CTR_W] = ctr + 1'b1;
            if (moves[k] && !reads[k] && |ctr)   row_d[k*CTR_W +: CTR_W] = ctr - 1'b1;
        end
    end

    reg [5:0] above;
    integer m;
    always @* begin
        for (m = 0; m < 6; m = m + 1) above[m] = {1'b0, found_q[m*CTR_W +: CTR_W]} > {1'b0, ABOVE};
    end
    wire [6:0] from_f = {above[5:3], 1'b0, above[2:0]} >> (2'd3 - f_q);

    assign done = done_q;
    assign mask = need_q | from_f[3:0];
    assign idx  = idx_q;
    assign f    = f_q;

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            for (r = 0; r < ENTRIES; r = r + 1) row_q[r] <= {6{START}};
            done_q <= 1'b0;
        end else begin
            for (r = 0; r < ENTRIES; r = r + 1)
                if (evict_valid && is_evict[r]) row_q[r] <= row_d;
            done_q <= miss_valid;
        end
    end

    // Without reset: read only where done_q is 1.
    always @(posedge clk) begin
        found_q <= found;
        idx_q   <= miss_idx;
        f_q     <= miss_f;
        need_q  <= miss_need;
    end

    wire unused = &{1'b0, miss_pc[31:2+2*IDX_W], miss_pc[1:0], from_f[6:4]};
endmodule
`default_nettype wire
