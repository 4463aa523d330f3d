/* test_hier_values - no value is ever lost between L1Ds, victim caches, copy-backs and L2 banks, under
 * every policy of inclusion, bypass and granularity (lakshminarayana2014 3.3 to 3.6), against a memory of
 * the test's own.
 *
 * Threads load, store and add at random to words of their own, and load those of others, whose values
 * nobody promises.  Blocks hold words of several SMs, so that every L1D has copies that are stale in
 * words of others; from kernel to kernel words change their owners, so that what a stale copy left in
 * the L2 is seen.  HIER_OPERATIONS: of lanes, under each of the policies, else a short run;
 * HIER_POLICY: under this one alone, by its number. */
#include "test_mech.h"

enum {
    CTAS = 8,
    CTA_THREADS = 64,
    THREADS = CTAS * CTA_THREADS,
    SLOTS = 8,
    WORDS = THREADS * SLOTS,
    REGIONS = 8 /* allocations of the same size, in a row */
};
enum { WARP_OPERATIONS = 64, PER_KERNEL = THREADS * WARP_OPERATIONS };
enum { PC_LOAD, PC_STORE, PC_ATOM, PC_FOREIGN, PC_EXIT };

struct tested {
    uint64_t base, random, kernel, wrong;
    uint32_t apart; /* of the words of neighbours */
    const struct front_program *program;
    uint32_t golden[WORDS];
};

struct values_warp {
    struct isa_warp isa;
    struct isa_warp_place place;
    uint32_t left, expected[ISA_LANES];
};

static uint32_t draw(struct tested *v, uint32_t below)
{
    v->random ^= v->random << 13;
    v->random ^= v->random >> 7;
    v->random ^= v->random << 17;
    return (uint32_t)(v->random >> 20) % below;
}

static void warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    struct values_warp *w = (struct values_warp *)warp;
    (void)self;
    memset(w, 0, sizeof *w);
    w->place = *place;
    w->left = WARP_OPERATIONS;
    w->isa.active = w->isa.live = UINT32_MAX;
}

/* The lane's word in one of its slots, of this kernel. */
static uint32_t own_word(struct tested *v, uint32_t thread)
{
    const uint64_t place = (uint64_t)thread * v->apart + v->kernel * 37;
    return draw(v, SLOTS) * THREADS + (uint32_t)(place % THREADS);
}

static void step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                 struct isa_memop *memop)
{
    struct tested *v = self;
    struct values_warp *w = (struct values_warp *)warp;
    const uint32_t pc = warp->pc;
    const uint32_t first = w->place.ctaid.x * CTA_THREADS + w->place.warp_in_cta * ISA_LANES;
    (void)cycle;
    step->active = warp->active;
    memop->inst = &v->program->inst[pc];
    if (pc == PC_EXIT) {
        step->kind = ISA_STEP_DONE;
        warp->done = true;
        warp->live = 0;
        return;
    }
    step->kind = ISA_STEP_MEMORY;
    memop->mask = warp->active;
    memop->space = ISA_SPACE_GLOBAL;
    const uint32_t together = draw(v, WORDS); /* foreign words, in a row */
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        const uint32_t word = pc == PC_FOREIGN ? (together + lane) % WORDS
                                               : own_word(v, first + lane);
        const uint32_t value = draw(v, UINT32_MAX);
        memop->addr[lane] = v->base + 4 * word;
        memset(memop->data[lane], 0, ISA_LANE_BYTES);
        memcpy(memop->data[lane], &value, sizeof value);
        w->expected[lane] = v->golden[word];
        v->golden[word] = pc == PC_STORE  ? value
                          : pc == PC_ATOM ? v->golden[word] + value
                                          : v->golden[word];
    }
    const uint32_t next = draw(v, 16);
    warp->pc = --w->left == 0 ? PC_EXIT
               : next < 5     ? PC_LOAD
               : next < 8     ? PC_STORE
               : next < 9     ? PC_ATOM
                              : PC_FOREIGN;
}

