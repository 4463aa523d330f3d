/* run_timeline.c - see run_timeline.h.  Works on machine/probe.h, as waveforms do. */
#include "cli/run_timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run_units.h"
#include "machine/probe.h"

enum { SAMPLE_CYCLES = 64, KERNELS_PID = 1, MECHANISMS_PID = 2, FIRST_PID = 3 };

/* One signal: what it is, since when. */
struct track {
    uint64_t value, since;
    uint32_t pid, tid;
    bool begun;
};

struct run_timeline {
    struct gpu *gpu;
    const struct run_units *units;
    struct probe *probe;
    FILE *file;
    const char *path;
    struct wave_window window;
    struct track *tracks; /* in the order of the walk */
    uint32_t n, cap, next;
    uint32_t pids, pid, depth; /* of the scope that the walk is in */
    uint64_t n_events, at;
    json_t *sampled; /* what mechanisms had counted */
    bool ended;      /* the run has left the window */
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void event(struct run_timeline *t, const char *format,
                                                        ...)
{
    va_list args;
    fputs(t->n_events++ > 0 ? ",\n" : "", t->file);
    va_start(args, format);
    vfprintf(t->file, format, args);
    va_end(args);
}

static void numbered(char *out, size_t n, const char *name, int number)
{
    if (number == PROBE_ALONE) {
        snprintf(out, n, "%s", name);
    } else {
        snprintf(out, n, "%s%d", name, number);
    }
}

static bool is_slice(enum probe_kind kind)
{
    return kind == PROBE_WARP_STATE || kind == PROBE_SLOT || kind == PROBE_STALL ||
           kind == PROBE_BANK;
}

/* ---- the walk that declares ---- */

static void name_process(struct run_timeline *t, uint32_t pid, const char *name)
{
    event(t,
          "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" PRIu32 ",\"args\":{\"name\":\"%s\"}}",
          pid, name);
    event(t,
          "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%" PRIu32
          ",\"args\":{\"sort_index\":%" PRIu32 "}}",
          pid, pid);
}

static void declare_enter(void *self, const char *scope, int number)
{
    struct run_timeline *t = self;
    char name[64];
    if (t->depth++ == 0) {
        numbered(name, sizeof name, scope, number);
        t->pid = FIRST_PID + t->pids++;
        name_process(t, t->pid, name);
    }
}

static void declare_leave(void *self)
{
    ((struct run_timeline *)self)->depth--;
}

static void declare_value(void *self, const char *name, int number, uint32_t width,
                          enum probe_kind kind, uint64_t value)
{
    struct run_timeline *t = self;
    char text[64];
    (void)width, (void)value;
    if (t->n == t->cap) {
        const uint32_t cap = 2 * t->cap + 256;
        struct track *more = realloc(t->tracks, cap * sizeof *more);
        if (more == NULL) {
            t->failed = true;
            return;
        }
        t->tracks = more;
        t->cap = cap;
    }
    const uint32_t tid = t->n + 1, pid = t->depth > 0 ? t->pid : KERNELS_PID;
    t->tracks[t->n++] = (struct track){.pid = pid, .tid = tid};
    if (is_slice(kind)) {
        numbered(text, sizeof text, name, number);
        event(t,
              "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
              ",\"args\":{\"name\":\"%s\"}}",
              pid, tid, text);
    }
}

/* ---- the walks that show ---- */

static void ignore_enter(void *self, const char *scope, int number)
{
    (void)self, (void)scope, (void)number;
}

static void ignore_leave(void *self)
{
    (void)self;
}

/* A state that says nothing: an empty slot, a stall that is none, a bank at rest. */
static bool is_rest(enum probe_kind kind, uint64_t value)
{
    return value == 0 && kind != PROBE_SLOT;
}

static void end_slice(struct run_timeline *t, struct track *track, enum probe_kind kind)
{
    uint32_t n;
    const char *const *names = probe_names(kind, &n);
    if (track->begun && !is_rest(kind, track->value) && track->value < n) {
        event(t,
              "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
              ",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 "}",
              names[track->value], track->pid, track->tid, track->since, t->at - track->since);
    }
}

static void show_value(void *self, const char *name, int number, uint32_t width,
                       enum probe_kind kind, uint64_t value)
{
    struct run_timeline *t = self;
    struct track *track = &t->tracks[t->next++];
    char text[64];
    (void)width;
    if (kind == PROBE_WARP || (track->begun && track->value == value)) {
        return;
    }
    if (is_slice(kind)) {
        end_slice(t, track, kind);
    } else if (track->begun || value != 0) {
        numbered(text, sizeof text, name, number);
        event(t,
              "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%" PRIu32 ",\"ts\":%" PRIu64
              ",\"args\":{\"value\":%" PRIu64 "}}",
              text, track->pid, t->at, value);
    }
    track->begun = true;
    track->value = value;
    track->since = t->at;
}

static void last_value(void *self, const char *name, int number, uint32_t width,
                       enum probe_kind kind, uint64_t value)
{
    struct run_timeline *t = self;
    struct track *track = &t->tracks[t->next++];
    (void)name, (void)number, (void)width, (void)value;
    if (is_slice(kind)) {
        end_slice(t, track, kind);
    }
}

