/* ptx_lower.c - a kernel and the functions it calls to one table of operations.
 *
 * Lays out shared memory, frames and the pool, walks the statements through the
 * opcode tables, patches branch targets.  Knows no single instruction.
 */
#include <string.h>

#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_texture.h"

static const struct ptx_opcode *const opcode_tables[] = {
    ptx_opcodes_int,     ptx_opcodes_bits,    ptx_opcodes_move,     ptx_opcodes_float,
    ptx_opcodes_compare, ptx_opcodes_convert, ptx_opcodes_memory,   ptx_opcodes_atomic,
    ptx_opcodes_control, ptx_opcodes_warp,    ptx_opcodes_carry,    ptx_opcodes_permute,
    ptx_opcodes_matrix,  ptx_opcodes_async,   ptx_opcodes_mbarrier, ptx_opcodes_texture,
    ptx_opcodes_packed};

bool ptx_take(struct ptx_lower *lw, const char *word)
{
    for (uint32_t i = 0; i < lw->statement->n_modifiers; i++) {
        if ((lw->taken_modifiers >> i & 1) == 0 && strcmp(lw->statement->modifiers[i], word) == 0) {
            lw->taken_modifiers |= 1u << i;
            return true;
        }
    }
    return false;
}

int ptx_take_word(struct ptx_lower *lw, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (ptx_take(lw, words[i])) {
            return i;
        }
    }
    return -1;
}

enum ptx_type ptx_take_optional_type(struct ptx_lower *lw)
{
    for (uint32_t i = 0; i < lw->statement->n_modifiers; i++) {
        enum ptx_type type = ptx_type_named(lw->statement->modifiers[i]);
        if ((lw->taken_modifiers >> i & 1) == 0 && type != PTX_NONE) {
            lw->taken_modifiers |= 1u << i;
            return type;
        }
    }
    return PTX_NONE;
}

enum ptx_type ptx_take_type(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_optional_type(lw);
    if (type == PTX_NONE) {
        PTX_LOWER_FAIL(lw, "%s lacks a type; add one such as .u32", lw->statement->text);
    }
    return type;
}

const struct ptx_operand *ptx_operand_at(struct ptx_lower *lw, uint32_t index)
{
    if (index >= lw->statement->n_operands) {
        PTX_LOWER_FAIL(lw, "%s lacks operand %u", lw->statement->text, index + 1);
    }
    return &lw->statement->operands[index];
}

void ptx_operand_count(struct ptx_lower *lw, uint32_t low, uint32_t high)
{
    uint32_t n = lw->statement->n_operands;
    if (n < low || n > high) {
        PTX_LOWER_FAIL(lw, "%s takes %u operands, not %u", lw->statement->text,
                       n < low ? low : high, n);
    }
}

struct isa_inst *ptx_inst_of(struct ptx_lower *lw, const struct ptx_op *op)
{
    return &lw->image->inst[op - lw->image->ops];
}

static void bind_guard(struct ptx_lower *lw, struct ptx_op *op)
{
    const struct ptx_statement *st = lw->statement;
    if (st->guard == PTX_NO_INDEX) {
        return;
    }
    struct ptx_operand guard = {
        .kind = PTX_OPERAND_REGISTER, .reg = st->guard, .line = st->line, .column = st->column};
    struct ptx_ref saved = op->src[0];
    ptx_bind_src(lw, op, 0, &guard, PTX_PRED);
    op->guard = op->src[0].offset;
    op->src[0] = saved;
    op->guarded = true;
    op->guard_negated = st->guard_negated;
}

static struct isa_source source_of(const struct ptx_lower *lw)
{
    const struct ptx_statement *st = lw->statement;
    const struct ptx_files *files = lw->source->files;
    bool known = st->loc_line != 0 && st->loc_file < files->n;
    return (struct isa_source){known ? files->name[st->loc_file] : NULL, st->loc_line};
}

