/* layout_unit.c - a unit's part of a GTKWave save file, drafted from its table. */
#include "tb/layout_unit.h"

#include <stdio.h>
#include <string.h>

#include "tb/value.h"
#include "tb/wave_inside.h"
#include "tb/wave_unit.h"

enum { MAX_PATH = 256, OPEN_ELEMENTS = 16, SPAN_STEPS = 30 };

struct drafting {
    struct layout *layout;
    const char *scope;
    const struct unit_desc *desc;
    struct wave_sides sides;
    bool one_side, state_pair;
};

static bool has_names(const struct unit_desc *desc, const char *of)
{
    for (unsigned i = 0; i < desc->n_enums; i++) {
        if (strcmp(desc->enums[i].of, of) == 0) {
            return true;
        }
    }
    return false;
}

static void one_signal(const struct drafting *d, const char *section, const char *leaf,
                       unsigned width, enum layout_format format, enum layout_colour colour)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s.%s%s%s", d->scope, section, section[0] != '\0' ? "." : "",
             leaf);
    layout_signal(d->layout, path, width, format, colour);
}

/* One element: its sides and, in red, whether they differ. */
static void element(const struct drafting *d, const char *section, const char *name, unsigned i,
                    bool is_array, unsigned width, enum layout_colour colour)
{
    char text[96], leaf[128];
    const enum layout_format format = layout_format_of(name, width, has_names(d->desc, name));
    wave_element_name(text, sizeof text, name, i, is_array);
    snprintf(leaf, sizeof leaf, "%s_%s", text, d->sides.a);
    one_signal(d, section, leaf, width, format, colour);
    if (d->sides.b[0] != '\0' && !d->one_side && (d->state_pair || strcmp(section, "state") != 0)) {
        snprintf(leaf, sizeof leaf, "%s_%s", text, d->sides.b);
        one_signal(d, section, leaf, width, format, colour);
        snprintf(leaf, sizeof leaf, "%s_mismatch", text);
        one_signal(d, section, leaf, 1, LAYOUT_BITS, LAYOUT_RED);
    }
}

static void differences(const struct drafting *d, const struct lockstep_report *report)
{
    const unsigned kept = report->n_differences < 64 ? report->n_differences : 64;
    layout_begin(d->layout, "differs", false);
    for (unsigned i = 0; i < kept; i++) {
        const struct lockstep_difference *one = &report->differences[i];
        const struct unit_port *port = &d->desc->out[one->of_state ? 0 : one->index];
        const struct unit_field *field = &d->desc->state[one->of_state ? one->index : 0];
        if (one->of_state) {
            element(d, "state", field->name, one->element, field->depth > 1, field->width,
                    LAYOUT_PLAIN);
        } else {
            element(d, "out", port->name, one->element, port->is_array, port->width, LAYOUT_PLAIN);
        }
    }
    layout_end(d->layout, "differs", false);
}

/* An array is a group of its own, folded when long; true when there is one to end. */
static bool begin_array(const struct drafting *d, const char *name, unsigned n, bool is_array)
{
    if (is_array && n > 1) {
        layout_begin(d->layout, name, n > OPEN_ELEMENTS);
    }
    return is_array && n > 1;
}

static void end_array(const struct drafting *d, const char *name, unsigned n, bool begun)
{
    if (begun) {
        layout_end(d->layout, name, n > OPEN_ELEMENTS);
    }
}

static void inputs(const struct drafting *d)
{
    layout_begin(d->layout, "inputs", false);
    for (unsigned i = 0; i < d->desc->n_in; i++) {
        const struct unit_port *port = &d->desc->in[i];
        const enum layout_format format = layout_format_of(port->name, port->width,
                                                           has_names(d->desc, port->name));
        const bool array = begin_array(d, port->name, port->lanes, port->is_array);
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            char name[96];
            wave_element_name(name, sizeof name, port->name, lane, port->is_array);
            one_signal(d, "in", name, port->width, format, LAYOUT_YELLOW);
        }
        end_array(d, port->name, port->lanes, array);
    }
    layout_end(d->layout, "inputs", false);
}

