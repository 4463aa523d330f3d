/* checker_launch.c - a launch whose steps are looked at: the blocks in flight.
 * See checker_private.h. */
#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

static struct checker_trailer *trailer_of(const struct checker_looked_at *l, struct isa_warp *warp)
{
    return (struct checker_trailer *)(void *)((uint8_t *)warp + l->trailer);
}

/* ---- blocks ---- */

static void free_block(struct checker_block *block)
{
    if (block) {
        for (uint32_t w = 0; block->warp && w < block->n_warps; w++) {
            checker_clocks_free(&block->warp[w].foreign);
            checker_clocks_free(&block->warp[w].ready);
            checker_clocks_free(&block->warp[w].ready_cta);
            checker_clocks_free(&block->warp[w].acquired);
            checker_clocks_free(&block->warp[w].acquired_cta);
        }
        checker_words_free(&block->words);
        free(block->warp);
        free(block->barrier);
        free(block->cell);
        free(block);
    }
}

static struct checker_block *new_block(const struct checker_looked_at *l,
                                       const struct isa_warp_place *place, uint64_t number)
{
    struct checker_block *block = calloc(1, sizeof *block);

    if (!block) {
        return NULL;
    }
    block->number = number;
    block->id = place->ctaid;
    block->n_warps = l->n_warps;
    block->n_cells = place->shared_bytes;
    block->warp = calloc(l->n_warps, sizeof *block->warp);
    block->barrier = calloc(CHECKER_BARRIERS, sizeof *block->barrier);
    block->cell = calloc(place->shared_bytes + 1, sizeof *block->cell);
    if (!block->warp || !block->barrier || !block->cell) {
        free_block(block);
        return NULL;
    }
    for (uint32_t w = 0; w < l->n_warps; w++) {
        block->warp[w].clock = 1;
        block->warp[w].epoch = 1;
    }
    return block;
}

static struct checker_block *block_of(struct checker_looked_at *l,
                                      const struct isa_warp_place *place)
{
    const struct isa_dim3 *g = &l->inner->grid, *c = &place->ctaid;
    uint64_t number = ((uint64_t)c->z * g->y + c->y) * g->x + c->x;
    struct checker_block *block;

    HASH_FIND(hh, l->blocks, &number, sizeof number, block);
    if (!block) {
        block = new_block(l, place, number);
        if (block) {
            HASH_ADD(hh, l->blocks, number, sizeof block->number, block);
        }
        l->out_of_memory |= !block;
    }
    return block;
}

static void warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    struct checker_looked_at *l = self;

    l->inner->warp_start(l->inner->self, warp, place);
    *trailer_of(l, warp) = (struct checker_trailer){block_of(l, place), place->warp_in_cta};
}

static void warp_end(void *self, struct isa_warp *warp)
{
    struct checker_looked_at *l = self;
    struct checker_block *block = trailer_of(l, warp)->block;

    l->inner->warp_end(l->inner->self, warp);
    if (block && ++block->ended == block->n_warps) {
        HASH_DEL(l->blocks, block);
        free_block(block);
    }
}

/* ---- steps ---- */

/* Lanes that cannot go on: a finding, or the fault that it is when nobody looks for these. */
static void say_refused(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                        struct isa_step *step)
{
    struct checker_place place = checker_place_of(l, at, pc,
                                                  (uint32_t)__builtin_ctz(step->refused));
    char what[sizeof step->fault], line[192];

    if (!(l->check->what & CHECKER_MEMORY)) {
        memcpy(what, step->fault, sizeof what);
        checker_line(l->inner->kernel, pc, line, sizeof line);
        step->kind = ISA_STEP_FAULT;
        snprintf(step->fault, sizeof step->fault,
                 "kernel %.40s, %.80s: %.90s, lane %u, CTA (%u,%u,%u)", l->inner->kernel->name,
                 line, what, place.thread % ISA_LANES, place.cta.x, place.cta.y, place.cta.z);
        return;
    }

    if (checker_new(&l->check->report, CHECKER_MEMORY, &place, UINT32_MAX, step->refused)) {
        checker_say(&l->check->report, CHECKER_MEMORY, &place, "%s", step->fault);
    }
}

static void warp_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                      struct isa_memop *memop)
{
    struct checker_looked_at *l = self;
    const struct checker_trailer *at = trailer_of(l, warp);
    uint32_t pc = warp->pc;

    if (!at->block || l->out_of_memory) {
        step->kind = ISA_STEP_FAULT;
        snprintf(step->fault, sizeof step->fault, "out of memory for --check; check fewer kinds");
        return;
    }
    checker_released(at->block, at->warp);
    step->checked = true;
    step->refused = step->to_shared = 0;
    l->inner->step(l->inner->self, warp, cycle, step, memop);
    if (step->refused) {
        say_refused(l, at, pc, step);
    }
    if (step->to_shared && l->check->what & (CHECKER_RACE | CHECKER_INIT)) {
        checker_look_copy(l, at, pc, step->to_shared, memop);
    }
    if (step->kind == ISA_STEP_ASYNC && step->async.kind == ISA_ASYNC_COPY &&
        step->async.access == ISA_ACCESS_LOAD && l->check->what & (CHECKER_RACE | CHECKER_INIT)) {
        checker_shared_filled(at->block, step->async.shared, step->async.width);
    }
    at->block->warp[at->warp].epoch += l->order[pc].syncs_lanes;
    if (step->kind == ISA_STEP_BARRIER) {
        checker_arrives(at->block, at->warp, step);
    } else if (step->kind == ISA_STEP_FENCE) {
        l->out_of_memory |= checker_looks_at_order(l) &&
                            !checker_fence(at->block, at->warp, step->scope == ISA_SCOPE_CTA);
    } else if (step->kind == ISA_STEP_MEMORY && memop->space == ISA_SPACE_GLOBAL) {
        checker_look_global(l, at, pc, step, memop);
    } else if (step->kind == ISA_STEP_SHARED && l->check->what & (CHECKER_RACE | CHECKER_INIT)) {
        checker_look_shared(l, at, pc, memop);
    }
}

