/* predict.c - which sectors a block miss fetches beyond what it needs: spp, bim, nap, or none of them
 * (lakshminarayana2014 3.6.2 to 3.6.4).  A unit is clocked as often as a look-up and a note need;
 * they are hidden behind the tag look-up (D-GRAN-4). */
#include <stdio.h>

#include "mechanisms/graph/sectors.h"

/* A PC is one of instructions of four bytes, of which the hashes use all bits but the lowest two. */
enum { ALL = (1u << SECTORS) - 1, PC_BYTES = 4 };

static void clock_with(struct sectors *s, uint64_t *valid)
{
    *valid = 1;
    pins_seq(&s->predictor);
    *valid = 0;
}

uint8_t predict(struct sectors *s, const struct access_info *access, uint8_t needed, uint8_t *note)
{
    if (s->policy == SECTORS_COARSE || s->policy == SECTORS_PLAIN) {
        return s->policy == SECTORS_COARSE ? ALL : 0;
    }
    if (s->policy == SECTORS_BIM) {
        *s->of.line = access->block / BLOCK_BYTES & ((UINT64_C(1) << 25) - 1);
        clock_with(s, s->of.valid);
        pins_comb(&s->predictor);
        return *s->of.coarse ? ALL : 0;
    }
    *s->of.pc = (uint64_t)access->pc * PC_BYTES & UINT32_MAX;
    *s->of.first = (uint64_t)__builtin_ctz(needed);
    *s->of.need = needed;
    clock_with(s, s->of.valid);
    pins_comb(&s->predictor);
    const uint8_t mask = (uint8_t)*s->of.mask;
    *note = (uint8_t)*s->of.note;
    pins_seq(&s->predictor);
    return mask;
}

void predict_train(struct sectors *s, const struct sectors_line *line, uint8_t used)
{
    if (s->policy == SECTORS_COARSE || s->policy == SECTORS_PLAIN) {
        return;
    }
    *s->of.evict_used = used;
    if (s->policy == SECTORS_BIM) {
        *s->of.evict_line = line->block / BLOCK_BYTES & ((UINT64_C(1) << 25) - 1);
    } else {
        *s->of.evict_note = line->note;
    }
    if (s->policy == SECTORS_NAP) {
        *s->of.evict_first = line->first;
    }
    clock_with(s, s->of.evict_valid);
    if (s->policy == SECTORS_BIM) { /* its note is made a cycle later */
        pins_comb(&s->predictor);
        s->flips += *s->of.flipped;
        pins_seq(&s->predictor);
    }
}

static int open_spp(struct mechanism_context *context, struct sectors *s, const char *where)
{
    const struct pin_name ports[] = {{&s->of.valid, "miss_valid"},
                                     {&s->of.pc, "miss_pc"},
                                     {&s->of.first, "miss_off"},
                                     {&s->of.need, "miss_need"},
                                     {&s->of.mask, "mask"},
                                     {&s->of.note, "ptr"},
                                     {&s->of.evict_valid, "evict_valid"},
                                     {&s->of.evict_note, "evict_ptr"},
                                     {&s->of.evict_used, "evict_used"}};
    return pins_open(context, &s->predictor, "spp", "", where) != 0
               ? -1
               : pins_all(context, &s->predictor, PINS(ports));
}

static int open_bim(struct mechanism_context *context, struct sectors *s, const char *where)
{
    const struct pin_name ports[] = {
        {&s->of.valid, "miss_valid"},        {&s->of.line, "miss_line"},
        {&s->of.coarse, "coarse"},           {&s->of.flipped, "flipped"},
        {&s->of.evict_valid, "evict_valid"}, {&s->of.evict_line, "evict_line"},
        {&s->of.evict_used, "evict_used"}};
    return pins_open(context, &s->predictor, "bim", "BITS=2048", where) != 0
               ? -1
               : pins_all(context, &s->predictor, PINS(ports));
}

static int open_nap(struct mechanism_context *context, struct sectors *s, const char *where)
{
    const struct pin_name ports[] = {{&s->of.valid, "miss_valid"},
                                     {&s->of.pc, "miss_pc"},
                                     {&s->of.first, "miss_f"},
                                     {&s->of.need, "miss_need"},
                                     {&s->of.mask, "mask"},
                                     {&s->of.note, "idx"},
                                     {&s->of.evict_valid, "evict_valid"},
                                     {&s->of.evict_note, "evict_idx"},
                                     {&s->of.evict_first, "evict_f"},
                                     {&s->of.evict_used, "evict_used"}};
    return pins_open(context, &s->predictor, "nap", "", where) != 0
               ? -1
               : pins_all(context, &s->predictor, PINS(ports));
}

int predict_open(struct mechanism_context *context, struct sectors *s)
{
    char where[48];
    snprintf(where, sizeof where, "%s.predictor", s->level);
    switch (s->policy) {
    case SECTORS_SPP: return open_spp(context, s, where);
    case SECTORS_BIM: return open_bim(context, s, where);
    case SECTORS_NAP: return open_nap(context, s, where);
    default: return 0;
    }
}