struct ptx_op *ptx_emit(struct ptx_lower *lw, enum isa_pipe pipe, ptx_exec_fn *exec)
{
    struct ptx_image *image = lw->image;
    image->ops = ptx_grow(lw->diag, image->ops, image->n_ops, sizeof(*image->ops));
    image->inst = ptx_grow(lw->diag, image->inst, image->n_ops, sizeof(*image->inst));
    image->sources = ptx_grow(lw->diag, image->sources, image->n_ops, sizeof(*image->sources));
    image->sources[image->n_ops] = source_of(lw);
    struct ptx_op *op = &image->ops[image->n_ops];
    struct isa_inst *inst = &image->inst[image->n_ops];
    image->n_ops++;
    *op = (struct ptx_op){.exec = exec, .target = PTX_NO_PC, .reconverge = PTX_NO_PC};
    *inst = (struct isa_inst){
        .pipe = (uint8_t)pipe, .line = lw->statement->line, .text = lw->statement->text};
    bind_guard(lw, op);
    return op;
}

/* Functions */

uint32_t ptx_function_index(struct ptx_lower *lw, const struct ptx_function *function)
{
    struct ptx_image *image = lw->image;
    for (uint32_t i = 0; i < image->n_functions; i++) {
        if (image->functions[i].source == function) {
            return i;
        }
    }
    if (!function->has_body) {
        PTX_LOWER_FAIL(lw, "function \"%s\" is declared and not defined; %s", function->name,
                       strncmp(function->name, "__cudaCDP", 9) == 0
                           ? "kernels cannot launch kernels here: launch them from the host"
                           : "define it in this module");
    }
    image->functions = ptx_grow(lw->diag, image->functions, image->n_functions,
                                sizeof(*image->functions));
    image->functions[image->n_functions] = (struct ptx_image_function){.source = function};
    return image->n_functions++;
}

static const struct ptx_opcode *find_opcode(const char *name)
{
    for (size_t t = 0; t < sizeof(opcode_tables) / sizeof(opcode_tables[0]); t++) {
        for (const struct ptx_opcode *o = opcode_tables[t]; o->name != NULL; o++) {
            if (strcmp(o->name, name) == 0) {
                return o;
            }
        }
    }
    return NULL;
}

static void lower_statement(struct ptx_lower *lw, const struct ptx_statement *st)
{
    lw->statement = st;
    lw->taken_modifiers = 0;
    const struct ptx_opcode *opcode = find_opcode(st->opcode);
    if (opcode == NULL) {
        PTX_LOWER_FAIL(lw, "instruction \"%s\" is not supported; rewrite it with others", st->text);
    }
    uint32_t first = lw->image->n_ops;
    opcode->lower(lw);
    ptx_note_shapes(lw, first);
    for (uint32_t i = 0; i < st->n_modifiers; i++) {
        if ((lw->taken_modifiers >> i & 1) == 0) {
            PTX_LOWER_FAIL(lw, "modifier %s is not supported on %s; leave it out", st->modifiers[i],
                           st->opcode);
        }
    }
}

static uint32_t label_pc(struct ptx_lower *lw, const uint32_t *pc_of, uint32_t label)
{
    const struct ptx_function *f = lw->source;
    while (f->labels[label].alias != PTX_NO_INDEX) {
        label = f->labels[label].alias;
    }
    if (f->labels[label].statement == PTX_NO_INDEX) {
        ptx_fail(lw->diag, f->labels[label].line, f->labels[label].column,
                 "\"%s\" is a list of targets, not a place to branch to", f->labels[label].name);
    }
    return pc_of[f->labels[label].statement];
}

/* Labels to pcs; until here target holds the label. */
static void patch_targets(struct ptx_lower *lw, const uint32_t *pc_of, uint32_t first)
{
    struct ptx_image *image = lw->image;
    for (uint32_t pc = first; pc < image->n_ops; pc++) {
        struct ptx_op *op = &image->ops[pc];
        if (op->n_targets != 0) {
            uint32_t *targets = ptx_alloc(lw->diag, op->n_targets, sizeof(*targets));
            for (uint32_t i = 0; i < op->n_targets; i++) {
                targets[i] = label_pc(lw, pc_of, op->targets[i]);
            }
            op->targets = targets;
        } else if (image->inst[pc].is_branch) {
            op->target = label_pc(lw, pc_of, op->target);
            image->shapes[pc].target = op->target;
        }
    }
}

