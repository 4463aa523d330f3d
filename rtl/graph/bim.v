// bim - bimodal granularity predictor (LAMAR) of a cache of sectors: is a block to be fetched whole,
// or only what is needed of it (lakshminarayana2014 3.6.3)?
//
// Two bit arrays of a Bloom filter with three hashes.  One class of lines, fine (at most FINE of
// four sectors were read) or coarse, is the default; lines of the other are in the filter.  miss: in
// the next cycle coarse says whether its line is to be fetched whole, by the active array; one miss a
// cycle.  evict: a line leaves of whose sectors used were read; its class is noted in both arrays in
// the next cycle, at whose end it can be seen.  Every PERIOD notes the active array is cleared and
// the other one becomes active; and if of PERIOD evictions more than SKEW in ten were noted, the
// default is turned around and both arrays are cleared (flipped).
`default_nettype none
module bim #(
    parameter BITS   = 2048,  // of an array: a power of two, 64..2048
    parameter PERIOD = 512,   // a power of two, 8..512 (D-BIM-3)
    parameter SKEW   = 7,     // tenths, 1..9
    parameter FINE   = 2,     // sectors of a fine line, at most: 0..4
    parameter START  = 0      // the first default: 0 coarse, 1 fine
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      miss_valid,
    input  wire [2*$clog2(BITS)+2:0] miss_line,
    output wire                      done,
    output wire                      coarse,
    input  wire                      evict_valid,
    input  wire [2*$clog2(BITS)+2:0] evict_line,
    input  wire [3:0]                evict_used,
    output wire                      default_fine,
    output wire                      flipped
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (BITS < 64 || BITS > 2048 || (BITS & (BITS - 1)) != 0) begin : g_bad_BITS
            BITS_must_be_a_power_of_two_from_64_to_2048 u_stop ();
        end
        if (PERIOD < 8 || PERIOD > 512 || (PERIOD & (PERIOD - 1)) != 0) begin : g_bad_PERIOD
            PERIOD_must_be_a_power_of_two_from_8_to_512 u_stop ();
        end
        if (SKEW < 1 || SKEW > 9) begin : g_bad_SKEW
            SKEW_must_be_from_1_to_9 u_stop ();
        end
        if (FINE < 0 || FINE > 4) begin : g_bad_FINE
            FINE_must_be_from_0_to_4 u_stop ();
        end
        if (START < 0 || START > 1) begin : g_bad_START
            START_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam H     = $clog2(BITS);
    localparam WORDS = BITS / 32;
    localparam WO_W  = H - 5;
    localparam N_W   = $clog2(PERIOD);
    localparam MOST  = SKEW * PERIOD / 10;  // notes of a period that do not turn the default
    localparam [N_W-1:0] LAST = {N_W{1'b1}};

    reg [31:0]    one_q [0:WORDS-1];
    reg [31:0]    two_q [0:WORDS-1];
    reg           active_q;       // 1: two_q
    reg           fine_q;         // the default
    reg [N_W-1:0] evicts_q, notes_q, round_q;
    reg           done_q;
    reg [95:0]    words_q;        // in which the hashes of the miss lie
    reg [14:0]    places_q;       // and where in them
    reg           as_fine_q;      // the default of its cycle
    reg           evict_q, note_q;
    reg [3*H-1:0] hashes_q;       // of the line that leaves

    // Three hashes of a line (D-BIM-1).
    function [3*H-1:0] hashes(input [2*H+2:0] line);
        reg [H-1:0] low, middle;
        begin
            low    = line[H-1:0];
            middle = line[2*H-1:H];
            hashes = {low ^ middle, middle ^ {line[2*H+2:2*H], {(H-3){1'b0}}},
                      low ^ {line[H+2:H], {(H-3){1'b0}}}};
        end
    endfunction

    // ---- a miss: words in its cycle, bits in the next ----

    wire [3*H-1:0] asked = hashes(miss_line);
    reg  [95:0]    words_d;
    integer i, h;
    always @* begin
        words_d = 96'd0;
        for (h = 0; h < 3; h = h + 1)
            for (i = 0; i < WORDS; i = i + 1)
                words_d[h*32 +: 32] = words_d[h*32 +: 32] | ((active_q ? two_q[i] : one_q[i])
                    & {32{asked[h*H+5 +: WO_W] == i[WO_W-1:0]}});
    end
    wire in_filter = words_q[{2'd0, places_q[4:0]}] && words_q[{2'd1, places_q[9:5]}]
                     && words_q[{2'd2, places_q[14:10]}];
    assign done         = done_q;
    assign coarse       = in_filter == as_fine_q;
    assign default_fine = fine_q;

    // ---- a line that leaves: its class in its cycle, the note in the next ----

    wire [2:0] read   = {2'b00, evict_used[0]} + {2'b00, evict_used[1]} + {2'b00, evict_used[2]}
                        + {2'b00, evict_used[3]};
    wire       fine   = read <= FINE[2:0];
    wire       swaps  = note_q && round_q == LAST;
    wire       judges = evict_q && evicts_q == LAST;
    assign     flipped = judges && {{(32-N_W){1'b0}}, notes_q} + {31'd0, note_q} > MOST;

    wire       fine_d = fine_q ^ flipped;
    wire       note   = evict_valid && fine != fine_d;

    wire clear_one = flipped || (swaps && !active_q);
    wire clear_two = flipped || (swaps && active_q);

    reg [31:0] note_d [0:WORDS-1];
    integer k, g;
    always @* begin
        for (k = 0; k < WORDS; k = k + 1) begin
            note_d[k] = 32'd0;
            for (g = 0; g < 3; g = g + 1)
                note_d[k] = note_d[k] | ({31'd0, note_q && hashes_q[g*H+5 +: WO_W] == k[WO_W-1:0]}
                                         << hashes_q[g*H +: 5]);
        end
    end

    integer r;
    always @(posedge clk) begin
        if (rst) begin
            for (r = 0; r < WORDS; r = r + 1) begin
                one_q[r] <= 32'd0;
                two_q[r] <= 32'd0;
            end
            active_q <= 1'b0;
            fine_q   <= START[0];
            evicts_q <= {N_W{1'b0}};
            notes_q  <= {N_W{1'b0}};
            round_q  <= {N_W{1'b0}};
            done_q   <= 1'b0;
            evict_q  <= 1'b0;
            note_q   <= 1'b0;
        end else begin
            for (r = 0; r < WORDS; r = r + 1) begin
                one_q[r] <= clear_one ? 32'd0 : one_q[r] | note_d[r];
                two_q[r] <= clear_two ? 32'd0 : two_q[r] | note_d[r];
            end
            active_q <= !flipped && (active_q ^ swaps);
            fine_q   <= fine_d;
            evicts_q <= evicts_q + {{(N_W-1){1'b0}}, evict_q};
            notes_q  <= judges ? {N_W{1'b0}} : notes_q + {{(N_W-1){1'b0}}, note_q};
            round_q  <= flipped ? {N_W{1'b0}} : round_q + {{(N_W-1){1'b0}}, note_q};
            done_q   <= miss_valid;
            evict_q  <= evict_valid;
            note_q   <= note;
        end
    end

    // Without reset: read only where done_q, or note_q, is 1.
    always @(posedge clk) begin
        words_q   <= words_d;
        as_fine_q <= fine_q;
        places_q  <= {asked[2*H +: 5], asked[H +: 5], asked[0 +: 5]};
        hashes_q  <= hashes(evict_line);
    end
endmodule
`default_nettype wire
