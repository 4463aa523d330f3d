// oaws_dlc - which loads are divergent, and how often they miss (wang2015 3.16.1, A.9).
//
// coal: an occurrence of a load; a divergent one is counted, halving first when a count would
// overflow, and enters when unknown.  acc: an access of a counted load; a miss is counted, never
// more than accesses.  age_tick halves all counts and frees entries without occurrences.  lk: the
// entry of a load, 0s when there is none, with lk_done.  Each is taken with its ready, and takes
// effect after all that were taken before it, and of one cycle in the order look-up, age_tick, coal,
// acc.  kernel_start forgets all entries and whatever is under way, and nothing is taken beside it.
// coal_nreq is 1..32.  acc_valid must not be given for occurrences that were not counted.
//
// Standard: one operation at a time, three cycles each, ageing two for each entry; look-up and
// events two cycles after the request (oaws_dlc_steps).  Misses of one load in a row are taken one a
// cycle; occurrences that do not count and hits, which change nothing, at any time.
// ONE_CYCLE = 1: all in the cycle of the request, and always ready (oaws_dlc_once).  Then lk_*
// answer lk_pc whether lk_valid is 1 or not.
`default_nettype none
module oaws_dlc #(
    parameter ENTRIES        = 32,  // a power of two, 2..64
    parameter PC_W           = 40,  // load PC, 1..64 bits
    parameter INST_W         = 5,   // occurrence count, 2..16 bits
    parameter ACC_W          = 10,  // access and miss counts, 7..16 bits
    parameter COH_MAX        = 2,   // most requests of a coherent load
    parameter SATURATE       = 0,   // 0: halve before an overflow, 1: stay at the maximum
    parameter AGE_FREES      = 1,   // 1: an entry aged to no occurrence is freed
    parameter EVICT_LRU      = 1,   // 1: a new load evicts the least recent one
    parameter DIV_MINUS_1    = 1,   // 1: Div = nreq-1, 0: min(nreq, 31)
    parameter COUNT_COHERENT = 0,   // 1: coherent occurrences of known loads count
    parameter ONE_CYCLE      = 0    // 1: everything in one cycle, as the document draws it
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             kernel_start,
    input  wire             lk_valid,
    output wire             lk_ready,
    input  wire [PC_W-1:0]  lk_pc,
    output wire             lk_done,
    output wire             lk_hit,
    output wire [ACC_W-1:0] lk_miss,
    output wire [ACC_W-1:0] lk_acc,
    output wire [4:0]       lk_div,
    input  wire             age_tick,
    output wire             age_ready,
    input  wire             coal_valid,
    output wire             coal_ready,
    input  wire [PC_W-1:0]  coal_pc,
    input  wire [5:0]       coal_nreq,
    output wire             update,
    output wire             alloc,
    output wire             evict,
    output wire             halve,
    input  wire             acc_valid,
    output wire             acc_ready,
    input  wire [PC_W-1:0]  acc_pc,
    input  wire             acc_miss
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 64 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_64 u_stop ();
        end
        if (PC_W < 1 || PC_W > 64) begin : g_bad_PC_W
            PC_W_must_be_from_1_to_64 u_stop ();
        end
        if (INST_W < 2 || INST_W > 16) begin : g_bad_INST_W
            INST_W_must_be_from_2_to_16 u_stop ();
        end
        if (ACC_W < 7 || ACC_W > 16) begin : g_bad_ACC_W
            ACC_W_must_be_from_7_to_16 u_stop ();
        end
        if (COH_MAX < 0 || COH_MAX > 31) begin : g_bad_COH_MAX
            COH_MAX_must_be_from_0_to_31 u_stop ();
        end
        if (SATURATE < 0 || SATURATE > 1) begin : g_bad_SATURATE
            SATURATE_must_be_0_or_1 u_stop ();
        end
        if (AGE_FREES < 0 || AGE_FREES > 1) begin : g_bad_AGE_FREES
            AGE_FREES_must_be_0_or_1 u_stop ();
        end
        if (EVICT_LRU < 0 || EVICT_LRU > 1) begin : g_bad_EVICT_LRU
            EVICT_LRU_must_be_0_or_1 u_stop ();
        end
        if (DIV_MINUS_1 < 0 || DIV_MINUS_1 > 1) begin : g_bad_DIV_MINUS_1
            DIV_MINUS_1_must_be_0_or_1 u_stop ();
        end
        if (COUNT_COHERENT < 0 || COUNT_COHERENT > 1) begin : g_bad_COUNT_COHERENT
            COUNT_COHERENT_must_be_0_or_1 u_stop ();
        end
        if (ONE_CYCLE < 0 || ONE_CYCLE > 1) begin : g_bad_ONE_CYCLE
            ONE_CYCLE_must_be_0_or_1 u_stop ();
        end
    endgenerate

    generate
        if (ONE_CYCLE != 0) begin : g_once
            oaws_dlc_once #(
                .ENTRIES(ENTRIES), .PC_W(PC_W), .INST_W(INST_W), .ACC_W(ACC_W),
                .COH_MAX(COH_MAX), .SATURATE(SATURATE), .AGE_FREES(AGE_FREES),
                .EVICT_LRU(EVICT_LRU), .DIV_MINUS_1(DIV_MINUS_1),
                .COUNT_COHERENT(COUNT_COHERENT)
            ) u_once (
                .clk(clk), .rst(rst), .kernel_start(kernel_start),
                .lk_valid(lk_valid), .lk_ready(lk_ready), .lk_pc(lk_pc),
                .lk_done(lk_done), .lk_hit(lk_hit), .lk_miss(lk_miss),
                .lk_acc(lk_acc), .lk_div(lk_div), .age_tick(age_tick),
                .age_ready(age_ready), .coal_valid(coal_valid),
                .coal_ready(coal_ready), .coal_pc(coal_pc), .coal_nreq(coal_nreq),
                .update(update), .alloc(alloc), .evict(evict), .halve(halve),
                .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_pc(acc_pc),
                .acc_miss(acc_miss)
            );
        end else begin : g_steps
            oaws_dlc_steps #(
                .ENTRIES(ENTRIES), .PC_W(PC_W), .INST_W(INST_W), .ACC_W(ACC_W),
                .COH_MAX(COH_MAX), .SATURATE(SATURATE), .AGE_FREES(AGE_FREES),
                .EVICT_LRU(EVICT_LRU), .DIV_MINUS_1(DIV_MINUS_1),
                .COUNT_COHERENT(COUNT_COHERENT)
            ) u_steps (
                .clk(clk), .rst(rst), .kernel_start(kernel_start),
                .lk_valid(lk_valid), .lk_ready(lk_ready), .lk_pc(lk_pc),
                .lk_done(lk_done), .lk_hit(lk_hit), .lk_miss(lk_miss),
                .lk_acc(lk_acc), .lk_div(lk_div), .age_tick(age_tick),
                .age_ready(age_ready), .coal_valid(coal_valid),
                .coal_ready(coal_ready), .coal_pc(coal_pc), .coal_nreq(coal_nreq),
                .update(update), .alloc(alloc), .evict(evict), .halve(halve),
                .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_pc(acc_pc),
                .acc_miss(acc_miss)
            );
        end
    endgenerate
endmodule
`default_nettype wire
