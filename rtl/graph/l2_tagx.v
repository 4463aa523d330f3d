// l2_tagx - what R-Exclusion adds to an L2 tag: who brought the line, who hit it, was it copied
// back (lakshminarayana2014 3.4.3, 3.4.5).
//
// Combinational, in the tag stage.  owner, sr, pr, cb are the line's; with `we` the *_next replace
// them.  OP_FILL: the line comes for `core` from DRAM, OP_COPYBACK: from its L1; OP_HIT: a read of
// `core` finds it, OP_ATOMIC: an atomic does, which leaves it dirty: it is never dropped by a read
// from then on, and no atomic drops a line (D-REX-5).  resp_sr and resp_pr go with the answer, this
// hit included.  inval: the line goes, once read: a copied-back line that its own core reads.  A
// line that is dirty stays.
`default_nettype none
module l2_tagx #(
    parameter CORE_W = 4  // bits of a core's number, 1..6
) (
    input  wire [1:0]        op,
    input  wire              op_valid,
    input  wire [CORE_W-1:0] core,
    input  wire              dirty,
    input  wire [CORE_W-1:0] owner,
    input  wire              sr,
    input  wire              pr,
    input  wire              cb,
    output wire              we,
    output wire [CORE_W-1:0] owner_next,
    output wire              sr_next,
    output wire              pr_next,
    output wire              cb_next,
    output wire              resp_sr,
    output wire              resp_pr,
    output wire              inval
);
    // What it may be built with; anything else stops at a module that does not exist.
    generate
        if (CORE_W < 1 || CORE_W > 6) begin : g_bad_CORE_W
            CORE_W_must_be_from_1_to_6 u_stop ();
        end
    endgenerate

    localparam [1:0] OP_COPYBACK = 2'd1, OP_HIT = 2'd2, OP_ATOMIC = 2'd3;

    wire own   = core == owner;
    wire hits  = op == OP_HIT || op == OP_ATOMIC;

    assign we         = op_valid;
    assign owner_next = hits ? owner : core;
    assign sr_next    = hits && (sr || !own);
    assign pr_next    = hits && (pr || own);
    assign cb_next    = op == OP_COPYBACK || (op == OP_HIT && cb);
    assign resp_sr    = op_valid && sr_next;
    assign resp_pr    = op_valid && pr_next;
    assign inval      = op_valid && op == OP_HIT && cb && own && !dirty;
endmodule
`default_nettype wire
