// awl_ctrl - adaptive warp limiting: the search for the warp count with the highest IPC
// (dissertation 4.2.3, algorithms 1 to 4; aci 3.10.4, corrections C1 to C17).
//
// kernel_start: nt warps can be resident (0 counts as 1); no limit, and the next cycle with phase_awl
// begins a search.  It wins over everything in its cycle.  While phase_awl is 1, periods of CP cycles
// are counted, with the thread instructions of each; the last cycle of a period takes a step: the
// count halves or doubles (binary), then moves by one (linear), while that brings more instructions,
// else goes back.  nc changes at the edge of that cycle.  done is 1 in the cycle whose step ends the
// search, goto_idle with it when the new count is within the threshold of the last search's.  With one
// warp there is nothing to search: done in the first cycle.  While phase_awl is 0 nothing changes; the
// cycle after done begins a new search if phase_awl still is 1.
`default_nettype none
module awl_ctrl #(
    parameter WCW          = 5,     // bits of a warp count, 3..7
    parameter CP           = 6250,  // cycles of a period, 2..2^20
    parameter IPC_W        = 19,    // bits of an instruction count, 8..28
    parameter EPS_8THS     = 2,     // C11: threshold in eighths of the last search's count, 1..8
    parameter EPS_WARPS    = 0,     // C11: not 0: threshold in warps, instead
    parameter CP_LATE      = 0,     // C2: 1: a period has CP + 1 cycles, as printed
    parameter ENDS_AT_ONCE = 0      // C3: 1: a better period at 1 or NT ends the search, as printed
) (
    input  wire           clk,
    input  wire           rst,
    input  wire           kernel_start,
    input  wire [WCW-1:0] nt,
    input  wire           phase_awl,
    input  wire [6:0]     insn_inc,
    output wire [WCW-1:0] nc,
    output wire           done,
    output wire           goto_idle,
    output wire           better,
    output wire           worse
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WCW < 3 || WCW > 7) begin : g_bad_WCW
            WCW_must_be_from_3_to_7 u_stop ();
        end
        if (CP < 2 || CP > 1048576) begin : g_bad_CP
            CP_must_be_from_2_to_1048576 u_stop ();
        end
        if (IPC_W < 8 || IPC_W > 28) begin : g_bad_IPC_W
            IPC_W_must_be_from_8_to_28 u_stop ();
        end
        if (EPS_8THS < 1 || EPS_8THS > 8) begin : g_bad_EPS_8THS
            EPS_8THS_must_be_from_1_to_8 u_stop ();
        end
        if (EPS_WARPS < 0 || EPS_WARPS > 63) begin : g_bad_EPS_WARPS
            EPS_WARPS_must_be_from_0_to_63 u_stop ();
        end
        if (CP_LATE < 0 || CP_LATE > 1) begin : g_bad_CP_LATE
            CP_LATE_must_be_0_or_1 u_stop ();
        end
        if (ENDS_AT_ONCE < 0 || ENDS_AT_ONCE > 1) begin : g_bad_ENDS_AT_ONCE
            ENDS_AT_ONCE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam             SUB_W  = $clog2(CP + CP_LATE);
    localparam [SUB_W-1:0] SECOND = 1;
    localparam             LAST_I = CP + CP_LATE - 1;
    localparam [SUB_W-1:0] LAST   = LAST_I[SUB_W-1:0];
    localparam [WCW-1:0]   ONE    = 1;

    reg [WCW-1:0]   nt_q, nc_q, np_q, ns_q;
    reg [IPC_W-1:0] ipc_q, ipc_prev_q;
    reg [SUB_W-1:0] sub_q;
    reg             linear_q, up_q, init_q;

    wire [IPC_W-1:0] total;
    ipc_add #(.IPC_W(IPC_W)) u_add (.count(ipc_q), .insn_inc(insn_inc), .total(total));

    wire active = phase_awl && !kernel_start;
    wire alone  = nt_q == ONE;
    wire begins = active && init_q;
    wire steps  = active && sub_q == LAST;  // with init_q, sub_q is 0
    assign better = steps && ipc_prev_q < total;
    assign worse  = steps && !better;

    // The counts that a step may go to; none leaves 1..NT (C4 to C6): at 1 no step goes down.
    wire           lowest  = nc_q == ONE;
    wire           highest = nc_q == nt_q;
    wire [WCW-1:0] halved  = nc_q >> 1;
    wire [WCW:0]   twice   = {nc_q, 1'b0};
    wire [WCW-1:0] doubled = twice > {1'b0, nt_q} ? nt_q : twice[WCW-1:0];
    wire [WCW-1:0] fewer   = nc_q - ONE;
    wire [WCW-1:0] more    = highest ? nt_q : nc_q + ONE;

    // Where a binary and a linear step that bring more end the search.
    wire binary_ends = ENDS_AT_ONCE != 0 ? lowest || highest : (up_q ? highest : lowest);
    wire at_bound    = nc_q == ns_q >> 1 || {1'b0, nc_q} == {ns_q, 1'b0};
    wire linear_ends = at_bound || (up_q ? highest : lowest);
    // The first step down brought less: the same way up, from where the search started.  On that way the
    // count is never below ns_q, so that there is no need to ask for the direction (C7, C8).
    wire turns = nc_q == (linear_q ? ns_q - ONE : ns_q >> 1);

    reg [WCW-1:0] nc_d;
    always @* begin
        nc_d = nc_q;
        if (better && !linear_q)     nc_d = binary_ends ? nc_q : up_q ? doubled : halved;
        else if (better)             nc_d = linear_ends ? nc_q : up_q ? more : fewer;
        else if (worse && turns)     nc_d = ns_q;
        else if (worse && !linear_q) nc_d = up_q ? nc_q : doubled;
        else if (worse)              nc_d = up_q ? fewer : more;
    end

    wire ends = better ? (linear_q ? linear_ends : binary_ends) : worse && linear_q && !turns;
    assign done = ends || (begins && alone);
    assign nc   = nc_q;

    wire near_share;
    near #(.W(WCW), .EPS_8THS(EPS_8THS)) u_near (.now(nc_d), .was(np_q), .is_near(near_share));
    wire [WCW-1:0] gap = nc_d > np_q ? nc_d - np_q : np_q - nc_d;
    assign goto_idle = done && (EPS_WARPS != 0 ? {{(8-WCW){1'b0}}, gap} <= EPS_WARPS[7:0]
                                               : near_share);

    always @(posedge clk) begin
        if (rst) begin
            nt_q       <= {WCW{1'b1}};
            nc_q       <= {WCW{1'b1}};
            np_q       <= {WCW{1'b1}};
            ns_q       <= {WCW{1'b1}};
            ipc_q      <= {IPC_W{1'b0}};
            ipc_prev_q <= {IPC_W{1'b0}};
            sub_q      <= {SUB_W{1'b0}};
            linear_q   <= 1'b0;
            up_q       <= 1'b0;
            init_q     <= 1'b1;
        end else if (kernel_start) begin
            nt_q   <= nt == {WCW{1'b0}} ? ONE : nt;
            nc_q   <= nt == {WCW{1'b0}} ? ONE : nt;
            np_q   <= nt == {WCW{1'b0}} ? ONE : nt;
            sub_q  <= {SUB_W{1'b0}};
            init_q <= 1'b1;
        end else if (begins && alone) begin
            np_q <= nc_q;
        end else if (begins) begin
            init_q     <= 1'b0;
            up_q       <= lowest;
            linear_q   <= 1'b0;
            ns_q       <= nc_q;
            ipc_prev_q <= {IPC_W{1'b0}};
            ipc_q      <= {{(IPC_W-7){1'b0}}, insn_inc};
            sub_q      <= SECOND;
        end else if (steps) begin
            nc_q       <= nc_d;
            ipc_prev_q <= better ? total : {IPC_W{1'b0}};
            ipc_q      <= {IPC_W{1'b0}};
            sub_q      <= {SUB_W{1'b0}};
            if (worse && turns) up_q <= 1'b1;
            if (worse && !turns && !linear_q) begin
                ns_q     <= nc_d;
                up_q     <= 1'b0;
                linear_q <= 1'b1;
            end
            if (done) begin
                np_q   <= nc_d;
                init_q <= 1'b1;
            end
        end else if (active) begin
            ipc_q <= total;
            sub_q <= sub_q + SECOND;
        end
    end
endmodule
`default_nettype wire
