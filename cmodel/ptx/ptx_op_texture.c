/* ptx_op_texture.c - tex, tld4, txq: fetches through texture objects (PTX ISA, "Texture Instructions").
 *
 * A fetch reads one texel after another, each a load through the L1D's read-only path; the results
 * are written when the last one is there.  What a fetch needs until then is kept beside the warp,
 * since its registers may have other values by then.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_op_texture.h"

enum { SRC_HANDLE, SRC_COORDINATE };

struct ptx_fetch {
    struct ptx_fetch *next;
    const struct isa_memop *memop; /* of the texel on its way */
    const struct ptx_op *op;
    uint32_t frame;    /* offset of the registers' frame */
    uint32_t mask;     /* lanes */
    uint32_t texel, n; /* the next one to ask for, of so many */
    const struct ptx_texture *texture[ISA_LANES];
    struct ptx_texels texels[ISA_LANES];
    uint8_t data[ISA_LANES][PTX_TEXELS][PTX_TEXEL_BYTES];
};

const struct ptx_texture *ptx_texture_of(const struct ptx_launch *launch, uint64_t handle)
{
    for (size_t i = 0; i < launch->n_textures; i++) {
        if (launch->textures[i].handle == handle && handle != 0) {
            return &launch->textures[i];
        }
    }
    return NULL;
}

void ptx_fetches_end(struct ptx_warp *w)
{
    while (w->fetches != NULL) {
        struct ptx_fetch *next = w->fetches->next;
        free(w->fetches);
        w->fetches = next;
    }
    w->fetching = NULL;
}

static void drop(struct ptx_warp *w, struct ptx_fetch *f)
{
    struct ptx_fetch **at = &w->fetches;
    while (*at != f) {
        at = &(*at)->next;
    }
    *at = f->next;
    free(f);
}

/* ---- results ---- */

static uint32_t gathered(const struct ptx_fetch *f, uint32_t lane, uint32_t i, uint32_t channel)
{
    static const uint8_t order[] = {2, 3, 1, 0}; /* texel 1 lies right of 0, 2 below it */
    struct ptx_texels one = {.n = 1, .outside = {f->texels[lane].outside[order[i]]}};
    return ptx_texture_value(f->texture[lane], &one,
                             (const uint8_t(*)[PTX_TEXEL_BYTES]) & f->data[lane][order[i]],
                             channel);
}

static void write_results(const struct ptx_exec *x, const struct ptx_fetch *f)
{
    const struct ptx_sample *s = f->op->sample;
    for (uint32_t c = 0; c < PTX_CHANNELS; c++) {
        uint32_t r[ISA_LANES] = {0};
        for (uint32_t rest = f->mask; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            r[lane] = s->gathers
                          ? gathered(f, lane, c, s->channel)
                          : ptx_texture_value(f->texture[lane], &f->texels[lane],
                                              (const uint8_t(*)[PTX_TEXEL_BYTES])f->data[lane], c);
        }
        if (f->op->dst[c].used) {
            ptx_put32(x, f->op->dst[c], r, f->mask);
        }
    }
}

static bool is_load_of(const struct ptx_op *op, const struct isa_inst *inst)
{
    for (uint32_t size = 0; size < PTX_TEXEL_SIZES; size++) {
        if (inst == &op->sample->load[size]) {
            return true;
        }
    }
    return false;
}

bool ptx_fetch_arrives(struct ptx_warp *w, const struct ptx_launch *launch,
                       const struct isa_memop *memop)
{
    struct ptx_fetch *f = w->fetches;
    while (f != NULL && (f->memop != memop || !is_load_of(f->op, memop->inst))) {
        f = f->next;
    }
    if (f == NULL) {
        return false;
    }
    struct ptx_exec x = {w, launch, NULL, NULL, 0, false};
    uint8_t *current = w->base[PTX_BASE_FRAME];
    for (uint32_t rest = memop->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        memcpy(f->data[lane][f->texel - 1], memop->data[lane], memop->inst->bytes);
    }
    f->memop = NULL;
    if (f->texel == f->n) {
        w->base[PTX_BASE_FRAME] = w->memory + f->frame;
        write_results(&x, f);
        w->base[PTX_BASE_FRAME] = current;
        drop(w, f);
    }
    return true;
}

/* ---- a fetch ---- */

static void read_coordinates(const struct ptx_exec *x, const struct ptx_op *op, uint32_t lane,
                             struct ptx_coordinates *c)
{
    const struct ptx_sample *s = op->sample;
    *c = (struct ptx_coordinates){
        .dimensions = s->dimensions, .integers = s->integers, .gathers = s->gathers};
    uint32_t k = SRC_COORDINATE;
    if (s->layered) {
        c->layer = ((const lane_u32 *)ptx_lanes(x, op->src[k++]))[lane];
    }
    for (uint32_t d = 0; d < s->dimensions; d++, k++) {
        c->number[d] = ((const lane_s32 *)ptx_lanes(x, op->src[k]))[lane];
        c->at[d] = ((const lane_f32 *)ptx_lanes(x, op->src[k]))[lane];
    }
}

