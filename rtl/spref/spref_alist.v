// spref_alist - the AllocatedReg lists: per warp and target load three register ids, written round and
// round, and where the next one is written, read by a move, and read for a tail's address
// (lakshminarayana2014-graph 3.1.3, 3.1.7).
//
// wid and sel name a list: head 0, tail 0, head 1, tail 1; pop_tail is of the head of its pair.  Ids are
// read in the cycle of the question, before what is pushed in it; `reset` goes before all: with it
// pointers are 0 for that cycle, too.  A wid of WARPS or more reads 0 and changes nothing.
`default_nettype none
module spref_alist #(
    parameter WARPS = 48  // warp slots, 2..64
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [5:0] wid,
    input  wire [1:0] sel,
    input  wire       reset,
    input  wire       push,
    input  wire [5:0] push_id,
    input  wire       pop_mov,
    input  wire       pop_tail,
    output wire [5:0] mov_id,
    output wire [5:0] tail_id
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
    endgenerate

    localparam LISTS = 4 * WARPS;
    reg [LISTS*18-1:0]  ids_q;
    reg [LISTS*2-1:0]   wr_q, rd_mov_q;
    reg [LISTS/2*2-1:0] rd_tail_q;

    // The warp's lists.
    reg [71:0] ids;
    reg [7:0]  wr, rd_mov;
    reg [3:0]  rd_tail;
    integer w;
    always @* begin
        ids     = 72'd0;
        wr      = 8'd0;
        rd_mov  = 8'd0;
        rd_tail = 4'd0;
        for (w = 0; w < WARPS; w = w + 1) begin
            ids     = ids | (ids_q[w*72 +: 72] & {72{wid == w[5:0]}});
            wr      = wr | (wr_q[w*8 +: 8] & {8{wid == w[5:0] && !reset}});
            rd_mov  = rd_mov | (rd_mov_q[w*8 +: 8] & {8{wid == w[5:0] && !reset}});
            rd_tail = rd_tail | (rd_tail_q[w*4 +: 4] & {4{wid == w[5:0] && !reset}});
        end
    end

    wire [1:0] head    = {sel[1], 1'b0};
    wire [1:0] at_wr   = wr[sel*2 +: 2];
    wire [1:0] at_mov  = rd_mov[sel*2 +: 2];
    wire [1:0] at_tail = rd_tail[sel[1]*2 +: 2];
    wire [17:0] mine   = ids[sel*18 +: 18];
    wire [17:0] heads  = ids[head*18 +: 18];
    assign mov_id  = at_mov == 2'd2 ? mine[17:12] : at_mov == 2'd1 ? mine[11:6] : mine[5:0];
    assign tail_id = at_tail == 2'd2 ? heads[17:12] : at_tail == 2'd1 ? heads[11:6] : heads[5:0];

    reg [71:0] ids_next;
    reg [7:0]  wr_next, rd_mov_next;
    reg [3:0]  rd_tail_next;
    wire [1:0] wr_up   = at_wr[1] ? 2'd0 : at_wr + 2'd1;
    wire [1:0] mov_up  = at_mov[1] ? 2'd0 : at_mov + 2'd1;
    wire [1:0] tail_up = at_tail[1] ? 2'd0 : at_tail + 2'd1;
    integer k;
    always @* begin
        ids_next     = ids;
        wr_next      = wr;
        rd_mov_next  = rd_mov;
        rd_tail_next = rd_tail;
        for (k = 0; k < 3; k = k + 1)
            if (push && at_wr == k[1:0])
                ids_next[sel*18 + k*6 +: 6] = push_id;
        if (push)     wr_next[sel*2 +: 2]         = wr_up;
        if (pop_mov)  rd_mov_next[sel*2 +: 2]     = mov_up;
        if (pop_tail) rd_tail_next[sel[1]*2 +: 2] = tail_up;
    end

    integer v;
    always @(posedge clk) begin
        if (rst) begin
            ids_q     <= {LISTS{18'd0}};
            wr_q      <= {LISTS{2'd0}};
            rd_mov_q  <= {LISTS{2'd0}};
            rd_tail_q <= {(LISTS/2){2'd0}};
        end else
            for (v = 0; v < WARPS; v = v + 1)
                if (wid == v[5:0]) begin
                    ids_q[v*72 +: 72]   <= ids_next;
                    wr_q[v*8 +: 8]      <= wr_next;
                    rd_mov_q[v*8 +: 8]  <= rd_mov_next;
                    rd_tail_q[v*4 +: 4] <= rd_tail_next;
                end
    end
endmodule
`default_nettype wire
