/* run_wave.c - the waveform of a simulation: chosen units, and the machine around them. */
#include "cli/run_wave.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run_wave_machine.h"
#include "tb/layout_unit.h"
#include "tb/traced.h"

enum { MAX_NAME = 112, NAMES_SHOWN = 6, OPEN_GROUPS = 4, SPAN_CYCLES = 24 };

/* A unit that is shown. */
struct shown {
    char name[MAX_NAME];
    const struct mechanism_unit *unit;
    struct wave_unit *wave;
};

struct run_wave {
    struct gpu *gpu;
    const char *path;
    struct wave_window window;
    struct wave *file;
    struct traced_clock clock;
    struct shown *shown;
    size_t n_shown;
    struct run_wave_machine *machine;
};

/* The place, with the unit where several stand in one. */
static void name_of(const struct mechanism_set *set, size_t i, char name[MAX_NAME])
{
    const struct mechanism_unit *unit = mechanism_unit(set, i);
    bool alone = true;
    for (size_t other = 0; other < mechanism_n_units(set); other++) {
        alone &= other == i || strcmp(mechanism_unit(set, other)->where, unit->where) != 0;
    }
    snprintf(name, MAX_NAME, "%s%s%s", unit->where, alone ? "" : ".",
             alone ? "" : unit->backend->desc->name);
}

/* ---- choosing ---- */

static bool matches(const char *pattern, size_t length, const char *name)
{
    char text[MAX_NAME];
    if (length >= sizeof text) {
        return false;
    }
    memcpy(text, pattern, length);
    text[length] = '\0';
    return fnmatch(text, name, 0) == 0;
}

static bool wanted(const char *patterns, const char *name)
{
    for (const char *at = patterns; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (matches(at, length, name)) {
            return true;
        }
        at += length + (at[length] == ',');
    }
    return false;
}

/* Every pattern must name something. */
static bool check_patterns(const struct mechanism_set *set, const char *patterns, char *error,
                           size_t n_error)
{
    char name[MAX_NAME];
    for (const char *at = patterns; *at != '\0';) {
        const size_t length = strcspn(at, ","), n = mechanism_n_units(set);
        bool any = false;
        for (size_t i = 0; i < n && !any; i++) {
            name_of(set, i, name);
            any = matches(at, length, name);
        }
        if (!any) {
            int used = snprintf(error, n_error, "--wave-unit %.*s: no unit has this name; %s",
                                (int)length, at,
                                n > 0 ? "there are" : "-m plugs mechanisms with units in");
            for (size_t i = 0; i < n && i < NAMES_SHOWN && used > 0 && (size_t)used < n_error;
                 i++) {
                name_of(set, i, name);
                used += snprintf(error + used, n_error - (size_t)used, "%s %s", i > 0 ? "," : "",
                                 name);
            }
            if (n > NAMES_SHOWN && used > 0 && (size_t)used < n_error) {
                snprintf(error + used, n_error - (size_t)used, " and %zu more", n - NAMES_SHOWN);
            }
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct shown *)a)->name, ((const struct shown *)b)->name);
}

static bool choose(struct run_wave *wave, const struct mechanism_set *set,
                   const struct run_wave_request *request, char *error, size_t n_error)
{
    const char *patterns = request->units != NULL ? request->units : request->machine ? "" : "*";
    if (request->units != NULL && !check_patterns(set, patterns, error, n_error)) {
        return false;
    }
    wave->shown = calloc(mechanism_n_units(set) + 1, sizeof *wave->shown);
    if (wave->shown == NULL) {
        snprintf(error, n_error, "out of memory");
        return false;
    }
    for (size_t i = 0; i < mechanism_n_units(set); i++) {
        struct shown *next = &wave->shown[wave->n_shown];
        name_of(set, i, next->name);
        next->unit = mechanism_unit(set, i);
        wave->n_shown += wanted(patterns, next->name);
    }
    if (wave->n_shown == 0 && !request->machine) {
        snprintf(error, n_error,
                 "--wave: there is nothing to show; plug in a mechanism with units (-m) or ask for "
                 "--wave-machine");
        return false;
    }
    qsort(wave->shown, wave->n_shown, sizeof *wave->shown, by_name);
    return true;
}

/* ---- declaring ---- */

static bool declare(struct run_wave *wave, bool machine)
{
    const char *path = "";
    bool good = true;
    wave->clock.signal = wave_declare(wave->file, "core_cycle", 64, 0);
    for (size_t i = 0; i < wave->n_shown && good; i++) {
        struct shown *shown = &wave->shown[i];
        wave_go_to(wave->file, path, shown->name);
        path = shown->name;
        shown->wave = wave_unit_new(wave->file, traced_backend(shown->unit->backend));
        good = shown->wave != NULL;
    }
    wave_go_to(wave->file, path, "");
    if (machine && good) {
        wave->machine = run_wave_machine_new(wave->file, wave->gpu);
        good = wave->machine != NULL;
    }
    return good;
}

