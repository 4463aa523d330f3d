/* Stimulus of rdu_signature.  Keys come from a pool of 24, so that inserted ones come
 * back, from neighbours of the pool, which share most hash bits, and from all 2^32.  A
 * clear ends most fillings early; in every fourth stretch there is none, so that the
 * filter fills up and foreign keys are found in it (false positives).  The hash network
 * is linear: its parity trees are exercised by single-bit keys as much as by any. */
#define UNIT_TABLE "units/rdu/rdu_signature/rdu_signature.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    const struct in *last = (const struct in *)last_in;
    struct in *in = (struct in *)in_slots;
    if (step / 2048 % 4 == 3) {
        in->clear = 0;
    }
    if (last->key_valid && !((const struct out *)last_out)->key_ready) {
        return; /* held */
    }
    switch (tb_random_below(random, 8)) {
    case 0: in->key = tb_random_below(random, UINT64_C(1) << 32); break;
    case 1: in->key = UINT64_C(1) << tb_random_below(random, 32); break;
    case 2: in->key = (in->key + tb_random_below(random, 16)) & UINT32_MAX; break;
    default: break;
    }
    if (step / 2048 % 4 == 3) {
        in->key = tb_random_below(random, UINT64_C(1) << 32);
    }
}

enum bin { FOUND, FOUND_AND_INSERTED, FRESH, CLEAR_AND_INSERT, EMPTY_AND_TESTED, CLEAR_UNDER_WAY };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    uint64_t any = 0;
#if UNIT_SET_ONE_CYCLE
    const bool inserts = in->insert;
    for (unsigned i = 0; i < M / 64; i++) {
        any |= s->sig[i];
    }
#else
    const bool inserts = s->inserts;
    for (unsigned i = 0; i < WORDS; i++) {
        any |= s->live[i];
    }
    hits[CLEAR_UNDER_WAY] += in->clear && s->walk_step != 0;
#endif
    hits[FOUND] += out->found_valid && out->found;
    hits[FOUND_AND_INSERTED] += out->found_valid && out->found && inserts;
    hits[FRESH] += out->fresh;
    hits[CLEAR_AND_INSERT] += in->clear && in->key_valid && in->insert && any != 0;
    hits[EMPTY_AND_TESTED] += any == 0 && out->found_valid && !out->found;
}

STIMULUS(20000, drive, observe, BIN("key found"), BIN("present key inserted again"),
         BIN("new bits set"), BIN("clear wins over insert"), BIN("test of an empty filter"),
         BIN_IF(!ONE_CYCLE, "clear while a key is under way"))
