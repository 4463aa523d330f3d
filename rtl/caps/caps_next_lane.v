// caps_next_lane - duplicate filter of the prefetch generator (caps-prefetch 3.2.4).
//
// Combinational.  Of the addresses after `lane` up to index `last`, the first whose line
// differs from its predecessor's; more is 0 when there is none.
`default_nettype none
module caps_next_lane #(
    parameter DUP_FILTER = 1  // 0: every address counts
) (
    input  wire [127:0] acc,
    input  wire [1:0]   lane,
    input  wire [1:0]   last,
    output wire         more,
    output wire [1:0]   next
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (DUP_FILTER < 0 || DUP_FILTER > 1) begin : g_bad_DUP_FILTER
            DUP_FILTER_must_be_0_or_1 u_stop ();
        end
    endgenerate

    wire keep = DUP_FILTER == 0;
    wire new1 = last >= 2'd1 && (keep || acc[63:39] != acc[31:7]);
    wire new2 = last >= 2'd2 && (keep || acc[95:71] != acc[63:39]);
    wire new3 = last == 2'd3 && (keep || acc[127:103] != acc[95:71]);

    wire after1 = lane < 2'd1 && new1;
    wire after2 = lane < 2'd2 && new2;
    wire after3 = lane < 2'd3 && new3;
    assign more = after1 || after2 || after3;
    assign next = after1 ? 2'd1 : after2 ? 2'd2 : 2'd3;

    wire unused = &{1'b0, acc};
endmodule
`default_nettype wire
