/* ptx_live.c - live registers and how many 32-bit registers a thread needs.
 *
 * Backward data-flow per function, then one scan for the most units alive
 * between two operations (a linear scan allocator needs no more).  64-bit
 * registers take two units, predicates none.  Across a call, what is alive in
 * the caller adds to what the callee needs; a recursion is counted once.
 */
#include <string.h>

#include "ptx/ptx_analysis.h"

struct live {
    struct ptx_diag *diag;
    struct ptx_image *image;
    uint32_t *own;      /* [n_functions]: most units alive, calls not counted */
    uint64_t *set;      /* scratch */
    uint32_t *alive_at; /* [n_ops]: units alive across the call at this operation */
};

static void clear_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static void set_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

void ptx_live_before(const struct ptx_image *image, const struct ptx_image_function *f, uint32_t pc,
                     uint64_t *set)
{
    const struct isa_inst *inst = &image->inst[pc];
    for (uint32_t i = 0; !image->ops[pc].guarded && i < inst->n_dst; i++) {
        clear_bit(set, inst->dst[i] - f->first_register);
    }
    for (uint32_t i = 0; i < inst->n_src; i++) {
        set_bit(set, inst->src[i] - f->first_register);
    }
}

void ptx_live_out(const struct ptx_cfg *cfg, uint32_t b, uint64_t *set)
{
    memset(set, 0, cfg->words * sizeof(*set));
    for (uint32_t e = cfg->graph.first[b]; e < cfg->graph.first[b + 1]; e++) {
        uint32_t to = cfg->graph.target[e];
        for (uint32_t w = 0; to < cfg->graph.n && w < cfg->words; w++) {
            set[w] |= cfg->live_in[(size_t)to * cfg->words + w];
        }
    }
}

static void solve(struct live *lv, const struct ptx_image_function *f, struct ptx_cfg *cfg)
{
    cfg->words = f->n_registers / 64 + 1;
    cfg->live_in = ptx_alloc(lv->diag, (size_t)cfg->graph.n * cfg->words, sizeof(*cfg->live_in));
    lv->set = ptx_alloc(lv->diag, cfg->words, sizeof(*lv->set));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = cfg->graph.n; b-- > 0;) {
            uint64_t *in = &cfg->live_in[(size_t)b * cfg->words];
            ptx_live_out(cfg, b, lv->set);
            for (uint32_t pc = cfg->start[b + 1]; pc-- > cfg->start[b];) {
                ptx_live_before(lv->image, f, pc, lv->set);
            }
            changed = changed || memcmp(in, lv->set, cfg->words * sizeof(*in)) != 0;
            memcpy(in, lv->set, cfg->words * sizeof(*in));
        }
    }
}

static uint32_t units_of(const struct live *lv, const struct ptx_image_function *f,
                         const uint64_t *set)
{
    uint32_t units = 0;
    for (uint32_t w = 0; w <= f->n_registers / 64; w++) {
        for (uint64_t rest = set[w]; rest != 0; rest &= rest - 1) {
            uint32_t reg = w * 64 + (uint32_t)__builtin_ctzll(rest);
            units += lv->image->register_units[f->first_register + reg];
        }
    }
    return units;
}

static void scan(struct live *lv, uint32_t index, const struct ptx_cfg *cfg)
{
    const struct ptx_image_function *f = &lv->image->functions[index];
    for (uint32_t b = 0; b < cfg->graph.n; b++) {
        ptx_live_out(cfg, b, lv->set);
        for (uint32_t pc = cfg->start[b + 1]; pc-- > cfg->start[b];) {
            const struct isa_inst *inst = &lv->image->inst[pc];
            lv->alive_at[pc] = lv->image->ops[pc].call != NULL ? units_of(lv, f, lv->set) : 0;
            for (uint32_t i = 0; i < inst->n_dst; i++) { /* a result needs a place even if unused */
                set_bit(lv->set, inst->dst[i] - f->first_register);
            }
            uint32_t units = units_of(lv, f, lv->set);
            lv->own[index] = units > lv->own[index] ? units : lv->own[index];
            ptx_live_before(lv->image, f, pc, lv->set);
        }
        uint32_t units = units_of(lv, f, lv->set);
        lv->own[index] = units > lv->own[index] ? units : lv->own[index];
    }
}

/* Units for function `index` and what it calls; `total` memoises, `open` cuts recursion. */
static uint32_t need(const struct live *lv, uint32_t index, uint32_t *total, uint8_t *open)
{
    const struct ptx_image_function *f = &lv->image->functions[index];
    if (open[index] != 0) {
        return lv->own[index];
    }
    if (total[index] != 0) {
        return total[index];
    }
    uint32_t most = lv->own[index];
    open[index] = 1;
    for (uint32_t pc = f->first; pc < f->end; pc++) {
        const struct ptx_call *call = lv->image->ops[pc].call;
        uint32_t here = call == NULL ? 0 : lv->alive_at[pc] + need(lv, call->callee, total, open);
        most = here > most ? here : most;
    }
    open[index] = 0;
    total[index] = most;
    return most;
}

void ptx_live(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *const *cfgs)
{
    struct live lv = {.diag = diag, .image = image};
    lv.own = ptx_alloc(diag, image->n_functions, sizeof(*lv.own));
    lv.alive_at = ptx_alloc(diag, image->n_ops, sizeof(*lv.alive_at));
    for (uint32_t f = 0; f < image->n_functions; f++) {
        solve(&lv, &image->functions[f], cfgs[f]);
        scan(&lv, f, cfgs[f]);
    }
    uint32_t *total = ptx_alloc(diag, image->n_functions, sizeof(*total));
    uint8_t *open = ptx_alloc(diag, image->n_functions, 1);
    uint32_t units = need(&lv, 0, total, open);
    image->isa.registers_per_thread = units == 0 ? 1 : units;
}
