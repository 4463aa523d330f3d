/* ptx_slots.c - registers that are never needed together share a slot of the frame.
 *
 * A register of 32 lanes is 128 or 256 bytes; one slot for each name of the text would be
 * several kilobytes per warp, more than a host's caches hold for a machine full of warps.
 * Two registers interfere when one is written while the other is alive, in the sense of
 * one thread: a lane writes its own part of a slot only.  Lane parts of 32 and of 64 bits
 * lie differently, so only registers of one width share.  Three things keep a slot longer
 * than liveness says:
 *   - a load writes its register when the data come, perhaps after the last instruction
 *     that could have used it; the scoreboard makes only those wait that name the register;
 *   - an operation may write a result before it has read every source;
 *   - shfl reads lanes that do not take part.
 * Predicates are one word each and keep their own.  Images with calls, and functions of
 * more than MAX_SHARING registers, keep one slot per register.
 */
#include <string.h>

#include "ptx/ptx_analysis.h"

enum { MAX_SHARING = 4096, UNIT_BYTES = PTX_SLOT32_BYTES };
#define UNPLACED UINT32_MAX

struct slots {
    struct ptx_diag *diag;
    struct ptx_image *image;
    struct ptx_image_function *f;
    const struct ptx_cfg *cfg;
    uint32_t words;
    uint64_t *meets;          /* [n_registers][words]: interferes; one of the two directions */
    uint64_t *exchanged;      /* read across lanes: interfere with all */
    uint64_t *flight_in;      /* [blocks][words]: loads perhaps not yet written back */
    uint64_t *alive, *flight; /* scratch: at one operation */
    uint32_t *unit;           /* [n_registers]: the first one of each, or UNPLACED */
    uint8_t *taken;           /* [2 * n_registers + 2] units: scratch */
    uint32_t *moved;          /* [old offset / 4]: new offset + 1; 0 not yet known */
    uint32_t fixed_bytes, end_bytes;
};

static void set_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}
static void clear_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* ---- interference ---- */

/* What is in flight after operation `pc`: whoever names a register waits for it. */
static void step_flight(const struct slots *s, uint32_t pc, uint64_t *flight)
{
    const struct isa_inst *inst = &s->image->inst[pc];
    for (uint32_t i = 0; i < inst->n_src; i++) {
        clear_bit(flight, inst->src[i] - s->f->first_register);
    }
    for (uint32_t i = 0; i < inst->n_dst; i++) {
        uint32_t dst = inst->dst[i] - s->f->first_register;
        if (inst->pipe == ISA_PIPE_MEM) {
            set_bit(flight, dst);
        } else {
            clear_bit(flight, dst);
        }
    }
}

static void solve_flight(struct slots *s)
{
    const struct ptx_graph *g = &s->cfg->graph;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < g->n; b++) {
            memcpy(s->flight, &s->flight_in[(size_t)b * s->words], s->words * sizeof(uint64_t));
            for (uint32_t pc = s->cfg->start[b]; pc < s->cfg->start[b + 1]; pc++) {
                step_flight(s, pc, s->flight);
            }
            for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
                uint64_t *in = &s->flight_in[(size_t)g->target[e] * s->words];
                for (uint32_t w = 0; g->target[e] < g->n && w < s->words; w++) {
                    changed = changed || (s->flight[w] & ~in[w]) != 0;
                    in[w] |= s->flight[w];
                }
            }
        }
    }
}

static void meet(struct slots *s, uint32_t reg, const uint64_t *others)
{
    for (uint32_t w = 0; w < s->words; w++) {
        s->meets[(size_t)reg * s->words + w] |= others[w];
    }
}

