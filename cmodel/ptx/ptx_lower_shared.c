/* ptx_lower_shared.c - the layout of a kernel's shared memory (PTX ISA, "Shared State Space").
 *
 * Every static variable named in a function that the kernel reaches gets a
 * place, in order of appearance; then the exchange area of reducing barriers;
 * dynamic variables all start behind them.
 */
#include <string.h>

#include "ptx/ptx_lower.h"

struct reach {
    const struct ptx_function **list;
    uint32_t n;
};

static void reach_add(struct ptx_lower *lw, struct reach *r, const struct ptx_function *f)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->list[i] == f) {
            return;
        }
    }
    r->list = ptx_grow(lw->diag, r->list, r->n, sizeof(*r->list));
    r->list[r->n++] = f;
}

static void place_shared(struct ptx_image *image, const struct ptx_operand *o, uint64_t *used)
{
    for (uint32_t i = 0; o->kind == PTX_OPERAND_VECTOR && i < o->n_elements; i++) {
        place_shared(image, &o->elements[i], used);
    }
    if (o->kind == PTX_OPERAND_SPECIAL && o->special >= PTX_RESERVED_BEGIN &&
        o->special <= PTX_RESERVED_1) {
        image->reserved_shared = 0;
    }
    const struct ptx_variable *v = o->variable;
    if (v == NULL || v->space != ISA_SPACE_SHARED || image->shared_offset[v->index] != UINT64_MAX ||
        v->is_dynamic) {
        return;
    }
    uint64_t at = (*used + v->align - 1) & ~(uint64_t)(v->align - 1);
    image->shared_offset[v->index] = at;
    *used = at + v->bytes;
}

static void scan_statement(struct ptx_lower *lw, struct reach *r, const struct ptx_statement *st,
                           uint64_t *used)
{
    for (uint32_t k = 0; k < st->n_operands; k++) {
        place_shared(lw->image, &st->operands[k], used);
    }
    if (st->call != NULL) {
        const struct ptx_module *m = lw->module;
        for (size_t f = 0; st->call->callee == NULL && f < m->n_functions; f++) {
            if (m->functions[f]->is_address_taken) {
                reach_add(lw, r, m->functions[f]);
            }
        }
        if (st->call->callee != NULL) {
            reach_add(lw, r, st->call->callee);
        }
        for (uint32_t k = 0; k < st->call->n_arguments; k++) {
            place_shared(lw->image, &st->call->arguments[k], used);
        }
    }
    if (strcmp(st->opcode, "bar") == 0 || strcmp(st->opcode, "barrier") == 0) {
        for (uint32_t k = 0; k < st->n_modifiers; k++) {
            lw->image->barrier_scratch = strcmp(st->modifiers[k], ".red") == 0
                                             ? 0
                                             : lw->image->barrier_scratch;
        }
    }
}

void ptx_layout_shared(struct ptx_lower *lw)
{
    struct ptx_image *image = lw->image;
    const struct ptx_module *m = lw->module;
    struct reach r = {NULL, 0};
    uint64_t used = 0, dynamic_align = 16;
    image->shared_offset = ptx_alloc(lw->diag, m->n_shared + 1, sizeof(*image->shared_offset));
    memset(image->shared_offset, 0xff, (m->n_shared + 1) * sizeof(*image->shared_offset));
    reach_add(lw, &r, image->entry);
    for (uint32_t i = 0; i < r.n; i++) {
        for (uint32_t s = 0; s < r.list[i]->n_statements; s++) {
            scan_statement(lw, &r, &r.list[i]->statements[s], &used);
        }
    }
    uint64_t own = used;
    if (image->barrier_scratch == 0) {
        used = (used + 7) & ~UINT64_C(7);
        image->barrier_scratch = (uint32_t)used;
        used += PTX_BARRIER_SCRATCH_BYTES;
    }
    if (image->reserved_shared == 0) {
        used = (used + 15) & ~UINT64_C(15);
        image->reserved_shared = (uint32_t)used;
        used += PTX_RESERVED_BYTES;
    }
    image->isa.hidden_shared_bytes = (uint32_t)(used - own);
    if (used > UINT32_MAX / 2) {
        ptx_fail(lw->diag, image->entry->line, 0,
                 "kernel %s needs %llu bytes of shared memory; make "
                 "its arrays smaller",
                 image->isa.name, (unsigned long long)used);
    }
    image->static_shared_bytes = (uint32_t)used;
    for (size_t i = 0; i < m->n_shared; i++) {
        if (m->shared[i]->is_dynamic && m->shared[i]->align > dynamic_align) {
            dynamic_align = m->shared[i]->align;
        }
    }
    image->dynamic_offset = (uint32_t)((used + dynamic_align - 1) & ~(dynamic_align - 1));
    bool any_dynamic = false;
    for (size_t i = 0; i < m->n_shared; i++) {
        if (m->shared[i]->is_dynamic) {
            image->shared_offset[i] = image->dynamic_offset;
            any_dynamic = true;
        }
    }
    image->isa.shared_bytes = (any_dynamic ? image->dynamic_offset : image->static_shared_bytes) -
                              image->isa.hidden_shared_bytes;
}
