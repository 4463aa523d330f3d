// epoch_tags - for each L1 line or MSHR, how many epochs ago its block was fetched
// (tabbakh2018 3.7.2 lep, 3.7.7 D-R5, D-R10).
//
// TAGS 0: a tag is the age, 0, 1 or 2 for two and more, and all move on with advance.
// TAGS 1: a tag is the epoch's number under an expired bit, which is set when an epoch of
// the same number begins.  TAGS 2: the number alone; after 2^EPOCH_W epochs it looks new.
// age answers combinationally for read_at; moved is that tag after this cycle's advance.
// At the edge: advance to epoch_next; then refresh writes `fresh`, the tag of the epoch
// then reached, to refresh_at; then write puts write_tag to write_at.  kernel_start, which wins,
// makes every tag expired at epoch 0.
`default_nettype none
module epoch_tags #(
    parameter ENTRIES = 128,  // a power of two, at least 2
    parameter EPOCH_W = 5,    // bits of an epoch number, 2..8
    parameter TAGS    = 0,    // as above
    parameter TAG_W   = TAGS == 0 ? 2 : TAGS == 1 ? EPOCH_W + 1 : EPOCH_W  // derived
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       kernel_start,
    input  wire                       advance,
    input  wire [EPOCH_W-1:0]         epoch,
    input  wire [EPOCH_W-1:0]         epoch_next,
    input  wire                       refresh,
    input  wire [$clog2(ENTRIES)-1:0] refresh_at,
    input  wire                       write,
    input  wire [$clog2(ENTRIES)-1:0] write_at,
    input  wire [TAG_W-1:0]           write_tag,
    input  wire [$clog2(ENTRIES)-1:0] read_at,
    output wire [1:0]                 age,
    output wire [TAG_W-1:0]           moved,
    output wire [TAG_W-1:0]           fresh
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (ENTRIES < 2 || ENTRIES > 1024 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_bad_ENTRIES
            ENTRIES_must_be_a_power_of_two_from_2_to_1024 u_stop ();
        end
        if (EPOCH_W < 2 || EPOCH_W > 8) begin : g_bad_EPOCH_W
            EPOCH_W_must_be_from_2_to_8 u_stop ();
        end
        if (TAGS < 0 || TAGS > 2) begin : g_bad_TAGS
            TAGS_must_be_from_0_to_2 u_stop ();
        end
        if (TAG_W != (TAGS == 0 ? 2 : TAGS == 1 ? EPOCH_W + 1 : EPOCH_W)) begin : g_bad_TAG_W
            TAG_W_must_be_left_to_its_derivation u_stop ();
        end
    endgenerate

    localparam OLD = TAGS == 0 ? 2 : (1 << EPOCH_W) - 2;

    reg [ENTRIES*TAG_W-1:0] tag_q;
    reg [ENTRIES*TAG_W-1:0] tag_d;
    reg [ENTRIES*TAG_W-1:0] tag_moved;

    wire [TAG_W-1:0] read_tag = tag_q[read_at*TAG_W +: TAG_W];
    assign moved = tag_moved[read_at*TAG_W +: TAG_W];
    generate
        if (TAGS == 0) begin : g_age
            integer i;
            always @* begin
                tag_moved = tag_q;
                for (i = 0; i < ENTRIES; i = i + 1)
                    if (advance && !tag_q[i*TAG_W + 1])
                        tag_moved[i*TAG_W +: TAG_W] = tag_q[i*TAG_W +: TAG_W] + 1'b1;
            end
            assign fresh = {TAG_W{1'b0}};
            assign age   = read_tag;
            wire unused = &{1'b0, epoch, epoch_next};
        end else if (TAGS == 1) begin : g_number
            integer i;
            always @* begin
                tag_moved = tag_q;
                for (i = 0; i < ENTRIES; i = i + 1)
                    if (advance && tag_q[i*TAG_W +: EPOCH_W] == epoch_next)
                        tag_moved[i*TAG_W + EPOCH_W] = 1'b1;
            end
            assign fresh = {1'b0, epoch_next};
        end else begin : g_number_alone
            always @* tag_moved = tag_q;
            assign fresh = epoch_next;
            wire unused = &{1'b0, advance};
        end
        if (TAGS != 0) begin : g_distance
            wire [EPOCH_W-1:0] distance = epoch - read_tag[EPOCH_W-1:0];
            wire dropped = TAG_W > EPOCH_W && read_tag[TAG_W-1];
            wire old     = dropped || distance[EPOCH_W-1:1] != {(EPOCH_W-1){1'b0}};
            assign age   = old ? 2'd2 : {1'b0, distance[0]};
        end
    endgenerate

    always @* begin
        tag_d = tag_moved;
        if (refresh) tag_d[refresh_at*TAG_W +: TAG_W] = fresh;
        if (write)   tag_d[write_at*TAG_W +: TAG_W] = write_tag;
    end

    always @(posedge clk) begin
        if (rst || kernel_start) tag_q <= {ENTRIES{OLD[TAG_W-1:0]}};
        else              tag_q <= tag_d;
    end
endmodule
`default_nettype wire