/* The closing brace returns (PTX ISA, ret); branches may point at it. */
static void lower_implicit_return(struct ptx_lower *lw, struct ptx_statement *st)
{
    const struct ptx_function *f = lw->source;
    *st = (struct ptx_statement){.opcode = "ret", .text = "ret", .guard = PTX_NO_INDEX};
    st->line = f->n_statements != 0 ? f->statements[f->n_statements - 1].line : f->line;
    lower_statement(lw, st);
}

static bool needs_return(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->n_labels; i++) {
        if (f->labels[i].statement == f->n_statements) {
            return true;
        }
    }
    if (f->n_statements == 0) {
        return true;
    }
    const struct ptx_statement *last = &f->statements[f->n_statements - 1];
    bool leaves = strcmp(last->opcode, "ret") == 0 || strcmp(last->opcode, "exit") == 0 ||
                  strcmp(last->opcode, "trap") == 0 || strcmp(last->opcode, "bra") == 0;
    return !leaves || last->guard != PTX_NO_INDEX;
}

static void start_function(struct ptx_lower *lw, uint32_t index)
{
    struct ptx_image_function *f = &lw->image->functions[index];
    lw->function_index = index;
    lw->source = f->source;
    lw->slot_of = ptx_alloc(lw->diag, f->source->n_registers + 1, sizeof(*lw->slot_of));
    lw->dense_of = ptx_alloc(lw->diag, f->source->n_registers + 1, sizeof(*lw->dense_of));
    lw->free_masks = 0;
    f->first = lw->image->n_ops;
    f->first_register = lw->image->isa.n_registers;
    f->local_base_slot = ptx_frame_slot(lw, 8).offset;
    f->area_bytes = (uint32_t)((f->source->area_bytes + 15) / 16 * 16);
    f->area_offset = f->frame_bytes;
    f->frame_bytes += f->area_bytes * ISA_LANES;
    f->slot_of = lw->slot_of;
    f->dense_of = lw->dense_of;
    for (uint32_t i = 0; i < f->source->n_params + f->source->n_returns; i++) {
        uint32_t n = f->source->n_params;
        const struct ptx_variable *v = i < n ? f->source->params[i] : f->source->returns[i - n];
        if (v->is_register_param) {
            ptx_register_slot(lw, v->reg);
        }
    }
}

/* Registers that calls pass were known by number until every frame was laid out. */
static void resolve_calls(struct ptx_image *image)
{
    for (uint32_t pc = 0; pc < image->n_ops; pc++) {
        struct ptx_call *call = image->ops[pc].call;
        const struct ptx_ref *slots = call == NULL ? NULL : image->functions[call->callee].slot_of;
        for (uint32_t i = 0; call != NULL && i < call->n_arguments; i++) {
            if (!call->arguments[i].area) {
                call->arguments[i].to = slots[call->arguments[i].to.offset];
            }
        }
        for (uint32_t i = 0; call != NULL && i < call->n_returns; i++) {
            if (!call->returns[i].area) {
                call->returns[i].from = slots[call->returns[i].from.offset];
            }
        }
    }
}

static void lower_function(struct ptx_lower *lw, uint32_t index)
{
    static const struct ptx_statement nothing = {.text = "function", .guard = PTX_NO_INDEX};
    lw->statement = &nothing;
    start_function(lw, index);
    const struct ptx_function *f = lw->source;
    uint32_t first = lw->image->n_ops;
    uint32_t *pc_of = ptx_alloc(lw->diag, f->n_statements + 1, sizeof(*pc_of));
    struct ptx_statement closing;
    for (uint32_t i = 0; i < f->n_statements; i++) {
        pc_of[i] = lw->image->n_ops;
        lower_statement(lw, &f->statements[i]);
    }
    pc_of[f->n_statements] = lw->image->n_ops;
    if (needs_return(f)) {
        lower_implicit_return(lw, &closing);
    }
    patch_targets(lw, pc_of, first);
    lw->image->functions[index].end = lw->image->n_ops;
}

/* Calls: recursion, local memory and the deepest path */

