/* drd.h - sequential consistency by dynamic race detection: state shared by its files
 * (tabbakh2018-coherence 3.7).  See drd.c for the system. */
#ifndef WARPLOCK_MECHANISMS_DRD_H
#define WARPLOCK_MECHANISMS_DRD_H

#include "mechanisms/mechanism.h"
#include "mechanisms/ports.h"

enum { DRD_MAX_SIG_WORDS = 256, DRD_INBOX = 32 };

/* What the race detection unit sends to an SM. */
struct drd_reply {
    bool has_sig, of_miss;
    uint64_t sig[DRD_MAX_SIG_WORDS];
};

#include "units/no_rows.h"
#undef IN
#undef IN_ARRAY
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define IN(name, ...) uint64_t *name;
#define IN_ARRAY(name, ...) uint64_t *name;
#define OUT(name, ...)
#define OUT_ARRAY(name, ...)
#define EVENT(name, ...)
struct drd_avu_in {
#include "units/rdu/avu.ports.h"
};
struct drd_rdu_in {
#include "units/rdu/rdu.ports.h"
};
#undef IN
#undef IN_ARRAY
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define IN(name, ...)
#define IN_ARRAY(name, ...)
#define OUT(name, ...) uint64_t *name;
#define OUT_ARRAY(name, ...) uint64_t *name;
#define EVENT(name, ...) uint64_t *name;
struct drd_avu_out {
#include "units/rdu/avu.ports.h"
};
struct drd_rdu_out {
#include "units/rdu/rdu.ports.h"
};
#include "units/no_rows.h"

struct drd;

struct drd_sm {
    struct drd *drd;
    struct sm *sm;
    struct unit_pins avu;
    struct drd_avu_in in;
    struct drd_avu_out out;
    uint32_t outstanding; /* requests without an answer: the memory pipeline stands still */
    bool answered;        /* the race detection unit answered; its reply is on the way */
    /* Messages from the unit in its order: the answer on the way, and what came after it. */
    struct drd_reply inbox[DRD_INBOX];
    uint32_t n_inbox;
    bool inbox_overran;
    uint64_t avu_misses, expired_misses, limit_checks;
};

struct drd {
    struct gpu *gpu;
    struct unit_pins rdu;
    struct drd_rdu_in in;
    struct drd_rdu_out out;
    uint32_t sig_words;
    bool sig_traffic; /* signatures take up room in replies */
    struct drd_sm *sm;
    uint64_t store_points, race_points, forced_points, race_checks;
    char difference[128];
};

/* Open the units at "M SHIFT HITMAX" of the argument; 0, or -1 with the context's error. */
int drd_open(struct mechanism_context *context, struct drd *drd, const char *argument);

#endif
