/* plug.c - see plug.h.  Knows of SMs and banks only their sockets. */
#include "machine/plug/plug.h"

#include "machine/plug/plug_refuse.h"

/* ---- an SM ---- */

static const char *const core_seam_names[CORE_SEAMS] = {
    [SEAM_INDEX] = "the L1D's set index",
    [SEAM_POLICY] = "the L1D's replacement policy",
    [SEAM_SCHEDULER] = "the warp scheduler",
    [SEAM_PREFETCH] = "the L1D's prefetcher",
    [SEAM_COHERENCE] = "the coherence protocol",
    [SEAM_SPECULATION] = "the treatment of speculative loads",
    [SEAM_INCLUSION] = "inclusion between L1D and L2",
    [SEAM_INJECTION] = "the injection of loads at issue",
    [SEAM_FILTER] = "what the L1D may keep",
    [SEAM_GRANULARITY] = "what a miss of the L1D fetches",
};

const char *plug_owner(const struct core *core, enum core_seam seam)
{
    const struct sm_sockets *sockets = core_sockets((struct core *)core);
    return sockets->owner[seam] != NULL ? sockets->owner[seam] : sockets->around[seam];
}

/* Whoever plugs anything into an SM makes it promise no more than itself. */
static struct sm_sockets *sockets_for(struct core *core, const struct plugger *by)
{
    struct sm_sockets *sockets = core_sockets(core);
    sockets->promises &= by->promises;
    return sockets;
}

/* The seam becomes `by`'s; NULL when it is another's, or when who stands around it would be put
 * aside with what was there. */
static struct sm_sockets *take(struct core *core, const struct plugger *by, enum core_seam seam)
{
    struct sm_sockets *sockets = sockets_for(core, by);
    if (sockets->owner[seam] != NULL) {
        refuse(by, core_seam_names[seam], sockets->owner[seam]);
        return NULL;
    }
    if (sockets->around[seam] != NULL) {
        snprintf(by->error, by->n_error, "%s replaces %s behind %s; name it before %s in -m",
                 by->name, core_seam_names[seam], sockets->around[seam], sockets->around[seam]);
        return NULL;
    }
    sockets->owner[seam] = by->name;
    return sockets;
}

/* `by` stands around whatever is in the seam. */
static struct sm_sockets *surround(struct core *core, const struct plugger *by, enum core_seam seam)
{
    struct sm_sockets *sockets = sockets_for(core, by);
    sockets->around[seam] = by->name;
    return sockets;
}

int plug_index(struct core *core, const struct plugger *by, const struct index_socket *socket)
{
    struct sm_sockets *sockets = take(core, by, SEAM_INDEX);
    if (sockets == NULL) {
        return -1;
    }
    sockets->index = *socket;
    sockets->index_still.moved_by = by->promises & PLUG_STILL ? NULL : by->name;
    return keep_still(by, &sockets->index_still, "the L1D");
}

int plug_policy(struct core *core, const struct plugger *by, const struct policy_socket *socket)
{
    struct sm_sockets *sockets = take(core, by, SEAM_POLICY);
    if (sockets == NULL) {
        return -1;
    }
    sockets->policy = *socket;
    return 0;
}

int plug_around_policy(struct core *core, const struct plugger *by,
                       const struct policy_socket *socket, struct policy_socket *inner)
{
    struct sm_sockets *sockets = surround(core, by, SEAM_POLICY);
    *inner = sockets->policy;
    sockets->policy = *socket;
    sockets->policy.knows_kept &= inner->kernel_start == NULL || inner->knows_kept;
    return 0;
}

/* All schedulers of an SM are one seam: its owner plugs them one after the other. */
int plug_scheduler(struct core *core, const struct plugger *by, uint32_t number,
                   const struct sched_socket *socket, struct sched_socket *inner)
{
    struct sm_sockets *sockets = number == 0 ? take(core, by, SEAM_SCHEDULER) : core_sockets(core);
    if (sockets == NULL) {
        return -1;
    }
    if (inner != NULL) {
        *inner = sockets->sched[number];
    }
    sockets->sched[number] = *socket;
    return 0;
}

int plug_around_scheduler(struct core *core, const struct plugger *by, uint32_t number,
                          const struct sched_socket *socket, struct sched_socket *inner)
{
    struct sm_sockets *sockets = surround(core, by, SEAM_SCHEDULER);
    *inner = sockets->sched[number];
    sockets->sched[number] = *socket;
    return 0;
}

int plug_own_schedulers(struct machine *machine, const struct plugger *by, uint32_t kind)
{
    struct machine_sockets *machine_wide = machine_sockets(machine);
    if (machine_wide->schedulers_owner != NULL) {
        return refuse(by, core_seam_names[SEAM_SCHEDULER], machine_wide->schedulers_owner);
    }
    machine_wide->schedulers_owner = by->name;
    machine_settings(machine)->sm_scheduler = kind;
    for (uint32_t i = 0; i < machine_cores(machine); i++) {
        struct core *core = machine_core(machine, i);
        const char *owner = plug_owner(core, SEAM_SCHEDULER);
        if (owner != NULL) {
            return refuse(by, core_seam_names[SEAM_SCHEDULER], owner);
        }
        if (core_own_schedulers(core) != 0) {
            snprintf(by->error, by->n_error, "out of memory");
            return -1;
        }
    }
    return 0;
}

