/* test_caps_ctas - how CTAs come to SMs (TV-CTA-1 to -3 of caps-prefetch 3.1) and which loads
 * of breadth-first search are candidates (TV-IND-1 of 3.6). */
#include "test_gpu_front_machine.h"

#include "machine/plug/sockets_base.h"
#include "ptx/ptx.h"

enum { MAX_SMS = 15 };

/* The machine's own dispatcher, watched: what each SM was given before any CTA ended. */
struct watch {
    struct dispatch_socket inner;
    uint32_t n[MAX_SMS];
    int64_t given[MAX_SMS][8];
    bool ended;
};

static const char *watch_start(void *self, const struct dispatch_kernel *kernel)
{
    struct watch *watch = self;
    return watch->inner.kernel_start(watch->inner.self, kernel);
}

static int64_t watch_next(void *self, uint32_t sm, uint32_t resident, uint64_t cycle)
{
    struct watch *watch = self;
    const int64_t cta = watch->inner.next(watch->inner.self, sm, resident, cycle);
    if (cta >= 0 && !watch->ended) {
        watch->given[sm][watch->n[sm]++] = cta;
    }
    return cta;
}

static void watch_done(void *self, uint32_t sm, uint64_t cta)
{
    struct watch *watch = self;
    (void)sm, (void)cta;
    watch->ended = true;
}

/* `ctas` CTAs of `threads` threads that outlast the distribution. */
static void distribute(struct watch *watch, const char *const *changes, uint32_t ctas,
                       uint32_t threads)
{
    static const struct front_op op[] = {{.kind = FRONT_SFU, .d = 1, .a = 1},
                                         {.kind = FRONT_LOOP, .imm = 0, .stride = 20},
                                         {.kind = FRONT_EXIT}};
    struct rig rig = {0};
    rig_make(&rig, changes);
    watch->inner = rig.gpu->dispatch;
    rig.gpu->dispatch = (struct dispatch_socket){
        .self = watch, .kernel_start = watch_start, .next = watch_next, .done = watch_done};
    rig_run(&rig, op, COUNT(op), ctas, threads);
    rig_free(&rig);
}

static void tv_cta_1(void **unused)
{
    static const char *const changes[] = {"machine.sms=3", "sm.ctas=2", "sm.launch_hold=yes", NULL};
    struct watch watch = {0};
    (void)unused;
    distribute(&watch, changes, 12, 96);
    for (uint32_t sm = 0; sm < 3; sm++) {
        assert_int_equal(watch.n[sm], 2);
        assert_int_equal(watch.given[sm][0], sm);
        assert_int_equal(watch.given[sm][1], sm + 3);
    }
}

/* CTA 5 ends on SM 2, then CTA 3 on SM 0. */
static void tv_cta_2(void **unused)
{
    struct dispatch_socket dispatch;
    (void)unused;
    assert_int_equal(base_dispatch(&dispatch), 0);
    const struct dispatch_kernel kernel = {
        .n_ctas = 12, .grid_x = 12, .n_sms = 3, .ctas_per_sm = 2};
    assert_null(dispatch.kernel_start(dispatch.self, &kernel));
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(dispatch.next(dispatch.self, i % 3, i / 3, i), i);
    }
    assert_int_equal(dispatch.next(dispatch.self, 1, 2, 90), -1);
    assert_int_equal(dispatch.next(dispatch.self, 2, 1, 100), 6);
    assert_int_equal(dispatch.next(dispatch.self, 0, 1, 200), 7);
    free(dispatch.self);
}

static void tv_cta_3(void **unused)
{
    static const char *const changes[] = {"machine.sms=15", "sm.ctas=8", "sm.launch_hold=yes",
                                          NULL};
    struct watch watch = {0};
    (void)unused;
    distribute(&watch, changes, 100, 128);
    for (uint32_t sm = 0; sm < 15; sm++) {
        assert_int_equal(watch.n[sm], sm < 10 ? 7 : 6);
        for (uint32_t i = 0; i < watch.n[sm]; i++) {
            assert_int_equal(watch.given[sm][i], sm + 15 * i);
        }
    }
}

/* ---- TV-IND-1 ---- */

/* The kernel's global loads in program order: mask, the two fields of the vertex, the edge,
 * the visited flag through it, the vertex's own cost. */
static void tv_ind_1(void **unused)
{
    static const bool affine[] = {true, true, true, false, false, true};
    char error[512] = "";
    struct ptx_module *module = ptx_module_load("cmodel/workloads/bfs/bfs.ptx", error,
                                                sizeof error);
    (void)unused;
    assert_string_equal(error, "");
    assert_non_null(module);
    const struct isa_kernel *kernel = ptx_kernel(module, "bfs_expand");
    size_t n = 0;
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        const struct isa_inst *inst = &kernel->inst[pc];
        if (inst->access == ISA_ACCESS_LOAD && inst->space == ISA_SPACE_GLOBAL) {
            assert_true(n < COUNT(affine));
            assert_int_equal(!(inst->origin & ISA_FROM_LOADED), affine[n]);
            n++;
        }
    }
    assert_int_equal(n, COUNT(affine));
    ptx_module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tv_cta_1), cmocka_unit_test(tv_cta_2),
                                       cmocka_unit_test(tv_cta_3), cmocka_unit_test(tv_ind_1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
