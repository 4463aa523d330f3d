/* tc.c - Temporal Coherence: copies in an L1D end by themselves at a time of the global
 * clock; TC-Strong holds stores in the L2 until then, TC-Weak tells the storing warp the
 * time and its fences wait (tabbakh2018-coherence 3.5).
 *
 * A line's proto[0] is the last cycle of its lease: of this copy in an L1D, of the longest
 * copy anywhere in the L2.  A reply's proto[0] is the lease it grants, or of a store the
 * time at which all see it (GWCT).  Stamps have 32 bits; a run that needs more is told. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mechanisms/coherence/coherence.h"
#include "mechanisms/coherence/leases.h"

enum { STAMP_BYTES = 4 };

struct tc {
    struct machine *machine;
    bool weak;
    uint64_t lease_cycles;
    struct tc_l1 *l1;
    struct tc_l2 *l2;
    struct leases leases; /* for the checker */
    char difference[128];
};

struct tc_l1 {
    struct core *core;
    uint64_t *gwct; /* by warp: cycle at which all its stores are seen by all */
    uint64_t expired_misses, late_waiters;
};

struct tc_l2 {
    bool weak;
    uint64_t lease_cycles;
    uint64_t leases, last_expiry;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- L1D ---- */

static enum coherence_probe load(void *self, const struct access_info *access,
                                 struct cache_line *line)
{
    (void)self;
    return access->cycle <= line->proto[0] ? COHERENCE_HIT : COHERENCE_REFETCH;
}

/* A store never completes in the L1D, the copy there goes ([D-T3]). */
static bool store_hit(void *self, uint32_t warp_slot, struct cache_line *line)
{
    (void)self;
    (void)warp_slot;
    (void)line;
    return false;
}

static void send(void *self, struct request *msg, struct cache_line *line)
{
    struct tc_l1 *l1 = self;
    msg->proto[0] = 0;
    l1->expired_misses += msg->packet.type == MSG_READ && line != NULL;
}

static enum coherence_reply reply(void *self, struct reply *msg, struct cache_line *line)
{
    struct tc_l1 *l1 = self;
    if (msg->packet.type == MSG_READ_REPLY) {
        if (line != NULL) {
            line->proto[0] = msg->proto[0];
        }
        return COHERENCE_INSTALL;
    }
    if (msg->ticket.warp_slot < core_config(l1->core)->sm_warps) {
        l1->gwct[msg->ticket.warp_slot] = later(l1->gwct[msg->ticket.warp_slot], msg->proto[0]);
    }
    return COHERENCE_DROP; /* once more: a fill may have come in between ([D-T3]) */
}

/* The value was legal for whoever waited when the L2 read it; for later waiters only while
 * the lease lasts ([D-T8]). */
static bool covers(void *self, uint32_t warp_slot, uint32_t position, const struct reply *msg,
                   struct cache_line *line)
{
    struct tc_l1 *l1 = self;
    const bool covered = position == 0 || core_now(l1->core) <= msg->proto[0];
    (void)warp_slot;
    (void)line;
    l1->late_waiters += !covered;
    return covered;
}

static bool fence(void *self, uint32_t warp_slot, uint64_t cycle)
{
    const struct tc_l1 *l1 = self;
    return cycle > l1->gwct[warp_slot];
}

static void l1_kernel_start(void *self)
{
    struct tc_l1 *l1 = self;
    memset(l1->gwct, 0, core_config(l1->core)->sm_warps * sizeof *l1->gwct);
}

/* ---- L2 ---- */

/* TC-Strong: a store waits until no copy is live. */
static uint64_t admit(void *self, const struct request *msg, struct cache_line *line,
                      uint64_t cycle)
{
    (void)self;
    (void)cycle;
    return msg->packet.type == MSG_WRITE || msg->packet.type == MSG_ATOMIC ? line->proto[0] + 1 : 0;
}

static void performed(void *self, const struct request *request, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    struct tc_l2 *l2 = self;
    (void)request;
    const bool keeps_copy = msg->packet.type == MSG_READ_REPLY && msg->ticket.to == TO_MSHR;
    if (keeps_copy) {
        line->proto[0] = later(line->proto[0], cycle + l2->lease_cycles);
        l2->leases++;
        l2->last_expiry = later(l2->last_expiry, line->proto[0]);
    }
    msg->proto[0] = line->proto[0];
    msg->proto_bytes = keeps_copy || (l2->weak && msg->packet.type != MSG_READ_REPLY) ? STAMP_BYTES
                                                                                      : 0;
}

static bool may_evict(void *self, const struct cache_line *line, uint64_t cycle)
{
    (void)self;
    return cycle > line->proto[0];
}

/* ---- plugging in ---- */

static void statistics(void *self, json_t *into)
{
    const struct tc *tc = self;
    uint64_t expired = 0, late = 0, leases = 0;
    for (uint32_t i = 0; i < machine_cores(tc->machine); i++) {
        expired += tc->l1[i].expired_misses;
        late += tc->l1[i].late_waiters;
    }
    for (uint32_t i = 0; i < machine_banks(tc->machine); i++) {
        leases += tc->l2[i].leases;
    }
    put_count(into, "lease_cycles", tc->lease_cycles);
    put_count(into, "leases", leases);
    put_count(into, "expired_misses", expired);
    put_count(into, "late_waiters", late);
}

/* [D-T6]: the counters of the hardware would have come round. */
static const char *difference(void *self)
{
    struct tc *tc = self;
    for (uint32_t i = 0; i < machine_banks(tc->machine); i++) {
        if (tc->l2[i].last_expiry > UINT32_MAX) {
            snprintf(tc->difference, sizeof tc->difference,
                     "l2bank%u: a lease until cycle %" PRIu64 " does not fit into 32 bits", i,
                     tc->l2[i].last_expiry);
            return tc->difference;
        }
    }
    return NULL;
}

static int plug_l1(struct mechanism_context *context, struct tc *tc, uint32_t number)
{
    struct tc_l1 *l1 = &tc->l1[number];
    const struct coherence_l1_socket socket = {.self = l1,
                                               .load = load,
                                               .store_hit = store_hit,
                                               .send = send,
                                               .reply = reply,
                                               .covers = covers,
                                               .fence = tc->weak ? fence : NULL,
                                               .kernel_start = l1_kernel_start};
    l1->core = machine_core(tc->machine, number);
    l1->gwct = mechanism_keep(context, core_config(l1->core)->sm_warps * sizeof *l1->gwct);
    return l1->gwct != NULL ? plug_coherence(l1->core, &context->plug, &socket) : -1;
}

static int plug_l2(struct mechanism_context *context, struct tc *tc, uint32_t number)
{
    struct tc_l2 *l2 = &tc->l2[number];
    const struct coherence_l2_socket socket = {.self = l2,
                                               .needs_still = true,
                                               .admit = tc->weak ? NULL : admit,
                                               .performed = performed,
                                               .may_evict = may_evict};
    l2->weak = tc->weak;
    l2->lease_cycles = tc->lease_cycles;
    return plug_bank_coherence(machine_bank(tc->machine, number), &context->plug, &socket);
}

static int plug(struct mechanism_context *context, struct tc *tc)
{
    tc->l1 = mechanism_keep(context, machine_cores(tc->machine) * sizeof *tc->l1);
    tc->l2 = mechanism_keep(context, machine_banks(tc->machine) * sizeof *tc->l2);
    if (tc->l1 == NULL || tc->l2 == NULL) {
        return -1;
    }
    for (uint32_t i = 0; i < machine_cores(tc->machine); i++) {
        if (plug_l1(context, tc, i) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < machine_banks(tc->machine); i++) {
        if (plug_l2(context, tc, i) != 0) {
            return -1;
        }
    }
    return 0;
}

static int attach(struct mechanism_context *context, bool weak)
{
    const struct coherence_rules rules = {
        .sequential = !weak, .barrier_drains = weak, .global_write = WRITE_EVICT};
    struct tc *tc = mechanism_keep(context, sizeof *tc);
    if (tc == NULL) {
        return -1;
    }
    tc->machine = context->machine;
    tc->weak = weak;
    tc->lease_cycles = (uint64_t)mechanism_value(context, "lease");
    tc->leases = (struct leases){.weak = weak};
    const struct mechanism_report report = {tc, "tc", statistics, difference};
    coherence_machine(context->machine, &rules);
    if (plug(context, tc) != 0 || mechanism_offer(context, COHERENCE_LEASES, &tc->leases) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static int attach_strong(struct mechanism_context *context)
{
    return attach(context, false);
}

static int attach_weak(struct mechanism_context *context)
{
    return attach(context, true);
}

static bool l2_keeps_what_is_written(const struct gpu_config *config)
{
    return config->l2_write != L2_WRITE_EVICT;
}

static const struct mechanism_need needs[] = {
    {l2_keeps_what_is_written,
     "writes that evict from the L2 would lose leases; set l2.write=back-fetch"}};
static const struct mechanism_option options[] = {OPTION_COUNT(
    "lease", 800, 1, 1000000, "core cycles that a copy in an L1D is valid for", "3.5.2, D-T1")};

const struct mechanism mechanism_tc_strong = {
    .name = "tc-strong",
    .title = "coherence: Temporal Coherence, stores wait for leases (TC-SC)",
    .document = "tabbakh2018-coherence",
    .section = "3.5",
    .memory_model = "sc",
    MECHANISM_OPTIONS(options),
    MECHANISM_NEEDS(needs),
    .attach = attach_strong};

const struct mechanism mechanism_tc_weak = {
    .name = "tc-weak",
    .title = "coherence: Temporal Coherence, fences wait for leases (TC-RC)",
    .document = "tabbakh2018-coherence",
    .section = "3.5",
    .memory_model = "rc-weak",
    MECHANISM_OPTIONS(options),
    MECHANISM_NEEDS(needs),
    .attach = attach_weak};
