/* test_ptx_facts.c - static facts: post-dominators, loops, origins of addresses, loop depth,
 * register counts, on graphs and kernels small enough to work out by hand.
 */
#include "ptx/ptx_graph.h"
#include "test_ptx.h"

/* Successor lists as text: "1 2; 3; 3; x" - node 0 goes to 1 and 2, and x is the exit. */
static struct ptx_graph graph_of(struct ptx_diag *diag, const char *text)
{
    uint32_t *first = ptx_alloc(diag, 64, sizeof(*first));
    uint32_t *target = ptx_alloc(diag, 128, sizeof(*target));
    uint32_t n = 0, edges = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == ';') {
            first[++n] = edges;
        } else if (*c == 'x') {
            target[edges++] = UINT32_MAX;
        } else if (*c >= '0' && *c <= '9') {
            target[edges++] = (uint32_t)(*c - '0');
        }
    }
    for (uint32_t e = 0; e < edges; e++) {
        target[e] = target[e] == UINT32_MAX ? n : target[e];
    }
    return (struct ptx_graph){n, first, target};
}

static void check_ipdom(const char *text, const uint32_t *expected)
{
    struct ptx_arena arena = {NULL};
    struct ptx_diag diag = {.arena = &arena};
    struct ptx_graph graph = graph_of(&diag, text);
    const uint32_t *ipdom = ptx_graph_ipdom(&diag, &graph);
    for (uint32_t v = 0; v < graph.n; v++) {
        assert_int_equal(ipdom[v], expected[v]);
    }
    ptx_arena_free(&arena);
}

static void post_dominators(void **state)
{
    (void)state;
    check_ipdom("1 2;3;3;x;", (uint32_t[]){3, 3, 3, 4});             /* if-else */
    check_ipdom("1 2;2;x;", (uint32_t[]){2, 2, 3});                  /* if-then */
    check_ipdom("1;1 2;x;", (uint32_t[]){1, 2, 3});                  /* loop */
    check_ipdom("1;2 4;3 1;1;x;", (uint32_t[]){1, 4, 1, 1, 5});      /* loop with continue */
    check_ipdom("1;2 5;3 4;5;1;x;", (uint32_t[]){1, 5, 5, 5, 1, 6}); /* loop with break */
    check_ipdom("1 2;x;3;x;", (uint32_t[]){4, 4, 3, 4});             /* two ways out */
    check_ipdom("1 2 3;4;4;5;5;x;", (uint32_t[]){5, 4, 4, 5, 5, 6}); /* switch */
    check_ipdom("1 2;1;x;", (uint32_t[]){2, PTX_GRAPH_NONE, 3});     /* a loop without an end */
}

/* Two ways into a cycle (the example of the algorithm's paper): more than one pass is needed. */
static void irreducible_graph(void **state)
{
    (void)state;
    struct ptx_arena arena = {NULL};
    struct ptx_diag diag = {.arena = &arena};
    struct ptx_graph graph = graph_of(&diag, "1 2;3;4 5;4;3 5;4 x;");
    const uint32_t *idom = ptx_graph_idom(&diag, &graph);
    for (uint32_t v = 0; v < graph.n; v++) {
        assert_int_equal(idom[v], 0);
    }
    ptx_arena_free(&arena);
}

static void natural_loops(void **state)
{
    (void)state;
    struct ptx_arena arena = {NULL};
    struct ptx_diag diag = {.arena = &arena};
    uint32_t n_loops = 0;
    struct ptx_graph graph = graph_of(&diag, "1;2;2 3;1 4;x;");
    const struct ptx_loop *loops = ptx_graph_loops(&diag, &graph, &n_loops);
    assert_int_equal(n_loops, 2);
    assert_int_equal(loops[0].header, 2);
    assert_int_equal(loops[1].header, 1);
    assert_memory_equal(loops[0].contains, ((uint8_t[]){0, 0, 1, 0, 0}), 5);
    assert_memory_equal(loops[1].contains, ((uint8_t[]){0, 1, 1, 1, 0}), 5);
    ptx_arena_free(&arena);
}

static const struct isa_inst *inst_at_line(const struct isa_kernel *kernel, uint32_t line)
{
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        if (kernel->inst[pc].line == line) {
            return &kernel->inst[pc];
        }
    }
    fail_msg("no instruction on line %u", line);
    return NULL;
}

