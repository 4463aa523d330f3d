/* mutant_run.c - runs each mutant against the unit's vectors and random lockstep.
 *
 * A kill is a difference between C model and mutant, told by the process that saw it.  A
 * process that crashes, is killed or ends early has seen none. */
#include "tb/ladder/mutant_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/project.h"
#include "tb/lockstep.h"

enum { MAX_JOBS = 64 };

static struct mutant_outcome judge(const struct unit_at *unit, const struct mutant_effort *effort,
                                   unsigned selected)
{
    struct unit_backend mutant = *unit->form;
    struct mutant_outcome outcome = {MUTANT_LIVES, 0, 0};
    struct failure failure = {VERDICT_PASS, ""};
    mutant.context = &selected;
    struct unit_backend *pair = lockstep_backend_new(unit->c, &mutant);
    if (pair == NULL) {
        return (struct mutant_outcome){MUTANT_BROKE, 0, 0};
    }
    for (size_t i = 0; i < unit->n_vectors && outcome.end == MUTANT_LIVES; i++) {
        if (!unit_at_play(unit, pair, i)) {
            outcome.end = MUTANT_VECTOR;
        }
    }
    for (unsigned seed = 1; seed <= effort->seeds && outcome.end == MUTANT_LIVES; seed++) {
        bool mismatch;
        const uint64_t steps = unit_at_random(unit, pair, seed, effort->steps / effort->seeds, NULL,
                                              NULL, &mismatch, &failure);
        if (mismatch) {
            outcome = (struct mutant_outcome){MUTANT_RANDOM, seed, steps};
        } else if (failure.verdict != VERDICT_PASS) {
            outcome.end = MUTANT_BROKE;
        }
    }
    lockstep_backend_free(pair);
    return outcome;
}

/* The processes at work. */
struct worker {
    pid_t pid;
    int from;
    size_t mutant;
};
struct crew {
    struct worker workers[MAX_JOBS];
    unsigned n;
};

static bool start(struct crew *crew, const struct unit_at *unit, const struct mutant_effort *effort,
                  size_t i)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit limit = {effort->limit_seconds, effort->limit_seconds + 5};
        setrlimit(RLIMIT_CPU, &limit);
        const struct mutant_outcome outcome = judge(unit, effort, (unsigned)i + 1);
        _exit(write(ends[1], &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    crew->workers[crew->n++] = (struct worker){pid, ends[0], i};
    return true;
}

/* Waits for one process; the mutant it had. */
static size_t finish(struct crew *crew, struct mutant_outcome *outcomes)
{
    int status = 0;
    pid_t pid;
    do {
        pid = wait(&status);
    } while (pid < 0 && errno == EINTR);
    for (unsigned w = 0; w < crew->n; w++) {
        struct worker worker = crew->workers[w];
        if (worker.pid != pid) {
            continue;
        }
        struct mutant_outcome *outcome = &outcomes[worker.mutant];
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
            read(worker.from, outcome, sizeof *outcome) != sizeof *outcome) {
            const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
            *outcome = (struct mutant_outcome){late ? MUTANT_TIMEOUT : MUTANT_BROKE, 0, 0};
        }
        close(worker.from);
        crew->workers[w] = crew->workers[--crew->n];
        return worker.mutant;
    }
    return 0;
}

bool mutant_run(const struct unit_at *unit, const struct mutant_effort *effort, size_t n,
                struct mutant_outcome *outcomes, void (*done)(void *context, size_t i),
                void *context, struct failure *failure)
{
    struct crew crew = {.n = 0};
    const unsigned jobs = effort->jobs > MAX_JOBS ? MAX_JOBS : effort->jobs;
    const struct mutant_outcome clean = judge(unit, effort, 0);
    if (clean.end != MUTANT_LIVES) {
        char command[PATH_MAX];
        project_command(command, sizeof command);
        failure->verdict = VERDICT_MISMATCH;
        snprintf(failure->words, sizeof failure->words,
                 "%s: without a mutation it differs from its C model already, so no mutant can "
                 "be judged; run `%s check %s`",
                 unit->c->desc->name, command, unit->c->desc->name);
        return false;
    }
    for (size_t i = 0; i < n || crew.n > 0;) {
        if (i < n && outcomes[i].end != MUTANT_OPEN) {
            i++;
        } else if (i < n && crew.n < jobs) {
            if (!start(&crew, unit, effort, i++)) {
                failure->verdict = VERDICT_LIMIT;
                snprintf(failure->words, sizeof failure->words, "no process can be started: %s",
                         strerror(errno));
                return false;
            }
        } else {
            done(context, finish(&crew, outcomes));
        }
    }
    return true;
}
