// age_rank - age rank of every resident warp, 0 oldest (wang2015 3.2, A.6).
//
// exit_v frees a slot, all younger warps gain one rank; launch_v makes a warp the
// youngest.  In one cycle the exit comes first, so a slot may be refilled at once.
// Ranks are registers: the effect is seen in the next cycle.  A free slot has rank 0.
// Launch into a slot in use and exit from a free one are ignored (refused = 1).
`default_nettype none
module age_rank #(
    parameter N = 48  // warp slots, 2..64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   launch_v,
    input  wire [$clog2(N)-1:0]   launch_id,
    input  wire                   exit_v,
    input  wire [$clog2(N)-1:0]   exit_id,
    output wire [N*$clog2(N)-1:0] gprio,
    output wire [N-1:0]           resident,
    output wire                   refused
);
    localparam ID_W = $clog2(N);

    reg [N-1:0]      resident_q, resident_d;
    reg [N*ID_W-1:0] rank_q, rank_d;  // by slot, slot 0 lowest
    assign resident = resident_q;
    assign gprio    = rank_q;

    reg [N-1:0]    exit_bit, launch_bit;
    reg [ID_W-1:0] exit_rank;
    integer i;
    always @* begin
        exit_rank = {ID_W{1'b0}};
        for (i = 0; i < N; i = i + 1) begin
            exit_bit[i]   = exit_v && i[ID_W-1:0] == exit_id && resident_q[i];
            launch_bit[i] = launch_v && i[ID_W-1:0] == launch_id
                         && (!resident_q[i] || exit_bit[i]);
            if (exit_bit[i]) exit_rank = rank_q[i*ID_W +: ID_W];
        end
        resident_d = (resident_q & ~exit_bit) | launch_bit;
    end
    wire exits    = |exit_bit;
    wire launches = |launch_bit;
    assign refused = (exit_v && !exits) || (launch_v && !launches);

    // Warps left after the exit: the rank of a new one.
    reg [ID_W:0] population;
    integer p;
    always @* begin
        population = {(ID_W+1){1'b0}};
        for (p = 0; p < N; p = p + 1)
            population = population + {{ID_W{1'b0}}, resident_q[p] & ~exit_bit[p]};
    end
    wire unused = &{1'b0, population[ID_W]};

    integer n;
    always @* begin
        rank_d = rank_q;
        for (n = 0; n < N; n = n + 1) begin
            if (launch_bit[n])
                rank_d[n*ID_W +: ID_W] = population[ID_W-1:0];
            else if (exit_bit[n])
                rank_d[n*ID_W +: ID_W] = {ID_W{1'b0}};
            else if (exits && rank_q[n*ID_W +: ID_W] > exit_rank)
                rank_d[n*ID_W +: ID_W] = rank_q[n*ID_W +: ID_W] - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            resident_q <= {N{1'b0}};
            rank_q     <= {N*ID_W{1'b0}};
        end else begin
            resident_q <= resident_d;
            rank_q     <= rank_d;
        end
    end

`ifdef FORMAL
    reg started = 1'b0;  // a reset has been
    always @(posedge clk) started <= 1'b1;
    always @* if (!started) assume (rst);
    // Resident warps have different ranks below their number: nobody is lost, nobody tied.
    integer         f, g;
    reg [ID_W:0]    residents;
    always @* begin
        residents = {(ID_W+1){1'b0}};
        for (f = 0; f < N; f = f + 1)
            residents = residents + {{ID_W{1'b0}}, resident_q[f]};
    end
    always @* if (started) begin
        for (f = 0; f < N; f = f + 1) begin
            assert (resident_q[f] ? {1'b0, rank_q[f*ID_W +: ID_W]} < residents
                                  : rank_q[f*ID_W +: ID_W] == {ID_W{1'b0}});
            for (g = 0; g < f; g = g + 1)
                assert (!resident_q[f] || !resident_q[g]
                        || rank_q[f*ID_W +: ID_W] != rank_q[g*ID_W +: ID_W]);
        end
    end
`endif
endmodule
`default_nettype wire
