// dac_track - divergence and miss flag of the load in service (wang2015 3.12.1, 3.12.9).
//
// start_valid loads the divergence of a new load and clears the miss flag; the load's
// accesses come in later cycles.  acc_valid reports an accepted access; with acc_last the
// load retires in that cycle: retire_valid = 1, divergent and miss_seen (this access
// included) hold.  start_valid may come in the cycle of the previous load's last access.
`default_nettype none
module dac_track #(
    parameter COH_MAX          = 2,  // most requests of a coherent load
    parameter RESERVED_IS_MISS = 1,  // a hit on a RESERVED line sets the miss flag
    parameter BYPASS_IS_MISS   = 1   // a bypass sets the miss flag
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       start_valid,
    input  wire [5:0] start_nreq,
    input  wire       acc_valid,
    input  wire [1:0] acc_result,
    input  wire       acc_last,
    output wire       retire_valid,
    output wire       divergent,
    output wire       miss_seen
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (COH_MAX < 0 || COH_MAX > 31) begin : g_bad_COH_MAX
            COH_MAX_must_be_from_0_to_31 u_stop ();
        end
        if (RESERVED_IS_MISS < 0 || RESERVED_IS_MISS > 1) begin : g_bad_RESERVED_IS_MISS
            RESERVED_IS_MISS_must_be_0_or_1 u_stop ();
        end
        if (BYPASS_IS_MISS < 0 || BYPASS_IS_MISS > 1) begin : g_bad_BYPASS_IS_MISS
            BYPASS_IS_MISS_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [1:0] HIT_RESERVED = 2'd1, MISS = 2'd2, BYPASS = 2'd3;

    reg div_q, div_d, miss_q, miss_d;

    wire missed = acc_result == MISS
               || (acc_result == HIT_RESERVED && RESERVED_IS_MISS != 0)
               || (acc_result == BYPASS && BYPASS_IS_MISS != 0);

    assign retire_valid = acc_valid && acc_last;
    assign divergent    = div_q;
    assign miss_seen    = miss_q || (acc_valid && missed);

    always @* begin
        div_d  = div_q;
        miss_d = miss_seen;
        if (start_valid) begin
            div_d  = start_nreq > COH_MAX[5:0];
            miss_d = 1'b0;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            div_q  <= 1'b0;
            miss_q <= 1'b0;
        end else begin
            div_q  <= div_d;
            miss_q <= miss_d;
        end
    end
endmodule
`default_nettype wire
