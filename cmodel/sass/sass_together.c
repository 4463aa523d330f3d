/* sass_together.c - see sass_together.h. */
#include "sass/sass_together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    struct sass_together_part of;
    uint32_t first;  /* of its instructions in the code of all */
    uint32_t before; /* the part of the same stream that must have ended; itself when none */
    uint64_t blocks, started, ended;
};

struct sass_together {
    struct isa_kernel isa;
    struct isa_inst *inst;
    char name[256];
    struct part *part;
    uint32_t n, turn;  /* the part that started a block last */
    size_t trailer;    /* of a warp object: which part it is of */
    uint32_t *part_of; /* [CTAs] */
    uint32_t starting; /* the part of the CTA whose warps are being started */
};

static uint32_t *part_of_warp(const struct sass_together *t, struct isa_warp *warp)
{
    return (uint32_t *)(void *)((char *)warp + t->trailer);
}

/* ---- which comes next ---- */

static bool has_block(const struct sass_together *t, const struct part *part)
{
    const struct part *before = &t->part[part->before];

    return part->started < part->blocks && (before == part || before->ended == before->blocks);
}

/* The next part in turn that may start a block, or n. */
static uint32_t next_part(const struct sass_together *t)
{
    for (uint32_t more = 1; more <= t->n; more++) {
        const uint32_t p = (t->turn + more) % t->n;

        if (has_block(t, &t->part[p])) {
            return p;
        }
    }
    return t->n;
}

static bool may_start(void *self)
{
    const struct sass_together *t = self;

    return next_part(t) < t->n;
}

static void cta_end(void *self, uint64_t cta)
{
    struct sass_together *t = self;

    t->part[t->part_of[cta]].ended++;
}

/* ---- a warp's life ---- */

static void warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    struct sass_together *t = self;
    struct isa_warp_place there = *place;
    const struct isa_launch *launch;
    struct part *part;

    if (place->warp_in_cta == 0) {
        t->starting = t->turn = next_part(t);
        t->part_of[place->cta] = t->starting;
        t->part[t->starting].started++;
    }
    part = &t->part[t->starting];
    launch = part->of.launch;
    *part_of_warp(t, warp) = t->starting;
    there.cta = part->started - 1;
    there.local_threads = 0; /* machine-wide places would be those of another kernel, too */
    if (place->warp_in_cta >= part->of.kernel->header.warps) {
        *warp = (struct isa_warp){.done = true}; /* the largest block has more warps */
        *part_of_warp(t, warp) = t->n;
        return;
    }
    launch->warp_start(launch->self, warp, &there);
    warp->pc += part->first;
}

static void warp_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                      struct isa_memop *memop)
{
    const struct sass_together *t = self;
    const struct part *part = &t->part[*part_of_warp(t, warp)];

    warp->pc -= part->first;
    part->of.launch->step(part->of.launch->self, warp, cycle, step, memop);
    warp->pc += part->first;
}

static void warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    (void)self;
    (void)warp;
    (void)memop; /* values go nowhere */
}

static void warp_end(void *self, struct isa_warp *warp)
{
    const struct sass_together *t = self;
    const uint32_t p = *part_of_warp(t, warp);

    if (p < t->n) {
        t->part[p].of.launch->warp_end(t->part[p].of.launch->self, warp);
    }
}

/* ---- begin and end ---- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t find_before(const struct sass_together_part *part, uint32_t p)
{
    for (uint32_t before = p; before-- > 0;) {
        if (part[before].kernel->header.stream == part[p].kernel->header.stream) {
            return before;
        }
    }
    return p;
}

/* The kernel of all; false when out of memory. */
static bool join(struct sass_together *t, uint64_t *blocks, uint32_t *warps)
{
    uint32_t at = 0;
    size_t name = 0;

    for (uint32_t p = 0; p < t->n; p++) {
        const struct isa_kernel *kernel = &t->part[p].of.kernel->isa;

        t->isa.n_inst += kernel->n_inst;
        t->isa.n_registers = larger(t->isa.n_registers, kernel->n_registers);
        t->isa.registers_per_thread = larger(t->isa.registers_per_thread,
                                             kernel->registers_per_thread);
        t->isa.shared_bytes = larger(t->isa.shared_bytes, kernel->shared_bytes);
        *warps = larger(*warps, t->part[p].of.kernel->header.warps);
        *blocks += t->part[p].blocks;
        if (name < sizeof t->name) {
            name += (size_t)snprintf(t->name + name, sizeof t->name - name, "%s%s", p ? " + " : "",
                                     kernel->name);
        }
    }
    t->inst = calloc(t->isa.n_inst + 1u, sizeof *t->inst);
    t->part_of = calloc(*blocks + 1, sizeof *t->part_of);
    for (uint32_t p = 0; t->inst && p < t->n; p++) {
        const struct isa_kernel *kernel = &t->part[p].of.kernel->isa;

        t->part[p].first = at;
        memcpy(t->inst + at, kernel->inst, kernel->n_inst * sizeof *t->inst);
        at += kernel->n_inst;
    }
    t->isa.inst = t->inst;
    t->isa.name = t->name;
    t->isa.file = t->part[0].of.kernel->path;
    return t->inst && t->part_of;
}

struct sass_together *sass_together_open(const struct sass_together_part *part, uint32_t n,
                                         struct isa_launch *out)
{
    struct sass_together *t = calloc(1, sizeof *t);
    uint64_t blocks = 0;
    uint32_t warps = 0;

    if (t) {
        t->part = calloc(n, sizeof *t->part);
    }
    if (!t || !t->part) {
        free(t);
        return NULL;
    }
    t->n = n;
    t->turn = n - 1;
    *out = (struct isa_launch){0};
    for (uint32_t p = 0; p < n; p++) {
        const size_t bytes = (part[p].launch->warp_bytes + 15) & ~(size_t)15;

        t->part[p] = (struct part){
            .of = part[p], .before = find_before(part, p), .blocks = part[p].kernel->blocks};
        t->trailer = bytes > t->trailer ? bytes : t->trailer;
        out->asynchronous |= part[p].launch->asynchronous;
    }
    if (!join(t, &blocks, &warps) || blocks > UINT32_MAX) {
        sass_together_close(t);
        return NULL;
    }
    out->kernel = &t->isa;
    out->grid = (struct isa_dim3){(uint32_t)blocks, 1, 1};
    out->block = (struct isa_dim3){warps * ISA_LANES, 1, 1};
    out->exited_arrive = true;
    out->warp_bytes = t->trailer + 16;
    out->self = t;
    out->may_start = may_start;
    out->cta_end = cta_end;
    out->warp_start = warp_start;
    out->step = warp_step;
    out->retire = warp_retire;
    out->warp_end = warp_end;
    return t;
}

void sass_together_close(struct sass_together *t)
{
    if (t) {
        free(t->part);
        free(t->inst);
        free(t->part_of);
    }
    free(t);
}
