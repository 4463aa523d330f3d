// asynchronous.v - for Yosys' techmap: flip-flops with an asynchronous reset as those with a synchronous
// one.  Steps of a unit give a reset for a clock edge, never between two (tb/rtl_binding.cpp): both kinds
// are then the same, and what knows only the second (tb/prove/transition.c, abc) reads the first.
(* techmap_celltype = "$adff" *)
module adff_is_sdff (CLK, ARST, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1'b1;
    parameter ARST_POLARITY = 1'b1;
    parameter [WIDTH-1:0] ARST_VALUE = 0;
    input CLK, ARST;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    \$sdff #(
        .WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY), .SRST_POLARITY(ARST_POLARITY), .SRST_VALUE(ARST_VALUE)
    ) _TECHMAP_REPLACE_ (.CLK(CLK), .SRST(ARST), .D(D), .Q(Q));
endmodule

(* techmap_celltype = "$adffe" *)
module adffe_is_sdffe (CLK, ARST, EN, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1'b1;
    parameter EN_POLARITY = 1'b1;
    parameter ARST_POLARITY = 1'b1;
    parameter [WIDTH-1:0] ARST_VALUE = 0;
    input CLK, ARST, EN;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    \$sdffe #(
        .WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY), .EN_POLARITY(EN_POLARITY), .SRST_POLARITY(ARST_POLARITY),
        .SRST_VALUE(ARST_VALUE)
    ) _TECHMAP_REPLACE_ (.CLK(CLK), .SRST(ARST), .EN(EN), .D(D), .Q(Q));
endmodule
