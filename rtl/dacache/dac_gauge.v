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
