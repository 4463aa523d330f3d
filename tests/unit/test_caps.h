/* test_caps.h - caps_percta, caps_dist and caps_prefetch_gen wired together, for the tests
 * of the whole CTA-aware prefetcher.  Between two loads the generator drains, as the
 * documents' vectors assume (caps-prefetch 3.2.8, 7).  The wires are here and nowhere in
 * the units. */
#ifndef WARPLOCK_TESTS_TEST_CAPS_H
#define WARPLOCK_TESTS_TEST_CAPS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/backend.h"
#include "tb/value.h"

enum { CAPS_SLOTS = 8, CAPS_LINE_BYTES = 128, CAPS_MAX_PREFETCHES = 4096 };

struct caps_part {
    const struct unit_backend *backend;
    void *self;
    uint64_t *in, *out;
};

/* Parameters of the three units, "" for the documents' choices. */
struct caps_options {
    const char *percta, *dist, *gen;
};

struct caps_prefetch {
    unsigned cta, warp;
    uint32_t line;
};

struct caps_totals {
    uint64_t loads, requests, verifications, mispredictions, invalidations, drops;
};

struct caps_load {
    uint32_t pc;
    unsigned cta, warp, n; /* n is 5 for more than four requests */
    uint32_t addr[4];
    bool not_affine;
};

struct caps {
    struct caps_part percta, dist, gen;
    unsigned wpc;
    struct caps_totals totals;
    struct caps_prefetch prefetches[CAPS_MAX_PREFETCHES]; /* of the last load */
    size_t n_prefetches;
};

static const char *const caps_forms[] = {"c", "rtl"};
enum { CAPS_FORMS = sizeof caps_forms / sizeof *caps_forms };

static inline int caps_library_setup(void **state)
{
    *state = library_new(NULL);
    return *state == NULL;
}

static inline int caps_library_teardown(void **state)
{
    library_free(*state);
    return 0;
}

static inline uint64_t *caps_in(const struct caps_part *part, const char *name)
{
    const struct unit_port *port = value_port(part->backend->desc->in, part->backend->desc->n_in,
                                              name);
    assert_non_null(port);
    return part->in + port->slot;
}

static inline uint64_t *caps_out(const struct caps_part *part, const char *name)
{
    const struct unit_port *port = value_port(part->backend->desc->out, part->backend->desc->n_out,
                                              name);
    assert_non_null(port);
    return part->out + port->slot;
}

static inline void caps_open(struct caps_part *part, struct library *library, const char *unit,
                             const char *overrides, const char *form)
{
    struct failure failure = {0};
    part->backend = library_open(library, unit, overrides, form, &failure);
    if (part->backend == NULL) {
        fail_msg("%s", failure.words);
    }
    part->self = part->backend->create(part->backend->context, 1);
    part->in = calloc(part->backend->desc->in_slots, sizeof *part->in);
    part->out = calloc(part->backend->desc->out_slots, sizeof *part->out);
    assert_true(part->self != NULL && part->in != NULL && part->out != NULL);
    part->backend->seq(part->self, part->in, true);
}

static inline void caps_close(struct caps_part *part)
{
    part->backend->destroy(part->self);
    free(part->in);
    free(part->out);
}

static inline struct caps *caps_new(struct library *library, const struct caps_options *options,
                                    const char *form, unsigned wpc)
{
    struct caps *caps = calloc(1, sizeof *caps);
    assert_non_null(caps);
    caps_open(&caps->percta, library, "caps/caps_percta", options->percta, form);
    caps_open(&caps->dist, library, "caps/caps_dist", options->dist, form);
    caps_open(&caps->gen, library, "caps/caps_prefetch_gen", options->gen, form);
    caps->wpc = wpc;
    *caps_in(&caps->gen, "wpc") = wpc;
    *caps_in(&caps->gen, "warp_alive") = (UINT64_C(1) << 48) - 1;
    *caps_in(&caps->gen, "pf_ready") = 1;
    for (unsigned slot = 0; slot < CAPS_SLOTS; slot++) {
        caps_in(&caps->gen, "first_wid")[slot] = slot * wpc % 64;
    }
    return caps;
}

static inline void caps_free(struct caps *caps)
{
    caps_close(&caps->percta);
    caps_close(&caps->dist);
    caps_close(&caps->gen);
    free(caps);
}

static inline void caps_comb(struct caps_part *part)
{
    part->backend->comb(part->self, part->in, part->out);
}

static inline void caps_wire(const struct caps_part *from, const char *out, struct caps_part *to,
                             const char *in, unsigned lanes)
{
    memcpy(caps_in(to, in), caps_out(from, out), lanes * sizeof(uint64_t));
}