static void mark_recursion(struct ptx_lower *lw)
{
    struct ptx_image *image = lw->image;
    uint32_t n = image->n_functions;
    uint8_t *reaches = ptx_alloc(lw->diag, (size_t)n * n, 1);
    for (uint32_t f = 0; f < n; f++) {
        for (uint32_t pc = image->functions[f].first; pc < image->functions[f].end; pc++) {
            if (image->ops[pc].call != NULL) {
                reaches[f * n + image->ops[pc].call->callee] = 1;
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; reaches[i * n + k] != 0 && j < n; j++) {
                reaches[i * n + j] |= reaches[k * n + j];
            }
        }
    }
    for (uint32_t f = 0; f < n; f++) {
        image->functions[f].is_recursive = reaches[f * n + f] != 0;
        image->has_calls |= n > 1;
    }
}

/* Without recursion the functions of the image bound the depth; with it the call depth limit does.
 */
static uint64_t local_bytes_needed(const struct ptx_image *image)
{
    uint64_t sum = 0, largest_recursive = 0;
    for (uint32_t f = 0; f < image->n_functions; f++) {
        uint64_t bytes = (image->functions[f].source->local_bytes + 15) / 16 * 16;
        sum += bytes;
        if (image->functions[f].is_recursive && bytes > largest_recursive) {
            largest_recursive = bytes;
        }
    }
    return sum + largest_recursive * PTX_MAX_CALL_DEPTH;
}

static uint32_t local_granule(const struct ptx_image *image)
{
    uint32_t widest = 4;
    for (uint32_t pc = 0; pc < image->n_ops; pc++) {
        const struct isa_inst *inst = &image->inst[pc];
        bool local = inst->space == ISA_SPACE_LOCAL || inst->space == ISA_SPACE_GENERIC;
        widest = local && inst->access != ISA_ACCESS_NONE && inst->bytes > widest ? inst->bytes
                                                                                  : widest;
    }
    return widest <= 4 ? 4 : widest <= 8 ? 8 : 16;
}

static void lower_all(struct ptx_lower *lw)
{
    static const struct ptx_statement nothing = {.text = "kernel", .guard = PTX_NO_INDEX};
    struct ptx_image *image = lw->image;
    lw->statement = &nothing;
    ptx_layout_shared(lw);
    ptx_function_index(lw, image->entry);
    for (uint32_t f = 0; f < image->n_functions; f++) { /* calls add functions as they appear */
        lower_function(lw, f);
    }
    resolve_calls(image);
    mark_recursion(lw);
    uint64_t local = local_bytes_needed(image);
    if (local > PTX_WINDOW_BYTES / 2) {
        ptx_fail(lw->diag, image->entry->line, 0,
                 "kernel %s needs %llu bytes of local memory per "
                 "thread; make its arrays smaller",
                 image->isa.name, (unsigned long long)local);
    }
    image->local_granule_bytes = local_granule(image);
    image->isa.local_bytes = (uint32_t)local;
    image->isa.inst = image->inst;
    image->isa.shape = image->shapes;
    image->isa.source = image->sources;
    image->isa.n_inst = image->n_ops;
    ptx_analyse(lw->diag, image);
    ptx_finish_samples(image);
}

struct ptx_image *ptx_lower(struct ptx_diag *diag, const struct ptx_module *module,
                            const struct ptx_function *entry)
{
    struct ptx_diag inner = *diag;
    struct ptx_lower *lw = ptx_alloc(diag, 1, sizeof(*lw));
    lw->diag = &inner;
    lw->module = module;
    lw->image = ptx_alloc(diag, 1, sizeof(*lw->image));
    lw->image->entry = entry;
    lw->image->isa.name = entry->name;
    lw->image->isa.file = entry->file;
    lw->image->barrier_scratch = lw->image->reserved_shared = PTX_NO_INDEX;
    if (setjmp(inner.escape) != 0) { /* give back the hash table, then fail as asked */
        ptx_pool_release(lw);
        longjmp(diag->escape, 1);
    }
    lower_all(lw);
    ptx_pool_release(lw);
    return lw->image;
}
