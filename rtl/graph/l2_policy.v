// l2_policy - does an L2 line come, stay or go: non-inclusive, exclusive, or by set dueling
// (lakshminarayana2014 3.3.2, 3.3.3).
//
// Combinational, in the tag stage of a slice.  A request of req_type, or a copy-back (cb_hdr, whose
// req_type says nothing), meets set set_index, numbered over all slices, and finds its line (hit,
// dirty), or its fetch under way (pending).  mode_follow is that of flex_sdm: 1, followers are
// exclusive. exclusive goes with the answer of a read: a line that it fills in an L1 is copied back
// from there. insert_on_fill: a miss takes a line; inval_on_hit: the line goes once it is read, but
// never a dirty one (D-INC-1).  accept_cb: a copy-back takes a line; it is dropped where the line
// is there or fetched (D-INC-2), and with CB_FILTER where its block, or region, was written
// (D-INC-3).
`default_nettype none
module l2_policy #(
    parameter POLICY    = 2,    // 0 non-inclusive, 1 exclusive, 2 by set dueling
    parameter SETS      = 768,  // of all slices, 4..4096, a multiple of 2 * SDM_SETS
    parameter SDM_SETS  = 16,   // leaders of each kind, 1..64
    parameter LEADERS   = 3,    // bit 0: there are non-inclusive ones; bit 1: exclusive ones
    parameter CB_FILTER = 1     // 1: a copy-back of what was written is dropped
) (
    input  wire [1:0]              req_type,
    input  wire                    cb_hdr,
    input  wire [$clog2(SETS)-1:0] set_index,
    input  wire                    hit,
    input  wire                    dirty,
    input  wire                    pending,
    input  wire                    written,
    input  wire                    mode_follow,
    output wire                    exclusive,
    output wire                    insert_on_fill,
    output wire                    inval_on_hit,
    output wire                    accept_cb,
    output wire                    stale_dropped
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (POLICY < 0 || POLICY > 2) begin : g_bad_POLICY
            POLICY_must_be_from_0_to_2 u_stop ();
        end
        if (SETS < 4 || SETS > 4096 ||
            (SDM_SETS >= 1 && SDM_SETS <= 64 && SETS % (2 * SDM_SETS) != 0)) begin : g_bad_SETS
            SETS_must_be_from_4_to_4096_and_a_multiple_of_2_SDM_SETS u_stop ();
        end
        if (SDM_SETS < 1 || SDM_SETS > 64) begin : g_bad_SDM_SETS
            SDM_SETS_must_be_from_1_to_64 u_stop ();
        end
        if (LEADERS < 0 || LEADERS > 3) begin : g_bad_LEADERS
            LEADERS_must_be_from_0_to_3 u_stop ();
        end
        if (CB_FILTER < 0 || CB_FILTER > 1) begin : g_bad_CB_FILTER
            CB_FILTER_must_be_0_or_1 u_stop ();
        end
    endgenerate

    localparam [1:0] READ = 2'd0, ATOMIC = 2'd2;

    wire leads_ni, leads_ex;
    flex_leader #(.SETS(SETS), .SDM_SETS(SDM_SETS), .LEADERS(LEADERS)) u_leader (
        .set_index(set_index), .ni(leads_ni), .ex(leads_ex)
    );
    wire dueling = leads_ex || (!leads_ni && mode_follow);
    wire ex_mode = POLICY == 1 || (POLICY == 2 && dueling);
    wire read    = !cb_hdr && req_type == READ;
    wire atomic  = !cb_hdr && req_type == ATOMIC;
    wire absent  = cb_hdr && !hit && !pending;
    wire stale   = CB_FILTER != 0 && written;

    assign exclusive      = read && ex_mode;
    assign insert_on_fill = !hit && (atomic || (read && !ex_mode));
    assign inval_on_hit   = exclusive && hit && !dirty;
    assign accept_cb      = absent && !stale;
    assign stale_dropped  = absent && stale;
endmodule
`default_nettype wire
