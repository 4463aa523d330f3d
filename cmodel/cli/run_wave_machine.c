/* run_wave_machine.c - the machine's own signals in a waveform, through machine/probe.h. */
#include "cli/run_wave_machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/probe.h"

enum { MAX_NAMES = 128, MAX_PATH = 128 };

struct run_wave_machine {
    struct wave *file;
    struct probe *probe;
    uint32_t names[PROBE_KINDS];
    uint32_t *signal; /* in the order of the walk */
    uint32_t n, max, next;
    bool failed;
};

static void numbered(char *text, size_t n, const char *name, int number)
{
    if (number == PROBE_ALONE) {
        snprintf(text, n, "%s", name);
    } else {
        snprintf(text, n, "%s%d", name, number);
    }
}

/* ---- the walk that declares ---- */

static void declare_enter(void *self, const char *scope, int number)
{
    char text[64];
    numbered(text, sizeof text, scope, number);
    wave_enter(((struct run_wave_machine *)self)->file, text);
}

static void declare_leave(void *self)
{
    wave_leave(((struct run_wave_machine *)self)->file);
}

static uint32_t names_of(struct run_wave_machine *machine, enum probe_kind kind, uint32_t width)
{
    struct wave_name names[MAX_NAMES];
    uint32_t n;
    const char *const *words = probe_names(kind, &n);
    if (machine->names[kind] == 0 && words != NULL) {
        for (uint32_t i = 0; i < n; i++) {
            names[i] = (struct wave_name){words[i], i};
        }
        machine->names[kind] = wave_names(machine->file, "machine", width, names, n);
    }
    return machine->names[kind];
}

static void declare_value(void *self, const char *name, int number, uint32_t width,
                          enum probe_kind kind, uint64_t value)
{
    struct run_wave_machine *machine = self;
    char text[64];
    (void)value;
    if (machine->n == machine->max) {
        const uint32_t max = 2 * machine->max + 256;
        uint32_t *more = realloc(machine->signal, max * sizeof *more);
        if (more == NULL) {
            machine->failed = true;
            return;
        }
        machine->signal = more;
        machine->max = max;
    }
    numbered(text, sizeof text, name, number);
    machine->signal[machine->n++] = wave_declare(machine->file, text, width,
                                                 names_of(machine, kind, width));
}

struct run_wave_machine *run_wave_machine_new(struct wave *file, const struct gpu *gpu)
{
    struct run_wave_machine *machine = calloc(1, sizeof *machine);
    if (machine == NULL || (machine->probe = probe_create(gpu)) == NULL) {
        free(machine);
        return NULL;
    }
    machine->file = file;
    wave_enter(file, "machine");
    probe_walk(machine->probe,
               &(struct probe_sink){machine, declare_enter, declare_leave, declare_value});
    wave_leave(file);
    if (machine->failed) {
        run_wave_machine_free(machine);
        return NULL;
    }
    return machine;
}

void run_wave_machine_free(struct run_wave_machine *machine)
{
    if (machine != NULL) {
        probe_destroy(machine->probe);
        free(machine->signal);
    }
    free(machine);
}

/* ---- the walks that show ---- */

static void show_enter(void *self, const char *scope, int number)
{
    (void)self, (void)scope, (void)number;
}

static void show_leave(void *self)
{
    (void)self;
}

static void show_value(void *self, const char *name, int number, uint32_t width,
                       enum probe_kind kind, uint64_t value)
{
    struct run_wave_machine *machine = self;
    (void)name, (void)number, (void)width, (void)kind;
    wave_emit(machine->file, machine->signal[machine->next++], value);
}

void run_wave_machine_show(struct run_wave_machine *machine)
{
    machine->next = 0;
    probe_walk(machine->probe, &(struct probe_sink){machine, show_enter, show_leave, show_value});
}

void run_wave_machine_next(struct run_wave_machine *machine)
{
    probe_next(machine->probe);
}

/* ---- the walk that lays out ---- */

struct drafting {
    struct layout *layout;
    char path[MAX_PATH];
};

/* The first of each kind is open, and the warps only where they are asked for. */
static bool folded(const char *path)
{
    const char *leaf = strrchr(path, '.') + 1, *number = leaf + strlen(leaf);
    while (number > leaf && isdigit((unsigned char)number[-1])) {
        number--;
    }
    return strcmp(leaf, "warps") == 0 || (*number != '\0' && strcmp(number, "0") != 0);
}

static void draft_enter(void *self, const char *scope, int number)
{
    struct drafting *d = self;
    const size_t used = strlen(d->path);
    d->path[used] = '.';
    numbered(d->path + used + 1, sizeof d->path - used - 1, scope, number);
    layout_begin(d->layout, d->path, folded(d->path));
}

static void draft_leave(void *self)
{
    struct drafting *d = self;
    layout_end(d->layout, d->path, folded(d->path));
    *strrchr(d->path, '.') = '\0';
}

static void draft_value(void *self, const char *name, int number, uint32_t width,
                        enum probe_kind kind, uint64_t value)
{
    struct drafting *d = self;
    char leaf[64], path[MAX_PATH + 80];
    (void)value;
    numbered(leaf, sizeof leaf, name, number);
    snprintf(path, sizeof path, "%s.%s", d->path, leaf);
    layout_signal(d->layout, path, width,
                  kind == PROBE_LEVEL   ? LAYOUT_CURVE
                  : kind == PROBE_COUNT ? LAYOUT_DECIMAL
                                        : LAYOUT_NAMES,
                  kind == PROBE_LEVEL ? LAYOUT_GREEN : LAYOUT_YELLOW);
}

void run_wave_machine_layout(const struct run_wave_machine *machine, struct layout *layout)
{
    struct drafting d = {layout, "machine"};
    layout_begin(layout, "machine", false);
    probe_walk(machine->probe, &(struct probe_sink){&d, draft_enter, draft_leave, draft_value});
    layout_end(layout, "machine", false);
}
