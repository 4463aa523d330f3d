// gto_sched - greedy-then-oldest warp scheduler (wang2015 3.2, A.5).
//
// A warp qualifies when it is resident, ready, not held back by mask_dis, and not a
// memory instruction while mem_block.  The warp that issued last is granted as long as
// it qualifies, else the oldest that does, in the same cycle.  A cycle without a grant
// keeps the greedy warp (KEEP_LAST = 1); its exit ends its greed.
// launch and exit are as in age_rank and do not influence the grant of their cycle.
`default_nettype none
module gto_sched #(
    parameter NW        = 24,  // warp slots, 2..64
    parameter KEEP_LAST = 1    // a cycle without a grant 1 keeps, 0 forgets the greedy warp
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     launch_v,
    input  wire [$clog2(NW)-1:0]    launch_id,
    input  wire                     exit_v,
    input  wire [$clog2(NW)-1:0]    exit_id,
    input  wire [NW-1:0]            ready,
    input  wire [NW-1:0]            mask_dis,
    input  wire                     mem_block,
    input  wire [NW-1:0]            is_mem,
    output wire                     grant_v,
    output wire [$clog2(NW)-1:0]    grant_id,
    output wire [NW*$clog2(NW)-1:0] rank,
    output wire                     greedy
);
    localparam ID_W  = $clog2(NW);
    localparam RANKS = 1 << ID_W;

    reg [ID_W-1:0] last_wid_q, last_wid_d;
    reg            last_v_q, last_v_d;

    wire [NW-1:0] resident;
    wire          refused;
    age_rank #(.N(NW)) ages (
        .clk(clk), .rst(rst),
        .launch_v(launch_v), .launch_id(launch_id), .exit_v(exit_v), .exit_id(exit_id),
        .gprio(rank), .resident(resident), .refused(refused)
    );
    wire unused = &{1'b0, refused};

    wire [NW-1:0] qualified = resident & ready & ~mask_dis & ~(is_mem & {NW{mem_block}});

    // Ranks that qualify, the first of them, and the slot that holds it.
    reg [RANKS-1:0] by_rank, first;
    reg [ID_W-1:0]  oldest;
    reg             last_ok;
    integer w;
    always @* begin
        by_rank = {RANKS{1'b0}};
        last_ok = 1'b0;
        for (w = 0; w < NW; w = w + 1) begin
            if (qualified[w]) by_rank[rank[w*ID_W +: ID_W]] = 1'b1;
            if (qualified[w] && w[ID_W-1:0] == last_wid_q) last_ok = last_v_q;
        end
        first  = by_rank & (~by_rank + 1'b1);
        oldest = {ID_W{1'b0}};
        for (w = 0; w < NW; w = w + 1)
            if (qualified[w] && first[rank[w*ID_W +: ID_W]]) oldest = w[ID_W-1:0];
    end

    assign greedy   = last_ok;
    assign grant_v  = |qualified;
    assign grant_id = last_ok ? last_wid_q : oldest;

    always @* begin
        last_wid_d = last_wid_q;
        last_v_d   = last_v_q && KEEP_LAST != 0;
        if (grant_v) begin
            last_wid_d = grant_id;
            last_v_d   = 1'b1;
        end
        if (exit_v && exit_id == last_wid_d)
            last_v_d = 1'b0;
    end

    always @(posedge clk) begin
        if (rst) begin
            last_wid_q <= {ID_W{1'b0}};
            last_v_q   <= 1'b0;
        end else begin
            last_wid_q <= last_wid_d;
            last_v_q   <= last_v_d;
        end
    end

`ifdef FORMAL
    reg started = 1'b0;  // a reset has been
    always @(posedge clk) started <= 1'b1;
    always @* if (!started) assume (rst);
    // Who issues qualifies; some warp issues whenever one qualifies; the oldest one, unless
    // the last one goes on.
    integer f;
    always @* if (started) begin
        assert (grant_v == |qualified);
        assert (!grant_v || qualified[grant_id]);
        assert (!greedy || (last_v_q && grant_id == last_wid_q));
        assert (!last_v_q || resident[last_wid_q]);
        for (f = 0; f < NW; f = f + 1)
            assert (!grant_v || greedy || !qualified[f]
                    || rank[grant_id*ID_W +: ID_W] <= rank[f*ID_W +: ID_W]);
    end
`endif
endmodule
`default_nettype wire
