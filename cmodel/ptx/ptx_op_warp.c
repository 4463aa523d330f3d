/* ptx_op_warp.c - exchange between the lanes of a warp: shfl, vote, match, activemask, redux, elect
 * (PTX ISA, "Data Movement and Conversion Instructions", "Parallel Synchronization and
 * Communication Instructions").
 *
 * The lanes that take part are those active together; where there is a member mask, those of
 * them that name the same one: lanes of one warp may name different ones, each group by itself.
 */
#include "ptx/ptx_lower.h"

enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* The source lane of `lane`, and whether it is in range (PTX ISA, shfl, Semantics). */
static uint32_t shfl_source(uint32_t mode, uint32_t lane, uint32_t b, uint32_t c, bool *in_range)
{
    int32_t segment = (int32_t)(c >> 8 & 31), clamp = (int32_t)(c & 31), by = (int32_t)(b & 31);
    int32_t self = (int32_t)lane, from = self;
    int32_t top = (self & segment) | (clamp & ~segment), bottom = self & segment;
    switch (mode) {
    case SHFL_UP:
        from = self - by;
        *in_range = from >= top;
        break;
    case SHFL_DOWN:
        from = self + by;
        *in_range = from <= top;
        break;
    case SHFL_BFLY:
        from = self ^ by;
        *in_range = from <= top;
        break;
    default:
        from = bottom | (by & ~segment);
        *in_range = from <= top;
        break;
    }
    return (uint32_t)(*in_range ? from : self);
}

static void exec_shfl(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u32 *c = ptx_lanes(x, op->src[2]);
    uint32_t r[ISA_LANES], valid = 0;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        bool in_range = false;
        uint32_t from = shfl_source(op->mode, lane, b[lane], c[lane], &in_range);
        r[lane] = a[from & 31];
        valid |= in_range ? ptx_lane_bit[lane] : 0;
    }
    ptx_put32(x, op->dst[0], r, mask);
    if (op->dst[1].used) {
        ptx_put_mask(x, op->dst[1], valid, mask);
    }
}

static void bind_member_mask(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, bool sync,
                             uint32_t index)
{
    if (sync) {
        ptx_bind_src(lw, op, k, ptx_operand_at(lw, index), PTX_U32);
        op->members_src = (uint8_t)(k + 1);
    }
}

static void lower_shfl(struct ptx_lower *lw)
{
    static const char *const modes[] = {".up", ".down", ".bfly", ".idx", NULL};
    bool sync = ptx_take(lw, ".sync");
    int mode = ptx_take_word(lw, modes);
    enum ptx_type type = ptx_take_type(lw);
    if (mode < 0 || ptx_type_bytes(type) != 4) {
        PTX_LOWER_FAIL(lw, "shfl needs .up, .down, .bfly or .idx and type .b32");
    }
    ptx_operand_count(lw, sync ? 5 : 4, sync ? 5 : 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_SHARED, exec_shfl);
    op->mode = (uint8_t)mode;
    op->crosses_lanes = true;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    if (ptx_operand_at(lw, 0)->pair != NULL) {
        ptx_bind_dst(lw, op, 1, ptx_operand_at(lw, 0)->pair, PTX_PRED);
    }
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_U32);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_U32);
    bind_member_mask(lw, op, 3, sync, 4);
}

/* The next group of lanes that act together: those of `*rest` whose member mask (source `k`, if
 * the instruction has one) is that of the first.  They leave `*rest`; `*members` are those that
 * take part, the group's active ones. */
static uint32_t next_group(const struct ptx_exec *x, const struct ptx_op *op, uint32_t k,
                           uint32_t *rest, uint32_t *members)
{
    uint32_t group = *rest;
    if (op->src[k].used) {
        const lane_u32 *named = ptx_lanes(x, op->src[k]);
        uint32_t first = named[__builtin_ctz(group)];
        for (uint32_t others = group & (group - 1); others != 0; others &= others - 1) {
            unsigned lane = (unsigned)__builtin_ctz(others);
            group &= named[lane] == first ? UINT32_MAX : ~ptx_lane_bit[lane];
        }
        *members = group & first;
    } else {
        *members = group;
    }
    *rest &= ~group;
    return group;
}

static void set_lanes(uint32_t *r, uint32_t value, uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        r[__builtin_ctz(lanes)] = value;
    }
}

enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void exec_vote(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t predicate = ptx_mask_of(x, op->src[0]), r[ISA_LANES] = {0}, holds = 0, members;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t group = next_group(x, op, 1, &rest, &members), votes = predicate & members;
        set_lanes(r, votes, group);
        bool result = op->mode == VOTE_ALL   ? votes == members
                      : op->mode == VOTE_ANY ? votes != 0
                                             : votes == 0 || votes == members;
        holds |= result ? group : 0;
    }
    if (op->mode == VOTE_BALLOT) {
        ptx_put32(x, op->dst[0], r, mask);
    } else {
        ptx_put_mask(x, op->dst[0], holds, mask);
    }
}

static void lower_vote(struct ptx_lower *lw)
{
    static const char *const modes[] = {".all", ".any", ".uni", ".ballot", NULL};
    bool sync = ptx_take(lw, ".sync");
    int mode = ptx_take_word(lw, modes);
    enum ptx_type type = ptx_take_type(lw);
    if (mode < 0 || type != (mode == VOTE_BALLOT ? PTX_B32 : PTX_PRED)) {
        PTX_LOWER_FAIL(lw, "vote is .all.pred, .any.pred, .uni.pred or .ballot.b32");
    }
    ptx_operand_count(lw, sync ? 3 : 2, sync ? 3 : 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_vote);
    op->mode = (uint8_t)mode;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_PRED);
    bind_member_mask(lw, op, 1, sync, 2);
}

