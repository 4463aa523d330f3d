/* Stimulus of sa_l2_track.  The space is small: 13 bits at four bits of an SM's number, drawn
 * uniformly but for requests of the owner itself, which are as frequent as those of another SM. */
#define UNIT_TABLE "units/sharing/sa_l2_track/sa_l2_track.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    in->req_sm = tb_random_below(random, 2) ? in->owner : in->req_sm;
    in->miss_alloc = in->miss_alloc && !in->hit;
}

enum bin {
    OWNER_AGAIN,
    BECOMES_SHARED,
    STAYS_SHARED,
    BY_STORE,
    LOCAL_HIT,
    NEW_OWNER,
    ANSWERED_SHARED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    bool hit = in->req_valid && in->hit, other = in->req_sm != in->owner;
    hits[OWNER_AGAIN] += hit && !other && !in->sf && !in->req_local;
    hits[BECOMES_SHARED] += out->becomes_shared && !in->req_store;
    hits[STAYS_SHARED] += hit && !other && out->resp_sf;
    hits[BY_STORE] += hit && other && in->req_store && !in->req_local && !in->sf;
    hits[LOCAL_HIT] += hit && other && in->req_local && !in->sf;
    hits[NEW_OWNER] += out->we && in->miss_alloc && other && in->sf;
    hits[ANSWERED_SHARED] += hit && in->req_answer && in->sf;
}

STIMULUS(0, drive, observe, BIN("the owner asks again"), BIN("a load shares the line"),
         BIN("the owner asks for a shared line"), BIN("another SM stores to an unshared line"),
         BIN("local request of another SM"), BIN("a shared line is replaced"),
         BIN("a waiting request is answered as shared"))
