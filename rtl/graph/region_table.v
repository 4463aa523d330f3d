// region_table - in which allocation does an address lie (lakshminarayana2014 3.4.2, 3.4.4)?
//
// Entries [base, limit) of bytes, written through cfg by the runtime as a kernel is launched;
// cfg_used 0 frees one, a cfg_idx of no entry changes nothing.  lk_addr is compared with all
// entries in its cycle; lk_done with rid follows in the next, one look-up a cycle: the lowest entry
// that has it, or ENTRIES, which stands for none.  A look-up does not see the cfg of its own cycle.
`default_nettype none
module region_table #(
    parameter ENTRIES = 31,  // 2 to the power of n, minus 1: 3, 7, 15 or 31 (D-REX-1)
    parameter ADDR_W  = 32   // byte address, 8..57 bits
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         cfg_valid,
    input  wire [$clog2(ENTRIES+1)-1:0] cfg_idx,
    input  wire                         cfg_used,
    input  wire [ADDR_W-1:0]            cfg_base,
    input  wire [ADDR_W-1:0]            cfg_limit,
    input  wire                         lk_valid,
    input  wire [ADDR_W-1:0]            lk_addr,
    output wire                         lk_done,
    output wire [$clog2(ENTRIES+1)-1:0] rid,
    output wire                         several
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 3 || ENTRIES > 31 || (ENTRIES & (ENTRIES + 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_3_7_15_or_31 u_stop ();
        end
        if (ADDR_W < 8 || ADDR_W > 57) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_8_to_57 u_stop ();
        end
    endgenerate

    localparam ID_W = $clog2(ENTRIES + 1);

    reg [ENTRIES-1:0] valid_q;
    reg [ADDR_W-1:0]  base_q [0:ENTRIES-1];
    reg [ADDR_W-1:0]  limit_q [0:ENTRIES-1];
    reg               done_q;
    reg [ID_W-1:0]    rid_q, rid_d;

    reg [ENTRIES-1:0] holds;
    integer i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1)
            holds[i] = valid_q[i] && lk_addr >= base_q[i] && lk_addr < limit_q[i];
    end
    wire [ENTRIES-1:0] lowest = holds & (~holds + {{(ENTRIES-1){1'b0}}, 1'b1});

    integer k;
    always @* begin
        rid_d = {ID_W{!(|holds)}};
        for (k = 0; k < ENTRIES; k = k + 1)
            rid_d = rid_d | (k[ID_W-1:0] & {ID_W{lowest[k]}});
    end

    assign lk_done = done_q;
    assign rid     = rid_q;
    assign several = lk_valid && |(holds & ~lowest);

    wire write = cfg_valid && cfg_idx != {ID_W{1'b1}};

    integer w;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {ENTRIES{1'b0}};
            done_q  <= 1'b0;
        end else begin
            for (w = 0; w < ENTRIES; w = w + 1)
                if (write && cfg_idx == w[ID_W-1:0]) valid_q[w] <= cfg_used;
            done_q <= lk_valid;
        end
    end

    // Without reset: read only where valid_q, or done_q, is 1.
    integer x;
    always @(posedge clk) begin
        rid_q <= rid_d;
        for (x = 0; x < ENTRIES; x = x + 1)
            if (write && cfg_idx == x[ID_W-1:0]) begin
                base_q[x]  <= cfg_base;
                limit_q[x] <= cfg_limit;
            end
    end
endmodule
`default_nettype wire