/* Outputs, or those of them that are events. */
static void outputs(const struct drafting *d, const char *title, bool events)
{
    bool any = false;
    for (unsigned i = 0; i < d->desc->n_out; i++) {
        const struct unit_port *port = &d->desc->out[i];
        if (port->event != events) {
            continue;
        }
        if (!any) {
            layout_begin(d->layout, title, false);
        }
        any = true;
        const bool array = begin_array(d, port->name, port->lanes, port->is_array);
        for (unsigned lane = 0; lane < port->lanes; lane++) {
            element(d, "out", port->name, lane, port->is_array, port->width,
                    events ? LAYOUT_ORANGE : LAYOUT_GREEN);
        }
        end_array(d, port->name, port->lanes, array);
    }
    if (any) {
        layout_end(d->layout, title, false);
    }
}

static void state(const struct drafting *d)
{
    layout_begin(d->layout, "state", false);
    for (unsigned i = 0; i < d->desc->n_state; i++) {
        const struct unit_field *field = &d->desc->state[i];
        const bool array = begin_array(d, field->name, field->depth, true);
        for (unsigned e = 0; e < field->depth; e++) {
            element(d, "state", field->name, e, field->depth > 1, field->width, LAYOUT_VIOLET);
        }
        end_array(d, field->name, field->depth, array);
    }
    layout_end(d->layout, "state", false);
}

void layout_unit(struct layout *layout, const char *scope, const struct unit_backend *backend,
                 const struct lockstep_report *report, bool one_side)
{
    const struct drafting d = {
        layout,        scope,
        backend->desc, wave_sides(backend),
        one_side,      lockstep_is(backend) && lockstep_compares_state(backend)};
    one_signal(&d, "", "step", 64, LAYOUT_DECIMAL, LAYOUT_PLAIN);
    if (backend->desc->kind == UNIT_SEQUENTIAL) {
        one_signal(&d, "", "rst", 1, LAYOUT_BITS, LAYOUT_PLAIN);
    }
    if (lockstep_is(backend)) {
        one_signal(&d, "", "mismatch", 1, LAYOUT_BITS, LAYOUT_RED);
    }
    if (report != NULL && report->n_differences > 0) {
        differences(&d, report);
    }
    inputs(&d);
    outputs(&d, "outputs", false);
    outputs(&d, "events", true);
    if (backend->desc->n_state > 0 && backend->state != NULL) {
        state(&d);
    }
    wave_inside_layout(layout, scope, backend);
}

/* All the marks, with some steps before them; at least SPAN_STEPS where there are so many. */
static struct layout_view view_of(const struct layout_steps *steps)
{
    uint64_t first = steps->n > 0 ? steps->step[0] : 0, last = first;
    struct layout_view view = {.marker = first * WAVE_STEP_TIME};
    for (unsigned i = 1; i < steps->n; i++) {
        view.named[view.n_named++] = steps->step[i] * WAVE_STEP_TIME;
        first = steps->step[i] < first ? steps->step[i] : first;
        last = steps->step[i] > last ? steps->step[i] : last;
    }
    uint64_t span = (last - first) * 3 / 2;
    span = span > SPAN_STEPS ? span : SPAN_STEPS;
    if (steps->played > 0 && span > steps->played) {
        span = steps->played + steps->played / 8 + 1; /* the last step, too, has room */
    }
    const uint64_t before = steps->n > 1 ? span / 4 : span * 3 / 4;
    view.from = (last >= span && first > before ? first - before : 0) * WAVE_STEP_TIME;
    view.span = span * WAVE_STEP_TIME;
    /* GTKWave takes no start after which the wave does not fill a page. */
    const uint64_t page = view.span + view.span / 200;
    const uint64_t end = (steps->played + WAVE_ROOM_STEPS) * WAVE_STEP_TIME;
    const uint64_t latest = end > page ? end - page : 0;
    view.from = view.from < latest ? view.from : latest;
    return view;
}

bool layout_steps(const char *path, const char *wave_path, const struct unit_backend *backend,
                  const struct layout_steps *steps, const struct lockstep_report *report)
{
    struct layout layout;
    const bool differs = report != NULL && report->n_differences > 0;
    const bool after_edge = differs && report->differences[0].of_state;
    struct layout_view view = view_of(steps);
    view.wave = wave_path;
    view.marker += after_edge ? WAVE_STEP_TIME / 2 : 0;
    if (!layout_open(&layout, path, &view)) {
        return false;
    }
    layout_unit(&layout, backend->desc->name, backend, report, !differs);
    return layout_close(&layout);
}
