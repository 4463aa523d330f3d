// upat - accesses by PCs that have no entry in the PC tracking table, by a hash of the PC
// (lakshminarayana2014 3.5.4); with the table's reserved entry.
//
// inc: an access by a PC of hash inc_idx; counts stop at their greatest.  max_val is the greatest
// count, at max_idx, the lowest if several have it.  update: the table has looked at them; all counts
// are 0 from now on, an access of that cycle being the first of the next period, and a reservation
// lapses, unless reserve makes a new one: entry reserve_id for the first PC of hash max_idx, as it
// is in that cycle (reserve without update is meaningless, and ignored).  take: the reserved entry
// was taken; the reservation ends.  kernel_start forgets all, and wins.
`default_nettype none
module upat #(
    parameter ENTRIES = 16,  // D-BC-3: counts, a power of two, 2..16
    parameter CTR_W   = 16,  // D-BC-2: of each, 4..16 bits
    parameter ID_W    = 4    // of an entry of the table, 1..5 bits
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       kernel_start,
    input  wire                       inc_valid,
    input  wire [$clog2(ENTRIES)-1:0] inc_idx,
    input  wire                       update,
    input  wire                       reserve,
    input  wire [ID_W-1:0]            reserve_id,
    input  wire                       take,
    output wire [CTR_W-1:0]           max_val,
    output wire [$clog2(ENTRIES)-1:0] max_idx,
    output wire                       res_valid,
    output wire [ID_W-1:0]            res_id,
    output wire [$clog2(ENTRIES)-1:0] res_idx
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 16 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_16 u_stop ();
        end
        if (CTR_W < 4 || CTR_W > 16) begin : g_bad_CTR_W
            CTR_W_must_be_from_4_to_16 u_stop ();
        end
        if (ID_W < 1 || ID_W > 5) begin : g_bad_ID_W
            ID_W_must_be_from_1_to_5 u_stop ();
        end
    endgenerate

    localparam IDX_W = $clog2(ENTRIES);

    reg [CTR_W-1:0] ctr_q [0:ENTRIES-1];
    reg [CTR_W-1:0] max_q;      // counts only rise, so that the greatest is known as it comes
    reg [IDX_W-1:0] max_idx_q;
    reg             res_valid_q;
    reg [ID_W-1:0]  res_id_q;
    reg [IDX_W-1:0] res_idx_q;

    wire [CTR_W-1:0] old    = update ? {CTR_W{1'b0}} : ctr_q[inc_idx];
    wire [CTR_W-1:0] most   = update ? {CTR_W{1'b0}} : max_q;
    wire [IDX_W-1:0] at     = update ? {IDX_W{1'b0}} : max_idx_q;
    wire             full   = &old;
    wire [CTR_W-1:0] fresh  = full ? old : old + 1'b1;
    // fresh > most and fresh == most, without waiting for the sum
    wire             leads  = inc_valid && !full && old >= most;
    wire             ties   = inc_valid && (full ? &most : fresh == most) && inc_idx < at;

    assign max_val   = max_q;
    assign max_idx   = max_idx_q;
    assign res_valid = res_valid_q;
    assign res_id    = res_id_q;
    assign res_idx   = res_idx_q;

    integer i;
    always @(posedge clk) begin
        if (rst || kernel_start) begin
            for (i = 0; i < ENTRIES; i = i + 1) ctr_q[i] <= {CTR_W{1'b0}};
        end else begin
            for (i = 0; i < ENTRIES; i = i + 1) begin
                if (inc_valid && inc_idx == i[IDX_W-1:0]) ctr_q[i] <= fresh;
                else if (update)                          ctr_q[i] <= {CTR_W{1'b0}};
            end
        end
    end

    always @(posedge clk) begin
        if (rst || kernel_start) begin
            max_q       <= {CTR_W{1'b0}};
            max_idx_q   <= {IDX_W{1'b0}};
            res_valid_q <= 1'b0;
            res_id_q    <= {ID_W{1'b0}};
            res_idx_q   <= {IDX_W{1'b0}};
        end else begin
            max_q     <= leads ? fresh : most;
            max_idx_q <= leads || ties ? inc_idx : at;
            if (update) begin
                res_valid_q <= reserve;
                res_id_q    <= reserve_id;
                res_idx_q   <= max_idx_q;
            end else if (take) begin
                res_valid_q <= 1'b0;
            end
        end
    end
endmodule
`default_nettype wire
