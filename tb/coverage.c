/* coverage.c - functional coverage from a unit's table and its cross bins. */
#include "tb/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/value.h"

/* Bits seen at 1 and at 0, per slot or per state byte. */
struct coverage {
    const struct unit_desc *desc;
    const struct unit_stimulus *stimulus;
    uint64_t *in1, *in0, *out1, *out0;
    uint8_t *state1, *state0;
    uint64_t *hits;
    int *guard;              /* per output: slot of its guard, -1 for always */
    uint64_t *guard_open;    /* per output: steps in which its guard let it be compared */
    bool *named;             /* per enum row */
    struct awaited *awaited; /* [n_awaited] the enum rows not yet seen */
    unsigned n_awaited;
};

/* An enum row and where its value shows: a slot, or a state field. */
struct awaited {
    unsigned row;
    enum { IN_SLOT, OUT_SLOT, STATE_FIELD } where;
    unsigned slot;
    const struct unit_field *field;
};

static void await_names(struct coverage *c)
{
    const struct unit_desc *desc = c->desc;
    for (unsigned i = 0; i < desc->n_enums; i++) {
        const char *of = desc->enums[i].of;
        const struct unit_port *out = value_port(desc->out, desc->n_out, of);
        const struct unit_port *in = value_port(desc->in, desc->n_in, of);
        struct awaited name = {i, out != NULL ? OUT_SLOT : IN_SLOT,
                               out != NULL  ? out->slot
                               : in != NULL ? in->slot
                                            : 0,
                               NULL};
        if (out == NULL && (name.field = value_field_named(desc, of)) != NULL) {
            name.where = STATE_FIELD;
        } else if (out == NULL && in == NULL) {
            continue;
        }
        c->awaited[c->n_awaited++] = name;
    }
}

struct coverage *coverage_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus)
{
    struct coverage *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->desc = desc;
    c->stimulus = stimulus;
    c->in1 = calloc(desc->in_slots + 1, sizeof *c->in1);
    c->in0 = calloc(desc->in_slots + 1, sizeof *c->in0);
    c->out1 = calloc(desc->out_slots + 1, sizeof *c->out1);
    c->out0 = calloc(desc->out_slots + 1, sizeof *c->out0);
    c->state1 = calloc(desc->state_bytes + 1, 1);
    c->state0 = calloc(desc->state_bytes + 1, 1);
    c->hits = calloc((stimulus != NULL ? stimulus->n_bins : 0) + 1, sizeof *c->hits);
    c->guard = calloc(desc->n_out + 1, sizeof *c->guard);
    c->guard_open = calloc(desc->n_out + 1, sizeof *c->guard_open);
    c->named = calloc(desc->n_enums + 1, sizeof *c->named);
    c->awaited = calloc(desc->n_enums + 1, sizeof *c->awaited);
    if (!c->in1 || !c->in0 || !c->out1 || !c->out0 || !c->state1 || !c->state0 || !c->hits ||
        !c->guard || !c->guard_open || !c->named || !c->awaited) {
        coverage_free(c);
        return NULL;
    }
    for (unsigned i = 0; i < desc->n_out; i++) {
        const struct unit_port *guard = value_port(desc->out, desc->n_out, desc->out[i].guard);
        c->guard[i] = guard != NULL ? (int)guard->slot : -1;
    }
    await_names(c);
    return c;
}

void coverage_free(struct coverage *c)
{
    free(c->in1);
    free(c->in0);
    free(c->out1);
    free(c->out0);
    free(c->state1);
    free(c->state0);
    free(c->hits);
    free(c->guard);
    free(c->guard_open);
    free(c->named);
    free(c->awaited);
    free(c);
}

static void sample_slots(uint64_t *ones, uint64_t *zeros, const uint64_t *slots, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        ones[i] |= slots[i];
        zeros[i] |= ~slots[i];
    }
}

