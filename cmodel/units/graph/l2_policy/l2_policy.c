/* l2_policy - does an L2 line come, stay or go (lakshminarayana2014 3.3.2, 3.3.3)?  Knows neither
 * tags nor data, and of set dueling the leaders alone. */
#define UNIT_TABLE "units/graph/l2_policy/l2_policy.ports.h"
#include "units/graph/flex_leader.h"
#include "units/model.h"

static bool is_exclusive(const struct in *in)
{
    if (POLICY != 2) {
        return POLICY == 1;
    }
    if (flex_leader(in->set_index, 1, LEADERS, SETS, SDM_SETS)) {
        return true;
    }
    return in->mode_follow && !flex_leader(in->set_index, 0, LEADERS, SETS, SDM_SETS);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const bool read = !in->cb_hdr && in->req_type == req_type_READ;
    const bool atomic = !in->cb_hdr && in->req_type == req_type_ATOMIC;
    const bool absent = in->cb_hdr && !in->hit && !in->pending;
    out->exclusive = read && is_exclusive(in);
    out->insert_on_fill = !in->hit && (atomic || (read && !out->exclusive));
    out->inval_on_hit = out->exclusive && in->hit && !in->dirty;
    out->stale_dropped = absent && CB_FILTER && in->written;
    out->accept_cb = absent && !out->stale_dropped;
}

MODEL_COMBINATIONAL