static void walk(struct run_timeline *t,
                 void (*value)(void *, const char *, int, uint32_t, enum probe_kind, uint64_t))
{
    t->next = 0;
    probe_walk(t->probe, &(struct probe_sink){t, ignore_enter, ignore_leave, value});
}

/* What the mechanisms have counted since they were asked last, an instant for each counter that
 * moved and its level. */
static void sample_mechanisms(struct run_timeline *t)
{
    json_t *now = run_units_json(t->units), *counters, *value;
    const char *mechanism, *name;
    json_object_foreach(now, mechanism, counters)
    {
        const json_t *before = json_object_get(t->sampled, mechanism);
        json_object_foreach(counters, name, value)
        {
            const json_t *was = json_object_get(before, name);
            if (!json_is_integer(value) || (was == NULL && json_integer_value(value) == 0) ||
                json_equal(value, (json_t *)was)) {
                continue;
            }
            event(t,
                  "{\"ph\":\"C\",\"name\":\"%s.%s\",\"pid\":%d,\"ts\":%" PRIu64
                  ",\"args\":{\"value\":%" JSON_INTEGER_FORMAT "}}",
                  mechanism, name, MECHANISMS_PID, t->at, json_integer_value(value));
            event(t,
                  "{\"ph\":\"i\",\"s\":\"p\",\"name\":\"%s.%s +%" JSON_INTEGER_FORMAT
                  "\",\"pid\":%d,\"tid\":0,\"ts\":%" PRIu64 "}",
                  mechanism, name, json_integer_value(value) - json_integer_value(was),
                  MECHANISMS_PID, t->at);
        }
    }
    json_decref(t->sampled);
    t->sampled = now;
}

/* What is still going on ends here, and mechanisms have counted what they have. */
static void end_window(struct run_timeline *t)
{
    walk(t, last_value);
    sample_mechanisms(t);
    t->ended = true;
}

static void after_cycle(void *self)
{
    struct run_timeline *t = self;
    const uint64_t now = t->gpu->now;
    if (now >= t->window.from && !t->ended) {
        if (t->sampled == NULL && t->window.from > 0) {
            t->sampled = run_units_json(t->units); /* of the time before */
        }
        t->at = now;
        if (now > t->window.to) {
            end_window(t);
        } else {
            walk(t, show_value);
            if (now % SAMPLE_CYCLES == 0) {
                sample_mechanisms(t);
            }
        }
    }
    probe_next(t->probe);
}

/* ---- open and close ---- */

static void release(struct run_timeline *t)
{
    t->gpu->options.after_cycle = NULL;
    probe_destroy(t->probe);
    json_decref(t->sampled);
    free(t->tracks);
    free(t);
}

struct run_timeline *run_timeline_open(struct gpu *gpu, const struct run_units *units,
                                       const struct run_timeline_request *request, char *error,
                                       size_t n_error)
{
    struct run_timeline *t = calloc(1, sizeof *t);
    if (t == NULL || (t->probe = probe_create(gpu)) == NULL) {
        snprintf(error, n_error, "out of memory");
        free(t);
        return NULL;
    }
    t->gpu = gpu;
    t->units = units;
    t->path = request->path;
    t->window = request->window;
    t->file = fopen(request->path, "w");
    if (t->file == NULL) {
        snprintf(error, n_error, "%.200s: %s; give a path in an existing folder", request->path,
                 strerror(errno));
        release(t);
        return NULL;
    }
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"ts\":\"core cycles, as microseconds\"},\n"
          "\"traceEvents\":[\n",
          t->file);
    name_process(t, KERNELS_PID, "kernels");
    name_process(t, MECHANISMS_PID, "mechanisms");
    probe_walk(t->probe, &(struct probe_sink){t, declare_enter, declare_leave, declare_value});
    if (t->failed) {
        snprintf(error, n_error, "out of memory");
        fclose(t->file);
        release(t);
        return NULL;
    }
    gpu->options.after_cycle = after_cycle;
    gpu->options.after_cycle_self = t;
    return t;
}

static void write_kernels(struct run_timeline *t)
{
    for (uint32_t k = 0; k < t->gpu->n_launches; k++) {
        const struct gpu_launch_record *launch = &t->gpu->launches[k];
        event(t,
              "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":0,\"ts\":%" PRIu64
              ",\"dur\":%" PRIu64 ",\"args\":{\"warp_instructions\":%" PRIu64 "}}",
              launch->kernel, KERNELS_PID, launch->start_cycle,
              launch->end_cycle - launch->start_cycle, launch->warp_instructions);
    }
}

bool run_timeline_close(struct run_timeline *t, FILE *out)
{
    if (!t->ended) {
        t->at++;
        end_window(t);
    }
    write_kernels(t);
    fputs("\n]}\n", t->file);
    const bool failed = ferror(t->file) != 0;
    const bool good = fclose(t->file) == 0 && !failed;
    if (good) {
        fprintf(out, "timeline       %s: %" PRIu64 " events; ui.perfetto.dev opens it\n", t->path,
                t->n_events);
    } else {
        fprintf(stderr, "warplock: %s: not all could be written\n", t->path);
    }
    release(t);
    return good;
}
