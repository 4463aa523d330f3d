/* local.c - a sweep on this machine: as many workers as asked for, each fed a point at a time.
 *
 * A worker that dies takes its point with it; the point is run again, and given up when it has
 * taken three. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seconds.h"
#include "sweep/sweep.h"
#include "sweep/worker.h"

enum { MOST_LOSSES = 3, NO_RUN = -1 };

struct slot {
    pid_t pid;
    int to, from;
    long run; /* what it runs, or NO_RUN */
};

struct pool {
    struct sweep *sweep;
    struct slot *slots;
    size_t n_slots, next, running;
    size_t *again; /* runs lost with their worker */
    size_t n_again;
    unsigned char *losses; /* [n_runs] */
    double collected_at;
};

/* ---- workers ---- */

static void become_worker(const struct sweep *sweep, int in, int out)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0) {
        _exit(1);
    }
    execl(sweep->world->program, "warplock", "work", sweep->folder.path, "-", (char *)NULL);
    _exit(1);
}

static bool start_worker(struct pool *pool, struct slot *slot)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0) {
        return false;
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    fflush(NULL);
    slot->pid = fork();
    if (slot->pid == 0) {
        become_worker(pool->sweep, in[0], out[1]);
    }
    close(in[0]);
    close(out[1]);
    slot->to = in[1];
    slot->from = out[0];
    slot->run = NO_RUN;
    if (slot->pid < 0) {
        close(in[1]);
        close(out[0]);
    }
    return slot->pid > 0;
}

/* When it has run all that it was given, it ends by itself. */
static void end_worker(struct slot *slot)
{
    if (slot->pid > 0) {
        close(slot->to);
        close(slot->from);
        while (waitpid(slot->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    slot->pid = 0;
}

/* ---- points ---- */

static long next_run(struct pool *pool)
{
    if (pool->n_again > 0) {
        return (long)pool->again[--pool->n_again];
    }
    return pool->next < pool->sweep->n_todo ? (long)pool->sweep->todo[pool->next++] : NO_RUN;
}

static bool write_all(int to, const char *text)
{
    size_t n = strlen(text);
    while (n > 0) {
        const ssize_t wrote = write(to, text, n);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        text += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

static void feed(struct pool *pool, struct slot *slot)
{
    slot->run = sweep_interrupted() ? NO_RUN : next_run(pool);
    if (slot->run == NO_RUN) {
        return;
    }
    pool->running++;
    char *line = sweep_line(pool->sweep, (size_t)slot->run);
    if (line != NULL) {
        write_all(slot->to, line); /* where it fails, the worker's end is seen */
    }
    free(line);
}

static void lose(struct pool *pool, struct slot *slot)
{
    const long run = slot->run;
    end_worker(slot);
    if (run == NO_RUN) {
        return;
    }
    pool->running--;
    if (++pool->losses[run] < MOST_LOSSES) {
        pool->again[pool->n_again++] = (size_t)run;
        return;
    }
    char *line = sweep_line(pool->sweep, (size_t)run);
    if (line != NULL) {
        worker_give_up(&pool->sweep->folder, line, "its worker was killed three times");
    }
    free(line);
}

static void hear(struct pool *pool, struct slot *slot)
{
    char text[256];
    const ssize_t n = read(slot->from, text, sizeof text);
    if (n > 0 && memchr(text, '\n', (size_t)n) != NULL) {
        pool->running -= slot->run != NO_RUN;
        feed(pool, slot);
    } else if (n == 0 || (n < 0 && errno != EINTR)) {
        lose(pool, slot);
        if (!sweep_interrupted() && start_worker(pool, slot)) {
            feed(pool, slot);
        }
    }
}

/* Waits until a worker says something; false when none is left. */
static bool wait_for_workers(struct pool *pool)
{
    struct pollfd fds[256];
    size_t of[256], n = 0;
    for (size_t s = 0; s < pool->n_slots; s++) {
        if (pool->slots[s].pid > 0 && pool->slots[s].run != NO_RUN) {
            fds[n] = (struct pollfd){.fd = pool->slots[s].from, .events = POLLIN};
            of[n++] = s;
        }
    }
    if (n > 0 && poll(fds, n, 200) > 0) {
        for (size_t i = 0; i < n; i++) {
            if (fds[i].revents != 0) {
                hear(pool, &pool->slots[of[i]]);
            }
        }
    }
    return n > 0;
}

static int run_all(struct pool *pool, char *error, size_t n_error)
{
    struct sweep *sweep = pool->sweep;
    for (size_t s = 0; s < pool->n_slots; s++) {
        if (!start_worker(pool, &pool->slots[s])) {
            snprintf(error, n_error, "no worker can be started: %s", strerror(errno));
            return -1;
        }
        feed(pool, &pool->slots[s]);
    }
    while (wait_for_workers(pool) && !sweep_interrupted()) {
        const double now = seconds_now();
        if (now - pool->collected_at > .5) {
            pool->collected_at = now;
            if (sweep_collect(sweep, error, n_error) != 0) {
                return -1;
            }
        }
        sweep_progress(sweep, pool->running, false);
    }
    return 0;
}

int sweep_local(struct sweep *sweep, char *error, size_t n_error)
{
    struct pool pool = {.sweep = sweep};
    pool.n_slots = sweep->options->jobs < sweep->n_todo ? sweep->options->jobs : sweep->n_todo;
    pool.slots = calloc(pool.n_slots + 1, sizeof *pool.slots);
    pool.again = calloc(sweep->n_todo + 1, sizeof *pool.again);
    pool.losses = calloc(sweep->n_runs + 1, sizeof *pool.losses);
    int status = -1;
    signal(SIGPIPE, SIG_IGN);
    if (pool.slots == NULL || pool.again == NULL || pool.losses == NULL) {
        snprintf(error, n_error, "out of memory");
    } else {
        status = run_all(&pool, error, n_error);
    }
    for (size_t s = 0; pool.slots != NULL && s < pool.n_slots; s++) {
        if (pool.slots[s].pid > 0 && pool.slots[s].run != NO_RUN) {
            kill(pool.slots[s].pid, SIGKILL);
        }
        end_worker(&pool.slots[s]);
    }
    free(pool.slots);
    free(pool.again);
    free(pool.losses);
    if (status == 0 && (status = sweep_collect(sweep, error, n_error)) == 0) {
        sweep_progress(sweep, 0, sweep->n_todo > 0);
    }
    return status;
}
