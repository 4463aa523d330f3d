// pas_ready - the ready queue of the prefetch-aware scheduler, one cycle of it.
//
// Combinational.  `list` holds the leading queue, then the trailing queue, each oldest
// first.  The next list is: leading warps that stay, the woken one if marked, the marked
// promoted ones; then the same for the trailing queue.  With WAKE_FRONT the woken warp
// precedes those that stay.  The caller sees to it that they are at most RQ.
// Positions past the count are 0.
`default_nettype none
module pas_ready #(
    parameter RQ         = 8,  // ready warps
    parameter WID_W      = 6,  // bits of a warp slot number
    parameter WAKE_FRONT = 0   // 1: the woken warp enters at the head of its queue
) (
    input  wire [RQ*WID_W-1:0]     list,
    input  wire [$clog2(RQ+1)-1:0] lead_count,
    input  wire [RQ-1:0]           stay,
    input  wire                    wake,
    input  wire                    wake_lead,
    input  wire [WID_W-1:0]        wake_wid,
    input  wire [RQ-1:0]           promoted_valid,
    input  wire [RQ-1:0]           promoted_lead,
    input  wire [RQ*WID_W-1:0]     promoted_wid,
    output reg  [RQ*WID_W-1:0]     list_next,
    output reg  [$clog2(RQ+1)-1:0] lead_count_next,
    output reg  [$clog2(RQ+1)-1:0] count_next
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (RQ < 2 || RQ > 16) begin : g_bad_RQ
            RQ_must_be_from_2_to_16 u_stop ();
        end
        if (WID_W < 1 || WID_W > 6) begin : g_bad_WID_W
            WID_W_must_be_from_1_to_6 u_stop ();
        end
        if (WAKE_FRONT < 0 || WAKE_FRONT > 1) begin : g_bad_WAKE_FRONT
            WAKE_FRONT_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam COUNT_W = $clog2(RQ + 1);
    localparam ITEMS   = 2 * RQ + 2;

    // The candidates of a queue in order: woken, those that stay, woken, promoted; the
    // leading queue's first.
    wire [2*ITEMS*WID_W-1:0] item_wid = {2{promoted_wid, wake_wid, list, wake_wid}};
    wire [RQ-1:0]      in_lead  = ~({RQ{1'b1}} << lead_count);
    wire head = wake && WAKE_FRONT != 0;
    wire tail = wake && WAKE_FRONT == 0;
    wire [ITEMS-1:0] lead_item  = {promoted_valid & promoted_lead, tail && wake_lead,
                                   stay & in_lead, head && wake_lead};
    wire [ITEMS-1:0] trail_item = {promoted_valid & ~promoted_lead, tail && !wake_lead,
                                   stay & ~in_lead, head && !wake_lead};
    wire [2*ITEMS-1:0] item       = {trail_item, lead_item};

    // Positions are matched, not indexed: a write enable per position is all it takes.
    integer i, p;
    always @* begin
        list_next       = {(RQ*WID_W){1'b0}};
        count_next      = {COUNT_W{1'b0}};
        lead_count_next = {COUNT_W{1'b0}};
        for (i = 0; i < 2 * ITEMS; i = i + 1)
            if (item[i] && count_next != RQ[COUNT_W-1:0]) begin
                for (p = 0; p < RQ; p = p + 1)
                    if (count_next == p[COUNT_W-1:0])
                        list_next[p*WID_W +: WID_W] = item_wid[i*WID_W +: WID_W];
                count_next = count_next + 1'b1;
                if (i < ITEMS)
                    lead_count_next = count_next;
            end
    end
endmodule
`default_nettype wire