static struct ptx_fetch *start(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fetch *f = calloc(1, sizeof(*f));
    if (f == NULL) {
        ptx_fault(x, mask, "out of memory for a texture fetch");
        return NULL;
    }
    *f = (struct ptx_fetch){.op = op, .mask = mask, .frame = x->w->frames[x->w->depth].offset};
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t handle = ((const lane_u64 *)ptx_lanes(x, op->src[SRC_HANDLE]))[lane];
        struct ptx_coordinates c;
        f->texture[lane] = ptx_texture_of(x->launch, handle);
        if (f->texture[lane] == NULL || f->texture[lane]->is_surface) {
            ptx_fault(x, ptx_lane_bit[lane], "0x%llx is no texture object",
                      (unsigned long long)handle);
            free(f);
            return NULL;
        }
        read_coordinates(x, op, lane, &c);
        ptx_texture_find(f->texture[lane], &c, &f->texels[lane]);
        f->n = f->texels[lane].n > f->n ? f->texels[lane].n : f->n;
    }
    f->next = x->w->fetches;
    x->w->fetches = f;
    return f;
}

/* The lanes that load texel f->texel, all of one size; the others of the fetch, which have textures
 * of other sizes, come in `others`. */
static uint32_t lanes_of_texel(const struct ptx_fetch *f, uint64_t *address, uint32_t *bytes,
                               bool *others)
{
    uint32_t lanes = 0;
    *bytes = 0;
    for (uint32_t rest = f->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const struct ptx_texels *t = &f->texels[lane];
        if (f->texel >= t->n || t->outside[f->texel]) {
            continue;
        }
        uint32_t size = ptx_texture_bytes(f->texture[lane]);
        *bytes = *bytes == 0 ? size : *bytes;
        *others |= size != *bytes;
        address[lane] = t->address[f->texel];
        lanes |= ptx_lane_bit[lane];
    }
    return lanes;
}

static const struct isa_inst *load_of(const struct ptx_op *op, uint32_t bytes)
{
    return &op->sample->load[__builtin_ctz(bytes)];
}

static void exec_texture(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fetch *f = x->w->fetching != NULL ? x->w->fetching : start(x, op, mask);
    uint32_t lanes = 0, bytes;
    bool others = false;
    if (f == NULL) {
        return;
    }
    while (f->texel < f->n && lanes == 0) {
        lanes = lanes_of_texel(f, x->memop->addr, &bytes, &others);
        f->texel++;
    }
    if (others) {
        ptx_fault(x, f->mask, "lanes of one fetch have textures of different texels");
        return;
    }
    x->step->active = f->mask;
    x->w->fetching = f->texel < f->n ? f : NULL;
    x->stay = f->texel < f->n;
    if (lanes == 0) { /* all of what was left is border */
        write_results(x, f);
        drop(x->w, f);
        return;
    }
    f->memop = x->memop;
    x->memop->inst = load_of(op, bytes);
    x->memop->space = ISA_SPACE_GLOBAL;
    x->memop->mask = lanes;
    x->step->kind = ISA_STEP_MEMORY;
}

static void exec_query(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *handle = ptx_lanes(x, op->src[0]);
    uint32_t r[ISA_LANES] = {0};
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const struct ptx_texture *t = ptx_texture_of(x->launch, handle[lane]);
        if (t == NULL) {
            ptx_fault(x, ptx_lane_bit[lane], "0x%llx is no texture or surface object",
                      (unsigned long long)handle[lane]);
            return;
        }
        r[lane] = op->mode == 0 ? t->width : op->mode == 1 ? t->height : t->depth;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* ---- lowering ---- */

bool ptx_take_geometry(struct ptx_lower *lw, uint32_t *dimensions, bool *layered)
{
    static const char *const words[] = {".1d", ".2d", ".3d", ".a1d", ".a2d", NULL};
    int word = ptx_take_word(lw, words);
    *dimensions = word < 0 ? 0 : (uint32_t)word % 3 + 1;
    *layered = word >= 3;
    return word >= 0;
}

/* Behind the coordinates that the geometry has there may be repetitions. */
void ptx_bind_object(struct ptx_lower *lw, struct ptx_op *op, const struct ptx_operand *o,
                     uint32_t first, uint32_t n, enum ptx_type type, bool layered)
{
    const struct ptx_operand *c = o->pair;
    struct ptx_operand object = *o;
    if (o->kind != PTX_OPERAND_MEMORY || o->variable != NULL || o->reg == PTX_NO_INDEX ||
        o->value != 0 || c == NULL || (c->kind == PTX_OPERAND_VECTOR ? c->n_elements : 1) < n) {
        PTX_LOWER_FAIL(lw,
                       "%s needs [object, {coordinates}] with an object in a 64-bit register; "
                       "references and samplers are not supported",
                       lw->statement->text);
    }
    object.kind = PTX_OPERAND_REGISTER;
    ptx_bind_src(lw, op, SRC_HANDLE, &object, PTX_B64);
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_operand *e = c->kind == PTX_OPERAND_VECTOR ? &c->elements[i] : c;
        ptx_bind_src(lw, op, first + i, e, layered && i == 0 ? PTX_U32 : type);
    }
}