static uint64_t lane_value(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane)
{
    return ref.bytes == 8 ? ((const lane_u64 *)ptx_lanes(x, ref))[lane]
                          : ((const lane_u32 *)ptx_lanes(x, ref))[lane];
}

/* The lanes of `members` whose value is that of `lane`. */
static uint32_t same_value(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane,
                           uint32_t members)
{
    uint64_t value = lane_value(x, ref, lane);
    uint32_t same = 0;
    for (; members != 0; members &= members - 1) {
        unsigned other = (unsigned)__builtin_ctz(members);
        same |= lane_value(x, ref, other) == value ? ptx_lane_bit[other] : 0;
    }
    return same;
}

/* match.any: the lanes with my value.  match.all (mode 1): all lanes if all agree, else none. */
static void exec_match(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES] = {0}, agree = 0, members;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t group = next_group(x, op, 1, &rest, &members);
        unsigned first = members == 0 ? 0 : (unsigned)__builtin_ctz(members);
        bool all = same_value(x, op->src[0], first, members) == members;
        agree |= all ? group : 0;
        set_lanes(r, all ? members : 0, group);
        for (uint32_t left = op->mode == 0 ? group : 0; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            r[lane] = same_value(x, op->src[0], lane, members);
        }
    }
    ptx_put32(x, op->dst[0], r, mask);
    if (op->dst[1].used) {
        ptx_put_mask(x, op->dst[1], agree, mask);
    }
}

static void lower_match(struct ptx_lower *lw)
{
    static const char *const modes[] = {".any", ".all", NULL};
    int mode = ptx_take_word(lw, modes);
    bool sync = ptx_take(lw, ".sync");
    enum ptx_type type = ptx_take_type(lw);
    if (mode < 0 || !sync || ptx_type_bytes(type) < 4 || type == PTX_B128) {
        PTX_LOWER_FAIL(lw, "match is match.any.sync or match.all.sync of .b32 or .b64");
    }
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_match);
    op->mode = (uint8_t)mode;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B32);
    if (ptx_operand_at(lw, 0)->pair != NULL) {
        ptx_bind_dst(lw, op, 1, ptx_operand_at(lw, 0)->pair, PTX_PRED);
    }
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    bind_member_mask(lw, op, 1, true, 2);
}

static void exec_activemask(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES] = {0};
    set_lanes(r, mask, mask);
    ptx_put32(x, op->dst[0], r, mask);
}

static void lower_activemask(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 1, 1);
    ptx_bind_dst(lw, ptx_emit(lw, ISA_PIPE_INT, exec_activemask), 0, ptx_operand_at(lw, 0), type);
}

enum redux { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

static uint32_t redux_two(uint32_t a, uint32_t b, uint32_t what, bool is_signed)
{
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (what) {
    case REDUX_ADD: return a + b;
    case REDUX_MIN: return less ? a : b;
    case REDUX_MAX: return less ? b : a;
    case REDUX_AND: return a & b;
    case REDUX_OR: return a | b;
    default: return a ^ b;
    }
}

static void exec_redux(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    uint32_t r[ISA_LANES] = {0}, members;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t group = next_group(x, op, 1, &rest, &members);
        uint32_t sum = members == 0 ? 0 : a[__builtin_ctz(members)];
        for (members &= members - 1; members != 0; members &= members - 1) {
            sum = redux_two(sum, a[__builtin_ctz(members)], op->mode, op->element_signed);
        }
        set_lanes(r, sum, group);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void lower_redux(struct ptx_lower *lw)
{
    static const char *const words[] = {".add", ".min", ".max", ".and", ".or", ".xor", NULL};
    bool sync = ptx_take(lw, ".sync");
    int what = ptx_take_word(lw, words);
    enum ptx_type type = ptx_take_type(lw);
    if (!sync || what < 0 || ptx_type_bytes(type) != 4 || ptx_type_is_float(type)) {
        PTX_LOWER_FAIL(lw, "%s is not redux.sync of 32-bit integers", lw->statement->text);
    }
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_redux);
    op->mode = (uint8_t)what;
    op->element_signed = ptx_type_is_signed(type);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    bind_member_mask(lw, op, 1, true, 2);
}

/* elect.sync: the lowest participating lane leads. */
static void exec_elect(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES] = {0}, leaders = 0, members;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t group = next_group(x, op, 0, &rest, &members);
        uint32_t leader = members == 0 ? 0 : (uint32_t)__builtin_ctz(members);
        set_lanes(r, leader, group);
        leaders |= ptx_lane_bit[leader] & group;
    }
    ptx_put32(x, op->dst[0], r, mask);
    ptx_put_mask(x, op->dst[1], leaders, mask);
}

static void lower_elect(struct ptx_lower *lw)
{
    bool sync = ptx_take(lw, ".sync");
    ptx_operand_count(lw, 2, 2);
    const struct ptx_operand *d = ptx_operand_at(lw, 0);
    if (!sync || d->pair == NULL) {
        PTX_LOWER_FAIL(lw, "elect is elect.sync d|p, membermask");
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_elect);
    ptx_bind_dst(lw, op, 0, d, PTX_B32);
    ptx_bind_dst(lw, op, 1, d->pair, PTX_PRED);
    bind_member_mask(lw, op, 0, true, 1);
}

const struct ptx_opcode ptx_opcodes_warp[] = {{"shfl", lower_shfl},
                                              {"vote", lower_vote},
                                              {"match", lower_match},
                                              {"redux", lower_redux},
                                              {"elect", lower_elect},
                                              {"activemask", lower_activemask},
                                              {NULL, NULL}};
