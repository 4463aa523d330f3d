/* test_glue.h - what a mechanism gives its units: every clock edge of a unit that is watched, as
 * text, while loads, stores and warps of SM 0 are told to the mechanism in the machine's order.
 *
 * A unit stands behind a spy that hands everything on to the C model.  An edge is written as the
 * watched inputs that are not 0, "acc_valid=1 pc=10 push=1", and left out where no event is among
 * them (a name in "valid" or "start", or an "op"); of a combinational unit every evaluation that
 * differs from the one before.  Behind the first instance of a unit, another is named: "1: ". */
#ifndef WARPLOCK_TEST_GLUE_H
#define WARPLOCK_TEST_GLUE_H

#include "test_gpu_front_machine.h"

#include "mechanisms/mechanism.h"
#include "tb/backend.h"

enum { GLUE_TEXT = 16384, GLUE_SPIES = 64 };

struct glue_watch {
    const char *unit, *inputs; /* "valid pc" */
    unsigned instances;
    char text[GLUE_TEXT], last[256];
    size_t used;
};

struct glue_spy {
    struct unit_backend backend;
    const struct unit_backend *inner;
    struct glue_watch *watch; /* NULL: nobody looks */
    unsigned number;          /* of its unit's instances */
};

struct glue {
    struct rig rig;
    struct library *library; /* not its own */
    struct mechanism_set *set;
    struct glue_watch watch[4];
    struct glue_spy spy[GLUE_SPIES];
    size_t n_spies;
    uint64_t cycle;
};

/* ---- the spy ---- */

struct glue_instance {
    struct glue_spy *spy;
    void *inner;
};

static void *glue_create(void *context, uint64_t seed)
{
    struct glue_spy *spy = context;
    struct glue_instance *instance = calloc(1, sizeof *instance);

    assert_non_null(instance);
    *instance = (struct glue_instance){spy, spy->inner->create(spy->inner->context, seed)};
    return instance;
}

static void glue_destroy(void *self)
{
    struct glue_instance *instance = self;

    instance->spy->inner->destroy(instance->inner);
    free(instance);
}

