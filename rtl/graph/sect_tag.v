// sect_tag - the sector masks beside the tags of a cache of sectors: which sectors of a line are
// there, and which were read (lakshminarayana2014 3.6.1).
//
// Lines are known by the number that the tag match gives (D-SECT-1); a line without any sector holds
// no block.  lk: a request needs `need` of the line, or of none if the tags have no match (present
// 0); in the next cycle it is a hit, a sector miss, which fetches miss_mask into its line, or a block
// miss, which fetches what is needed or more; one a cycle, and one in the cycle of any other event
// sees what was there before it.  inv: a store or a flush takes the line away.  fill: sectors come;
// fill_new: for another block than the line's, which is evicted with the sectors that were read and
// those that were not.  read: a demand read takes sectors out of a line.  In one cycle they come in
// this order.  flush (a kernel ends) forgets all, and nothing is evicted.
`default_nettype none
module sect_tag #(
    parameter LINES = 384  // of the cache, 2..1024
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     flush,
    input  wire                     lk_valid,
    input  wire                     lk_present,
    input  wire [$clog2(LINES)-1:0] lk_line,
    input  wire [3:0]               lk_need,
    output wire                     done,
    output wire                     hit,
    output wire                     sec_miss,
    output wire                     blk_miss,
    output wire [3:0]               miss_mask,
    input  wire                     inv_valid,
    input  wire [$clog2(LINES)-1:0] inv_line,
    input  wire                     fill_valid,
    input  wire                     fill_new,
    input  wire [$clog2(LINES)-1:0] fill_line,
    input  wire [3:0]               fill_mask,
    output wire                     evict_valid,
    output wire [3:0]               evict_used,
    output wire [3:0]               evict_unused,
    input  wire                     read_valid,
    input  wire [$clog2(LINES)-1:0] read_line,
    input  wire [3:0]               read_mask
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (LINES < 2 || LINES > 1024) begin : g_bad_LINES
            LINES_must_be_from_2_to_1024 u_stop ();
        end
    endgenerate

    localparam LINE_W = $clog2(LINES);

    reg [LINES*4-1:0] there_q, used_q;
    reg               done_q, present_q;
    reg [3:0]         held_q, need_q;

    // Rows by their number: what a look-up and a fill find.
    reg [3:0] held, left, left_used;
    integer i;
    always @* begin
        held      = 4'd0;
        left      = 4'd0;
        left_used = 4'd0;
        for (i = 0; i < LINES; i = i + 1) begin
            held      = held | (there_q[i*4 +: 4] & {4{lk_line == i[LINE_W-1:0]}});
            left      = left | (there_q[i*4 +: 4] & {4{fill_line == i[LINE_W-1:0]}});
            left_used = left_used | (used_q[i*4 +: 4] & {4{fill_line == i[LINE_W-1:0]}});
        end
    end

    assign done      = done_q;
    assign miss_mask = need_q & ~(held_q & {4{present_q}});
    assign hit       = done_q && present_q && !(|miss_mask);
    assign sec_miss  = done_q && present_q && |miss_mask;
    assign blk_miss  = done_q && !present_q;

    wire taken = inv_valid && inv_line == fill_line;
    assign evict_valid  = fill_valid && fill_new && |left && !taken && !flush;
    assign evict_used   = left_used;
    assign evict_unused = left & ~left_used;

    reg [LINES*4-1:0] there_d, used_d;
    reg               goes, comes, starts;
    integer k;
    always @* begin
        there_d = there_q;
        used_d  = used_q;
        for (k = 0; k < LINES; k = k + 1) begin
            goes   = inv_valid && inv_line == k[LINE_W-1:0];
            comes  = fill_valid && fill_line == k[LINE_W-1:0];
            starts = goes || (comes && fill_new);
            there_d[k*4 +: 4] = (there_q[k*4 +: 4] & {4{!starts}}) | (fill_mask & {4{comes}});
            used_d[k*4 +: 4]  = (used_q[k*4 +: 4] & {4{!starts}})
                                | (read_mask & {4{read_valid && read_line == k[LINE_W-1:0]}});
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            there_q <= {(LINES*4){1'b0}};
            used_q  <= {(LINES*4){1'b0}};
            done_q  <= 1'b0;
        end else begin
            there_q <= there_d & {(LINES*4){!flush}};
            used_q  <= used_d & {(LINES*4){!flush}};
            done_q  <= lk_valid;
        end
    end

    // Without reset: read only where done_q is 1.
    always @(posedge clk) begin
        present_q <= lk_present;
        held_q    <= held;
        need_q    <= lk_need;
    end
endmodule
`default_nettype wire