static const char chase[] =                       /* lines count from 4, behind the header */
    ".func (.param .b64 q) same(.param .b64 p)\n" /* 4 */
    "{ .reg .b64 %d<2>; ld.param.u64 %d1, [p]; st.param.b64 [q], %d1; ret; }\n"
    ".visible .entry k(.param .u64 list, .param .u32 n)\n" /* 6 */
    "{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<12>;\n"
    "ld.param.u64 %d1, [list];\n" /* 8 */
    "ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %d2, %r2, 8;\n"
    "add.u64 %d3, %d1, %d2;\n"
    "ld.global.u64 %d4, [%d3];\n" /* 13: TID, PARAM */
    "mov.u32 %r3, 0;\n"
    "OUTER: ld.global.u64 %d4, [%d4];\n" /* 15: LOADED, INDUCTION */
    "mul.wide.u32 %d5, %r3, 4;\n"
    "add.u64 %d6, %d1, %d5;\n"
    "ld.global.u32 %r4, [%d6];\n" /* 18: PARAM, INDUCTION */
    "mov.u32 %r5, 0;\n"
    "INNER: add.u32 %r5, %r5, %r4;\n" /* 20: depth 2 */
    "setp.lt.u32 %p1, %r5, %r1;\n"
    "@%p1 bra INNER;\n" /* 22 */
    "add.u32 %r3, %r3, 1;\n"
    "setp.lt.u32 %p2, %r3, %r1;\n"
    "@%p2 bra OUTER;\n" /* 25 */
    "mov.u32 %r6, %ctaid.x;\n"
    "mul.wide.u32 %d7, %r6, 8;\n"
    "st.global.u32 [%d7], %r5;\n" /* 28: CTAID, PARAM */
    "{ .param .b64 a; st.param.b64 [a], %d4; .param .b64 b; call (b), same, (a); ld.param.b64 %d8, "
    "[b]; }\n"
    "st.global.u32 [%d8], %r5;\n" /* 30: LOADED, through the call */
    "@%p1 mov.u64 %d9, %d7;\n"
    "@!%p1 mov.u64 %d9, %d3;\n"
    "st.global.u64 [%d9], %d3;\n" /* 33: CTAID, TID, PARAM, and p1's */
    "ret; }\n";

static void origins_and_depths(void **state)
{
    (void)state;
    struct ptx_module *module = test_parse(chase);
    const struct isa_kernel *k = ptx_kernel(module, "k");
    enum {
        T = ISA_FROM_TID,
        C = ISA_FROM_CTAID,
        P = ISA_FROM_PARAM,
        L = ISA_FROM_LOADED,
        I = ISA_FROM_INDUCTION
    };
    assert_int_equal(inst_at_line(k, 13)->origin, T | P);
    assert_int_equal(inst_at_line(k, 15)->origin, L | I);
    assert_int_equal(inst_at_line(k, 18)->origin, P | I);
    assert_int_equal(inst_at_line(k, 25)->origin, P | I);
    assert_int_equal(inst_at_line(k, 28)->origin, C | P);
    assert_int_equal(inst_at_line(k, 30)->origin & (L | T), L);
    assert_int_equal(inst_at_line(k, 33)->origin & (C | T | P), C | T | P);
    assert_int_equal(inst_at_line(k, 13)->loop_depth, 0);
    assert_int_equal(inst_at_line(k, 15)->loop_depth, 1);
    assert_int_equal(inst_at_line(k, 20)->loop_depth, 2);
    assert_int_equal(inst_at_line(k, 23)->loop_depth, 1);
    assert_int_equal(inst_at_line(k, 28)->loop_depth, 0);
    ptx_module_free(module);
}

