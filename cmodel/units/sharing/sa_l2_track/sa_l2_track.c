/* sa_l2_track - who brought an L2 line, and whether another SM has asked for it (tabbakh2018 3.2.2
 * to 3.2.4).  Knows one line's two fields; nothing of tags, states or data. */
#define UNIT_TABLE "units/sharing/sa_l2_track/sa_l2_track.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    bool tracked = in->req_valid && (!in->req_local || LOCAL_SHARES);
    bool counts = !in->req_answer && (!in->req_store || STORE_SHARES);
    bool shares = in->hit && counts && in->req_sm != in->owner;
    out->becomes_shared = tracked && shares && !in->sf;
    out->we = tracked && (in->miss_alloc || (shares && !in->sf));
    out->owner_next = in->miss_alloc ? in->req_sm : in->owner;
    out->sf_next = !in->miss_alloc && (in->sf || shares);
    out->resp_sf = tracked && in->hit && (in->sf || shares);
}

static bool hit_or_miss(const struct state *s, const struct in *in)
{
    (void)s;
    return !(in->hit && in->miss_alloc);
}
MODEL_ACCEPTS(hit_or_miss)

MODEL_COMBINATIONAL
