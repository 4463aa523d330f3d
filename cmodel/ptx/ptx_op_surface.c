/* ptx_op_surface.c - suld, sust: loads and stores through surface objects (PTX ISA, "Surface
 * Instructions").
 *
 * x counts bytes, y and z texels.  What lies outside is a fault, is moved to the edge, or is zero and
 * not stored, as the instruction says.
 */
#include "ptx/ptx_op_memory.h"
#include "ptx/ptx_op_texture.h"

enum outside { OUTSIDE_TRAP, OUTSIDE_CLAMP, OUTSIDE_ZERO };
enum { SRC_HANDLE, SRC_COORDINATE = 5 }; /* data are between */

/* The lane's address; false: outside. */
static bool find(const struct ptx_texture *t, const struct ptx_op *op, const int64_t *at,
                 uint32_t layer, uint64_t *address)
{
    int64_t bytes = op->element_bytes * op->n_elements;
    int64_t most[] = {(int64_t)t->width * ptx_texture_bytes(t) - bytes, (int64_t)t->height - 1,
                      (int64_t)t->depth - 1};
    bool inside = layer < t->layers;
    int64_t moved[3];
    for (uint32_t d = 0; d < 3; d++) {
        moved[d] = at[d] < 0 ? 0 : at[d] > most[d] ? most[d] : at[d];
        inside &= moved[d] == at[d];
    }
    layer = layer < t->layers ? layer : t->layers - 1;
    *address = t->base + (uint64_t)moved[0] + (uint64_t)moved[1] * t->row_bytes +
               ((uint64_t)moved[2] + layer) * t->slice_bytes;
    return inside || op->combine == OUTSIDE_CLAMP;
}

static uint32_t lane_word(const struct ptx_exec *x, struct ptx_ref ref, uint32_t lane)
{
    return ((const lane_u32 *)ptx_lanes(x, ref))[lane];
}

static bool lane_address(struct ptx_exec *x, const struct ptx_op *op, uint32_t lane,
                         uint64_t *address)
{
    const struct ptx_sample *s = op->sample;
    uint64_t handle = ((const lane_u64 *)ptx_lanes(x, op->src[SRC_HANDLE]))[lane];
    const struct ptx_texture *t = ptx_texture_of(x->launch, handle);
    int64_t at[3] = {0, 0, 0};
    if (t == NULL || !t->is_surface) {
        ptx_fault(x, ptx_lane_bit[lane], "0x%llx is no surface object", (unsigned long long)handle);
        return false;
    }
    uint32_t layer = s->layered ? lane_word(x, op->src[SRC_COORDINATE], lane) : 0;
    for (uint32_t d = 0; d < s->dimensions; d++) {
        at[d] = (int32_t)lane_word(x, op->src[SRC_COORDINATE + d + (s->layered ? 1u : 0u)], lane);
    }
    bool good = find(t, op, at, layer, address);
    if (!good && op->combine == OUTSIDE_TRAP) {
        ptx_fault(x, ptx_lane_bit[lane], "surface access outside at (%d, %d, %d)", (int)at[0],
                  (int)at[1], (int)at[2]);
    }
    return good;
}

static void exec_surface(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    static const uint32_t zero[2 * ISA_LANES] __attribute__((aligned(PTX_FRAME_ALIGN)));
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (lane_address(x, op, lane, &x->memop->addr[lane])) {
            lanes |= ptx_lane_bit[lane];
        } else if (x->step->kind == ISA_STEP_FAULT) {
            return;
        }
    }
    for (uint32_t e = 0; e < PTX_MAX_DST && op->dst[e].used && lanes != mask; e++) {
        if (op->dst[e].bytes == 8) {
            ptx_put64(x, op->dst[e], zero, mask & ~lanes);
        } else {
            ptx_put32(x, op->dst[e], zero, mask & ~lanes);
        }
    }
    if (lanes != 0) {
        ptx_access_at(x, op, lanes);
    }
}

static void lower_surface(struct ptx_lower *lw, bool load)
{
    static const char *const outside[] = {".trap", ".clamp", ".zero", NULL};
    struct ptx_sample *s = ptx_alloc(lw->diag, 1, sizeof(*s));
    bool unformatted = ptx_take(lw, ".b");
    bool geometry = ptx_take_geometry(lw, &s->dimensions, &s->layered);
    static const char *const hints[] = {".ca", ".cg", ".cs", ".cv", ".wb", ".wt", NULL};
    ptx_take_word(lw, hints);
    uint32_t n = ptx_take(lw, ".v4") ? 4 : ptx_take(lw, ".v2") ? 2 : 1;
    enum ptx_type type = ptx_take_optional_type(lw);
    int mode = ptx_take_word(lw, outside);
    uint32_t bytes = ptx_type_bytes(type);
    if (!unformatted || !geometry || type == PTX_NONE || bytes * n > 16 || bytes == 0) {
        PTX_LOWER_FAIL(lw,
                       "%s is not supported; use .b with .1d, .2d, .3d, .a1d or .a2d and up to "
                       "16 bytes",
                       lw->statement->text);
    }
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_MEM, exec_surface);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    op->sample = s;
    op->combine = (uint8_t)(mode < 0 ? OUTSIDE_TRAP : mode);
    op->n_elements = (uint8_t)n;
    op->element_bytes = (uint8_t)bytes;
    inst->access = load ? ISA_ACCESS_LOAD : ISA_ACCESS_STORE;
    inst->space = ISA_SPACE_GLOBAL;
    inst->bytes = (uint8_t)(bytes * n);
    ptx_bind_object(lw, op, ptx_operand_at(lw, load ? 1 : 0), SRC_COORDINATE,
                    s->dimensions + (s->layered ? 1 : 0), PTX_S32, s->layered);
    ptx_bind_elements(lw, op, ptx_operand_at(lw, load ? 0 : 1), type, load);
    lw->image->samples = true;
}

void ptx_lower_suld(struct ptx_lower *lw)
{
    lower_surface(lw, true);
}

void ptx_lower_sust(struct ptx_lower *lw)
{
    lower_surface(lw, false);
}
