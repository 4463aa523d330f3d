// pas_pending - the pending queue of the two-level scheduler, one cycle of it.
//
// Combinational.  The exiting warp leaves; the launched warp, the demoted ready warps in
// their order, and the victim of a wake-up are appended; the woken warp leaves; up to
// `room` warps are promoted: unblocked ones, marked before others, oldest first.
// promoted_*[k] describe the k-th of them.  Positions past the count are 0; an append to a
// full queue, which more warps than slots would need, is dropped.
`default_nettype none
module pas_pending #(
    parameter WARPS = 48,  // warp slots
    parameter RQ    = 8    // ready warps
) (
    input  wire [WARPS*$clog2(WARPS)-1:0]   list,
    input  wire [$clog2(WARPS+1)-1:0]    count,
    input  wire                       warp_exit_valid,
    input  wire [$clog2(WARPS)-1:0]      warp_exit_wid,
    input  wire                       warp_launch,
    input  wire [$clog2(WARPS)-1:0]      warp_launch_wid,
    input  wire [RQ-1:0]              demote,
    input  wire [RQ*$clog2(WARPS)-1:0]   ready_list,
    input  wire                       wake,
    input  wire [$clog2(WARPS)-1:0]      wake_wid,
    input  wire                       victim_valid,
    input  wire [$clog2(WARPS)-1:0]      victim_wid,
    input  wire                       promote,
    input  wire [$clog2(RQ+1)-1:0]    room,
    input  wire [(1<<$clog2(WARPS))-1:0] blocked,
    input  wire [(1<<$clog2(WARPS))-1:0] marked,
    output wire [RQ-1:0]              promoted_valid,
    output wire [RQ-1:0]              promoted_lead,
    output wire [RQ*$clog2(WARPS)-1:0]   promoted_wid,
    output wire [WARPS*$clog2(WARPS)-1:0]   list_next,
    output reg  [$clog2(WARPS+1)-1:0]    count_next
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (RQ < 2 || RQ > 16) begin : g_bad_RQ
            RQ_must_be_from_2_to_16 u_stop ();
        end
        if (RQ > WARPS) begin : g_bad_RQ_also
            RQ_must_be_at_most_WARPS u_stop ();
        end
    endgenerate

    localparam WID_W   = $clog2(WARPS);
    localparam COUNT_W = $clog2(WARPS + 1);
    localparam ROOM_W  = $clog2(RQ + 1);

    // Positions in use that hold a given warp, or an unblocked one.
    reg [WARPS-1:0] exit_at;
    integer x;
    always @* begin
        exit_at = {WARPS{1'b0}};
        for (x = 0; x < WARPS; x = x + 1)
            exit_at[x] = x[COUNT_W-1:0] < count && list[x*WID_W +: WID_W] == warp_exit_wid;
    end

    wire            exit_found;
    wire [WARPS*WID_W-1:0] stayed;
    wire [WID_W-1:0]      exit_taken;
    wire            exit_preferred;
    wire [WARPS-1:0]   exit_pick, exit_prefer;
    pas_take #(.WARPS(WARPS)) u_exit (
        .enable(warp_exit_valid), .list(list), .pick(exit_at), .prefer({WARPS{1'b0}}),
        .found(exit_found), .wid(exit_taken), .preferred(exit_preferred),
        .list_out(stayed), .pick_out(exit_pick), .prefer_out(exit_prefer)
    );

    // Appends, oldest first: launch, demotions, victim.
    wire [RQ+1:0]       add_valid = {victim_valid, demote, warp_launch};
    wire [(RQ+2)*WID_W-1:0] add_wid   = {victim_wid, ready_list, warp_launch_wid};
    reg [WARPS*WID_W-1:0]    added;
    reg [COUNT_W-1:0] added_count;
    integer a, p;
    always @* begin
        added       = stayed;
        added_count = count - {{(COUNT_W-1){1'b0}}, exit_found};
        for (a = 0; a < RQ + 2; a = a + 1)
            if (add_valid[a] && added_count != WARPS[COUNT_W-1:0]) begin
                for (p = 0; p < WARPS; p = p + 1)
                    if (added_count == p[COUNT_W-1:0])
                        added[p*WID_W +: WID_W] = add_wid[a*WID_W +: WID_W];
                added_count = added_count + 1'b1;
            end
    end

    reg [WARPS-1:0] wake_at;
    integer w;
    always @* begin
        for (w = 0; w < WARPS; w = w + 1)
            wake_at[w] = w[COUNT_W-1:0] < added_count && added[w*WID_W +: WID_W] == wake_wid;
    end

    wire            wake_found;
    wire [WID_W-1:0]      wake_taken;
    wire            wake_preferred;
    wire [WARPS*WID_W-1:0] waiting;
    wire [WARPS-1:0]   wake_pick, wake_prefer;
    pas_take #(.WARPS(WARPS)) u_wake (
        .enable(wake), .list(added), .pick(wake_at), .prefer({WARPS{1'b0}}),
        .found(wake_found), .wid(wake_taken), .preferred(wake_preferred),
        .list_out(waiting), .pick_out(wake_pick), .prefer_out(wake_prefer)
    );
    wire [COUNT_W-1:0] waiting_count = added_count - {{(COUNT_W-1){1'b0}}, wake_found};

    // Promotion: one stage per ready slot.
    reg [WARPS-1:0] can_run, leads;
    integer q;
    always @* begin
        for (q = 0; q < WARPS; q = q + 1) begin
            can_run[q] = q[COUNT_W-1:0] < waiting_count && !blocked[waiting[q*WID_W +: WID_W]];
            leads[q]   = marked[waiting[q*WID_W +: WID_W]];
        end
    end

    genvar k;
    generate
        for (k = 0; k < RQ; k = k + 1) begin : g_take
            wire [WARPS*WID_W-1:0] from_list, to_list;
            wire [WARPS-1:0]   from_pick, to_pick, from_lead, to_lead;
            if (k == 0) begin : g_first
                assign from_list = waiting;
                assign from_pick = can_run;
                assign from_lead = leads;
            end else begin : g_later
                assign from_list = g_take[k-1].to_list;
                assign from_pick = g_take[k-1].to_pick;
                assign from_lead = g_take[k-1].to_lead;
            end
            pas_take #(.WARPS(WARPS)) u_take (
                .enable(promote && k[ROOM_W-1:0] < room), .list(from_list),
                .pick(from_pick), .prefer(from_lead),
                .found(promoted_valid[k]), .wid(promoted_wid[k*WID_W +: WID_W]),
                .preferred(promoted_lead[k]),
                .list_out(to_list), .pick_out(to_pick), .prefer_out(to_lead)
            );
        end
    endgenerate
    assign list_next = g_take[RQ-1].to_list;

    integer n;
    always @* begin
        count_next = waiting_count;
        for (n = 0; n < RQ; n = n + 1)
            count_next = count_next - {{(COUNT_W-1){1'b0}}, promoted_valid[n]};
    end

    wire unused = &{1'b0, exit_taken, exit_preferred, exit_pick, exit_prefer, wake_taken,
                    wake_preferred, wake_pick, wake_prefer, g_take[RQ-1].to_pick,
                    g_take[RQ-1].to_lead};
endmodule
`default_nettype wire