static bool glue_shows(const char *inputs, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = inputs; (at = strstr(at, name)) != NULL; at += n) {
        if ((at == inputs || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool glue_is_event(const struct unit_desc *desc, const char *input)
{
    return desc->kind == UNIT_COMBINATIONAL || strstr(input, "valid") != NULL ||
           strstr(input, "start") != NULL || strcmp(input, "op") == 0;
}

/* "name=value", an array's values up to the last that is not 0; nothing when all are 0. */
static size_t glue_put(char *to, size_t room, const struct unit_port *port, const uint64_t *in)
{
    const uint64_t *value = &in[port->slot];
    unsigned n = port->lanes;
    size_t used = 0;

    while (n > 0 && value[n - 1] == 0) {
        n--;
    }
    for (unsigned i = 0; i < n && used < room; i++) {
        used += (size_t)snprintf(to + used, room - used, "%s%s%llu", i == 0 ? port->name : "",
                                 i == 0 ? "=" : ",", (unsigned long long)value[i]);
    }
    return used;
}

static void glue_write(const struct glue_spy *spy, const struct unit_desc *desc, const uint64_t *in)
{
    struct glue_watch *watch = spy->watch;
    char line[256] = "";
    size_t used = 0;
    bool event = false;

    if (spy->number > 0) {
        used = (size_t)snprintf(line, sizeof line, "%u:", spy->number);
    }
    for (unsigned p = 0; p < desc->n_in; p++) {
        const struct unit_port *port = &desc->in[p];

        if (!glue_shows(watch->inputs, port->name)) {
            continue;
        }
        const size_t space = used != 0;
        const size_t put = glue_put(line + used + space, sizeof line - used - space, port, in);
        if (put != 0) {
            line[used] = space ? ' ' : line[used];
            used += put + space;
            assert_true(used < sizeof line);
            event |= glue_is_event(desc, port->name) &&
                     (port->width == 1 || strcmp(port->name, "op") == 0);
        }
    }
    if (!event || (desc->kind == UNIT_COMBINATIONAL && strcmp(line, watch->last) == 0)) {
        return;
    }
    strcpy(watch->last, line);
    watch->used += (size_t)snprintf(watch->text + watch->used, GLUE_TEXT - watch->used, "%s\n",
                                    line);
    assert_true(watch->used < GLUE_TEXT);
}

static void glue_comb(void *self, const uint64_t *in, uint64_t *out)
{
    struct glue_instance *instance = self;
    const struct glue_spy *spy = instance->spy;

    spy->inner->comb(instance->inner, in, out);
    if (spy->watch != NULL && spy->inner->desc->kind == UNIT_COMBINATIONAL) {
        glue_write(spy, spy->inner->desc, in);
    }
}

static void glue_seq(void *self, const uint64_t *in, bool rst)
{
    struct glue_instance *instance = self;
    const struct glue_spy *spy = instance->spy;

    spy->inner->seq(instance->inner, in, rst);
    if (spy->watch != NULL && !rst && spy->inner->desc->kind == UNIT_SEQUENTIAL) {
        glue_write(spy, spy->inner->desc, in);
    }
}

static struct glue_watch *glue_watched(struct glue *g, const char *unit)
{
    for (size_t w = 0; w < COUNT(g->watch) && g->watch[w].unit != NULL; w++) {
        if (strcmp(g->watch[w].unit, unit) == 0) {
            return &g->watch[w];
        }
    }
    return NULL;
}

static const struct unit_backend *glue_open(void *self, const char *unit, const char *overrides,
                                            const char *form, char *error, size_t n_error)
{
    struct glue *g = self;
    struct failure failure;
    const struct unit_backend *inner = library_open(g->library, unit, overrides, form, &failure);

    if (inner == NULL) {
        snprintf(error, n_error, "%s", failure.words);
        return NULL;
    }
    assert_true(g->n_spies < GLUE_SPIES);
    struct glue_spy *spy = &g->spy[g->n_spies++];
    struct glue_watch *watch = glue_watched(g, inner->desc->name);
    *spy = (struct glue_spy){.backend = {.desc = inner->desc,
                                         .name = inner->name,
                                         .context = spy,
                                         .create = glue_create,
                                         .destroy = glue_destroy,
                                         .comb = glue_comb,
                                         .seq = glue_seq},
                             .inner = inner,
                             .watch = watch,
                             .number = watch != NULL ? watch->instances++ : 0};
    return &spy->backend;
}

/* ---- opening ---- */

/* The state of all tests of a program: cmocka_run_group_tests(tests, glue_setup, glue_teardown). */
static int glue_setup(void **state)
{
    *state = library_new(NULL);
    return *state == NULL ? -1 : 0;
}

static int glue_teardown(void **state)
{
    library_free(*state);
    return 0;
}

/* The small machine with `mechanisms`; up to four pairs of a unit and its inputs, in `watch`,
 * which ends with NULL. */
static struct glue *glue_new(void **state, const char *const *changes, const char *mechanisms,
                             const char *const *watch)
{
    struct glue *g = calloc(1, sizeof *g);
    char error[512] = "";

    assert_non_null(g);
    for (size_t w = 0; watch[2 * w] != NULL; w++) {
        g->watch[w].unit = watch[2 * w];
        g->watch[w].inputs = watch[2 * w + 1];
    }
    rig_make(&g->rig, changes);
    g->library = *state;
    g->set = mechanism_attach(g->rig.gpu, &(struct unit_source){g, glue_open}, mechanisms, NULL,
                              error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(g->set);
    return g;
}

static void glue_free(struct glue *g)
{
    mechanism_detach(g->set);
    rig_free(&g->rig);
    free(g);
}

static inline void glue_forget_watch(struct glue_watch *watch)
{
    watch->used = 0;
    watch->text[0] = watch->last[0] = '\0';
}

/* What the unit was given since the last call is exactly this. */
static inline void glue_expect(struct glue *g, const char *unit, const char *text)
{
    struct glue_watch *watch = glue_watched(g, unit);

    assert_non_null(watch);
    assert_string_equal(watch->text, text);
    glue_forget_watch(watch);
}

/* What all units were given so far was only on the way. */
static inline void glue_forget(struct glue *g)
{
    for (size_t w = 0; w < COUNT(g->watch) && g->watch[w].unit != NULL; w++) {
        glue_forget_watch(&g->watch[w]);
    }
}

/* ---- a script of events, as SM 0 tells them (sm_warp.c, sm_ldst.c) ---- */

static inline struct sm_sockets *glue_sockets(struct glue *g)
{
    return &g->rig.gpu->sm[0].sockets;
}

static inline void glue_kernel(struct glue *g)
{
    struct policy_socket *policy = &glue_sockets(g)->policy;

    if (policy->kernel_start != NULL) {
        policy->kernel_start(policy->self);
    }
    OBSERVE(*glue_sockets(g), kernel_start, 0);
}

static inline void glue_launch(struct glue *g, uint32_t slot)
{
    OBSERVE(*glue_sockets(g), warp_launch, 0, slot);
}

static inline void glue_exit(struct glue *g, uint32_t slot)
{
    OBSERVE(*glue_sockets(g), warp_exit, 0, slot);
}

/* A cycle for what is clocked, with one event in it. */
static inline void glue_begin(struct glue *g)
{
    struct sm_sockets *s = glue_sockets(g);

    clocked_begin(s->clocked, s->n_clocked, ++g->cycle, &s->clocked_next);
}

static inline void glue_end(struct glue *g)
{
    clocked_end(glue_sockets(g)->clocked, glue_sockets(g)->n_clocked);
}

/* One instruction: what becomes of each of its requests is a letter of `results`: Hit, hit
 * Reserved, Miss, Bypass.  Request i is for block `block` + i. */
struct glue_access {
    uint32_t slot, priority, pc, block;
    const char *results;
    bool local;
};

static inline enum access_result glue_result(char letter)
{
    return letter == 'H'   ? RESULT_HIT
           : letter == 'R' ? RESULT_HIT_RESERVED
           : letter == 'M' ? RESULT_MISS
                           : RESULT_BYPASS;
}

static inline struct access_info glue_info(const struct glue_access *access, uint8_t kind,
                                           uint32_t at)
{
    return (struct access_info){.block = (uint64_t)(access->block + at) * 128,
                                .pc = access->pc,
                                .kind = kind,
                                .warp_slot = (uint8_t)access->slot,
                                .priority = (uint8_t)access->priority,
                                .n_requests = (uint8_t)strlen(access->results),
                                .position = (uint8_t)at,
                                .local = access->local};
}

/* It issues and is coalesced. */
static inline void glue_issue(struct glue *g, const struct glue_access *access, bool is_load)
{
    const uint32_t n = (uint32_t)strlen(access->results);

    OBSERVE(*glue_sockets(g), issue_mem, 0, access->slot, access->pc, is_load, UINT32_MAX,
            access->priority);
    OBSERVE(*glue_sockets(g), coalesce_done, 0, access->slot, access->pc, n);
}

/* Its requests are accepted, one a cycle, and it leaves the memory stage. */
static inline void glue_serve(struct glue *g, const struct glue_access *access)
{
    const uint32_t n = (uint32_t)strlen(access->results);
    uint32_t misses = 0;

    for (uint32_t at = 0; at < n; at++) {
        const struct access_info info = glue_info(access, ACCESS_LOAD, at);

        glue_begin(g);
        misses += access->results[at] != 'H';
        OBSERVE(*glue_sockets(g), acc_result, 0, &info, 0, glue_result(access->results[at]));
        if (at + 1 == n) {
            OBSERVE(*glue_sockets(g), load_retire, 0, access->slot, access->pc, access->priority, n,
                    misses);
        }
        glue_end(g);
    }
}

static inline void glue_load(struct glue *g, struct glue_access access)
{
    glue_issue(g, &access, true);
    glue_serve(g, &access);
}

static inline void glue_store(struct glue *g, struct glue_access access)
{
    glue_issue(g, &access, false);
    for (uint32_t at = 0; access.results[at] != '\0'; at++) {
        const struct access_info info = glue_info(&access, ACCESS_STORE, at);

        glue_begin(g);
        OBSERVE(*glue_sockets(g), write_result, 0, &info, 0, glue_result(access.results[at]),
                !access.local);
        glue_end(g);
    }
}

#endif
