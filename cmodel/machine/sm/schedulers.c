/* schedulers.c - the machine's warp schedulers: GTO, loose round robin, two-level.
 *
 * Works after wang2015-divergence 3.2 (GTO, D-COM-1, D-GTO-1) and caps-prefetch 3.3
 * (TL with its steps, RR).  Each instance owns the warp slots w with
 * w mod n_schedulers == number.  It must not know pipes or scoreboards.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/config/config.h"
#include "machine/plug/sockets_base.h"

enum { MAX_SLOTS = 64 };

/* An ordered list of warp slots. */
struct queue {
    uint32_t n;
    uint8_t slot[MAX_SLOTS];
};

static void queue_append(struct queue *queue, uint32_t slot)
{
    queue->slot[queue->n++] = (uint8_t)slot;
}

static void queue_take(struct queue *queue, uint32_t at)
{
    queue->n--;
    memmove(&queue->slot[at], &queue->slot[at + 1], queue->n - at);
}

static void queue_remove(struct queue *queue, uint32_t slot)
{
    for (uint32_t at = 0; at < queue->n; at++) {
        if (queue->slot[at] == slot) {
            queue_take(queue, at);
            return;
        }
    }
}

/* The first slot of the queue in the mask, or -1. */
static int queue_first(const struct queue *queue, uint64_t mask)
{
    if (mask) {
        for (uint32_t at = 0; at < queue->n; at++) {
            if (mask >> queue->slot[at] & 1) {
                return queue->slot[at];
            }
        }
    }
    return -1;
}

struct scheduler {
    int last;                    /* issued last; GTO's greedy warp, RR's pointer */
    struct queue age;            /* resident warps, oldest first */
    uint8_t rank[MAX_SLOTS];     /* of those, their places in it */
    struct queue ready, waiting; /* two-level */
    uint32_t ready_size;
};

static void sched_launch(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    s->rank[slot] = (uint8_t)s->age.n;
    queue_append(&s->age, slot);
}

static void sched_exit(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    queue_remove(&s->age, slot);
    for (uint32_t at = s->rank[slot]; at < s->age.n; at++) {
        s->rank[s->age.slot[at]] = (uint8_t)at;
    }
}

static void sched_issued(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    s->last = (int)slot;
}

static uint32_t sched_rank(void *self, uint32_t slot)
{
    const struct scheduler *s = self;

    return s->rank[slot];
}

static int gto_pick(void *self, const struct sched_view *view)
{
    const struct scheduler *s = self;
    int oldest = -1;

    if (s->last >= 0 && (view->issuable >> s->last & 1)) {
        return s->last;
    }
    for (uint64_t left = view->issuable; left; left &= left - 1) {
        int slot = __builtin_ctzll(left);

        if (oldest < 0 || s->rank[slot] < s->rank[oldest]) {
            oldest = slot;
        }
    }
    return oldest;
}

/* The slot's next warp is a new one: greed does not carry over to it. */
static void gto_exit(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    sched_exit(self, slot);
    if (s->last == (int)slot) {
        s->last = -1;
    }
}

static int lrr_pick(void *self, const struct sched_view *view)
{
    const struct scheduler *s = self;
    uint64_t later;

    if (!view->issuable) {
        return -1;
    }
    later = s->last >= MAX_SLOTS - 1 ? 0 : view->issuable & (UINT64_MAX << (s->last + 1));
    return __builtin_ctzll(later ? later : view->issuable);
}

/* ---- two-level ---- */

static void tl_launch(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    sched_launch(self, slot);
    queue_append(&s->waiting, slot);
}

static void tl_exit(void *self, uint32_t slot)
{
    struct scheduler *s = self;

    sched_exit(self, slot);
    queue_remove(&s->ready, slot);
    queue_remove(&s->waiting, slot);
}

static void tl_demote(struct scheduler *s, uint64_t blocked)
{
    for (uint32_t at = 0; at < s->ready.n;) {
        if (blocked >> s->ready.slot[at] & 1) {
            queue_append(&s->waiting, s->ready.slot[at]);
            queue_take(&s->ready, at);
        } else {
            at++;
        }
    }
}

static void tl_promote(struct scheduler *s, uint64_t blocked)
{
    for (uint32_t at = 0; at < s->waiting.n && s->ready.n < s->ready_size;) {
        if (blocked >> s->waiting.slot[at] & 1) {
            at++;
        } else {
            queue_append(&s->ready, s->waiting.slot[at]);
            queue_take(&s->waiting, at);
        }
    }
}

static int tl_pick(void *self, const struct sched_view *view)
{
    struct scheduler *s = self;

    tl_demote(s, view->blocked);
    if (view->hold) {
        return -1;
    }
    tl_promote(s, view->blocked);
    return queue_first(&s->ready, view->issuable);
}

int base_scheduler(struct sched_socket *socket, const struct gpu_config *config, uint32_t number)
{
    struct scheduler *s = calloc(1, sizeof *s);
    uint32_t n = config->sm_schedulers;

    if (!s) {
        return -1;
    }
    s->last = -1;
    /* The ready queue is the SM's: schedulers share it out, the first ones the remainder. */
    s->ready_size = config->sm_ready_queue / n + (number < config->sm_ready_queue % n);
    s->ready_size += s->ready_size == 0;
    *socket = (struct sched_socket){.self = s,
                                    .warp_launch = sched_launch,
                                    .warp_exit = gto_exit,
                                    .pick = gto_pick,
                                    .issued = sched_issued,
                                    .rank = sched_rank};
    if (config->sm_greed == GREED_SLOT) {
        s->last = (int)number; /* its first slot */
        socket->warp_exit = sched_exit;
    }
    if (config->sm_scheduler == SCHEDULER_LRR) {
        socket->pick = lrr_pick;
        socket->warp_exit = sched_exit;
    }
    if (config->sm_scheduler == SCHEDULER_TWO_LEVEL) {
        socket->pick = tl_pick;
        socket->stateful = true;
        socket->warp_launch = tl_launch;
        socket->warp_exit = tl_exit;
    }
    return 0;
}
