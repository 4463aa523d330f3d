/* l2_tagx - R-Exclusion's fields of an L2 tag (lakshminarayana2014 3.4.3).  Knows one line's fields;
 * nothing of tags, replacement or data. */
#define UNIT_TABLE "units/graph/l2_tagx/l2_tagx.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const bool own = in->core == in->owner;
    out->we = in->op_valid;
    if (in->op == op_FILL || in->op == op_COPYBACK) {
        out->owner_next = in->core;
        out->sr_next = out->pr_next = 0;
        out->cb_next = in->op == op_COPYBACK;
    } else {
        out->owner_next = in->owner;
        out->sr_next = in->sr || !own;
        out->pr_next = in->pr || own;
        out->cb_next = in->cb && in->op == op_HIT;
    }
    out->resp_sr = out->we && out->sr_next;
    out->resp_pr = out->we && out->pr_next;
    out->inval = out->we && in->op == op_HIT && in->cb && own && !in->dirty;
}

MODEL_COMBINATIONAL
