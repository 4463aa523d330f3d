// blpp_alloc - which memory a page goes to, at random by a share (dissertation 5.2, algorithm 6;
// aci 3.17.6, 3.17.8).
//
// With alloc_req a random number in [0, 1) is drawn, and the page goes to GPU memory if it is below p_opt,
// else to CPU memory; if that one is full and the other is not, to the other.  A cycle later node_valid is
// 1, node is the memory, and need_replace says that both were full: a page of that memory has to go.
// p_opt is the share in 65536ths, 65536 sends every page to GPU memory; more is undefined.  The random
// number is the state of a 16-bit Galois register (right shift, taps 0xB400) after its step.
`default_nettype none
module blpp_alloc #(
    parameter SEED = 44257  // of the random numbers, 1..65535
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        alloc_req,
    input  wire [16:0] p_opt,
    input  wire        gpu_full,
    input  wire        cpu_full,
    output wire        node_valid,
    output wire        node,
    output wire        need_replace
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SEED < 1 || SEED > 65535) begin : g_bad_SEED
            SEED_must_be_from_1_to_65535 u_stop ();
        end
    endgenerate

    reg [15:0] lfsr_q;
    reg        valid_q, node_q, replace_q;

    wire [15:0] drawn  = {1'b0, lfsr_q[15:1]} ^ (lfsr_q[0] ? 16'hB400 : 16'h0000);
    wire        chosen = {1'b0, drawn} >= p_opt;
    wire        other  = chosen ? cpu_full && !gpu_full : gpu_full && !cpu_full;

    assign node_valid   = valid_q;
    assign node         = node_q;
    assign need_replace = replace_q;

    always @(posedge clk) begin
        if (rst) begin
            lfsr_q    <= SEED[15:0];
            valid_q   <= 1'b0;
            node_q    <= 1'b0;
            replace_q <= 1'b0;
        end else begin
            if (alloc_req) lfsr_q <= drawn;
            valid_q   <= alloc_req;
            node_q    <= chosen ^ other;
            replace_q <= gpu_full && cpu_full;
        end
    end
endmodule
`default_nettype wire
