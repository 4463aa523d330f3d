/* workers.c - running the SM phase of a cycle on several threads.
 *
 * Each thread has its share of the SMs, whose state its caches know.  Who comes first in a turn takes
 * a share: its thread, or the caller once it is through with its own, so that a run does not wait for
 * a thread that has no core.  Between turns a thread spins, then lets others have its core, and at
 * last sleeps.  What one side writes and the other waits for has a cache line of its own,
 * or every store would take the line from the one who waits.  See workers.h.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/workers.h"

enum { CACHE_LINE = 64 };
/* Turns of a spinning loop before the caller takes what its owner has not begun; before a core is given
 * up, which costs milliseconds when other programs wait for it; before a thread sleeps. */
enum { PATIENCE = 16, PAUSES = 256, SPINS = 2000 };

/* The SMs of one thread, and the last turn in which somebody took them. */
struct share {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t taken;
    struct set sms;
};

struct workers {
    workers_step step;
    void *self;
    pthread_t *thread;
    struct share *share; /* of each thread; the first is the caller */
    uint32_t n;          /* the caller included */
    uint32_t started;
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
    struct share *share; /* its own */
};

/* Every n-th SM, from `first` on. */
static struct set sms_of(uint32_t n_sms, uint32_t first, uint32_t n)
{
    struct set sms = {{0}};

    for (uint32_t s = first; s < n_sms; s += n) {
        set_add(&sms, s);
    }
    return sms;
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

/* Wait until the turn differs from `seen`; which it is then. */
static uint64_t await_turn(struct workers *w, uint64_t seen)
{
    uint64_t turn;

    for (uint32_t spin = 0; spin < SPINS; spin++) {
        turn = atomic_load_explicit(&w->turn, memory_order_acquire);
        if (turn != seen) {
            return turn;
        }
        relax(spin);
    }
    pthread_mutex_lock(&w->lock);
    atomic_fetch_add(&w->sleepers, 1);
    while ((turn = atomic_load(&w->turn)) == seen) {
        pthread_cond_wait(&w->go, &w->lock);
    }
    atomic_fetch_sub(&w->sleepers, 1);
    pthread_mutex_unlock(&w->lock);
    return turn;
}

/* Step a share in this turn unless somebody else does.  A turn ends when all shares are through, so
 * that who comes too late finds a later one taken, and what the caller handed out stands until then. */
static void take(struct workers *w, struct share *share, uint64_t turn)
{
    uint64_t before = turn - 1;
    struct set due;

    if (!atomic_compare_exchange_strong(&share->taken, &before, turn)) {
        return;
    }
    due = set_both(&w->due, &share->sms);
    w->step(w->self, &due, w->now);
    atomic_fetch_sub(&w->left, 1);
}

static void *work(void *argument)
{
    const struct worker worker = *(struct worker *)argument;
    struct workers *w = worker.workers;

    free(argument);
    for (uint64_t turn = await_turn(w, 0); !atomic_load(&w->stop); turn = await_turn(w, turn)) {
        take(w, worker.share, turn);
    }
    return NULL;
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
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->go, NULL);
    w->thread = calloc(n, sizeof *w->thread);
    w->share = aligned_alloc(CACHE_LINE, n * sizeof *w->share);
    if (!w->thread || !w->share) {
        workers_stop(w);
        return NULL;
    }
    for (uint32_t number = 0; number < n; number++) {
        w->share[number] = (struct share){.sms = sms_of(n_sms, number, n)};
    }
    for (uint32_t number = 1; number < n; number++) {
        struct worker *worker = malloc(sizeof *worker);

        if (worker) {
            *worker = (struct worker){.workers = w, .share = &w->share[number]};
        }
        if (!worker || pthread_create(&w->thread[w->started], NULL, work, worker) != 0) {
            free(worker);
            workers_stop(w);
            return NULL;
        }
        w->started++;
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
    free(w->share);
    free(w);
}

/* Is there work for both the caller and others? */
static bool is_shared(const struct workers *w, const struct set *due, const struct set *own)
{
    bool others = false;

    for (uint32_t word = 0; word < SET_WORDS; word++) {
        others |= (due->word[word] & ~w->share[0].sms.word[word]) != 0;
    }
    return others && set_any(own);
}

void workers_run(struct workers *w, const struct set *due, uint64_t now)
{
    const struct set own = set_both(due, &w->share[0].sms);
    const uint64_t turn = atomic_load_explicit(&w->turn, memory_order_relaxed) + 1;

    if (!is_shared(w, due, &own)) { /* not worth waking anybody */
        w->step(w->self, due, now);
        return;
    }
    w->now = now;
    w->due = *due;
    atomic_store_explicit(&w->left, w->n, memory_order_relaxed); /* turn makes it visible */
    next_turn(w);
    take(w, &w->share[0], turn);
    for (uint32_t spin = 0; atomic_load_explicit(&w->left, memory_order_acquire); spin++) {
        if (spin == PATIENCE) {
            for (uint32_t number = 1; number < w->n; number++) {
                take(w, &w->share[number], turn);
            }
        }
        relax(spin);
    }
}