static void warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    struct checker_looked_at *l = self;
    const struct isa_kernel *kernel = l->inner->kernel;
    const struct checker_trailer *at = trailer_of(l, warp);
    const uintptr_t offset = (uintptr_t)memop->inst - (uintptr_t)kernel->inst;
    const bool known = offset / sizeof *kernel->inst < kernel->n_inst; /* no texel's load */

    if (known && memop->space == ISA_SPACE_GLOBAL && checker_looks_at_order(l)) {
        const struct checker_order order = l->order[offset / sizeof *kernel->inst];

        l->out_of_memory |= order.strong && memop->inst->access != ISA_ACCESS_STORE &&
                            memop->inst->access != ISA_ACCESS_REDUCE &&
                            !checker_returns(&l->words, at->block, at->warp, order, memop);
    }
    l->inner->retire(l->inner->self, warp, memop);
}

static uint64_t warp_digest(void *self, const struct isa_warp *warp)
{
    const struct isa_launch *inner = ((struct checker_looked_at *)self)->inner;

    return inner->digest(inner->self, warp);
}

static void warp_operand(void *self, const struct isa_warp *warp, uint32_t pc, uint32_t k,
                         uint64_t value[ISA_LANES])
{
    const struct isa_launch *inner = ((struct checker_looked_at *)self)->inner;

    inner->operand(inner->self, warp, pc, k, value);
}

static bool may_start(void *self)
{
    const struct isa_launch *inner = ((struct checker_looked_at *)self)->inner;

    return inner->may_start(inner->self);
}

static void cta_end(void *self, uint64_t cta)
{
    const struct isa_launch *inner = ((struct checker_looked_at *)self)->inner;

    inner->cta_end(inner->self, cta);
}

/* ---- begin and end ---- */

static bool has_word(const char *text, const char *word)
{
    return text && strstr(text, word) != NULL;
}

static struct checker_order order_of(const struct isa_inst *inst)
{
    const bool mbarrier = has_word(inst->text, "mbarrier.") && !has_word(inst->text, ".init") &&
                          !has_word(inst->text, ".inval");

    return (struct checker_order){
        .strong = inst->access == ISA_ACCESS_ATOMIC || inst->access == ISA_ACCESS_REDUCE ||
                  mbarrier || inst->cacheop == ISA_CACHE_VOLATILE ||
                  has_word(inst->text, ".relaxed") || has_word(inst->text, ".acquire") ||
                  has_word(inst->text, ".release"),
        .syncs_lanes = has_word(inst->text, ".sync") || mbarrier,
        .acquires = mbarrier ? inst->access == ISA_ACCESS_LOAD : inst->access == ISA_ACCESS_ATOMIC,
        .releases = mbarrier && inst->access != ISA_ACCESS_LOAD};
}

static bool begin(struct checker_looked_at *l, struct checker *check,
                  const struct isa_launch *inner, struct isa_launch *out)
{
    uint64_t threads = (uint64_t)inner->block.x * inner->block.y * inner->block.z;

    *l = (struct checker_looked_at){.check = check,
                                    .inner = inner,
                                    .n_warps = (uint32_t)((threads + ISA_LANES - 1) / ISA_LANES),
                                    .trailer = (inner->warp_bytes + 15) & ~(size_t)15,
                                    .order = calloc(inner->kernel->n_inst + 1, sizeof *l->order)};
    if (!l->order) {
        return false;
    }
    for (uint32_t pc = 0; pc < inner->kernel->n_inst; pc++) {
        l->order[pc] = order_of(&inner->kernel->inst[pc]);
    }
    l->shared = (struct checker_shared){&check->report, inner, l->order, check->what};
    *out = *inner;
    out->self = l;
    out->warp_bytes = l->trailer + sizeof(struct checker_trailer);
    out->warp_start = warp_start;
    out->step = warp_step;
    out->retire = warp_retire;
    out->digest = inner->digest ? warp_digest : NULL;
    out->operand = inner->operand ? warp_operand : NULL;
    out->may_start = inner->may_start ? may_start : NULL;
    out->cta_end = inner->cta_end ? cta_end : NULL;
    out->warp_end = warp_end;
    return true;
}

static void end(struct checker_looked_at *l)
{
    struct checker_block *block, *next;

    HASH_ITER(hh, l->blocks, block, next)
    {
        HASH_DEL(l->blocks, block);
        free_block(block);
    }
    free(l->order);
    checker_words_free(&l->words);
    checker_lines_free(&l->lines);
    checker_forget_sites(&l->check->report);
}

int checker_launch(struct checker *check, const struct isa_launch *launch, char *error,
                   size_t n_error)
{
    uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    struct isa_launch between;
    struct checker_looked_at looked_at;
    int status = -1;

    if (threads > CHECKER_WARPS * ISA_LANES) {
        snprintf(error, n_error, "kernel %s: --check looks at blocks of up to %d threads",
                 launch->kernel->name, CHECKER_WARPS * ISA_LANES);
    } else if (!begin(&looked_at, check, launch, &between)) {
        snprintf(error, n_error, "kernel %s: out of memory for --check", launch->kernel->name);
    } else {
        status = check->inner.launch(check->inner.self, &between, error, n_error);
        end(&looked_at);
    }
    return status;
}
