// sa_l2_track - who brought an L2 line, and whether another SM has asked for it: the line's
// ownerId and sharing flag SF (tabbakh2018 3.2.2 to 3.2.4).
//
// Combinational, in the cycle of the tag lookup.  req_*: a request of SM req_sm that finds its line
// (hit: VALID, MODIFIED or RESERVED), or is given one (miss_alloc); local: to local memory, store: a
// store or an atomic.  owner and sf are the line's; with `we` owner_next and sf_next replace them.
// resp_sf is the bit that goes back with the answer: the value of SF at the time of this request.  A
// request that waited for DRAM asks again, by req_answer, when it is answered (D-S4): that changes
// nothing.  hit and miss_alloc are not both 1.
`default_nettype none
module sa_l2_track #(
    parameter SM_W          = 4,  // bits of an SM's number, 1..6
    parameter STORE_SHARES  = 1,  // D-S6: 1: a store of another SM sets SF
    parameter LOCAL_SHARES  = 0   // D-S3: 1: requests to local memory are tracked like others
) (
    input  wire            req_valid,
    input  wire [SM_W-1:0] req_sm,
    input  wire            req_store,
    input  wire            req_local,
    input  wire            req_answer,
    input  wire            hit,
    input  wire            miss_alloc,
    input  wire [SM_W-1:0] owner,
    input  wire            sf,
    output wire            we,
    output wire [SM_W-1:0] owner_next,
    output wire            sf_next,
    output wire            resp_sf,
    output wire            becomes_shared
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (SM_W < 1 || SM_W > 6) begin : g_bad_SM_W
            SM_W_must_be_from_1_to_6 u_stop ();
        end
        if (STORE_SHARES < 0 || STORE_SHARES > 1) begin : g_bad_STORE_SHARES
            STORE_SHARES_must_be_0_or_1 u_stop ();
        end
        if (LOCAL_SHARES < 0 || LOCAL_SHARES > 1) begin : g_bad_LOCAL_SHARES
            LOCAL_SHARES_must_be_0_or_1 u_stop ();
        end
    endgenerate

    wire tracked = req_valid && (!req_local || LOCAL_SHARES != 0);
    wire shares  = hit && !req_answer && req_sm != owner && (!req_store || STORE_SHARES != 0);

    assign becomes_shared = tracked && shares && !sf;
    assign we         = tracked && (miss_alloc || (shares && !sf));
    assign owner_next = miss_alloc ? req_sm : owner;
    assign sf_next    = !miss_alloc && (sf || shares);
    assign resp_sf    = tracked && hit && (sf || shares);
endmodule
`default_nettype wire