static void take_gather(struct ptx_lower *lw, struct ptx_sample *s)
{
    static const char *const channels[] = {".r", ".g", ".b", ".a", NULL};
    int channel = ptx_take_word(lw, channels);
    if (channel < 0 || s->dimensions != 2 || s->layered) {
        PTX_LOWER_FAIL(lw, "%s is not supported; use tld4.r, .g, .b or .a with .2d",
                       lw->statement->text);
    }
    s->channel = (uint8_t)channel;
    s->gathers = true;
}

static void lower_sample(struct ptx_lower *lw, bool gathers)
{
    struct ptx_sample *s = ptx_alloc(lw->diag, 1, sizeof(*s));
    bool level = ptx_take(lw, ".level");
    bool geometry = ptx_take_geometry(lw, &s->dimensions, &s->layered);
    bool four = ptx_take(lw, ".v4");
    enum ptx_type to = ptx_take_optional_type(lw), from = ptx_take_optional_type(lw);
    if (!geometry || !four || ptx_type_bytes(to) != 4 || to == PTX_F16X2 ||
        (from != PTX_F32 && from != PTX_S32)) {
        PTX_LOWER_FAIL(lw,
                       "%s is not supported; use .1d, .2d, .3d, .a1d or .a2d with .v4 and "
                       "32-bit types",
                       lw->statement->text);
    }
    if (gathers) {
        take_gather(lw, s);
    }
    ptx_operand_count(lw, level ? 3 : 2, level ? 3 : 2); /* the level: there is one only */
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_MEM, exec_texture);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    inst->access = ISA_ACCESS_LOAD;
    inst->space = ISA_SPACE_GLOBAL;
    inst->cacheop = ISA_CACHE_NC;
    inst->bytes = 4;
    s->integers = from == PTX_S32;
    op->sample = s;
    const struct ptx_operand *dst = ptx_operand_at(lw, 0);
    if (dst->kind != PTX_OPERAND_VECTOR || dst->n_elements != PTX_CHANNELS) {
        PTX_LOWER_FAIL(lw, "%s gives four registers", lw->statement->text);
    }
    for (uint32_t c = 0; c < PTX_CHANNELS; c++) {
        ptx_bind_dst(lw, op, c, &dst->elements[c], to);
    }
    ptx_bind_object(lw, op, ptx_operand_at(lw, 1), SRC_COORDINATE,
                    s->dimensions + (s->layered ? 1 : 0), s->integers ? PTX_S32 : PTX_F32,
                    s->layered);
    lw->image->samples = true;
}

void ptx_finish_samples(struct ptx_image *image)
{
    for (uint32_t pc = 0; pc < image->n_ops; pc++) {
        struct ptx_sample *s = image->ops[pc].sample;
        for (uint32_t size = 0; s != NULL && size < PTX_TEXEL_SIZES; size++) {
            s->load[size] = image->inst[pc];
            s->load[size].bytes = (uint8_t)(1u << size);
        }
    }
}

static void lower_tex(struct ptx_lower *lw)
{
    lower_sample(lw, false);
}

static void lower_tld4(struct ptx_lower *lw)
{
    lower_sample(lw, true);
}

static void lower_query(struct ptx_lower *lw)
{
    static const char *const words[] = {".width", ".height", ".depth", NULL};
    int what = ptx_take_word(lw, words);
    ptx_operand_count(lw, 2, 2);
    const struct ptx_operand *o = ptx_operand_at(lw, 1);
    if (what < 0 || !ptx_take(lw, ".b32") || o->kind != PTX_OPERAND_MEMORY ||
        o->reg == PTX_NO_INDEX) {
        PTX_LOWER_FAIL(lw,
                       "%s is not supported; use .width, .height or .depth with .b32 and an "
                       "object in a register",
                       lw->statement->text);
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_query);
    struct ptx_operand object = *o;
    object.kind = PTX_OPERAND_REGISTER;
    op->mode = (uint8_t)what;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B32);
    ptx_bind_src(lw, op, 0, &object, PTX_B64);
}

const struct ptx_opcode ptx_opcodes_texture[] = {
    {"tex", lower_tex},       {"tld4", lower_tld4},     {"txq", lower_query}, {"suq", lower_query},
    {"suld", ptx_lower_suld}, {"sust", ptx_lower_sust}, {NULL, NULL}};
