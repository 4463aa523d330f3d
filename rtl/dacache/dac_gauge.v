// dac_gauge - insertion position of a missing block (wang2015 3.12.2, 3.12.3, 3.12.5).
//
// Combinational.  A coherent load goes where its profile says; a small divergent load
// to MRU; any other to the position of Eq 4.1, or to LRU when its warp lies outside
// the partition `fcw`.  With enable = 0 the unit is the LRU baseline: insert_pos = 0,
// thrash = 0.  clp = 3 does not occur; it acts as "locality".
`default_nettype none
module dac_gauge #(
    parameter WARPS            = 24,  // warps per scheduler, 2..64
    parameter N_SCHED          = 2,   // schedulers per SM, 1..4
    parameter WIDTH            = 32,  // warp size, 1..64
    parameter SETS             = 32,  // a power of two
    parameter WAYS             = 8,   // ways, 2..16
    parameter W_MAX            = 48,  // greatest partition, 1..63
    parameter COH_MAX          = 2,   // most requests of a coherent load
    parameter SMALL_MAX        = 5,   // most requests of a divergent load inserted at MRU
    parameter ROUND_UP         = 0,   // Eq 4.1: 0 floor, 1 ceiling
    parameter UNKNOWN_MRU      = 1,   // unprofiled coherent load: 1 MRU, 0 LRU
    parameter SMALL_THRASH_MRU = 1,   // the SMALL_MAX rule covers thrashing warps
    parameter THRASH_STRICT    = 0    // thrashing is 0 "at least", 1 "above" the partition
) (
    input  wire [$clog2(WARPS)-1:0]      prio,
    input  wire [$clog2(WIDTH+1)-1:0] nreq,
    input  wire [1:0]                 clp,
    input  wire [$clog2(W_MAX+1)-1:0] fcw,
    input  wire                       enable,
    output reg  [$clog2(WAYS)-1:0]    insert_pos,
    output wire                       thrash
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (WARPS < 2 || WARPS > 64) begin : g_bad_WARPS
            WARPS_must_be_from_2_to_64 u_stop ();
        end
        if (N_SCHED < 1 || N_SCHED > 4) begin : g_bad_N_SCHED
            N_SCHED_must_be_from_1_to_4 u_stop ();
        end
        if (WIDTH < 1 || WIDTH > 64) begin : g_bad_WIDTH
            WIDTH_must_be_from_1_to_64 u_stop ();
        end
        if (SETS < 1 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_1_to_4096 u_stop ();
        end
        if (WAYS < 2 || WAYS > 16) begin : g_bad_WAYS
            WAYS_must_be_from_2_to_16 u_stop ();
        end
        if (W_MAX < 1 || W_MAX > 63) begin : g_bad_W_MAX
            W_MAX_must_be_from_1_to_63 u_stop ();
        end
        if (COH_MAX < 1 || COH_MAX > 31) begin : g_bad_COH_MAX
            COH_MAX_must_be_from_1_to_31 u_stop ();
        end
        if (SMALL_MAX < 1 || SMALL_MAX > 63) begin : g_bad_SMALL_MAX
            SMALL_MAX_must_be_from_1_to_63 u_stop ();
        end
        if (ROUND_UP < 0 || ROUND_UP > 1) begin : g_bad_ROUND_UP
            ROUND_UP_must_be_0_or_1 u_stop ();
        end
        if (UNKNOWN_MRU < 0 || UNKNOWN_MRU > 1) begin : g_bad_UNKNOWN_MRU
            UNKNOWN_MRU_must_be_0_or_1 u_stop ();
        end
        if (SMALL_THRASH_MRU < 0 || SMALL_THRASH_MRU > 1) begin : g_bad_SMALL_THRASH_MRU
            SMALL_THRASH_MRU_must_be_0_or_1 u_stop ();
        end
        if (THRASH_STRICT < 0 || THRASH_STRICT > 1) begin : g_bad_THRASH_STRICT
            THRASH_STRICT_must_be_0_or_1 u_stop ();
        end
        if (SMALL_MAX < COH_MAX) begin : g_bad_SMALL_MAX_also
            SMALL_MAX_must_be_at_least_COH_MAX u_stop ();
        end
    endgenerate

    localparam PRIO_W = $clog2(WARPS);
    localparam NREQ_W = $clog2(WIDTH + 1);
    localparam FCW_W  = $clog2(W_MAX + 1);
    localparam POS_W  = $clog2(WAYS);
    localparam PROD_W = PRIO_W + 13;   // prio * N_SCHED * WIDTH + SETS - 1

    localparam [1:0] CLP_UNKNOWN = 2'd0, CLP_NONE = 2'd2;
    localparam [POS_W-1:0]  LRU      = WAYS[POS_W-1:0] - 1'b1;
    localparam              ROUND_BY = ROUND_UP != 0 ? SETS - 1 : 0;

    wire [PROD_W-1:0] older   = {{(PROD_W-PRIO_W){1'b0}}, prio} * N_SCHED[PROD_W-1:0];
    wire [PROD_W-1:0] lines   = older * WIDTH[PROD_W-1:0] + ROUND_BY[PROD_W-1:0];
    wire [PROD_W-1:0] per_set = lines >> $clog2(SETS);
    wire [PROD_W-1:0] limit   = {{(PROD_W-FCW_W){1'b0}}, fcw};

    wire outside = THRASH_STRICT != 0 ? older > limit : older >= limit;
    assign thrash = enable & outside;

    wire [7:0] requests = {{(8-NREQ_W){1'b0}}, nreq};
    wire coherent = requests <= COH_MAX[7:0];
    wire few      = requests <= SMALL_MAX[7:0];
    wire no_reuse = clp == CLP_NONE || (clp == CLP_UNKNOWN && UNKNOWN_MRU == 0);

    always @* begin
        insert_pos = {POS_W{1'b0}};
        if (enable) begin
            if (coherent)
                insert_pos = no_reuse ? LRU : {POS_W{1'b0}};
            else if (!(few && (SMALL_THRASH_MRU != 0 || !outside)))
                insert_pos = outside || per_set >= {{(PROD_W-POS_W){1'b0}}, LRU} ? LRU
                                                                        : per_set[POS_W-1:0];
        end
    end
endmodule
`default_nettype wire
