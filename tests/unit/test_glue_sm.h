/* test_glue_sm.h - SM 0 event by event, as its schedulers and its prefetcher see it: kernels, warps
 * that come and go, who may issue (sm_issue.c), global loads (sm_ldst.c), and an L1D that takes one
 * prefetch a cycle (sm_l1d_prefetch.c).  Behind test_glue.h; no kernel runs. */
#ifndef WARPLOCK_TEST_GLUE_SM_H
#define WARPLOCK_TEST_GLUE_SM_H

#include "test_counter.h"
#include "test_glue.h"

#include <jansson.h>

static inline struct sm *glue_sm(struct glue *g)
{
    return &g->rig.gpu->sm[0];
}

/* SM 0 is in `cycle`; it stands before it. */
static inline void glue_in(struct glue *g, uint64_t cycle)
{
    glue_sm(g)->now = cycle;
    glue_sm(g)->last_step = cycle + 1;
}

static inline void glue_before(struct glue *g, uint64_t cycle)
{
    glue_in(g, cycle - 1);
}

/* A kernel of `facts` starts before `cycle`, as in sm_kernel_start. */
static inline void glue_start(struct glue *g, const struct kernel_facts *facts, uint64_t cycle)
{
    const struct sm_sockets *s = glue_sockets(g);

    glue_sm(g)->facts = facts;
    glue_before(g, cycle);
    if (s->prefetch.kernel_start != NULL) {
        s->prefetch.kernel_start(s->prefetch.self);
    }
    for (uint32_t n = 0; n < g->rig.config.sm_schedulers; n++) {
        if (s->sched[n].kernel_start != NULL) {
            s->sched[n].kernel_start(s->sched[n].self);
        }
    }
}

/* A warp comes before `cycle`; it goes in `cycle`. */
static inline void glue_come(struct glue *g, uint64_t cycle, uint32_t slot)
{
    const struct sched_socket *sched = &glue_sockets(g)->sched[slot % g->rig.config.sm_schedulers];

    glue_before(g, cycle);
    glue_sm(g)->warps.resident |= UINT64_C(1) << slot;
    sched->warp_launch(sched->self, slot);
    glue_launch(g, slot);
}

static inline void glue_go(struct glue *g, uint64_t cycle, uint32_t slot)
{
    const struct sched_socket *sched = &glue_sockets(g)->sched[slot % g->rig.config.sm_schedulers];

    glue_in(g, cycle);
    glue_sm(g)->warps.resident &= ~(UINT64_C(1) << slot);
    sched->warp_exit(sched->self, slot);
    glue_exit(g, slot);
}

/* A global load of `n` blocks, of which the first six addresses are given. */
struct glue_global {
    uint64_t cycle;
    uint32_t pc, slot, n;
    uint64_t addr[6];
    bool indirect;
};

static inline void glue_global(struct glue *g, struct glue_global load)
{
    const struct prefetch_socket *prefetch = &glue_sockets(g)->prefetch;
    const uint32_t warps = glue_sm(g)->facts->warps_per_cta;
    uint64_t lowest[ISA_LANES];

    for (uint32_t i = 0; i < load.n; i++) {
        lowest[i] = i < COUNT(load.addr) ? load.addr[i] : lowest[i - 1] + 128;
    }
    const struct load_event event = {.pc = load.pc,
                                     .cta_slot = load.slot / warps,
                                     .warp_in_cta = load.slot % warps,
                                     .warp_slot = load.slot,
                                     .n = load.n,
                                     .lowest = lowest,
                                     .origin = load.indirect ? ISA_FROM_LOADED : 0,
                                     .cycle = load.cycle};
    glue_in(g, load.cycle);
    prefetch->load(prefetch->self, &event);
}

/* One of one block. */
static inline void glue_one(struct glue *g, uint64_t cycle, uint32_t pc, uint32_t slot,
                            uint64_t addr)
{
    glue_global(g, (struct glue_global){cycle, pc, slot, 1, {addr}, false});
}

struct glue_line {
    char text[32];
};

/* The request that waits in `cycle`, "warp:line" with the warp left out when it is for none; "" for
 * no request. */
static inline struct glue_line glue_peek(struct glue *g, uint64_t cycle)
{
    struct glue_line line = {""};
    const struct prefetch_socket *prefetch = &glue_sockets(g)->prefetch;
    struct prefetch_request request;
    size_t used = 0;

    glue_in(g, cycle);
    if (prefetch->peek(prefetch->self, &request)) {
        if (request.warp_slot >= 0) {
            used = (size_t)snprintf(line.text, sizeof line.text, "%d:", request.warp_slot);
        }
        snprintf(line.text + used, sizeof line.text - used, "%llu",
                 (unsigned long long)request.block / 128);
        assert_int_equal(request.block % 128, 0);
    }
    return line;
}

/* The L1D has taken it, or has it already. */
static inline void glue_pop(struct glue *g, bool issued)
{
    const struct prefetch_socket *prefetch = &glue_sockets(g)->prefetch;

    prefetch->pop(prefetch->self, issued);
}

/* From `cycle` on the L1D is free: it takes all of `expected`, and then nothing more comes. */
static inline void glue_drain(struct glue *g, uint64_t cycle, const char *expected)
{
    const struct prefetch_socket *prefetch = &glue_sockets(g)->prefetch;
    char all[1024] = "";
    size_t used = 0;

    for (bool more = true; more; cycle++) {
        const struct glue_line line = glue_peek(g, cycle);
        more = *line.text != '\0' || prefetch->busy(prefetch->self);
        if (*line.text != '\0') {
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? " " : "",
                                     line.text);
            assert_true(used < sizeof all);
            glue_pop(g, true);
        }
    }
    assert_string_equal(all, expected);
}

/* Which of the warps in `issuable` may issue in `cycle`, when those in `memory` have a memory
 * instruction next? */
static inline uint64_t glue_may_issue(struct glue *g, uint64_t cycle, uint64_t issuable,
                                      uint64_t memory)
{
    uint64_t may = 0;

    glue_in(g, cycle);
    for (uint32_t n = 0; n < g->rig.config.sm_schedulers; n++) {
        struct sched_socket *sched = &glue_sockets(g)->sched[n];
        const uint64_t mine = glue_sm(g)->issue.sched_mask[n];
        const struct sched_view view = {.resident = glue_sm(g)->warps.resident & mine,
                                        .issuable = issuable & mine,
                                        .memory = memory & mine,
                                        .cycle = cycle};

        may |= sched->qualify(sched->self, &view) & view.issuable;
    }
    return may;
}

/* A counter that the mechanism reports. */
static inline json_int_t glue_count(struct glue *g, const char *mechanism, const char *name)
{
    return counter_of(mechanism_statistics(g->set), mechanism, name);
}

#endif
