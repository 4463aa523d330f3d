/* signature.c - what a signature mistakes on a kernel's own addresses: an rdu_signature beside
 * every L1D (tabbakh2018-coherence 3.7.2, D-R1).
 *
 * Every block that the SM stores to is put in; when as many are in as the document allows,
 * bits / 8, the signature is emptied.  Every block that it loads is looked up.  What is found
 * but was never put in is a false positive, and their share among absent blocks is set against
 * the formula of 3.7.2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/monitors/monitors.h"
#include "mechanisms/ports.h"
#include "units/rdu/bloom.h"

enum { BITS_PER_ELEMENT = 8 };
#define EMPTY UINT64_MAX

struct signature {
    uint32_t bits, room; /* room: slots of `exact`, at most half of them in use */
    struct unit_pins unit;
    uint64_t *key, *insert, *clear, *found, *fresh;
    uint64_t *exact; /* [room] keys that are in, by open addressing */
    uint32_t distinct;

    uint64_t insertions, fresh_insertions, emptied, lookups, hits, false_hits;
    uint64_t lost;   /* lookups of a block that is in and was not found: there are none */
    double expected; /* false hits by the formula, summed over lookups of absent blocks */
};

struct signatures {
    uint32_t n;
    struct signature *at; /* [SMs] */
    char name[24], words[96];
};

/* Where `key` is, or would be. */
static uint64_t *slot_of(const struct signature *signature, uint64_t key)
{
    uint32_t at = (uint32_t)(key * UINT32_C(0x9E3779B1)) & (signature->room - 1);
    while (signature->exact[at] != EMPTY && signature->exact[at] != key) {
        at = (at + 1) & (signature->room - 1);
    }
    return &signature->exact[at];
}

static void empty(struct signature *signature)
{
    memset(signature->exact, 0xFF, signature->room * sizeof *signature->exact);
    signature->distinct = 0;
}

static void edge(struct signature *signature)
{
    pins_comb(&signature->unit);
    signature->fresh_insertions += *signature->fresh;
    pins_seq(&signature->unit);
    *signature->insert = *signature->clear = 0;
}

static void on_write(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                     enum access_result result, bool global)
{
    struct signature *signature = self;
    const uint64_t key = access->block >> BLOCK_SHIFT & UINT32_MAX;
    (void)sm, (void)set, (void)result;
    if (!global) {
        return;
    }
    *signature->key = key;
    *signature->insert = 1;
    edge(signature);
    signature->insertions++;
    uint64_t *slot = slot_of(signature, key);
    signature->distinct += *slot == EMPTY;
    *slot = key;
    if (signature->distinct == signature->bits / BITS_PER_ELEMENT) {
        *signature->clear = 1;
        edge(signature);
        signature->emptied++;
        empty(signature);
    }
}

static void on_load(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                    enum access_result result)
{
    struct signature *signature = self;
    const uint64_t key = access->block >> BLOCK_SHIFT & UINT32_MAX;
    (void)sm, (void)set, (void)result;
    if (access->local) {
        return;
    }
    *signature->key = key;
    pins_comb(&signature->unit);
    signature->lookups++;
    if (*slot_of(signature, key) != EMPTY) {
        signature->hits++;
        signature->lost += !*signature->found;
        return;
    }
    const double clear = pow(1 - 1.0 / signature->bits, (double)BLOOM_HASHES * signature->distinct);
    signature->expected += pow(1 - clear, BLOOM_HASHES);
    signature->false_hits += *signature->found;
}

static void statistics(void *self, json_t *to)
{
    const struct signatures *signatures = self;
    struct signature sum = {0};
    for (uint32_t i = 0; i < signatures->n; i++) {
        const struct signature *one = &signatures->at[i];
        sum.insertions += one->insertions;
        sum.fresh_insertions += one->fresh_insertions;
        sum.emptied += one->emptied;
        sum.lookups += one->lookups;
        sum.hits += one->hits;
        sum.false_hits += one->false_hits;
        sum.expected += one->expected;
    }
    const uint64_t absent = sum.lookups - sum.hits;
    json_object_set_new(to, "insertions", json_integer((json_int_t)sum.insertions));
    json_object_set_new(to, "insertions_fresh", json_integer((json_int_t)sum.fresh_insertions));
    json_object_set_new(to, "emptied", json_integer((json_int_t)sum.emptied));
    json_object_set_new(to, "lookups", json_integer((json_int_t)sum.lookups));
    json_object_set_new(to, "hits", json_integer((json_int_t)sum.hits));
    json_object_set_new(to, "false_hits", json_integer((json_int_t)sum.false_hits));
    gpu_put_real(to, "false_rate", absent > 0 ? (double)sum.false_hits / (double)absent : 0);
    gpu_put_real(to, "false_rate_formula", absent > 0 ? sum.expected / (double)absent : 0);
}

static const char *difference(void *self)
{
    struct signatures *signatures = self;
    for (uint32_t i = 0; i < signatures->n; i++) {
        if (signatures->at[i].lost > 0) {
            snprintf(signatures->words, sizeof signatures->words,
                     "sm%u.l1d.signature%u: %llu blocks were put in and not found", i,
                     signatures->at[i].bits, (unsigned long long)signatures->at[i].lost);
            return signatures->words;
        }
    }
    return NULL;
}

/* ---- attaching ---- */

static int open_unit(struct mechanism_context *context, struct signature *signature, uint32_t sm)
{
    const struct pin_name in[] = {
        {&signature->key, "key"}, {&signature->insert, "insert"}, {&signature->clear, "clear"}};
    const struct pin_name out[] = {{&signature->found, "found"}, {&signature->fresh, "fresh"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.l1d.signature%u", sm, signature->bits);
    snprintf(overrides, sizeof overrides, "M=%u", signature->bits);
    if (pins_open(context, &signature->unit, "rdu_signature", overrides, where) != 0 ||
        pins_wire(context, &signature->unit, in, sizeof in / sizeof *in, out,
                  sizeof out / sizeof *out) != 0) {
        return -1;
    }
    signature->exact = mechanism_keep(context, signature->room * sizeof *signature->exact);
    if (signature->exact == NULL) {
        return -1;
    }
    empty(signature);
    return 0;
}

int attach_signature(struct mechanism_context *context, const char *argument)
{
    struct signatures *signatures = mechanism_keep(context, sizeof *signatures);
    const uint32_t n = context->gpu->n_sms;
    if (signatures == NULL ||
        (signatures->at = mechanism_keep(context, n * sizeof *signatures->at)) == NULL) {
        return -1;
    }
    signatures->n = n;
    snprintf(signatures->name, sizeof signatures->name, "signature_%s", argument);
    for (uint32_t i = 0; i < n; i++) {
        struct signature *signature = &signatures->at[i];
        const struct observer observer = {
            .self = signature, .acc_result = on_load, .write_result = on_write};
        signature->bits = (uint32_t)strtoul(argument, NULL, 10);
        signature->room = signature->bits / BITS_PER_ELEMENT * 2;
        if (open_unit(context, signature, i) != 0 ||
            mechanism_observe(context, &context->gpu->sm[i], &observer) != 0) {
            return -1;
        }
    }
    const struct mechanism_report report = {.self = signatures,
                                            .name = signatures->name,
                                            .statistics = statistics,
                                            .difference = difference};
    return mechanism_reports(context, &report);
}