int plug_prefetch(struct core *core, const struct plugger *by, const struct prefetch_socket *socket)
{
    struct sm_sockets *sockets = take(core, by, SEAM_PREFETCH);
    if (sockets == NULL) {
        return -1;
    }
    sockets->prefetch = *socket;
    return 0;
}

/* As take, where nobody has `other`, which does not go with it. */
static struct sm_sockets *take_unless(struct core *core, const struct plugger *by,
                                      enum core_seam seam, enum core_seam other)
{
    const char *owner = plug_owner(core, other);
    if (owner != NULL) {
        snprintf(by->error, by->n_error,
                 "%s does not go with %s, which has %s; leave one of them out", by->name, owner,
                 core_seam_names[other]);
        return NULL;
    }
    return take(core, by, seam);
}

int plug_coherence(struct core *core, const struct plugger *by,
                   const struct coherence_l1_socket *socket)
{
    struct sm_sockets *sockets = socket->load == NULL
                                     ? take(core, by, SEAM_COHERENCE)
                                     : take_unless(core, by, SEAM_COHERENCE, SEAM_GRANULARITY);
    if (sockets == NULL) {
        return -1;
    }
    sockets->coherence = *socket;
    if (socket->needs_still) {
        sockets->index_still.needed_by = by->name;
    }
    return keep_still(by, &sockets->index_still, "the L1D");
}

int plug_around_coherence(struct core *core, const struct plugger *by,
                          const struct coherence_l1_socket *socket,
                          struct coherence_l1_socket *inner)
{
    struct sm_sockets *sockets = surround(core, by, SEAM_COHERENCE);
    *inner = sockets->coherence;
    sockets->coherence = *socket;
    return 0;
}

const struct coherence_l1_socket *plugged_coherence(const struct core *core)
{
    return &core_sockets((struct core *)core)->coherence;
}

int plug_injection(struct core *core, const struct plugger *by, const struct inject_socket *socket)
{
    struct sm_sockets *sockets = take_unless(core, by, SEAM_INJECTION, SEAM_SPECULATION);
    if (sockets == NULL) {
        return -1;
    }
    sockets->inject = *socket;
    return 0;
}

int plug_filter(struct core *core, const struct plugger *by, const struct filter_socket *socket)
{
    struct sm_sockets *sockets = take(core, by, SEAM_FILTER);
    if (sockets == NULL) {
        return -1;
    }
    sockets->filter = *socket;
    return 0;
}

int plug_speculation(struct core *core, const struct plugger *by,
                     const struct speculation_socket *socket)
{
    struct sm_sockets *sockets = take_unless(core, by, SEAM_SPECULATION, SEAM_INJECTION);
    if (sockets == NULL) {
        return -1;
    }
    sockets->speculation = *socket;
    return 0;
}

int plug_inclusion(struct core *core, const struct plugger *by,
                   const struct inclusion_l1_socket *socket)
{
    struct sm_sockets *sockets = take_unless(core, by, SEAM_INCLUSION, SEAM_GRANULARITY);
    if (sockets == NULL) {
        return -1;
    }
    sockets->inclusion = *socket;
    return 0;
}

int plug_granularity(struct core *core, const struct plugger *by,
                     const struct granularity_socket *socket)
{
    const bool leases = core_sockets(core)->coherence.load != NULL;
    struct sm_sockets *sockets = take_unless(core, by, SEAM_GRANULARITY,
                                             leases ? SEAM_COHERENCE : SEAM_INCLUSION);
    if (sockets == NULL) {
        return -1;
    }
    sockets->granularity = *socket;
    sockets->index_still.needed_by = by->name;
    return keep_still(by, &sockets->index_still, "the L1D");
}

int plug_observer(struct core *core, const struct plugger *by, const struct observer *observer)
{
    struct sm_sockets *sockets = sockets_for(core, by);
    if (sockets->n_observers == MAX_OBSERVERS) {
        return refuse_more(by, "watch an SM", MAX_OBSERVERS);
    }
    sockets->observer[sockets->n_observers++] = *observer;
    return 0;
}

int plug_clock(struct core *core, const struct plugger *by, const struct clocked_socket *clocked)
{
    struct sm_sockets *sockets = sockets_for(core, by);
    if (sockets->n_clocked == MAX_CLOCKED) {
        return refuse_more(by, "are clocked with an SM", MAX_CLOCKED);
    }
    sockets->clocked[sockets->n_clocked++] = *clocked;
    return 0;
}
