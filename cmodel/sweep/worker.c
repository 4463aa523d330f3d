/* worker.c - see worker.h. */
#include "sweep/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/seconds.h"
#include "base/verdict.h"

enum { MAX_ARGUMENTS = 256, TAIL_BYTES = 1500 };

/* ---- the process of a point ---- */

static void limit_process(const json_t *point)
{
    const double seconds = json_number_value(json_object_get(point, "limit_seconds"));
    const double memory = json_number_value(json_object_get(point, "limit_memory_mb"));
    const struct rlimit no_core = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a result that nobody waits for is none */
    setrlimit(RLIMIT_CORE, &no_core);
    if (memory > 0) {
        const rlim_t bytes = (rlim_t)(memory * 1048576);
        setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    }
    if (seconds > 0) {
        alarm((unsigned)(seconds < 1 ? 1 : seconds));
    }
}

static void run_here(const struct world *world, const json_t *point, const char *statistics,
                     const char *log)
{
    const json_t *list = json_object_get(point, "arguments"), *one;
    const char *arguments[MAX_ARGUMENTS + 4] = {"warplock run", "--json", statistics};
    int n = 3;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (n < MAX_ARGUMENTS && json_is_string(one)) {
            arguments[n++] = json_string_value(one);
        }
    }
    const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (file < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0) {
        _exit(VERDICT_LIMIT);
    }
    limit_process(point);
    const int status = world->run(n, (char **)(void *)arguments);
    fflush(NULL);
    _exit(status);
}

/* ---- its result ---- */

