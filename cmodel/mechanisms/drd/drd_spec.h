/* drd_spec.h - speculative loads under race detection: state shared by drd_queue.c (which
 * loads wait for what) and drd_spec.c (what their warps may do, and going back). */
#ifndef WARPLOCK_MECHANISMS_DRD_SPEC_H
#define WARPLOCK_MECHANISMS_DRD_SPEC_H

#include "mechanisms/drd/drd.h"

#include "mechanisms/port_rows.h"
#define PORT_IN(name) uint64_t *name;
#define PORT_OUT(name)
struct drd_queue_in {
#include "units/rdu/avu_queue/avu_queue.ports.h"
};
struct drd_rename_in {
#include "units/rdu/avu_rename/avu_rename.ports.h"
};
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) uint64_t *name;
struct drd_queue_out {
#include "units/rdu/avu_queue/avu_queue.ports.h"
};
struct drd_rename_out {
#include "units/rdu/avu_rename/avu_rename.ports.h"
};
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"

/* Operations of the two units, as their tables number them. */
enum {
    QUEUE_NONE,
    QUEUE_PUSH,
    QUEUE_ANSWER,
    QUEUE_SIGNATURE,
    QUEUE_FILL,
    QUEUE_STORE,
    QUEUE_TAKE,
    QUEUE_REDONE
};
enum { RENAME_NONE, RENAME_START, RENAME_RENAME, RENAME_COMMIT, RENAME_SQUASH };

/* IDS: of entries, as many as the queue may be long.  REQUESTS: of an SM without an answer, the
 * width of `outstanding` behind it; REGS, PHYS: of the document's rename table and register
 * file. */
enum { SPEC_IDS = 64, SPEC_REQUESTS = 200, SPEC_ORDERS = 1024, SPEC_REGS = 63, SPEC_PHYS = 1024 };
enum { SPEC_SIG_WORDS = 16384 / 64 }; /* of the largest signature */
enum { SPEC_RETURNS = 8 };            /* in a row, after which a load is no more speculative */

/* A request of a load that is in the queue. */
struct spec_entry {
    const struct mem_inst *inst; /* while it has no value */
    uint64_t block, bytes[2];
    uint64_t order; /* the request whose reply brings the value */
    uint8_t slot;
    bool direct; /* past the L1D, with a request of its own */
};

/* A warp.  Between `snapshot` and now it has done nothing that cannot be done again. */
struct spec_warp {
    uint8_t *snapshot; /* its state before the oldest load that is not committed */
    uint64_t *tainted; /* registers with speculative values (SPEC), a bit each */
    uint32_t entries;  /* its requests in the queue */
    bool has_snapshot, rolling;
    uint8_t returns; /* times it has gone back since it committed a load */
    uint8_t strict;  /* gone back: 2 until the load there was issued, 1 until it is over */
    uint64_t issued; /* instructions since the snapshot */
};

struct drd_spec {
    struct drd_sm *owner;
    bool on; /* this kernel's warps can be taken back */
    struct unit_pins queue, rename;
    uint32_t queue_lanes; /* of a signature the queue sees at once, 64 bits each */
    struct drd_queue_in qin;
    struct drd_queue_out qout;
    struct drd_rename_in rin;
    struct drd_rename_out rout;
    struct spec_entry entry[SPEC_IDS];
    uint64_t used, unserved; /* entries in use, a bit each; those of them without a value */
    bool nothing_to_take;    /* the queue showed so, and has done nothing since */
    uint32_t rename_regs;
    bool answered[SPEC_ORDERS];
    uint64_t sent, oldest;     /* requests, in order of issue; those below `oldest` are answered */
    uint64_t *mshr_order;      /* [MSHRs] the request out */
    struct spec_warp *warp;    /* [sm.warps] */
    uint64_t rolling, blocked; /* warps to be taken back; warps that wait for a free register */
    uint64_t
        alone; /* no bit, or the warp for which all others hold back their memory instructions */
    void *storage;
    uint64_t queued, speculative_hits, failed, rolled_back, executed_again, queue_full;
    bool no_memory;
};

/* Storage and units; 0, or -1 with the context's error. */
int drd_spec_open(struct mechanism_context *context, struct drd_sm *sm);
int drd_spec_plug(struct mechanism_context *context, struct drd_sm *sm);
void drd_spec_kernel_start(struct drd_spec *spec);
/* Take what is validated from the queue, and warps back that are at rest; true when anything
 * changed. */
bool drd_spec_settle(struct drd_spec *spec);
/* Has the warp no load under way? */
static inline bool drd_spec_clean(const struct drd_spec *spec, uint32_t slot)
{
    return spec->warp[slot].entries == 0 && core_loads(spec->owner->core, slot) == 0;
}

/* drd_open.c: its units. */
int drd_open_spec(struct mechanism_context *context, struct drd_spec *spec);

/* ---- drd_queue.c ---- */

void drd_queue_clear(struct drd_spec *spec);
bool drd_queue_room(const struct drd_spec *spec);
/* A request leaves (its place in the order of requests), a message of the race detection unit
 * comes, a request is known to get no answer. */
uint64_t drd_queue_sent(struct drd_spec *spec, const struct request *msg);
void drd_queue_message(struct drd_spec *spec, const struct drd_message *message,
                       const uint64_t *sig);
void drd_queue_unanswered(struct drd_spec *spec, uint64_t order);
/* The socket's events. */
void drd_queue_accepted(struct drd_spec *spec, const struct mem_inst *inst,
                        const struct access_info *access, enum access_result result);
void drd_queue_served(struct drd_spec *spec, const struct mem_inst *inst, uint64_t block);
/* The oldest resolved entry leaves: its warp, and whether it failed; false when there is none. */
bool drd_queue_take(struct drd_spec *spec, uint32_t *slot, bool *failed);

#endif
