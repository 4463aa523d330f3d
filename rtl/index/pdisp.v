// pdisp - prime-displacement set index (wang2015 3.5 pDisp, A.1).
//
// Combinational.  set_index = (P T + x) mod n', with T the address above the index
// field, x the index field and n' the largest prime not above SETS; sets n' and up
// are never used.  x and x - n' alias; `xalias` tells them apart, so that
// {tag, xalias, set_index} identifies the block.  The sum is reduced as one number, whose digits
// above the first count P times.
`default_nettype none
module pdisp #(
    parameter ADDR_W      = 40,   // byte address, bits
    parameter BLOCK_BYTES = 128,  // a power of two
    parameter SETS        = 32,   // a power of two, 4 .. 4096
    parameter P           = 9     // displacement; no multiple of n'
) (
    input  wire [ADDR_W-1:0]                                       addr,
    output wire [$clog2(SETS)-1:0]                                 set_index,
    output wire [ADDR_W-$clog2(BLOCK_BYTES)-$clog2(SETS)-1:0]      tag,
    output wire                                                    xalias
);
    // The largest prime not above 4, 8, 16 .. 4096.
    localparam PRIME = SETS - (SETS == 2048 ? 9 : SETS == 256 ? 5
                               : SETS == 16 || SETS == 64 || SETS == 512 || SETS == 1024
                                 || SETS == 4096 ? 3 : 1);

    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ADDR_W < 16 || ADDR_W > 64) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_16_to_64 u_stop ();
        end
        if (BLOCK_BYTES < 4 || BLOCK_BYTES > 4096
            || (BLOCK_BYTES & (BLOCK_BYTES - 1)) != 0) begin : g_bad_BLOCK_BYTES
            BLOCK_BYTES_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (SETS < 4 || SETS > 4096 || (SETS & (SETS - 1)) != 0) begin : g_bad_SETS
            SETS_must_be_a_power_of_two_from_4_to_4096 u_stop ();
        end
        if (P < 1 || P > 4095) begin : g_bad_P
            P_must_be_from_1_to_4095 u_stop ();
        end
        if (ADDR_W <= $clog2(BLOCK_BYTES) + $clog2(SETS)) begin : g_bad_ADDR_W_also
            ADDR_W_must_leave_a_tag u_stop ();
        end
        if (P % PRIME == 0) begin : g_bad_P_also
            P_must_not_be_a_multiple_of_the_prime u_stop ();
        end
    endgenerate

    localparam OFFS  = $clog2(BLOCK_BYTES);
    localparam LOGN  = $clog2(SETS);
    localparam TAG_W = ADDR_W > OFFS + LOGN ? ADDR_W - OFFS - LOGN : 1;
    wire [LOGN-1:0] low = addr[OFFS +: LOGN];
    wire [LOGN-1:0] low_residue;
    mod_prime #(.IN_W(TAG_W + LOGN), .SETS(SETS), .ABOVE(P)) u_sum_mod (
        .value   (addr[ADDR_W-1:OFFS]),
        .residue (set_index)
    );
    mod_prime #(.IN_W(LOGN), .SETS(SETS)) u_low_mod (
        .value   (low),
        .residue (low_residue)
    );
    assign tag    = addr[ADDR_W-1:OFFS+LOGN];
    assign xalias = low_residue != low;

    wire unused = &{1'b0, addr};
endmodule
`default_nettype wire
