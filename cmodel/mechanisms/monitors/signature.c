/* signature.c - what a signature mistakes on a kernel's own addresses: an rdu_signature beside
 * every L1D (tabbakh2018-coherence 3.7.2, D-R1).
 *
 * Every block that the SM stores to is put in; when as many are in as the document allows,
 * bits / 8, the signature is emptied.  Every block that it loads is looked up.  What is found
 * but was never put in is a false positive, and their share among absent blocks is set against
 * the formula of 3.7.2.  It only watches, beside any other mechanism.
 *
 * Limit: of a block's number the unit sees 32 bits; a run that uses others, from 512 GiB on, is
 * refused. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"
#include "units/rdu/bloom.h"

enum { BITS_PER_ELEMENT = 8 };
#define EMPTY UINT64_MAX

struct signature {
    struct core *core;
    uint32_t bits, room; /* room: slots of `exact`, at most half of them in use */
    struct unit_pins unit;
    uint64_t *key_valid, *key, *insert, *clear, *found_valid, *found, *fresh;
    uint64_t *exact; /* [room] keys that are in, by open addressing */
    uint32_t distinct;

    uint64_t insertions, fresh_insertions, emptied, lookups, hits, false_hits;
    uint64_t lost;   /* lookups of a block that is in and was not found: there are none */
    double expected; /* false hits by the formula, summed over lookups of absent blocks */
    char words[96];  /* of a difference */
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

/* What the unit says of `key`, which is put in with `insert`.  Its steps take no time here. */
static bool look_up(struct signature *signature, uint64_t key, bool insert)
{
    *signature->key_valid = 1;
    *signature->key = key;
    *signature->insert = insert;
    for (pins_comb(&signature->unit); !*signature->found_valid; pins_comb(&signature->unit)) {
        pins_seq(&signature->unit);
        *signature->key_valid = 0;
    }
    signature->fresh_insertions += *signature->fresh;
    const bool found = *signature->found != 0;
    pins_seq(&signature->unit);
    *signature->key_valid = 0;
    return found;
}

/* The number of `block`; false if the unit cannot tell it from another, which ends the run. */
static bool key_of(struct signature *signature, uint64_t block, uint64_t *key)
{
    *key = block >> BLOCK_SHIFT;
    if (*key <= UINT32_MAX) {
        return true;
    }
    core_refuse(signature->core,
                "a signature keeps block numbers of 32 bits, and block 0x%" PRIx64
                " is past them; run it on data below 512 GiB, or leave signature out",
                block);
    return false;
}

static void on_write(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                     enum access_result result, bool global)
{
    struct signature *signature = self;
    uint64_t key;
    (void)sm, (void)set, (void)result;
    if (!global || !key_of(signature, access->block, &key)) {
        return;
    }
    look_up(signature, key, true);
    signature->insertions++;
    uint64_t *slot = slot_of(signature, key);
    signature->distinct += *slot == EMPTY;
    *slot = key;
    if (signature->distinct == signature->bits / BITS_PER_ELEMENT) {
        *signature->clear = 1;
        pins_seq(&signature->unit);
        *signature->clear = 0;
        signature->emptied++;
        empty(signature);
    }
}

static void on_load(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                    enum access_result result)
{
    struct signature *signature = self;
    uint64_t key;
    (void)sm, (void)set, (void)result;
    if (access->local || !key_of(signature, access->block, &key)) {
        return;
    }
    const bool found = look_up(signature, key, false);
    signature->lookups++;
    if (*slot_of(signature, key) != EMPTY) {
        signature->hits++;
        signature->lost += !found;
        return;
    }
    const double clear = pow(1 - 1.0 / signature->bits, (double)BLOOM_HASHES * signature->distinct);
    signature->expected += pow(1 - clear, BLOOM_HASHES);
    signature->false_hits += found;
}

/* ---- attaching ---- */

static const struct counter counters[] = {
    {"insertions", offsetof(struct signature, insertions)},
    {"insertions_fresh", offsetof(struct signature, fresh_insertions)},
    {"emptied", offsetof(struct signature, emptied)},
    {"lookups", offsetof(struct signature, lookups)},
    {"hits", offsetof(struct signature, hits)},
    {"false_hits", offsetof(struct signature, false_hits)}};

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    const uint64_t absent = instances_sum(all, offsetof(struct signature, lookups)) -
                            instances_sum(all, offsetof(struct signature, hits));
    const uint64_t found = instances_sum(all, offsetof(struct signature, false_hits));
    double expected = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        expected += ((const struct signature *)instance_at(all, i))->expected;
    }
    instances_put(all, counters, sizeof counters / sizeof *counters, into);
    gpu_put_real(into, "false_rate", absent > 0 ? (double)found / (double)absent : 0);
    gpu_put_real(into, "false_rate_formula", absent > 0 ? expected / (double)absent : 0);
}

static const char *difference(void *self)
{
    const struct instances *all = self;
    for (uint32_t i = 0; i < all->n; i++) {
        struct signature *signature = instance_at(all, i);
        if (signature->lost > 0) {
            snprintf(signature->words, sizeof signature->words,
                     "sm%u.l1d.signature%u: %" PRIu64 " blocks were put in and not found", i,
                     signature->bits, signature->lost);
            return signature->words;
        }
    }
    return NULL;
}

static int open_unit(struct mechanism_context *context, struct signature *signature,
                     const struct core *core)
{
    const struct pin_name in[] = {{&signature->clear, "clear"},
                                  {&signature->key_valid, "key_valid"},
                                  {&signature->key, "key"},
                                  {&signature->insert, "insert"}};
    const struct pin_name out[] = {{&signature->found_valid, "found_valid"},
                                   {&signature->found, "found"},
                                   {&signature->fresh, "fresh"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.l1d.signature%u", core_id(core), signature->bits);
    snprintf(overrides, sizeof overrides, "M=%u", signature->bits);
    return pins_open(context, &signature->unit, "rdu_signature", overrides, where) != 0
               ? -1
               : pins_wire(context, &signature->unit, PINS(in), PINS(out));
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct signature *signature = instance;
    const struct observer observer = {
        .self = signature, .acc_result = on_load, .write_result = on_write};
    signature->core = core;
    signature->bits = (uint32_t)mechanism_value(context, "m");
    signature->room = signature->bits / BITS_PER_ELEMENT * 2;
    signature->exact = mechanism_keep(context, signature->room * sizeof *signature->exact);
    if (signature->exact == NULL || open_unit(context, signature, core) != 0) {
        return -1;
    }
    empty(signature);
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    char *name = mechanism_keep(context, 24);
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct signature), attach_core),
        .name = name,
        .statistics = statistics,
        .difference = difference};
    if (name == NULL || report.self == NULL) {
        return -1;
    }
    snprintf(name, 24, "signature_%u", (uint32_t)mechanism_value(context, "m"));
    return mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    OPTION_POWER("m", 1024, 64, 16384, "bits of the signature", "3.7.2")};
static const struct mechanism_part parts[] = {{"signature", "rdu_signature"}};

const struct mechanism mechanism_signature = {
    .name = "signature",
    .title = "watches stores and loads: false positives of a signature of their blocks",
    .document = "tabbakh2018",
    .section = "3.7.2",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