static void retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    struct tested *v = self;
    const struct values_warp *w = (const struct values_warp *)warp;
    const size_t pc = (size_t)(memop->inst - v->program->inst);
    for (uint32_t lane = 0; lane < ISA_LANES && (pc == PC_LOAD || pc == PC_ATOM); lane++) {
        v->wrong += memcmp(memop->data[lane], &w->expected[lane], 4) != 0;
    }
}

static void launch(struct mech *m, struct tested *v)
{
    static const struct front_op op[] = {[PC_LOAD] = {.kind = FRONT_LOAD, .d = 1, .a = 1},
                                         [PC_STORE] = {.kind = FRONT_STORE, .a = 1, .b = 1},
                                         [PC_ATOM] = {.kind = FRONT_ATOM, .d = 1, .a = 1, .b = 1},
                                         [PC_FOREIGN] = {.kind = FRONT_LOAD, .d = 1, .a = 1},
                                         [PC_EXIT] = {.kind = FRONT_EXIT}};
    static const uint32_t apart[] = {1, 33, 5, 129};
    struct front_program program;
    front_make(&program, op, COUNT(op), CTAS, CTA_THREADS);
    program.launch.self = v;
    program.launch.warp_bytes = sizeof(struct values_warp);
    program.launch.warp_start = warp_start;
    program.launch.step = step;
    program.launch.retire = retire;
    v->program = &program;
    v->apart = apart[v->kernel % COUNT(apart)];
    assert_int_equal(gpu_launch(m->rig.gpu, &program.launch), GPU_OK);
    front_free(&program);
    v->kernel++;
}

/* Words that memory holds otherwise than the test, and loads that got another value. */
static uint64_t wrong_values(const char *mechanisms, const char *at_launch, uint64_t operations)
{
    const char *const machine[] = {at_launch,          "machine.sms=4", "l1d.allocate=on-fill",
                                   "l1d.index=linear", "l1d.sets=4",    "l1d.ways=2",
                                   "l2.partitions=2",  "l2.sets=16",    "l2.ways=2",
                                   "l2.write=evict",   "l2.mshrs=16",   NULL};
    struct tested *v = calloc(1, sizeof *v);
    struct mech m;
    mech_make(&m, machine, mechanisms);
    v->random = UINT64_C(0x9E3779B97F4A7C15);
    for (uint64_t region = 0; region < REGIONS; region++) {
        const uint64_t bytes = WORDS * 4 / REGIONS,
                       at = memory_alloc(m.rig.memory, "words", bytes, 256);
        v->base = region == 0 ? at : v->base;
        assert_int_equal(at, v->base + region * bytes);
    }
    for (uint64_t done = 0; done < operations; done += PER_KERNEL) {
        launch(&m, v);
    }
    for (uint32_t word = 0; word < WORDS; word++) {
        uint32_t value;
        gpu_peek(m.rig.gpu, v->base + 4 * word, &value, sizeof value);
        v->wrong += value != v->golden[word];
    }
    const uint64_t wrong = v->wrong;
    if (mechanisms != NULL) {
        FILE *nowhere = fopen("/dev/null", "w");
        assert_true(run_units_report(m.units, nowhere)); /* units and machine agree */
        fclose(nowhere);
    }
    if (mechanisms != NULL && strstr(mechanisms, "ENTRIES=3") != NULL) { /* fewer than regions */
        assert_true(mech_count(&m, "rex", "regions_replaced") > 0);
    }
    mech_free(&m);
    free(v);
    return wrong;
}

