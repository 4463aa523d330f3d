// vcache8 - the victim cache of an L1: a few whole lines, fully associative, oldest out first
// (lakshminarayana2014 3.3.2, Table 11; organisation D-INC-5).
//
// A probe answers in its cycle, in parallel with the L1: a hit leaves, since it goes back into the
// L1.  A store to inv_addr takes that line away.  A victim of the L1 is inserted: in the place of
// its own block if that is here, else in the lowest free entry, else in that of the line inserted
// longest ago, which is evicted in the same cycle.  In one cycle the probe comes first, then the
// store, then the victim, so that a swap needs one cycle and evicts nothing: at most one line
// leaves in a cycle, with its copy-back bit and its data (out_cb, out_data).  flush (a kernel ends)
// forgets all, and wins over an insertion; nothing is evicted then.
`default_nettype none
module vcache8 #(
    parameter ENTRIES = 8,   // a power of two, 2..16
    parameter ADDR_W  = 25,  // line address, 4..57 bits
    parameter WORDS   = 16   // of 64 bits, of a line: 1..16
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                flush,
    input  wire                probe_valid,
    input  wire [ADDR_W-1:0]   probe_addr,
    output wire                hit,
    input  wire                inv_valid,
    input  wire [ADDR_W-1:0]   inv_addr,
    input  wire                insert_valid,
    input  wire [ADDR_W-1:0]   insert_addr,
    input  wire                insert_cb,
    input  wire [WORDS*64-1:0] insert_data,
    output wire                evict_valid,
    output wire [ADDR_W-1:0]   evict_addr,
    output wire                leaves,
    output wire                out_cb,
    output wire [WORDS*64-1:0] out_data,
    output wire                invalidated
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 16 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_16 u_stop ();
        end
        if (ADDR_W < 4 || ADDR_W > 57) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_4_to_57 u_stop ();
        end
        if (WORDS < 1 || WORDS > 16) begin : g_bad_WORDS
            WORDS_must_be_from_1_to_16 u_stop ();
        end
    endgenerate

    localparam RANK_W = $clog2(ENTRIES);

    reg [ENTRIES-1:0]        valid_q;
    reg [ENTRIES-1:0]        cb_q;
    reg [ENTRIES*RANK_W-1:0] rank_q, rank_d;  // by insertion, 0 the youngest
    reg [ADDR_W-1:0]         addr_q [0:ENTRIES-1];
    reg [WORDS*64-1:0]       data_q [0:ENTRIES-1];

    reg [ENTRIES-1:0] probed, stored, again;
    reg [ENTRIES-1:0] oldest;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            probed[i] = probe_valid && valid_q[i] && addr_q[i] == probe_addr;
            stored[i] = inv_valid && valid_q[i] && addr_q[i] == inv_addr;
            again[i]  = valid_q[i] && addr_q[i] == insert_addr;
            oldest[i] = &rank_q[i*RANK_W +: RANK_W];
        end
    end

    // What stays before the insertion, and where that goes: one bit of each row.
    wire [ENTRIES-1:0] stays = valid_q & ~probed & ~stored;
    wire [ENTRIES-1:0] own   = again & stays;
    wire [ENTRIES-1:0] free  = ~stays & (stays + {{(ENTRIES-1){1'b0}}, 1'b1});
    wire               full  = &stays;
    wire [ENTRIES-1:0] place = |own ? own : full ? oldest : free;
    wire               write = insert_valid && !flush;

    // The line that leaves, if one does: probed, else the oldest, which nobody has to compare first.
    wire [ENTRIES-1:0] goes = |probed ? probed : oldest;

    reg [RANK_W-1:0] number, number_out, its_rank;
    reg [ADDR_W-1:0] addr_oldest;
    integer k;
    always @* begin
        number      = {RANK_W{1'b0}};
        number_out  = {RANK_W{1'b0}};
        its_rank    = {RANK_W{1'b0}};
        addr_oldest = {ADDR_W{1'b0}};
        for (k = 0; k < ENTRIES; k = k + 1) begin
            number      = number      | (k[RANK_W-1:0] & {RANK_W{place[k]}});
            number_out  = number_out  | (k[RANK_W-1:0] & {RANK_W{goes[k]}});
            its_rank    = its_rank    | (rank_q[k*RANK_W +: RANK_W] & {RANK_W{place[k]}});
            addr_oldest = addr_oldest | (addr_q[k] & {ADDR_W{oldest[k]}});
        end
    end

    integer m;
    always @* begin
        rank_d = rank_q;
        for (m = 0; m < ENTRIES; m = m + 1) begin
            if (write && place[m]) rank_d[m*RANK_W +: RANK_W] = {RANK_W{1'b0}};
            else if (write && rank_q[m*RANK_W +: RANK_W] < its_rank)
                rank_d[m*RANK_W +: RANK_W] = rank_q[m*RANK_W +: RANK_W] + 1'b1;
        end
    end

    assign hit         = |probed;
    assign evict_valid = write && full && !(|own);
    assign evict_addr  = addr_oldest;
    assign leaves      = hit || evict_valid;
    assign out_cb      = |(goes & cb_q);
    assign out_data    = data_q[number_out];
    assign invalidated = |(stored & ~probed);

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            for (r = 0; r < ENTRIES; r = r + 1) rank_q[r*RANK_W +: RANK_W] <= r[RANK_W-1:0];
        end else begin
            valid_q <= flush ? {ENTRIES{1'b0}} : stays | (place & {ENTRIES{write}});
            rank_q  <= rank_d;
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (write) begin
            cb_q           <= (cb_q & ~place) | (place & {ENTRIES{insert_cb}});
            addr_q[number] <= insert_addr;
            data_q[number] <= insert_data;
        end
    end
endmodule
`default_nettype wire
