// gtsc_l2 - timestamps of one L2 bank under G-TSC (tabbakh2018 3.6.5, 3.6.8).
//
// One operation per cycle.  Outputs answer in the same cycle from state and inputs, whether
// op_valid is 1 or not; at an edge with op_valid the line, or mem_ts, takes its new value, unless
// overflow says that a stamp would not fit: then nothing changes and the request must be
// repeated after flash.  flash wins over kernel_start, and both over op, whose answer in that cycle
// is not to be used.
// A line not stamped since the last flash, kernel_start or reset reads as wts 1, rts lease, so that
// a reset clears one bit per line.  A line number beyond LINES means line 0.
// lease is 1 at least and changes only while the bank is idle; 2*lease+2 must fit TS_BITS.
`default_nettype none
module gtsc_l2 #(
    parameter LINES        = 8,   // lines of the bank, 2..16384
    parameter TS_BITS      = 16,  // timestamp, 3..32 bits
    parameter EPOCH_BITS   = 4,   // reset epoch, 2..8 bits
    parameter LEASE_BITS   = 5,   // lease, 1..16 bits, at most TS_BITS
    parameter LEASE_INCL   = 0,   // 0: rts = base + lease, 1: base + lease - 1
    parameter MEMTS_GLOBAL = 0    // 1: mem_ts is at least ext_mem_ts
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     op_valid,
    input  wire [2:0]               op,
    input  wire [$clog2(LINES)-1:0] line,
    input  wire [TS_BITS-1:0]       req_wts,
    input  wire [TS_BITS-1:0]       req_ts,
    input  wire [EPOCH_BITS-1:0]    req_epoch,
    input  wire [LEASE_BITS-1:0]    lease,
    input  wire [TS_BITS-1:0]       ext_mem_ts,
    input  wire                     flash,
    input  wire                     kernel_start,
    output reg  [1:0]               resp,
    output wire [TS_BITS-1:0]       resp_wts,
    output wire [TS_BITS-1:0]       resp_rts,
    output wire                     resp_reset,
    output wire                     merge_ok,
    output wire                     overflow,
    output wire [EPOCH_BITS-1:0]    epoch,
    output wire [TS_BITS-1:0]       mem_ts,
    output wire                     renewed,
    output wire                     lease_extended,
    output wire                     merge_lost
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (LINES < 2 || LINES > 16384) begin : g_bad_LINES
            LINES_must_be_from_2_to_16384 u_stop ();
        end
        if (TS_BITS < 3 || TS_BITS > 32) begin : g_bad_TS_BITS
            TS_BITS_must_be_from_3_to_32 u_stop ();
        end
        if (EPOCH_BITS < 2 || EPOCH_BITS > 8) begin : g_bad_EPOCH_BITS
            EPOCH_BITS_must_be_from_2_to_8 u_stop ();
        end
        if (LEASE_BITS < 1 || LEASE_BITS > 16) begin : g_bad_LEASE_BITS
            LEASE_BITS_must_be_from_1_to_16 u_stop ();
        end
        if (LEASE_INCL < 0 || LEASE_INCL > 1) begin : g_bad_LEASE_INCL
            LEASE_INCL_must_be_0_or_1 u_stop ();
        end
        if (MEMTS_GLOBAL < 0 || MEMTS_GLOBAL > 1) begin : g_bad_MEMTS_GLOBAL
            MEMTS_GLOBAL_must_be_0_or_1 u_stop ();
        end
        if (LEASE_BITS > TS_BITS) begin : g_bad_LEASE_BITS_also
            LEASE_BITS_must_be_at_most_TS_BITS u_stop ();
        end
    endgenerate

    localparam LINE_W = $clog2(LINES);
    localparam [2:0] READ = 3'd0, WRITE = 3'd1, ATOMIC = 3'd2, FILL = 3'd3, EVICT = 3'd4;
    localparam [1:0] RESP_NONE = 2'd0, RESP_FILL = 2'd1, RESP_RENEW = 2'd2, RESP_ACK = 2'd3;
    localparam [LINE_W:0]    LINES_X = LINES[LINE_W:0];
    localparam [TS_BITS-1:0] TS_ONE  = {{(TS_BITS-1){1'b0}}, 1'b1};

    reg [TS_BITS-1:0]    wts_q [0:LINES-1];
    reg [TS_BITS-1:0]    rts_q [0:LINES-1];
    reg [LINES-1:0]      stamped_q;
    reg [TS_BITS-1:0]    mem_ts_q;
    reg [EPOCH_BITS-1:0] epoch_q;

    // The line as it stands.
    wire [LINE_W-1:0]  at       = {1'b0, line} < LINES_X ? line : {LINE_W{1'b0}};
    wire               stamped  = stamped_q[at];
    wire [TS_BITS-1:0] lease_ts = {{(TS_BITS-LEASE_BITS){1'b0}}, lease};
    wire [TS_BITS-1:0] c_wts    = stamped ? wts_q[at] : TS_ONE;
    wire [TS_BITS-1:0] c_rts    = stamped ? rts_q[at] : lease_ts;
    wire [TS_BITS-1:0] mem_now  = MEMTS_GLOBAL != 0 && ext_mem_ts > mem_ts_q ? ext_mem_ts
                                                                             : mem_ts_q;
    // The request, reduced to nothing if it comes from another epoch.
    wire               same_epoch = req_epoch == epoch_q;
    wire [TS_BITS-1:0] r_ts       = same_epoch ? req_ts : TS_ONE;
    wire [TS_BITS-1:0] r_wts      = same_epoch ? req_wts : {TS_BITS{1'b0}};

    wire is_read  = op == READ;
    wire is_write = op == WRITE || op == ATOMIC;
    wire is_fill  = op == FILL;

    // The ends of all leases that there could be, before it is known which of them begins: a read's
    // at its timestamp, a write's there or behind the last lease, a fill's at mem_ts.
    wire shorter = LEASE_INCL != 0 && lease != {LEASE_BITS{1'b0}};
    wire [LEASE_BITS-1:0] span = shorter ? lease - 1'b1 : lease;
    wire [TS_BITS:0] after_lease, asked_end, after_end, mem_end;
    gtsc_after #(.TS_BITS(TS_BITS), .SPAN_W(1)) u_after_lease (
        .ts(c_rts), .span(1'b0), .next(1'b1), .sum(after_lease)
    );
    gtsc_after #(.TS_BITS(TS_BITS), .SPAN_W(LEASE_BITS)) u_asked_end (
        .ts(r_ts), .span(span), .next(1'b0), .sum(asked_end)
    );
    gtsc_after #(.TS_BITS(TS_BITS), .SPAN_W(LEASE_BITS)) u_after_end (
        .ts(c_rts), .span(span), .next(1'b1), .sum(after_end)
    );
    gtsc_after #(.TS_BITS(TS_BITS), .SPAN_W(LEASE_BITS)) u_mem_end (
        .ts(mem_now), .span(span), .next(1'b0), .sum(mem_end)
    );

    // A write comes after the last lease, unless it is later by itself.
    wire by_itself, longer;
    gtsc_later #(.W(TS_BITS)) u_by_itself (.a(r_ts), .b(c_rts), .later(by_itself));
    gtsc_later #(.W(TS_BITS + 1)) u_longer (.a(asked_end), .b({1'b0, c_rts}), .later(longer));
    wire behind = is_write && !by_itself;
    wire [TS_BITS:0] base = behind ? after_lease : is_fill ? {1'b0, mem_now} : {1'b0, r_ts};
    wire [TS_BITS:0] lease_end = behind ? after_end : is_fill ? mem_end : asked_end;

    wire stamps     = is_read || is_write || is_fill;
    assign overflow = stamps && (base[TS_BITS] || lease_end[TS_BITS]);

    wire [TS_BITS-1:0] next_wts = is_read ? c_wts : base[TS_BITS-1:0];
    wire [TS_BITS-1:0] next_rts = is_read && !longer ? c_rts : lease_end[TS_BITS-1:0];

    always @* begin
        resp = RESP_NONE;
        if (!overflow) begin
            if (is_write)
                resp = RESP_ACK;
            else if (is_read)
                resp = r_wts == c_wts ? RESP_RENEW : RESP_FILL;
        end
    end
    wire has_copy     = r_wts != {TS_BITS{1'b0}};
    assign resp_wts   = next_wts;
    assign resp_rts   = next_rts;
    assign resp_reset = !same_epoch;
    assign merge_ok   = op == WRITE && has_copy && r_wts == c_wts;
    assign epoch      = epoch_q;
    assign mem_ts     = mem_ts_q;

    wire happens          = op_valid && !overflow && !flash && !kernel_start;
    assign renewed        = happens && resp == RESP_RENEW;
    assign lease_extended = happens && is_read && longer;
    assign merge_lost     = happens && op == WRITE && has_copy && r_wts != c_wts;

    wire               evicts = happens && op == EVICT;
    wire [TS_BITS-1:0] mem_d  = evicts && c_rts > mem_now ? c_rts : mem_now;

    always @(posedge clk) begin
        if (rst) begin
            stamped_q <= {LINES{1'b0}};
            mem_ts_q  <= TS_ONE;
            epoch_q   <= {EPOCH_BITS{1'b0}};
        end else if (flash || kernel_start) begin
            stamped_q <= {LINES{1'b0}};
            mem_ts_q  <= TS_ONE;
            if (flash) epoch_q <= epoch_q + 1'b1;
        end else begin
            mem_ts_q <= mem_d;
            if (happens && stamps) stamped_q[at] <= 1'b1;
        end
    end

    // Without reset: read only where stamped_q is 1.
    always @(posedge clk) begin
        if (happens && stamps) begin
            wts_q[at] <= next_wts;
            rts_q[at] <= next_rts;
        end
    end
endmodule
`default_nettype wire