static void sample_bytes(uint8_t *ones, uint8_t *zeros, const uint8_t *bytes, size_t n)
{
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= n; i += sizeof(uint64_t)) {
        uint64_t one, zero, now;
        memcpy(&one, ones + i, sizeof one);
        memcpy(&zero, zeros + i, sizeof zero);
        memcpy(&now, bytes + i, sizeof now);
        one |= now;
        zero |= ~now;
        memcpy(ones + i, &one, sizeof one);
        memcpy(zeros + i, &zero, sizeof zero);
    }
    for (; i < n; i++) {
        ones[i] |= bytes[i];
        zeros[i] |= (uint8_t)~bytes[i];
    }
}

static void sample_names(struct coverage *c, const uint64_t *in, const uint64_t *out,
                         const void *state)
{
    for (unsigned i = 0; i < c->n_awaited;) {
        const struct awaited *name = &c->awaited[i];
        const uint64_t expected = c->desc->enums[name->row].value;
        if (name->where == OUT_SLOT ? out[name->slot] == expected
            : name->where == IN_SLOT
                ? in[name->slot] == expected
                : state != NULL && value_of_field(name->field, state, 0) == expected) {
            c->named[name->row] = true;
            c->awaited[i] = c->awaited[--c->n_awaited];
        } else {
            i++;
        }
    }
}

void coverage_sample(struct coverage *c, const uint64_t *in, const uint64_t *out, const void *state)
{
    const struct unit_desc *desc = c->desc;
    sample_slots(c->in1, c->in0, in, desc->in_slots);
    sample_slots(c->out1, c->out0, out, desc->out_slots);
    if (state != NULL) {
        sample_bytes(c->state1, c->state0, state, desc->state_bytes);
    }
    sample_names(c, in, out, state);
    for (unsigned i = 0; i < desc->n_out; i++) {
        c->guard_open[i] += c->guard[i] >= 0 && out[c->guard[i]] != 0;
    }
    if (c->stimulus != NULL && c->stimulus->observe != NULL) {
        c->stimulus->observe(in, out, state, c->hits);
    }
}

const char *const coverage_words[COVERAGE_KINDS] = {"toggle", "name", "guard", "bin"};

/* Where coverage_visit goes on to. */
struct visit {
    coverage_visitor *to;
    void *context;
};

static void tell(const struct visit *visit, enum coverage_kind kind, const char *name, bool applies,
                 uint64_t hits)
{
    const struct coverage_point point = {kind, name, applies, hits};
    visit->to(visit->context, &point);
}

static void visit_bits(const struct visit *visit, const char *name, unsigned element, bool is_array,
                       unsigned width, uint64_t ones, uint64_t zeros)
{
    char text[128], place[24] = "";
    if (is_array) {
        snprintf(place, sizeof place, "[%u]", element);
    }
    for (unsigned bit = 0; bit < width; bit++) {
        snprintf(text, sizeof text, "%s%s bit %u never 1", name, place, bit);
        tell(visit, COVERAGE_TOGGLE, text, true, ones >> bit & 1);
        snprintf(text, sizeof text, "%s%s bit %u never 0", name, place, bit);
        tell(visit, COVERAGE_TOGGLE, text, true, zeros >> bit & 1);
    }
}

static void visit_ports(const struct visit *visit, const struct unit_port *ports, unsigned n,
                        const uint64_t *ones, const uint64_t *zeros)
{
    for (unsigned i = 0; i < n; i++) {
        for (unsigned lane = 0; lane < ports[i].lanes; lane++) {
            const unsigned slot = ports[i].slot + lane;
            visit_bits(visit, ports[i].name, lane, ports[i].is_array, ports[i].width, ones[slot],
                       zeros[slot]);
        }
    }
}

static void visit_state(const struct coverage *c, const struct visit *visit)
{
    for (unsigned i = 0; i < c->desc->n_state; i++) {
        const struct unit_field *field = &c->desc->state[i];
        for (unsigned e = 0; e < field->depth; e++) {
            visit_bits(visit, field->name, e, field->depth > 1, field->width,
                       value_of_field(field, c->state1, e), value_of_field(field, c->state0, e));
        }
    }
}

static bool guard_applies(const struct coverage *c, const char *output)
{
    bool applies = true;
    for (unsigned i = 0; c->stimulus != NULL && i < c->stimulus->n_bins; i++) {
        const struct unit_bin *row = &c->stimulus->bins[i];
        applies &= row->applies || !row->is_guard || strcmp(row->name, output) != 0;
    }
    return applies;
}

