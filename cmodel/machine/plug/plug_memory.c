/* plug_memory.c - the seams of L2 banks and of the machine as a whole: see plug.h.  Knows of banks only their
 * sockets. */
#include "machine/plug/plug_refuse.h"

/* ---- an L2 bank ---- */

int plug_bank_index(struct bank *bank, const struct plugger *by, const struct index_socket *socket)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->index_owner != NULL) {
        return refuse(by, "the set index of the L2", sockets->index_owner);
    }
    sockets->index_owner = by->name;
    sockets->index = *socket;
    sockets->index_still.moved_by = by->promises & PLUG_STILL ? NULL : by->name;
    return keep_still(by, &sockets->index_still, "the L2");
}

int plug_bank_policy(struct bank *bank, const struct plugger *by,
                     const struct policy_socket *socket, struct policy_socket *inner)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->policy_owner != NULL) {
        return refuse(by, "the replacement policy of the L2", sockets->policy_owner);
    }
    sockets->policy_owner = by->name;
    if (inner != NULL) {
        *inner = sockets->policy;
    }
    sockets->policy = *socket;
    return 0;
}

void plug_around_bank_policy(struct bank *bank, const struct policy_socket *socket,
                             struct policy_socket *inner)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    *inner = sockets->policy;
    sockets->policy = *socket;
}

int plug_bank_coherence(struct bank *bank, const struct plugger *by,
                        const struct coherence_l2_socket *socket)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->coherence_owner != NULL) {
        return refuse(by, "the coherence protocol", sockets->coherence_owner);
    }
    sockets->coherence_owner = by->name;
    sockets->coherence = *socket;
    if (socket->needs_still) {
        sockets->index_still.needed_by = by->name;
    }
    return keep_still(by, &sockets->index_still, "the L2");
}

void plug_around_bank_coherence(struct bank *bank, const struct coherence_l2_socket *socket,
                                struct coherence_l2_socket *inner)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    *inner = sockets->coherence;
    sockets->coherence = *socket;
}

const struct coherence_l2_socket *plugged_bank_coherence(const struct bank *bank)
{
    return &bank_sockets((struct bank *)bank)->coherence;
}

int plug_bank_race(struct bank *bank, const struct plugger *by, const struct race_socket *socket)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->race_owner != NULL) {
        return refuse(by, "race detection", sockets->race_owner);
    }
    sockets->race_owner = by->name;
    sockets->race = *socket;
    return 0;
}

int plug_bank_inclusion(struct bank *bank, const struct plugger *by,
                        const struct inclusion_l2_socket *socket)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->inclusion_owner != NULL) {
        return refuse(by, "inclusion at the L2", sockets->inclusion_owner);
    }
    sockets->inclusion_owner = by->name;
    sockets->inclusion = *socket;
    return 0;
}

int plug_bank_granularity(struct bank *bank, const struct plugger *by,
                          const struct granularity_socket *socket)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->granularity_owner != NULL) {
        return refuse(by, "what a miss of the L2 fetches", sockets->granularity_owner);
    }
    sockets->granularity_owner = by->name;
    sockets->granularity = *socket;
    sockets->index_still.needed_by = by->name;
    return keep_still(by, &sockets->index_still, "the L2");
}

int plug_bank_observer(struct bank *bank, const struct plugger *by, const struct observer *observer)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->n_observers == MAX_OBSERVERS) {
        return refuse_more(by, "watch an L2 bank", MAX_OBSERVERS);
    }
    sockets->observer[sockets->n_observers++] = *observer;
    return 0;
}

int plug_bank_clock(struct bank *bank, const struct plugger *by,
                    const struct clocked_socket *clocked)
{
    struct bank_sockets *sockets = bank_sockets(bank);
    if (sockets->n_clocked == MAX_CLOCKED) {
        return refuse_more(by, "are clocked with an L2 bank", MAX_CLOCKED);
    }
    sockets->clocked[sockets->n_clocked++] = *clocked;
    return 0;
}

/* ---- the machine ---- */

int plug_machine_clock(struct machine *machine, const struct plugger *by,
                       const struct machine_clock_socket *clocked)
{
    struct machine_sockets *sockets = machine_sockets(machine);
    if (sockets->clock_owner != NULL) {
        return refuse(by, "the clock of the L2 as a whole", sockets->clock_owner);
    }
    sockets->clock_owner = by->name;
    sockets->clock = *clocked;
    for (uint32_t b = 0; b < machine_banks(machine); b++) {
        bank_sockets(machine_bank(machine, b))->stepped_through = true;
    }
    return 0;
}

int plug_dispatch(struct machine *machine, const struct plugger *by,
                  const struct dispatch_socket *socket)
{
    struct machine_sockets *sockets = machine_sockets(machine);
    if (sockets->dispatch_owner != NULL) {
        return refuse(by, "CTA dispatch", sockets->dispatch_owner);
    }
    sockets->dispatch_owner = by->name;
    *machine_dispatch(machine) = *socket;
    return 0;
}

int plug_placement(struct machine *machine, const struct plugger *by,
                   const struct placement_socket *socket)
{
    struct machine_sockets *sockets = machine_sockets(machine);
    if (sockets->placement_owner != NULL) {
        return refuse(by, "page placement", sockets->placement_owner);
    }
    sockets->placement_owner = by->name;
    *machine_placement(machine) = *socket;
    return 0;
}