static void instruction_facts(void **state)
{
    (void)state;
    static const char text[] = ".visible .entry k(.param .u64 p)\n{ .reg .pred %p<3>; .reg .b32 "
                               "%r<9>; .reg .b64 %d<9>; .shared .b32 s[4];\n"
                               "ld.param.u64 %d1, [p];\n" /* 6 */
                               "ld.global.cg.v2.u32 {%r1, %r2}, [%d1+8];\n"
                               "setp.lt.u32 %p1, %r1, %r2;\n"
                               "@%p1 st.shared.u32 [s], %r2;\n" /* 9 */
                               "atom.global.gpu.min.s32 %r3, [%d1], %r1;\n"
                               "red.shared.add.u32 [s], %r3;\n"
                               "ld.volatile.u64 %d2, [%d1];\n"
                               "membar.gl;\n" /* 13 */
                               "ld.global.nc.u8 %r4, [%d1];\n"
                               "sqrt.rn.f32 %r5, %r4;\n"
                               "bar.sync 0;\n" /* 16 */
                               "st.global.wt.u16 [%d1], %r5;\n"
                               "@%p1 exit;\n"
                               "add.f64 %d3, %d2, %d2;\n"
                               "st.release.sys.global.u64 [%d1], %d3;\n" /* 20: two instructions */
                               "ret; }\n";
    struct ptx_module *module = test_parse(text);
    const struct isa_kernel *k = ptx_kernel(module, "k");
    const struct isa_inst *i = inst_at_line(k, 7);
    assert_true(i->pipe == ISA_PIPE_MEM && i->access == ISA_ACCESS_LOAD &&
                i->space == ISA_SPACE_GLOBAL);
    assert_true(i->bytes == 8 && i->cacheop == ISA_CACHE_CG && i->n_dst == 2 && i->n_src == 1);
    assert_string_equal(i->text, "ld.global.cg.v2.u32");
    uint16_t r1 = i->dst[0], r2 = i->dst[1];
    i = inst_at_line(k, 8);
    assert_true(i->pipe == ISA_PIPE_INT && i->src[0] == r1 && i->src[1] == r2 && i->n_dst == 1);
    uint16_t p1 = i->dst[0];
    i = inst_at_line(k, 9);
    assert_true(i->pipe == ISA_PIPE_SHARED && i->access == ISA_ACCESS_STORE && i->n_src == 2 &&
                i->src[0] == p1);
    i = inst_at_line(k, 10);
    assert_true(i->access == ISA_ACCESS_ATOMIC && i->atom == ISA_ATOM_MIN && i->number == ISA_S32);
    assert_int_equal(i->scope, ISA_SCOPE_GPU);
    i = inst_at_line(k, 11);
    assert_true(i->access == ISA_ACCESS_REDUCE && i->atom == ISA_ATOM_ADD &&
                i->space == ISA_SPACE_SHARED);
    i = inst_at_line(k, 12);
    assert_true(i->space == ISA_SPACE_GENERIC && i->cacheop == ISA_CACHE_VOLATILE && i->bytes == 8);
    assert_true(inst_at_line(k, 13)->pipe == ISA_PIPE_FENCE &&
                inst_at_line(k, 13)->scope == ISA_SCOPE_GPU);
    assert_int_equal(inst_at_line(k, 14)->cacheop, ISA_CACHE_NC);
    assert_int_equal(inst_at_line(k, 15)->pipe, ISA_PIPE_SFU);
    assert_int_equal(inst_at_line(k, 16)->pipe, ISA_PIPE_BARRIER);
    assert_int_equal(inst_at_line(k, 17)->cacheop, ISA_CACHE_WT);
    assert_true(inst_at_line(k, 18)->is_exit && inst_at_line(k, 18)->pipe == ISA_PIPE_CONTROL);
    assert_int_equal(inst_at_line(k, 19)->pipe, ISA_PIPE_FP64);
    i = inst_at_line(k, 20);
    assert_true(i[0].pipe == ISA_PIPE_FENCE && i[0].scope == ISA_SCOPE_SYSTEM);
    assert_true(i[1].access == ISA_ACCESS_STORE && i[1].cacheop == ISA_CACHE_CV);
    assert_int_equal(k->shared_bytes, 16);
    ptx_module_free(module);
}

/* Most 32-bit units alive at once, counted by hand. */
static void register_pressure(void **state)
{
    (void)state;
    static const char straight[] =
        ".visible .entry k(.param .u64 p)\n{ .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
        "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1+4];\n"
        "ld.global.u32 %r3, [%d1+8];\n" /* d1, r1, r2, r3: 5 units */
        "add.u32 %r4, %r1, %r2;\nadd.u32 %r5, %r4, %r3;\nst.global.u32 [%d1], %r5;\nret; }\n";
    static const char call[] =
        ".func f(.reg .b64 %x)\n{ .reg .b64 %y<3>;\nadd.u64 %y1, %x, 1;\nadd.u64 %y2, %y1, "
        "%x;\nst.global.u64 [%y2], %y1;\nret; }\n"
        ".visible .entry k(.param .u64 p)\n{ .reg .b64 %d<9>;\nld.param.u64 %d1, "
        "[p];\nld.global.u64 %d2, [%d1];\n"
        "call f, (%d1);\nst.global.u64 [%d1], %d2;\nret; }\n"; /* d1, d2 across; x, y1 then y1, y2:
                                                                  4 + 4 */
    struct ptx_module *module = test_parse(straight);
    assert_int_equal(ptx_kernel(module, "k")->registers_per_thread, 5);
    ptx_module_free(module);
    module = test_parse(call);
    assert_int_equal(ptx_kernel(module, "k")->registers_per_thread, 8);
    ptx_module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(post_dominators),   cmocka_unit_test(irreducible_graph),
        cmocka_unit_test(natural_loops),     cmocka_unit_test(origins_and_depths),
        cmocka_unit_test(instruction_facts), cmocka_unit_test(register_pressure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