/* All combinational paths of one cycle, in the order in which they are acyclic. */
static inline void caps_settle(struct caps *caps)
{
    struct caps_part *percta = &caps->percta, *dist = &caps->dist, *gen = &caps->gen;
    caps_comb(gen);
    caps_wire(gen, "read_valid", percta, "read_valid", 1);
    caps_wire(gen, "read_cta", percta, "read_cta", 1);
    caps_wire(gen, "read_pc", percta, "read_pc", 1);
    caps_comb(percta);
    caps_wire(percta, "ld_found", dist, "ld_valid", 1);
    caps_wire(percta, "ld_hit", dist, "percta_hit", 1);
    caps_wire(percta, "ld_lead", dist, "percta_lead", 1);
    caps_wire(percta, "ld_last", dist, "percta_last", 1);
    caps_wire(percta, "ld_base", dist, "percta_base", 4);
    caps_wire(percta, "read_ready", gen, "read_ready", 1);
    caps_wire(percta, "read_hit", gen, "read_hit", 1);
    caps_wire(percta, "read_lead", gen, "read_lead", 1);
    caps_wire(percta, "read_last", gen, "read_last", 1);
    caps_wire(percta, "read_base", gen, "read_base", 4);
    caps_comb(dist);
    static const char *const job[] = {"job_valid", "job_pc",     "job_stride",
                                      "job_mask",  "job_filter", "job_wic"};
    for (size_t i = 0; i < sizeof job / sizeof *job; i++) {
        caps_wire(dist, job[i], gen, job[i], 1);
    }
    caps_wire(dist, "invalidate", percta, "invalidate", 1);
    caps_comb(percta);
    caps_comb(gen);
}

/* PerCTA takes a load in the cycle in which DIST does. */
static inline void caps_settle_load(struct caps *caps)
{
    uint64_t *const judged = caps_in(&caps->percta, "ld_judged");
    *judged = 0;
    caps_settle(caps);
    if (*caps_in(&caps->dist, "ld_valid") && *caps_out(&caps->dist, "ld_ready")) {
        *judged = 1;
        caps_settle(caps);
    }
}

static inline void caps_collect(struct caps *caps)
{
    if (*caps_out(&caps->gen, "pf_valid")) {
        const unsigned wid = (unsigned)*caps_out(&caps->gen, "pf_wid");
        assert_true(caps->n_prefetches < CAPS_MAX_PREFETCHES);
        caps->prefetches[caps->n_prefetches++] = (struct caps_prefetch){
            wid / caps->wpc, wid % caps->wpc, (uint32_t)*caps_out(&caps->gen, "pf_line")};
    }
    caps->totals.verifications += *caps_out(&caps->dist, "verify");
    caps->totals.mispredictions += *caps_out(&caps->dist, "mispredict");
    caps->totals.invalidations += *caps_out(&caps->percta, "invalidated");
    caps->totals.drops += *caps_out(&caps->gen, "job_drop");
}

static inline void caps_cycle(struct caps *caps)
{
    struct caps_part *const parts[] = {&caps->percta, &caps->dist, &caps->gen};
    caps_settle_load(caps);
    caps_collect(caps);
    for (unsigned i = 0; i < 3; i++) {
        parts[i]->backend->seq(parts[i]->self, parts[i]->in, false);
    }
}

/* The same value at the ports of both tables. */
static inline void caps_drive(struct caps *caps, const char *name, uint64_t value)
{
    *caps_in(&caps->percta, name) = value;
    *caps_in(&caps->dist, name) = value;
}

/* One load, held until it is taken, then cycles without one until the generator is idle. */
static inline void caps_load(struct caps *caps, const struct caps_load *load)
{
    caps->n_prefetches = 0;
    caps->totals.loads++;
    caps_drive(caps, "ld_pc", load->pc);
    caps_drive(caps, "ld_cta", load->cta);
    caps_drive(caps, "ld_wic", load->warp);
    caps_drive(caps, "ld_n", load->n);
    caps_drive(caps, "ld_affine", !load->not_affine);
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t addr = i < load->n && load->n <= 4 ? load->addr[i] : 0;
        caps_in(&caps->percta, "ld_addr")[i] = addr;
        caps_in(&caps->dist, "ld_addr")[i] = addr;
    }
    *caps_in(&caps->percta, "ld_valid") = 1;
    do {
        caps_cycle(caps);
    } while (!*caps_out(&caps->percta, "ld_ready"));
    *caps_in(&caps->percta, "ld_valid") = 0;
    do {
        caps_cycle(caps);
        caps_comb(&caps->gen);
    } while (!*caps_out(&caps->gen, "idle"));
}

static inline void caps_flush(struct caps *caps, unsigned slot)
{
    caps_drive(caps, "flush_slot", slot);
    caps_drive(caps, "flush_valid", 1);
    caps_cycle(caps);
    caps_drive(caps, "flush_valid", 0);
}

/* A field of DIST's state. */
static inline uint64_t caps_dist_field(const struct caps *caps, const char *name, unsigned way)
{
    const struct unit_field *field = value_field_named(caps->dist.backend->desc, name);
    assert_non_null(field);
    return value_of_field(field, caps->dist.backend->state(caps->dist.self), way);
}

/* Is there a stride for `pc`, which one, and with how many mispredictions. */
static inline bool caps_stride(struct caps *caps, uint32_t pc, uint32_t *stride, unsigned *count)
{
    for (unsigned way = 0; way < value_field_named(caps->dist.backend->desc, "pc")->depth; way++) {
        if (caps_dist_field(caps, "valid", way) && caps_dist_field(caps, "pc", way) == pc / 8) {
            *stride = (uint32_t)caps_dist_field(caps, "stride", way);
            *count = (unsigned)caps_dist_field(caps, "count", way);
            return true;
        }
    }
    return false;
}

#endif
