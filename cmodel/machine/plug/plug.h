/* plug.h - the registry of seams: who sits where in the machine.
 *
 * A seam is a place in an SM, a bank or the machine at which a mechanism may put its own answer
 * (sockets.h).  The machine fills the seams that it cannot do without by itself, and keeps and
 * frees what it put there; a mechanism's own instances belong to the mechanism.  A seam has one
 * owner: a second one is refused with both names.  Around a seam's owner others may stand (`inner`
 * receives what was there before), and observers and clocks are lists.
 *
 * All is plugged before the first kernel.  Every function returns 0, or -1 with one line in the
 * plugger's error.
 */
#ifndef WARPLOCK_PLUG_PLUG_H
#define WARPLOCK_PLUG_PLUG_H

#include <stddef.h>

#include "machine/plug/sockets.h"
#include "machine/plug/view.h"

/* Who plugs, and what it promises of itself (enum plug_promise). */
struct plugger {
    const char *name;
    unsigned promises;
    char *error;
    size_t n_error;
};

/* ---- an SM ---- */

int plug_index(struct core *core, const struct plugger *by, const struct index_socket *socket);
/* `inner`, where it is not NULL: what answered until now. */
int plug_policy(struct core *core, const struct plugger *by, const struct policy_socket *socket);
int plug_around_policy(struct core *core, const struct plugger *by,
                       const struct policy_socket *socket, struct policy_socket *inner);
int plug_scheduler(struct core *core, const struct plugger *by, uint32_t number,
                   const struct sched_socket *socket, struct sched_socket *inner);
int plug_around_scheduler(struct core *core, const struct plugger *by, uint32_t number,
                          const struct sched_socket *socket, struct sched_socket *inner);
/* The machine's own schedulers become those of `kind` (enum config_scheduler). */
int plug_own_schedulers(struct machine *machine, const struct plugger *by, uint32_t kind);
int plug_prefetch(struct core *core, const struct plugger *by,
                  const struct prefetch_socket *socket);
int plug_coherence(struct core *core, const struct plugger *by,
                   const struct coherence_l1_socket *socket);
int plug_around_coherence(struct core *core, const struct plugger *by,
                          const struct coherence_l1_socket *socket,
                          struct coherence_l1_socket *inner);
/* As it stands, for who will stand around it and offer no function that is not there. */
const struct coherence_l1_socket *plugged_coherence(const struct core *core);
int plug_speculation(struct core *core, const struct plugger *by,
                     const struct speculation_socket *socket);
int plug_inclusion(struct core *core, const struct plugger *by,
                   const struct inclusion_l1_socket *socket);
/* Not together with speculation, which takes warps back. */
int plug_injection(struct core *core, const struct plugger *by, const struct inject_socket *socket);
/* Not together with inclusion, nor with a protocol that refuses copies (coherence_l1_socket.load). */
int plug_granularity(struct core *core, const struct plugger *by,
                     const struct granularity_socket *socket);
int plug_filter(struct core *core, const struct plugger *by, const struct filter_socket *socket);
int plug_observer(struct core *core, const struct plugger *by, const struct observer *observer);
int plug_clock(struct core *core, const struct plugger *by, const struct clocked_socket *clocked);

/* Who sits in a seam, or around the machine's own; NULL: the machine itself, or nobody. */
const char *plug_owner(const struct core *core, enum core_seam seam);

/* ---- an L2 bank ---- */

int plug_bank_index(struct bank *bank, const struct plugger *by, const struct index_socket *socket);
int plug_bank_policy(struct bank *bank, const struct plugger *by,
                     const struct policy_socket *socket, struct policy_socket *inner);
void plug_around_bank_policy(struct bank *bank, const struct policy_socket *socket,
                             struct policy_socket *inner);
int plug_bank_coherence(struct bank *bank, const struct plugger *by,
                        const struct coherence_l2_socket *socket);
void plug_around_bank_coherence(struct bank *bank, const struct coherence_l2_socket *socket,
                                struct coherence_l2_socket *inner);
const struct coherence_l2_socket *plugged_bank_coherence(const struct bank *bank);
int plug_bank_race(struct bank *bank, const struct plugger *by, const struct race_socket *socket);
int plug_bank_inclusion(struct bank *bank, const struct plugger *by,
                        const struct inclusion_l2_socket *socket);
int plug_bank_granularity(struct bank *bank, const struct plugger *by,
                          const struct granularity_socket *socket);
int plug_bank_observer(struct bank *bank, const struct plugger *by,
                       const struct observer *observer);
int plug_bank_clock(struct bank *bank, const struct plugger *by,
                    const struct clocked_socket *clocked);

/* ---- the machine ---- */

/* Stepped once in an L2 tick, before the banks. */
int plug_machine_clock(struct machine *machine, const struct plugger *by,
                       const struct machine_clock_socket *clocked);
/* Which CTA goes to which SM. */
int plug_dispatch(struct machine *machine, const struct plugger *by,
                  const struct dispatch_socket *socket);
/* Which memory a page goes to. */
int plug_placement(struct machine *machine, const struct plugger *by,
                   const struct placement_socket *socket);

#endif