static char *read_whole(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *n = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        *n = text != NULL ? fread(text, 1, (size_t)size, file) : 0;
    }
    if (text != NULL) {
        text[*n] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* The last lines that the run has printed, as text that JSON can hold. */
static json_t *tail_of(const char *log)
{
    size_t n;
    char *text = read_whole(log, &n);
    const char *from = text != NULL && n > TAIL_BYTES ? text + n - TAIL_BYTES : text;
    for (char *c = text; c != NULL && *c != '\0'; c++) {
        *c = (*c >= ' ' && *c < 127) || *c == '\n' ? *c : '?';
    }
    json_t *tail = json_string(from != NULL ? from : "");
    free(text);
    return tail;
}

static json_t *reason_of(int status, const json_t *point)
{
    const double seconds = json_number_value(json_object_get(point, "limit_seconds"));
    if (!WIFSIGNALED(status)) {
        return json_null();
    }
    if (WTERMSIG(status) == SIGALRM && seconds > 0) {
        return json_sprintf("longer than its limit of %g s", seconds);
    }
    return json_sprintf("killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static json_t *now_json(void)
{
    char text[32];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

/* One line about the run, then its statistics, if it has any. */
static bool leave(const struct folder *folder, const json_t *point, const char *statistics)
{
    const char *key = json_string_value(json_object_get(point, "key"));
    char tmp[PATH_MAX], done[PATH_MAX];
    size_t n;
    folder_tmp(folder, "result", tmp, sizeof tmp);
    folder_path(folder, "done", key, done, sizeof done);
    FILE *file = fopen(tmp, "wb");
    if (file == NULL) {
        return false;
    }
    char *text = statistics != NULL ? read_whole(statistics, &n) : NULL;
    bool good = json_dumpf(point, file, JSON_COMPACT) == 0 && fputc('\n', file) != EOF;
    if (text != NULL) {
        good = fwrite(text, 1, n, file) == n && good;
        free(text);
    }
    good = fclose(file) == 0 && good;
    return good && rename(tmp, done) == 0;
}

static void mark_running(const struct folder *folder, const char *key, bool on)
{
    char path[PATH_MAX], tmp[PATH_MAX];
    folder_path(folder, "running", key, path, sizeof path);
    if (!on) {
        unlink(path);
        return;
    }
    folder_tmp(folder, "mark", tmp, sizeof tmp);
    FILE *file = fopen(tmp, "w");
    if (file != NULL) {
        fprintf(file, "%s\n", strrchr(tmp, '/') + 1);
        fclose(file);
        rename(tmp, path);
    }
}

static void add_outcome(json_t *point, int status, const struct rusage *usage, double seconds,
                        const char *log)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    json_object_set_new(point, "host", json_string(host));
    json_object_set_new(point, "ended", now_json());
    json_object_set_new(point, "seconds", json_real(seconds));
    json_object_set_new(point, "peak_kb", json_integer(usage->ru_maxrss));
    json_object_set_new(point, "exit",
                        WIFEXITED(status) ? json_integer(WEXITSTATUS(status)) : json_null());
    json_object_set_new(point, "reason", reason_of(status, point));
    json_object_set_new(point, "tail", tail_of(log));
}

static bool run_point(const struct folder *folder, const struct world *world, json_t *point,
                      char *error, size_t n_error)
{
    const char *key = json_string_value(json_object_get(point, "key"));
    char statistics[PATH_MAX], log[PATH_MAX];
    struct rusage usage = {0};
    int status = 0;
    const double started = seconds_now();
    folder_tmp(folder, "statistics", statistics, sizeof statistics);
    folder_tmp(folder, "log", log, sizeof log);
    mark_running(folder, key, true);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run_here(world, point, statistics, log);
    }
    while (child > 0 && wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    add_outcome(point, status, &usage, seconds_now() - started, log);
    const bool good = child > 0 && leave(folder, point, statistics);
    if (!good) {
        snprintf(error, n_error, "%s: %s; is the disk full?", folder->path, strerror(errno));
    }
    unlink(statistics);
    unlink(log);
    mark_running(folder, key, false);
    return good;
}

/* ---- points from outside ---- */

static json_t *parse_line(const char *line, char *error, size_t n_error)
{
    json_t *point = json_loads(line, 0, NULL);
    const char *key = json_string_value(json_object_get(point, "key"));
    if (key == NULL || strspn(key, "0123456789abcdef") != strlen(key) || *key == '\0' ||
        strlen(key) > 64) {
        snprintf(error, n_error, "this line describes no point: %.60s", line);
        json_decref(point);
        return NULL;
    }
    return point;
}

bool worker_run(const struct folder *folder, const struct world *world, const char *line,
                char *error, size_t n_error)
{
    json_t *point = parse_line(line, error, n_error);
    const char *code = json_string_value(json_object_get(point, "program"));
    bool good = point != NULL;
    if (good && (code == NULL || strcmp(code, world->code) != 0)) {
        good = worker_give_up(folder, line,
                              "the program, a kernel, a unit or the project has changed since the "
                              "sweep began; sweep again");
    } else if (good) {
        good = run_point(folder, world, point, error, n_error);
    }
    json_decref(point);
    return good;
}

bool worker_give_up(const struct folder *folder, const char *line, const char *reason)
{
    char error[128];
    const struct rusage usage = {0};
    json_t *point = parse_line(line, error, sizeof error);
    if (point == NULL) {
        return false;
    }
    add_outcome(point, SIGKILL, &usage, 0, "/dev/null");
    json_object_set_new(point, "reason", json_string(reason));
    const bool good = leave(folder, point, NULL);
    json_decref(point);
    return good;
}

int worker_serve(const struct folder *folder, const struct world *world, FILE *in, FILE *out,
                 size_t first, size_t last)
{
    char *line = NULL, error[PATH_MAX + 128];
    size_t cap = 0, number = 0;
    int status = VERDICT_PASS;
    while (number < last && getline(&line, &cap, in) > 0) {
        number++;
        if (number < first) {
            continue;
        }
        if (!worker_run(folder, world, line, error, sizeof error)) {
            fprintf(stderr, "warplock: %s\n", error);
            status = VERDICT_USAGE;
            break;
        }
        if (out != NULL) {
            fputs("done\n", out);
            fflush(out);
        }
    }
    free(line);
    return status;
}
