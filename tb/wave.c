/* wave.c - writes what a unit did as an FST file, through GTKWave's own writer. */
#include "tb/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"
#include "tb/lockstep.h"
#include "tb/value.h"

/* Handles of one element of an output or field. */
struct trio {
    fstHandle a, b, mismatch;
};

struct wave {
    void *fst;
    const struct unit_backend *backend;
    const struct unit_desc *desc;
    bool pair;
    char name_a[16], name_b[16];
    fstHandle step, rst;
    fstHandle *in;          /* per input slot */
    struct trio *out;       /* per output slot */
    struct trio *state;     /* per state element, in table order */
    uint64_t time;
};

static void side_names(const struct unit_backend *backend, char a[16], char b[16])
{
    const char *plus = strchr(backend->name, '+');
    snprintf(a, 16, "%.*s", plus != NULL ? (int)(plus - backend->name) : 15, backend->name);
    snprintf(b, 16, "%s", plus != NULL ? plus + 1 : "");
}

static fstHandle variable(struct wave *wave, const char *of, const char *name, unsigned width)
{
    const struct unit_desc *desc = wave->desc;
    const char *names[256], *values[256];
    char text[256][65];
    unsigned n = 0;
    for (unsigned i = 0; of != NULL && i < desc->n_enums && n < 256; i++) {
        if (strcmp(desc->enums[i].of, of) != 0) {
            continue;
        }
        for (unsigned bit = 0; bit < width; bit++) {
            text[n][bit] = (char)('0' + (desc->enums[i].value >> (width - 1 - bit) & 1));
        }
        text[n][width] = '\0';
        names[n] = desc->enums[i].name;
        values[n] = text[n];
        n++;
    }
    if (n > 0) {
        fstWriterEmitEnumTableRef(
            wave->fst, fstWriterCreateEnumTable(wave->fst, of, n, width, names, values));
    }
    char ranged[160];
    if (width > 1) {
        snprintf(ranged, sizeof ranged, "%s [%u:0]", name, width - 1);
        name = ranged;
    }
    return fstWriterCreateVar(wave->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
}

static void scope(struct wave *wave, const char *name)
{
    fstWriterSetScope(wave->fst, FST_ST_VCD_MODULE, name, NULL);
}

static void leave(struct wave *wave)
{
    fstWriterSetUpscope(wave->fst);
}

/* "nacc" or, of an array, "nacc_3". */
static void element_name(char *text, size_t n, const char *name, unsigned i, bool is_array)
{
    if (is_array) {
        snprintf(text, n, "%s_%u", name, i);
    } else {
        snprintf(text, n, "%s", name);
    }
}

/* nacc_c, nacc_rtl and nacc_mismatch: the viewer shows leaf names only. */
static struct trio trio(struct wave *wave, const char *name, unsigned i, bool is_array,
                        unsigned width)
{
    char element[96], leaf[128];
    struct trio t = {0, 0, 0};
    element_name(element, sizeof element, name, i, is_array);
    snprintf(leaf, sizeof leaf, "%s_%s", element, wave->name_a);
    t.a = variable(wave, name, leaf, width);
    if (wave->pair) {
        snprintf(leaf, sizeof leaf, "%s_%s", element, wave->name_b);
        t.b = variable(wave, name, leaf, width);
        snprintf(leaf, sizeof leaf, "%s_mismatch", element);
        t.mismatch = variable(wave, NULL, leaf, 1);
    }
    return t;
}

static void declare(struct wave *wave)
{
    const struct unit_desc *desc = wave->desc;
    scope(wave, desc->name);
    wave->step = variable(wave, NULL, "step", 64);
    wave->rst = variable(wave, NULL, "rst", 1);
    scope(wave, "in");
    for (unsigned i = 0; i < desc->n_in; i++) {
        for (unsigned lane = 0; lane < desc->in[i].lanes; lane++) {
            char name[96];
            element_name(name, sizeof name, desc->in[i].name, lane, desc->in[i].is_array);
            wave->in[desc->in[i].slot + lane] =
                variable(wave, desc->in[i].name, name, desc->in[i].width);
        }
    }
    leave(wave);
    scope(wave, "out");
    for (unsigned i = 0; i < desc->n_out; i++) {
        for (unsigned lane = 0; lane < desc->out[i].lanes; lane++) {
            wave->out[desc->out[i].slot + lane] =
                trio(wave, desc->out[i].name, lane, desc->out[i].is_array, desc->out[i].width);
        }
    }
    leave(wave);
    scope(wave, "state");
    struct trio *next = wave->state;
    for (unsigned i = 0; i < desc->n_state; i++) {
        for (unsigned e = 0; e < desc->state[i].depth; e++) {
            *next++ =
                trio(wave, desc->state[i].name, e, desc->state[i].depth > 1, desc->state[i].width);
        }
    }
    leave(wave);
    leave(wave);
}

struct wave *wave_open(const char *path, const struct unit_backend *backend)
{
    struct wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL) {
        return NULL;
    }
    wave->backend = backend;
    wave->desc = backend->desc;
    wave->pair = lockstep_is(backend);
    side_names(backend, wave->name_a, wave->name_b);
    size_t elements = 0;
    for (unsigned i = 0; i < wave->desc->n_state; i++) {
        elements += wave->desc->state[i].depth;
    }
    wave->in = calloc(wave->desc->in_slots + 1, sizeof *wave->in);
    wave->out = calloc(wave->desc->out_slots + 1, sizeof *wave->out);
    wave->state = calloc(elements + 1, sizeof *wave->state);
    wave->fst = wave->in && wave->out && wave->state ? fstWriterCreate(path, 1) : NULL;
    if (wave->fst == NULL) {
        wave_close(wave);
        return NULL;
    }
    fstWriterSetPackType(wave->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(wave->fst, "1ns");
    declare(wave);
    return wave;
}

static void emit(struct wave *wave, fstHandle handle, uint64_t value, unsigned width)
{
    char bits[64];
    for (unsigned bit = 0; bit < width; bit++) {
        bits[bit] = (char)('0' + (value >> (width - 1 - bit) & 1));
    }
    fstWriterEmitValueChange(wave->fst, handle, bits);
}

static void emit_trio(struct wave *wave, const struct trio *t, uint64_t a, uint64_t b,
                      unsigned width, bool compared)
{
    emit(wave, t->a, a, width);
    if (wave->pair) {
        emit(wave, t->b, b, width);
        emit(wave, t->mismatch, compared && a != b, 1);
    }
}

static void emit_state(struct wave *wave, void *self)
{
    struct lockstep_sides sides = {NULL, NULL, NULL};
    if (wave->pair) {
        lockstep_get_sides(self, &sides);
    } else if (wave->backend->state != NULL) {
        sides.state_a = wave->backend->state(self);
    }
    if (sides.state_a == NULL) {
        return;
    }
    const void *state_b = sides.state_b != NULL ? sides.state_b : sides.state_a;
    const struct trio *next = wave->state;
    for (unsigned i = 0; i < wave->desc->n_state; i++) {
        const struct unit_field *field = &wave->desc->state[i];
        for (unsigned e = 0; e < field->depth; e++) {
            const bool compared = wave->pair && lockstep_compared(wave->desc, field, e, sides.state_a);
            emit_trio(wave, next++, value_of_field(field, sides.state_a, e),
                      value_of_field(field, state_b, e), field->width, compared);
        }
    }
}

void wave_comb(struct wave *wave, void *self, uint64_t step, bool rst, const uint64_t *in,
               const uint64_t *out)
{
    const struct unit_desc *desc = wave->desc;
    wave->time = step * WAVE_STEP_TIME;
    fstWriterEmitTimeChange(wave->fst, wave->time);
    emit(wave, wave->step, step, 64);
    emit(wave, wave->rst, rst, 1);
    for (unsigned i = 0; i < desc->n_in; i++) {
        for (unsigned lane = 0; lane < desc->in[i].lanes; lane++) {
            const unsigned slot = desc->in[i].slot + lane;
            emit(wave, wave->in[slot], in[slot], desc->in[i].width);
        }
    }
    struct lockstep_sides sides = {out, NULL, NULL};
    if (wave->pair) {
        lockstep_get_sides(self, &sides);
    }
    for (unsigned i = 0; i < desc->n_out; i++) {
        const struct unit_port *guard = value_port(desc->out, desc->n_out, desc->out[i].guard);
        for (unsigned lane = 0; lane < desc->out[i].lanes; lane++) {
            const unsigned slot = desc->out[i].slot + lane;
            emit_trio(wave, &wave->out[slot], out[slot], sides.out_b[slot], desc->out[i].width,
                      guard == NULL || out[guard->slot] != 0);
        }
    }
}

/* State changes half a step after the outputs, as a clock edge would show it. */
void wave_seq(struct wave *wave, void *self)
{
    if (wave->desc->n_state > 0) {
        fstWriterEmitTimeChange(wave->fst, wave->time + WAVE_STEP_TIME / 2);
        emit_state(wave, self);
    }
}

void wave_close(struct wave *wave)
{
    if (wave->fst != NULL) {
        fstWriterEmitTimeChange(wave->fst, wave->time + WAVE_STEP_TIME);
        fstWriterClose(wave->fst);
    }
    free(wave->in);
    free(wave->out);
    free(wave->state);
    free(wave);
}

/* GTKWave's flags: hexadecimal, right-justified; a blank line with a title. */
#define GTKW_HEX "@22\n"
#define GTKW_TITLE "@200\n-"

struct layout {
    FILE *to;
    const struct unit_desc *desc;
    char a[16], b[16];
};

static void layout_signal(const struct layout *l, const char *section, const char *element,
                          const char *suffix, unsigned width)
{
    fprintf(l->to, "%s.%s.%s%s", l->desc->name, section, element, suffix);
    if (width > 1) {
        fprintf(l->to, "[%u:0]", width - 1);
    }
    fputc('\n', l->to);
}

/* Both sides of an element and, in red, whether they differ. */
static void layout_element(const struct layout *l, const char *section, const char *name,
                           unsigned i, bool is_array, unsigned width)
{
    char element[96], suffix[24];
    element_name(element, sizeof element, name, i, is_array);
    snprintf(suffix, sizeof suffix, "_%s", l->a);
    fputs(GTKW_HEX, l->to);
    layout_signal(l, section, element, suffix, width);
    if (l->b[0] != '\0') {
        snprintf(suffix, sizeof suffix, "_%s", l->b);
        layout_signal(l, section, element, suffix, width);
        fputs("@28\n[color] 1\n", l->to);
        layout_signal(l, section, element, "_mismatch", 1);
    }
}

static void layout_differences(const struct layout *l, const struct lockstep_report *report)
{
    const unsigned kept = report->n_differences < 64 ? report->n_differences : 64;
    fputs(GTKW_TITLE "differs\n", l->to);
    for (unsigned i = 0; i < kept; i++) {
        const struct lockstep_difference *d = &report->differences[i];
        const struct unit_port *port = &l->desc->out[d->of_state ? 0 : d->index];
        const struct unit_field *field = &l->desc->state[d->of_state ? d->index : 0];
        if (d->of_state) {
            layout_element(l, "state", field->name, d->element, field->depth > 1, field->width);
        } else {
            layout_element(l, "out", port->name, d->element, port->is_array, port->width);
        }
    }
}

static void layout_all(const struct layout *l)
{
    const struct unit_desc *desc = l->desc;
    fputs(GTKW_TITLE "inputs\n" GTKW_HEX, l->to);
    for (unsigned i = 0; i < desc->n_in; i++) {
        for (unsigned lane = 0; lane < desc->in[i].lanes; lane++) {
            char element[96];
            element_name(element, sizeof element, desc->in[i].name, lane, desc->in[i].is_array);
            layout_signal(l, "in", element, "", desc->in[i].width);
        }
    }
    fputs(GTKW_TITLE "outputs\n", l->to);
    for (unsigned i = 0; i < desc->n_out; i++) {
        for (unsigned lane = 0; lane < desc->out[i].lanes; lane++) {
            layout_element(l, "out", desc->out[i].name, lane, desc->out[i].is_array,
                           desc->out[i].width);
        }
    }
    fputs(GTKW_TITLE "state\n", l->to);
    for (unsigned i = 0; i < desc->n_state; i++) {
        for (unsigned e = 0; e < desc->state[i].depth; e++) {
            layout_element(l, "state", desc->state[i].name, e, desc->state[i].depth > 1,
                           desc->state[i].width);
        }
    }
}

bool wave_layout(const char *path, const char *wave_path, const struct unit_backend *backend,
                 uint64_t step, const struct lockstep_report *report)
{
    struct layout l = {fopen(path, "w"), backend->desc, "", ""};
    if (l.to == NULL) {
        return false;
    }
    side_names(backend, l.a, l.b);
    const uint64_t time = step * WAVE_STEP_TIME;
    fprintf(l.to, "[dumpfile] \"%s\"\n[timestart] %llu\n*-5.0 %llu\n[sst_expanded] 1\n"
            "[signals_width] 220\n@24\n%s.step[63:0]\n@28\n%s.rst\n", wave_path,
            (unsigned long long)(time > 100 ? time - 100 : 0), (unsigned long long)time,
            backend->desc->name, backend->desc->name);
    if (report != NULL) {
        layout_differences(&l, report);
    }
    layout_all(&l);
    return fclose(l.to) == 0;
}
