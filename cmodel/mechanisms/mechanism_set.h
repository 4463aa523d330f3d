/* mechanism_set.h - what is attached to one GPU: units, reports, offers, storage.  Private to mechanism.c
 * and mechanism_units.c. */
#ifndef WARPLOCK_MECHANISMS_MECHANISM_SET_H
#define WARPLOCK_MECHANISMS_MECHANISM_SET_H

#include <stddef.h>

#include "mechanisms/mechanism.h"

/* Storage kept for a mechanism: a list, released with the set. */
struct kept {
    struct kept *next;
    void (*destroy)(void *self); /* of mechanism_at_end, with its `self` */
    void *self;
    max_align_t storage[];
};

enum { MAX_REPORTS = 16, MAX_OFFERS = 8 };
struct mechanism_set {
    struct mechanism_unit **units;
    size_t n_units;
    struct mechanism_report reports[MAX_REPORTS];
    size_t n_reports;
    struct {
        const char *what;
        void *self;
    } offers[MAX_OFFERS];
    size_t n_offers;
    struct kept *kept;
};

/* Every name in the context's backends must belong to a unit that was opened; -1 with one line. */
int mechanism_check_backends(struct mechanism_context *context);

#endif