/* The results of `pc` meet what is alive after it, in flight around it, and named by it. */
static void meet_at(struct slots *s, uint32_t pc)
{
    const struct isa_inst *inst = &s->image->inst[pc];
    uint32_t first = s->f->first_register;
    for (uint32_t i = 0; i < inst->n_dst; i++) {
        uint32_t dst = inst->dst[i] - first;
        meet(s, dst, s->alive);
        meet(s, dst, s->flight);
        for (uint32_t k = 0; k < inst->n_src; k++) {
            set_bit(&s->meets[(size_t)dst * s->words], inst->src[k] - first);
        }
        for (uint32_t k = 0; k < inst->n_dst; k++) {
            set_bit(&s->meets[(size_t)dst * s->words], inst->dst[k] - first);
        }
    }
    for (uint32_t i = 0; s->image->ops[pc].crosses_lanes && i < inst->n_src; i++) {
        set_bit(s->exchanged, inst->src[i] - first);
    }
}

static void find_interference(struct slots *s)
{
    const struct ptx_cfg *cfg = s->cfg;
    solve_flight(s);
    for (uint32_t b = 0; b < cfg->graph.n; b++) {
        memset(s->flight, 0, s->words * sizeof(*s->flight)); /* backward: what is alive */
        ptx_live_out(cfg, b, s->alive);
        for (uint32_t pc = cfg->start[b + 1]; pc-- > cfg->start[b];) {
            meet_at(s, pc);
            ptx_live_before(s->image, s->f, pc, s->alive);
        }
        memset(s->alive, 0, s->words * sizeof(*s->alive)); /* forward: what is in flight */
        memcpy(s->flight, &s->flight_in[(size_t)b * s->words], s->words * sizeof(uint64_t));
        for (uint32_t pc = cfg->start[b]; pc < cfg->start[b + 1]; pc++) {
            meet_at(s, pc);
            step_flight(s, pc, s->flight);
        }
    }
    /* What may be read before it was written is zero when a warp starts. */
    for (uint32_t reg = 0; reg < s->f->n_registers; reg++) {
        if (ptx_bit(cfg->live_in, reg)) {
            meet(s, reg, cfg->live_in);
        }
    }
}

/* ---- places ---- */

static uint32_t units_of(const struct slots *s, uint32_t reg)
{
    return s->image->register_units[s->f->first_register + reg];
}

static bool interfere(const struct slots *s, uint32_t a, uint32_t b)
{
    return units_of(s, a) != units_of(s, b) || ptx_bit(s->exchanged, a) ||
           ptx_bit(s->exchanged, b) || ptx_bit(&s->meets[(size_t)a * s->words], b) ||
           ptx_bit(&s->meets[(size_t)b * s->words], a);
}

/* The lowest units free for `reg`, given the registers placed before it. */
static void place(struct slots *s, uint32_t reg)
{
    uint32_t at = 0, n = units_of(s, reg);
    memset(s->taken, 0, 2 * (size_t)s->f->n_registers + 2);
    for (uint32_t other = 0; other < s->f->n_registers; other++) {
        if (s->unit[other] != UNPLACED && interfere(s, reg, other)) {
            memset(s->taken + s->unit[other], 1, units_of(s, other));
        }
    }
    while (s->taken[at] != 0 || s->taken[at + n - 1] != 0) {
        at++;
    }
    s->unit[reg] = at;
    uint32_t end = s->fixed_bytes + (at + n) * UNIT_BYTES;
    s->end_bytes = end > s->end_bytes ? end : s->end_bytes;
}

/* Must it be zero when a warp starts?  What may be read before it was written, or in lanes that
 * have not written it. */
static bool starts_at_zero(const struct slots *s, uint32_t reg)
{
    return ptx_bit(s->cfg->live_in, reg) || ptx_bit(s->exchanged, reg);
}

/* Those that start at zero first, so that they lie together. */
static void place_registers(struct slots *s)
{
    for (uint32_t zero = 0; zero < 2; zero++) {
        for (uint32_t reg = 0; reg < s->f->n_registers; reg++) {
            if (units_of(s, reg) != 0 && !ptx_bit(s->cfg->uniform, reg) &&
                starts_at_zero(s, reg) == (zero == 0)) {
                place(s, reg);
            }
        }
        s->f->unset_from = zero == 0 ? s->end_bytes : s->f->unset_from;
    }
    s->f->unset_end = s->end_bytes;
    for (uint32_t r = 0; r <= s->f->source->n_registers; r++) {
        uint32_t reg = (uint32_t)s->f->dense_of[r] - s->f->first_register;
        if (s->f->slot_of[r].used && s->f->slot_of[r].bytes != 0 && s->unit[reg] != UNPLACED) {
            s->moved[s->f->slot_of[r].offset / 4] = s->fixed_bytes + s->unit[reg] * UNIT_BYTES + 1;
        }
    }
}