void coverage_visit(const struct coverage *c, coverage_visitor *to, void *context)
{
    const struct unit_desc *desc = c->desc;
    const struct visit visit = {to, context};
    visit_ports(&visit, desc->in, desc->n_in, c->in1, c->in0);
    visit_ports(&visit, desc->out, desc->n_out, c->out1, c->out0);
    visit_state(c, &visit);
    for (unsigned i = 0; i < desc->n_enums; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s is %s", desc->enums[i].of, desc->enums[i].name);
        tell(&visit, COVERAGE_NAME, text, true, c->named[i]);
    }
    for (unsigned i = 0; i < desc->n_out; i++) {
        if (c->guard[i] >= 0) {
            tell(&visit, COVERAGE_GUARD, desc->out[i].name, guard_applies(c, desc->out[i].name),
                 c->guard_open[i]);
        }
    }
    for (unsigned i = 0; c->stimulus != NULL && i < c->stimulus->n_bins; i++) {
        const struct unit_bin *bin = &c->stimulus->bins[i];
        if (!bin->is_guard) {
            tell(&visit, COVERAGE_BIN, bin->name, bin->applies, c->hits[i]);
        }
    }
}

static void count(void *context, const struct coverage_point *point)
{
    struct coverage_totals *totals = context;
    totals->points[point->kind] += point->applies;
    totals->hit[point->kind] += point->applies && point->hits > 0;
    totals->not_applicable += !point->applies;
}

void coverage_totals(const struct coverage *c, struct coverage_totals *totals)
{
    memset(totals, 0, sizeof *totals);
    coverage_visit(c, count, totals);
}

/* Toggles and names that were not hit: what they say, and how many of them are said. */
struct holes {
    FILE *to;
    json_t *list;
    unsigned limit, found;
};

static void hole(void *context, const struct coverage_point *point)
{
    struct holes *holes = context;
    if (point->hits > 0 || point->kind == COVERAGE_GUARD || point->kind == COVERAGE_BIN) {
        return;
    }
    const char *never = point->kind == COVERAGE_TOGGLE ? "" : ": never";
    holes->found++;
    if (holes->list != NULL) {
        json_array_append_new(
            holes->list, json_sprintf("%s: %s%s", coverage_words[point->kind], point->name, never));
    } else if (holes->limit == 0 || holes->found <= holes->limit) {
        fprintf(holes->to, "  not covered: %s: %s%s\n", coverage_words[point->kind], point->name,
                never);
    }
}

void coverage_print_holes(const struct coverage *c, FILE *to, unsigned limit)
{
    struct holes holes = {to, NULL, limit, 0};
    coverage_visit(c, hole, &holes);
    if (limit > 0 && holes.found > limit) {
        fprintf(to, "  and %u more; --holes lists all\n", holes.found - limit);
    }
}

/* Bins and guards as {"name": hits}, null where a bin is not applicable. */
static void list_hits(void *context, const struct coverage_point *point)
{
    json_t *const *lists = context;
    if (point->kind == COVERAGE_BIN || point->kind == COVERAGE_GUARD) {
        json_object_set_new(lists[point->kind == COVERAGE_GUARD], point->name,
                            point->applies ? json_integer((json_int_t)point->hits) : json_null());
    }
}

json_t *coverage_json(const struct coverage *c)
{
    struct coverage_totals totals;
    struct holes holes = {NULL, json_array(), 0, 0};
    json_t *lists[] = {json_object(), json_object()}, *root = json_object();
    coverage_totals(c, &totals);
    coverage_visit(c, hole, &holes);
    coverage_visit(c, list_hits, lists);
    for (int kind = 0; kind < COVERAGE_KINDS; kind++) {
        json_object_set_new(
            root, coverage_words[kind],
            json_pack("{s:i, s:i}", "points", totals.points[kind], "hit", totals.hit[kind]));
    }
    json_object_set_new(root, "not_applicable", json_integer(totals.not_applicable));
    json_object_set_new(root, "bins", lists[0]);
    json_object_set_new(root, "guards", lists[1]);
    json_object_set_new(root, "holes", holes.list);
    return root;
}
