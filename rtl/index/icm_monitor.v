// icm_monitor - accesses and distinct sets of each load (wang2015 3.8 ICM, A.2).
//
// An access is counted at the edge at which acc_valid is 1; set_index and last are
// looked at only then.  In the cycle after an access with last, load_valid is 1 and nacc
// and nsets are the load's; an access in that same cycle opens the next load.
// Beyond LANES accesses of one load, each is an overrun; nacc stops at 2 LANES - 1.
// nacc and nsets mean nothing while load_valid is 0.
// nsets is counted with the accesses, by one where the set was not touched before: the sum of all
// bits of touched_q takes longer than a cycle.
`default_nettype none
module icm_monitor #(
    parameter SETS  = 32,  // a power of two
    parameter LANES = 32   // a power of two
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     acc_valid,
    input  wire [$clog2(SETS)-1:0]  set_index,
    input  wire                     last,
    output wire                     load_valid,
    output wire [$clog2(LANES):0]   nacc,
    output wire [$clog2(SETS):0]    nsets,
    output wire                     overrun
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SETS < 2 || SETS > 128 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_2_to_128 u_stop ();
        end
        if (LANES < 2 || LANES > 128 || (LANES & (LANES - 1)) != 0) begin : g_bad_LANES
            LANES_must_be_a_power_of_two_from_2_to_128 u_stop ();
        end
    endgenerate

    localparam LOGN   = $clog2(SETS);
    localparam NACC_W = $clog2(LANES) + 1;

    reg [SETS-1:0]   touched_q, touched_d;
    reg [NACC_W-1:0] nacc_q, nacc_d;
    reg [LOGN:0]     nsets_q, nsets_d;  // the sum of touched_q
    reg              done_q, done_d;

    assign load_valid = done_q;
    assign nacc       = nacc_q;
    assign nsets      = nsets_q;
    assign overrun    = acc_valid & ~done_q & nacc_q[NACC_W-1];

    always @* begin
        touched_d = done_q ? {SETS{1'b0}} : touched_q;
        nacc_d    = done_q ? {NACC_W{1'b0}} : nacc_q;
        nsets_d   = done_q ? {(LOGN+1){1'b0}} : nsets_q;
        done_d    = 1'b0;
        if (acc_valid) begin
            if (done_q || !touched_q[set_index]) nsets_d = nsets_d + 1'b1;
            touched_d[set_index] = 1'b1;
            nacc_d = &nacc_d ? nacc_d : nacc_d + 1'b1;
            done_d = last;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            touched_q <= {SETS{1'b0}};
            nacc_q    <= {NACC_W{1'b0}};
            nsets_q   <= {(LOGN+1){1'b0}};
            done_q    <= 1'b0;
        end else begin
            touched_q <= touched_d;
            nacc_q    <= nacc_d;
            nsets_q   <= nsets_d;
            done_q    <= done_d;
        end
    end
endmodule
`default_nettype wire
