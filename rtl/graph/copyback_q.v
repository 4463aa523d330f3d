// copyback_q - clean lines that leave an L1 wait here for the network, five flits each
// (lakshminarayana2014 3.3.4, 3.3.5).
//
// A line of ev_addr that is to be copied back (ev_cb) is taken with ev_ready, which says that an
// entry is free: a fill whose victim finds none stalls (D-INC-4).  A line without ev_cb passes by
// and is forgotten.  Lines leave in order: a head flit {core, addr} in its word 0, then the data,
// four words a flit; a flit goes with flit_ready, and stays until then.  flush (a kernel ends)
// forgets all lines but the one whose flits are under way, and one that comes in its cycle.
`default_nettype none
module copyback_q #(
    parameter DEPTH  = 4,   // lines, a power of two, 2..16
    parameter ADDR_W = 25,  // line address, 8..57 bits
    parameter CORE_W = 4,   // 1..7 bits
    parameter WORDS  = 16   // of 64 bits, of a line: a power of two, 4..16
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [CORE_W-1:0]   core,
    input  wire                flush,
    input  wire                ev_valid,
    output wire                ev_ready,
    input  wire [ADDR_W-1:0]   ev_addr,
    input  wire                ev_cb,
    input  wire [WORDS*64-1:0] ev_data,
    output wire                flit_valid,
    input  wire                flit_ready,
    output wire                flit_head,
    output wire                flit_tail,
    output wire [255:0]        flit,
    output wire                queued,
    output wire                passed_by
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (DEPTH < 2 || DEPTH > 16 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad_DEPTH
            DEPTH_must_be_a_power_of_two_from_2_to_16 u_stop ();
        end
        if (ADDR_W < 8 || ADDR_W > 57) begin : g_bad_ADDR_W
            ADDR_W_must_be_from_8_to_57 u_stop ();
        end
        if (CORE_W < 1 || CORE_W > 7) begin : g_bad_CORE_W
            CORE_W_must_be_from_1_to_7 u_stop ();
        end
        if (WORDS < 4 || WORDS > 16 || (WORDS & (WORDS - 1)) != 0) begin : g_bad_WORDS
            WORDS_must_be_a_power_of_two_from_4_to_16 u_stop ();
        end
    endgenerate

    localparam PTR_W  = $clog2(DEPTH);
    localparam FLITS  = WORDS / 4;  // of data, behind the head
    localparam PART_W = 3;
    localparam [PART_W-1:0] LAST = FLITS[PART_W-1:0];

    reg [DEPTH-1:0]    valid_q, valid_d;
    reg [PTR_W-1:0]    first_q, free_q, free_d;  // the oldest, and where the next one goes
    reg [PART_W-1:0]   part_q;                   // flit of the oldest: 0 the head
    reg [ADDR_W-1:0]   addr_q [0:DEPTH-1];
    reg [WORDS*64-1:0] data_q [0:DEPTH-1];

    wire push  = ev_valid && ev_ready && ev_cb && !flush;
    wire sends = flit_valid && flit_ready;
    wire done  = sends && flit_tail;
    wire begun = sends || part_q != {PART_W{1'b0}};

    wire [PTR_W-1:0] first_d = first_q + {{(PTR_W-1){1'b0}}, done};

    integer n;
    always @* begin
        free_d  = free_q + {{(PTR_W-1){1'b0}}, push};
        valid_d = valid_q;
        for (n = 0; n < DEPTH; n = n + 1) begin
            if (n[PTR_W-1:0] == first_q) valid_d[n] = valid_q[n] && !done && (!flush || begun);
            else if (flush)              valid_d[n] = 1'b0;
            if (push && n[PTR_W-1:0] == free_q) valid_d[n] = 1'b1;
        end
        if (flush) free_d = first_q + {{(PTR_W-1){1'b0}}, begun};
    end

    // The words of the flit: none of a line's four before the head.
    wire [WORDS*64-1:0] line = data_q[first_q];
    reg  [255:0]        body;
    integer             part;
    always @* begin
        body = 256'd0;
        for (part = 0; part < FLITS; part = part + 1)
            if (part_q == part[PART_W-1:0] + 1'b1) body = line[part*256 +: 256];
    end
    wire [255:0] head = {{(256-CORE_W-ADDR_W){1'b0}}, core, addr_q[first_q]};

    assign ev_ready   = !(&valid_q);
    assign flit_valid = valid_q[first_q];
    assign flit_head  = part_q == {PART_W{1'b0}};
    assign flit_tail  = part_q == LAST;
    assign flit       = flit_head ? head : body;
    assign queued     = push;
    assign passed_by  = ev_valid && ev_ready && !ev_cb;

    always @(posedge clk) begin
        if (rst) begin
            valid_q <= {DEPTH{1'b0}};
            first_q <= {PTR_W{1'b0}};
            free_q  <= {PTR_W{1'b0}};
            part_q  <= {PART_W{1'b0}};
        end else begin
            valid_q <= valid_d;
            first_q <= first_d;
            free_q  <= free_d;
            part_q  <= done ? {PART_W{1'b0}} : part_q + {{(PART_W-1){1'b0}}, sends};
        end
    end

    // Without reset: read only where valid_q is 1.
    always @(posedge clk) begin
        if (push) begin
            addr_q[free_q] <= ev_addr;
            data_q[free_q] <= ev_data;
        end
    end
endmodule
`default_nettype wire