static const char *const policies[] = {
    NULL,
    "inclusion:policy=ni",
    "inclusion:policy=ex",
    "inclusion:policy=ex:victim=0",
    "inclusion:policy=flex",
    "inclusion:policy=flex:victim=0",
    "inclusion:policy=flex:sdm.PSEL_W=2",
    "rex:period=512:rtt.REPLACE=0",
    "rex:force=private",
    "bypass:policy=mat:level=both",
    "bypass:policy=ab:level=both:ab.E_INIT=1",
    "bypass:policy=obm:level=both",
    "bypass:policy=mat:level=both,inclusion:policy=ex",
    "inclusion:policy=flex,bypass:policy=obm:level=both",
    "bypass:policy=ab:level=both:ab.E_INIT=1,rex:period=512",
    "rex:force=private,bypass:policy=obm:level=both",
    "bc:period=512:check=1",
    "bc:period=512:level=l2:decide.SAMPLE=1",
    "bypass:policy=mat:level=l1,bc:period=512",
    "rex:period=512:rtt.ENTRIES=3:table.ENTRIES=3",
    "granularity:policy=coarse",
    "granularity:policy=sector",
    "granularity:policy=spp:level=both",
    "granularity:policy=bim:level=both",
    "granularity:policy=nap:level=both",
    "granularity:policy=nap:level=l2",
    "granularity:policy=sector,bypass:policy=obm:level=both",
    "bypass:policy=obm:level=l2,granularity:policy=sector",
    "granularity:policy=nap:level=both,bypass:policy=obm:level=both",
    "granularity:policy=sector,bypass:policy=mat:level=both",
    "granularity:policy=spp,bypass:policy=ab:level=both:ab.E_INIT=1",
    "inclusion:policy=ni,bypass:policy=ab:level=both:ab.E_INIT=1",
    "inclusion:policy=ni,bypass:policy=obm:level=both",
    "inclusion:policy=ex,bypass:policy=obm:level=both",
    "inclusion:policy=flex,bypass:policy=mat:level=both",
    "rex:period=512,bypass:policy=mat:level=both",
    "inclusion:policy=ex:stale=refreshed",
    "inclusion:policy=flex:stale=refreshed",
    "rex:force=private:stale=refreshed",
    "bypass:policy=mat:level=l1,bc:period=512:stale=refreshed"};

static const char emptied[] = "l1d.at_launch=emptied", refreshed[] = "l1d.at_launch=refreshed";

static void no_value_is_lost(void **state)
{
    const char *const at_launch = *state;
    const char *wanted = getenv("HIER_OPERATIONS"), *one = getenv("HIER_POLICY");
    const uint64_t operations = wanted != NULL ? strtoull(wanted, NULL, 10) : 5 * PER_KERNEL;
    const size_t first = one != NULL ? strtoull(one, NULL, 10) : 0;
    assert_true(first < COUNT(policies));
    for (size_t p = first; p < (one != NULL ? first + 1 : COUNT(policies)); p++) {
        const uint64_t wrong = wrong_values(policies[p], at_launch, operations);
        print_message("%2zu %-54s %s %llu operations, %llu wrong\n", p,
                      policies[p] != NULL ? policies[p] : "no mechanism", at_launch,
                      (unsigned long long)operations, (unsigned long long)wrong);
        assert_int_equal(wrong, 0);
    }
}

/* The hazard of 3.3.2: without the filter stale lines are copied back, and values are lost. */
static void stale_copy_backs_lose_values(void **state)
{
    (void)state;
    assert_true(wrong_values("inclusion:policy=ex:l2.CB_FILTER=0", emptied, 8 * PER_KERNEL) > 0);
    assert_true(wrong_values("rex:force=private:l2.CB_FILTER=0", emptied, 8 * PER_KERNEL) > 0);
    assert_true(
        wrong_values("bc:period=128:l2.CB_FILTER=0:rtt.THR_SHIFT=15", emptied, 8 * PER_KERNEL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(no_value_is_lost, (void *)emptied),
        cmocka_unit_test_prestate(no_value_is_lost, (void *)refreshed),
        cmocka_unit_test(stale_copy_backs_lose_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
