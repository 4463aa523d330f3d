/* workers.c - running the SM phase of a cycle on several threads.
 *
 * An SM always runs on the same thread, whose caches know it.  Between cycles
 * a thread spins for a short while, then lets others have its core, and at last sleeps.
 * What one side writes and the other waits for has a cache line of its own, or every
 * store would take the line from the one who waits.  See workers.h.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/workers.h"

enum { CACHE_LINE = 64 };
enum { PAUSES = 16, SPINS = 2000 };

struct workers {
    workers_step step;
    void *self;
    pthread_t *thread;
    uint32_t n; /* the caller included */
    uint32_t started;
    struct set share; /* SMs of the caller */
    pthread_mutex_t lock;
    pthread_cond_t go;
    atomic_bool stop;
    /* From the caller to the workers. */
    _Alignas(CACHE_LINE) atomic_uint_fast64_t turn; /* cycles handed out */
    uint64_t now;
    struct set due;
    /* And back. */
    _Alignas(CACHE_LINE) atomic_uint_fast32_t left; /* workers not yet done with this turn */
    atomic_uint_fast32_t sleepers;
};

struct worker {
    struct workers *workers;
    struct set share; /* its SMs */
};

/* Every n-th SM, from `first` on. */
static struct set share_of(uint32_t n_sms, uint32_t first, uint32_t n)
{
    struct set share = {{0}};

    for (uint32_t s = first; s < n_sms; s += n) {
        set_add(&share, s);
    }
    return share;
}

/* One turn of a spinning loop. */
static void relax(uint32_t spin)
{
#if defined(__x86_64__) || defined(__i386__)
    if (spin < PAUSES) {
        __builtin_ia32_pause();
        return;
    }
#endif
    sched_yield();
}

/* Wait until the turn differs from `seen`. */
static void await_turn(struct workers *w, uint64_t seen)
{
    for (uint32_t spin = 0; spin < SPINS; spin++) {
        if (atomic_load_explicit(&w->turn, memory_order_acquire) != seen) {
            return;
        }
        relax(spin);
    }
    pthread_mutex_lock(&w->lock);
    atomic_fetch_add(&w->sleepers, 1);
    while (atomic_load(&w->turn) == seen) {
        pthread_cond_wait(&w->go, &w->lock);
    }
    atomic_fetch_sub(&w->sleepers, 1);
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *argument)
{
    struct worker worker = *(struct worker *)argument;
    struct workers *w = worker.workers;
    uint64_t seen = 0;
    struct set due;

    free(argument);
    for (;;) {
        await_turn(w, seen);
        seen++;
        if (atomic_load(&w->stop)) {
            return NULL;
        }
        due = set_both(&w->due, &worker.share);
        w->step(w->self, &due, w->now);
        atomic_fetch_sub(&w->left, 1);
    }
}

/* A worker counts itself asleep before its last look at the turn, so none is missed. */
static void next_turn(struct workers *w)
{
    atomic_fetch_add(&w->turn, 1);
    if (!atomic_load(&w->sleepers)) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    pthread_cond_broadcast(&w->go);
    pthread_mutex_unlock(&w->lock);
}

struct workers *workers_start(uint32_t threads, uint32_t n_sms, workers_step step, void *self)
{
    struct workers *w = aligned_alloc(CACHE_LINE, sizeof *w);
    uint32_t n = threads < n_sms ? threads : n_sms;

    if (!w) {
        return NULL;
    }
    memset(w, 0, sizeof *w);
    w->step = step;
    w->self = self;
    w->n = n;
    w->share = share_of(n_sms, 0, n);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->go, NULL);
    w->thread = calloc(n, sizeof *w->thread);
    for (uint32_t number = 1; w->thread && number < n; number++) {
        struct worker *worker = malloc(sizeof *worker);

        if (worker) {
            *worker = (struct worker){.workers = w, .share = share_of(n_sms, number, n)};
        }
        if (!worker || pthread_create(&w->thread[w->started], NULL, work, worker) != 0) {
            free(worker);
            workers_stop(w);
            return NULL;
        }
        w->started++;
    }
    if (!w->thread) {
        workers_stop(w);
        return NULL;
    }
    return w;
}

void workers_stop(struct workers *w)
{
    if (!w) {
        return;
    }
    atomic_store(&w->stop, true);
    next_turn(w);
    for (uint32_t t = 0; t < w->started; t++) {
        pthread_join(w->thread[t], NULL);
    }
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->go);
    free(w->thread);
    free(w);
}

/* Is there work for both the caller and others? */
static bool is_shared(const struct workers *w, const struct set *due, const struct set *own)
{
    bool others = false;

    for (uint32_t word = 0; word < SET_WORDS; word++) {
        others |= (due->word[word] & ~w->share.word[word]) != 0;
    }
    return others && set_any(own);
}

void workers_run(struct workers *w, const struct set *due, uint64_t now)
{
    const struct set own = set_both(due, &w->share);

    if (!is_shared(w, due, &own)) { /* not worth waking anybody */
        w->step(w->self, due, now);
        return;
    }
    w->now = now;
    w->due = *due;
    atomic_store_explicit(&w->left, w->n - 1, memory_order_relaxed); /* turn makes it visible */
    next_turn(w);
    w->step(w->self, &own, now);
    for (uint32_t spin = 0; atomic_load_explicit(&w->left, memory_order_acquire); spin++) {
        relax(spin);
    }
}