static void after_cycle(void *self)
{
    struct run_wave *wave = self;
    if (wave_shows(wave->file, wave->gpu->now)) {
        wave_time(wave->file, wave->gpu->now * TRACED_CYCLE_TIME);
        wave_emit(wave->file, wave->clock.signal, wave->gpu->now);
        run_wave_machine_show(wave->machine);
    }
    run_wave_machine_next(wave->machine);
}

static void release(struct run_wave *wave)
{
    for (size_t i = 0; i < wave->n_shown; i++) {
        traced_watch(wave->shown[i].unit->instance, NULL, NULL);
        wave_unit_free(wave->shown[i].wave);
    }
    run_wave_machine_free(wave->machine);
    wave->gpu->options.after_cycle = NULL;
    free(wave->shown);
    free(wave);
}

struct run_wave *run_wave_open(struct gpu *gpu, const struct mechanism_set *set,
                               const struct run_wave_request *request, char *error, size_t n_error)
{
    struct run_wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL) {
        snprintf(error, n_error, "out of memory");
        return NULL;
    }
    wave->gpu = gpu;
    wave->path = request->path;
    wave->window = request->window;
    if (choose(wave, set, request, error, n_error)) {
        wave->file = wave_open(request->path, "1ps", request->window);
        wave->clock = (struct traced_clock){wave->file, &gpu->now, 0};
        if (wave->file == NULL) {
            snprintf(error, n_error, "%.200s: cannot be written; give a path in an existing folder",
                     request->path);
        } else if (declare(wave, request->machine)) {
            for (size_t i = 0; i < wave->n_shown; i++) {
                traced_watch(wave->shown[i].unit->instance, wave->shown[i].wave, &wave->clock);
            }
            if (wave->machine != NULL) {
                gpu->options.after_cycle = after_cycle;
                gpu->options.after_cycle_self = wave;
            }
            return wave;
        } else {
            snprintf(error, n_error, "out of memory for the waveform");
            wave_close(wave->file, 0);
        }
    }
    release(wave);
    return NULL;
}

/* ---- the end ---- */

/* x.fst: x.gtkw; any other name: with .gtkw behind it. */
static void layout_path(const char *path, char *layout, size_t n)
{
    const size_t length = strlen(path);
    const bool fst = length > 4 && strcmp(path + length - 4, ".fst") == 0;
    snprintf(layout, n, "%.*s.gtkw", (int)(fst ? length - 4 : length), path);
}

static bool write_layout(const struct run_wave *wave, const char *path)
{
    struct layout layout;
    const struct layout_view view = {.wave = wave->path,
                                     .marker = (wave->window.from + SPAN_CYCLES / 2) *
                                               TRACED_CYCLE_TIME,
                                     .from = wave->window.from * TRACED_CYCLE_TIME,
                                     .span = SPAN_CYCLES * TRACED_CYCLE_TIME};
    if (!layout_open(&layout, path, &view)) {
        return false;
    }
    layout_signal(&layout, "core_cycle", 64, LAYOUT_DECIMAL, LAYOUT_PLAIN);
    for (size_t i = 0; i < wave->n_shown; i++) {
        const struct shown *shown = &wave->shown[i];
        layout_begin(&layout, shown->name, i >= OPEN_GROUPS);
        layout_unit(&layout, shown->name, traced_backend(shown->unit->backend), NULL, false);
        layout_end(&layout, shown->name, i >= OPEN_GROUPS);
    }
    if (wave->machine != NULL) {
        run_wave_machine_layout(wave->machine, &layout);
    }
    return layout_close(&layout);
}

bool run_wave_close(struct run_wave *wave, FILE *out)
{
    char layout[4096];
    struct stat file;
    layout_path(wave->path, layout, sizeof layout);
    const uint64_t now = wave->gpu->now, last = now < wave->window.to ? now : wave->window.to;
    bool good = wave_close(wave->file, (last + 1) * TRACED_CYCLE_TIME);
    good = good && write_layout(wave, layout) && stat(wave->path, &file) == 0;
    if (good) {
        fprintf(out, "wave           %zu units%s, %.1f KiB: gtkwave %s %s\n", wave->n_shown,
                wave->machine != NULL ? " and the machine" : "", (double)file.st_size / 1024,
                wave->path, layout);
    } else {
        fprintf(stderr, "warplock: %s or %s: cannot be written to its end; is the disk full?\n",
                wave->path, layout);
    }
    release(wave);
    return good;
}
