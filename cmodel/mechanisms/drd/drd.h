/* drd.h - sequential consistency by dynamic race detection: state shared by its files
 * (tabbakh2018-coherence 3.7).  See drd.c for the system. */
#ifndef WARPLOCK_MECHANISMS_DRD_H
#define WARPLOCK_MECHANISMS_DRD_H

#include "mechanisms/drd/drd_exact.h"
#include "mechanisms/drd/drd_options.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/ports.h"

/* proto[] of a message.  Request: its type for the unit, with speculation its place in the
 * order of its SM's requests above DRD_ORDER; then the bytes of a read, or whether a
 * store is no synchronisation point and which line keeps it.  Reply: the answer's number with
 * DRD_ANSWERED, when the unit has seen it. */
enum { DRD_KIND, DRD_FIRST, DRD_SECOND, DRD_ORDER = 8 };
#define DRD_ANSWERED (UINT64_C(1) << 63)

/* The values of option limit (D-R22). */
enum { LIMIT_SPEC, LIMIT_ALWAYS, LIMIT_NEVER };

/* Types of messages to the race detection unit, as rdu.ports.h numbers them. */
enum { DRD_NO_MSHR = 0xffff };
enum { RDU_WR, RDU_MISS, RDU_LIMIT, RDU_ATOMIC };

#include "mechanisms/port_rows.h"
#define PORT_IN(name) uint64_t *name;
#define PORT_OUT(name)
struct drd_avu_in {
#include "units/rdu/avu/avu.ports.h"
};
struct drd_rdu_in {
#include "units/rdu/rdu/rdu.ports.h"
};
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) uint64_t *name;
struct drd_avu_out {
#include "units/rdu/avu/avu.ports.h"
};
struct drd_rdu_out {
#include "units/rdu/rdu/rdu.ports.h"
};
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"

struct drd;
struct drd_spec;

/* pace=units: a unit takes a step a cycle; what it did more in one goes on in those after it. */
struct drd_pace {
    uint64_t steps; /* still to be waited for */
};

/* A message of the race detection unit to an SM: the answer to a request, or FSYNC. */
struct drd_message {
    uint64_t ready;  /* core cycle in which the link brings it */
    uint64_t order;  /* of the request among those of its SM, with speculation */
    uint64_t stores; /* sig=exact: performed when the unit answered */
    uint16_t mshr;   /* of a miss; DRD_NO_MSHR */
    uint8_t type;    /* RDU_ of the request */
    bool has_sig, forced;
};

/* Messages to one SM in the unit's order; signatures lie beside them. */
struct drd_inbox {
    struct drd_message *message;
    uint64_t *sig; /* [capacity][sig_words] */
    uint32_t head, count, capacity;
    uint64_t posted, taken; /* messages since the kernel began; an answer's number is from 1 */
    bool no_memory;
};

/* Why a copy may not be used. */
enum drd_verdict { DRD_HIT, DRD_AVU_MISS, DRD_EXPIRED, DRD_LIMIT };

/* What the SM keeps of one L1 line beside the AVU. */
struct drd_line {
    uint32_t generation; /* fills */
    uint16_t own_stores; /* stores of this SM to it that are not acknowledged */
    bool limit_due;      /* its next access asks the race detection unit (D-R4) */
    uint8_t verdict;     /* enum drd_verdict of the last access refused */
};

struct drd_sm {
    struct drd *drd;
    struct core *core;
    const struct cache *l1d;
    struct unit_pins avu;
    struct drd_avu_in in;
    struct drd_avu_out out;
    struct drd_spec *spec; /* NULL without speculation */
    struct drd_inbox inbox;
    struct drd_line *line;    /* [lines of the L1D] */
    uint16_t *bound;          /* [MSHRs] waiters when the race check was answered */
    uint32_t outstanding;     /* requests without a reply */
    uint64_t synced;          /* sig=exact: stores performed at the unit's last point */
    struct drd_interval seen; /* ... and those of the AVU's signature */
    uint64_t touched[2];      /* bytes of the access that may send a request */
    bool last_of_store;       /* that access is the last of its store instruction */
    bool same_agent;          /* ... and not the only one */
    struct drd_pace avu_pace, queue_pace;
    uint64_t avu_misses, expired_misses, limit_checks, rechecks, misses;
};

/* What a message to the race detection unit says. */
struct drd_request {
    uint64_t block, bytes[2], due, order;
    uint32_t type;
    uint16_t sm, mshr;
    bool quiet; /* D-R16: no synchronisation point */
};

enum { DRD_LATE = 64 };
struct drd {
    struct machine *machine;
    uint32_t n_sms;
    struct drd_options options;
    struct unit_pins rdu;
    struct drd_rdu_in in;
    struct drd_rdu_out out;
    uint32_t sig_words;
    uint64_t sig[16384 / 64]; /* the unit's last */
    struct drd_sm *sm;
    struct drd_exact *exact;               /* NULL: signatures are Bloom filters */
    struct drd_request late[DRD_LATE + 1]; /* order=late: oldest first */
    uint32_t n_late;
    uint64_t steps,
        free_at; /* of the unit in work; pace=units: the cycle in which it has time again */
    uint64_t store_points, race_points, forced_points, race_checks;
    bool no_memory;
    char difference[128];
};

/* A step of the AVU. */
static inline void drd_avu_step(struct drd_sm *sm)
{
    pins_seq(&sm->avu);
    sm->avu_pace.steps++;
}

/* A cycle begins behind `skipped` others: is the unit done with what it had? */
static inline bool drd_pace_done(struct drd_pace *pace, uint64_t skipped)
{
    pace->steps -= pace->steps < skipped + 1 ? pace->steps : skipped + 1;
    return pace->steps == 0;
}

/* Open the units; 0, or -1 with the context's error. */
int drd_open(struct mechanism_context *context, struct drd *drd);

/* ---- drd_link.c: from the race detection unit to an SM ---- */

/* Put a message behind the others; its signature is `sig` when it has one.  Its number. */
uint64_t drd_post(struct drd_sm *sm, const struct drd_message *message, const uint64_t *sig);
/* Take what the link has brought by cycle `now`, or everything up to message `number`. */
void drd_take_ready(struct drd_sm *sm, uint64_t now);
void drd_take_until(struct drd_sm *sm, uint64_t number);
void drd_link_clear(struct drd_sm *sm);

/* ---- drd_l1.c, drd_rdu.c: the two sides ---- */

int drd_plug_l1(struct mechanism_context *context, struct drd_sm *sm);
int drd_plug_l2(struct mechanism_context *context, struct drd *drd);
/* Ideal: a race check of a hit in no time; a race has been told to the SM when this returns. */
void drd_check_at_once(struct drd_sm *sm, uint64_t block, const uint64_t bytes[2]);
/* kernels=keep: a synchronisation point of the SM, which no counter has, at once: what the kernels
 * before stored is seen by the next. */
void drd_acquire(struct drd_sm *sm);

#endif