/* A place of its own for what is no register of lanes, behind those. */
static void place_other(struct slots *s, uint32_t offset, uint32_t bytes)
{
    if (offset >= s->fixed_bytes && s->moved[offset / 4] == 0) {
        s->moved[offset / 4] = s->end_bytes + 1;
        s->end_bytes += bytes;
    }
}

static void place_others(struct slots *s, bool masks)
{
    for (uint32_t pc = s->f->first; pc < s->f->end; pc++) {
        struct ptx_op *op = &s->image->ops[pc];
        for (uint32_t k = 0; k < ptx_n_refs(op); k++) {
            const struct ptx_ref *ref = ptx_ref_at(op, k);
            if (ref->used && ref->base == PTX_BASE_FRAME && (ref->bytes == 0) == masks) {
                place_other(s, ref->offset, masks ? 4 : ref->bytes * (uint32_t)ISA_LANES);
            }
        }
        if (masks && op->guarded) {
            place_other(s, op->guard, 4);
        }
    }
}

static uint32_t new_offset(const struct slots *s, uint32_t offset)
{
    return s->moved[offset / 4] != 0 ? s->moved[offset / 4] - 1 : offset;
}

static void move_refs(struct slots *s)
{
    for (uint32_t pc = s->f->first; pc < s->f->end; pc++) {
        struct ptx_op *op = &s->image->ops[pc];
        for (uint32_t k = 0; k < ptx_n_refs(op); k++) {
            struct ptx_ref *ref = ptx_ref_at(op, k);
            if (ref->used && ref->base == PTX_BASE_FRAME) {
                ref->offset = new_offset(s, ref->offset);
            }
        }
        op->guard = op->guarded ? new_offset(s, op->guard) : 0;
    }
    for (uint32_t r = 0; r <= s->f->source->n_registers; r++) {
        s->f->slot_of[r].offset = new_offset(s, s->f->slot_of[r].offset);
    }
    s->f->frame_bytes = (s->end_bytes + PTX_FRAME_ALIGN - 1) & ~(uint32_t)(PTX_FRAME_ALIGN - 1);
}

void ptx_share_slots(struct ptx_diag *diag, struct ptx_image *image, const struct ptx_cfg *cfg)
{
    struct ptx_image_function *f = &image->functions[0];
    struct slots s = {.diag = diag, .image = image, .f = f, .cfg = cfg, .words = cfg->words};
    if (image->n_functions > 1 || f->n_registers > MAX_SHARING) {
        return;
    }
    s.meets = ptx_alloc(diag, (size_t)f->n_registers * s.words + 1, sizeof(*s.meets));
    s.flight_in = ptx_alloc(diag, (size_t)cfg->graph.n * s.words + 1, sizeof(*s.flight_in));
    s.exchanged = ptx_alloc(diag, s.words, sizeof(*s.exchanged));
    s.alive = ptx_alloc(diag, s.words, sizeof(*s.alive));
    s.flight = ptx_alloc(diag, s.words, sizeof(*s.flight));
    s.unit = ptx_alloc(diag, f->n_registers + 1, sizeof(*s.unit));
    memset(s.unit, 0xff, (f->n_registers + 1) * sizeof(*s.unit));
    s.taken = ptx_alloc(diag, 2 * (size_t)f->n_registers + 2, 1);
    s.moved = ptx_alloc(diag, f->frame_bytes / 4 + 1, sizeof(*s.moved));
    s.fixed_bytes = f->area_offset + f->area_bytes * ISA_LANES;
    s.end_bytes = s.fixed_bytes;
    find_interference(&s);
    place_registers(&s);
    place_others(&s, false);
    place_others(&s, true);
    move_refs(&s);
}
