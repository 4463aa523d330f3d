/* liberty_model.c - delays of every arc and edge of a cell, from those of its worst one. */
#include "synth/liberty_model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 24, STAGES = 4 };

/* Both are the least squares of the logarithms of the intercepts of all one- and two-stage cells of
 * cells_45nm.csv: the drain of a unit NMOS, fF, and the share of the slew. */
static const double drain_ff = 0.8;
const double liberty_slew_share = 0.26;
/* PMOS of the cells are 1.5 times as wide as the NMOS beside them. */
static const double pmos_width = 1.5;
/* Of a short transistor: threshold as part of the supply, and the exponent of its current. */
static const double threshold = 0.3, alpha = 1.3;
/* ln(0.7 / 0.3) time constants from 70 to 30 %, ln 2 to 50 %; 40 % of a ramp between these. */
const double liberty_slew_per_delay = 1.2223924213364477;
static const double slew_part = 0.4;
const double liberty_table_slew_ps = 20;

/* A series-parallel network: a transistor, or children in series ('&') or in parallel ('|'). */
struct network {
    char kind; /* 't', '&', '|' */
    char gate[LIBERTY_NAME];
    unsigned first, next; /* first child, next sibling; 0: none */
};

struct stage {
    char node[LIBERTY_NAME];
    struct network networks[NODES]; /* [0] is not used */
    unsigned n, root;
    bool drives; /* an output */
    double width;
};

struct gate {
    struct stage stages[STAGES];
    size_t n;
};

static unsigned add(struct stage *stage, char kind)
{
    stage->networks[++stage->n] = (struct network){.kind = kind};
    return stage->n;
}

/* A level of the expression: '|' of '&' of names and parentheses.  An operator between one child
 * is none. */
static unsigned parse(struct stage *stage, const char **text, char kind)
{
    if (kind == 't') {
        if (**text == '(') {
            ++*text;
            const unsigned inner = parse(stage, text, '|');
            ++*text;
            return inner;
        }
        const unsigned leaf = add(stage, 't');
        for (size_t i = 0; isalnum((unsigned char)**text) && i + 1 < LIBERTY_NAME; i++) {
            stage->networks[leaf].gate[i] = *(*text)++;
        }
        return leaf;
    }
    const char below = kind == '|' ? '&' : 't';
    const unsigned only = parse(stage, text, below);
    if (**text != kind) {
        return only;
    }
    const unsigned group = add(stage, kind);
    stage->networks[group].first = only;
    for (unsigned last = only; **text == kind; last = stage->networks[last].next) {
        ++*text;
        const unsigned child = parse(stage, text, below);
        stage->networks[last].next = child;
    }
    return group;
}

static bool is_output(const struct cell *cell, const char *node)
{
    char assignment[LIBERTY_NAME + 1];
    snprintf(assignment, sizeof assignment, "%.*s=", LIBERTY_NAME - 1, node);
    const char *at = strstr(cell->output, assignment);
    return at != NULL && (at == cell->output || at[-1] == ' ');
}

static void read_gate(const struct cell *cell, struct gate *gate)
{
    *gate = (struct gate){0};
    for (const char *text = cell->stages; *text != '\0' && gate->n < STAGES; gate->n++) {
        struct stage *stage = &gate->stages[gate->n];
        const size_t length = strcspn(text, "=");
        snprintf(stage->node, sizeof stage->node, "%.*s", (int)length, text);
        text += length + 1;
        stage->root = parse(stage, &text, '|');
        stage->drives = is_output(cell, stage->node);
        stage->width = 1;
        text += *text == ' ';
    }
}

/* Transistors that `node` drives in a stage. */
static unsigned driven(const struct stage *stage, const char *node)
{
    unsigned n = 0;
    for (unsigned i = 1; i <= stage->n; i++) {
        n += stage->networks[i].kind == 't' && strcmp(stage->networks[i].gate, node) == 0;
    }
    return n;
}

/* Transistors in series from the output to the supply, of the longest path. */
static unsigned longest(const struct stage *stage, unsigned at, char series)
{
    const struct network *network = &stage->networks[at];
    unsigned sum = 0, most = 0;
    for (unsigned child = network->first; child != 0; child = stage->networks[child].next) {
        const unsigned n = longest(stage, child, series);
        sum += n;
        most = n > most ? n : most;
    }
    return network->kind == 't' ? 1 : network->kind == series ? sum : most;
}

/* Transistors whose drain is the output. */
static unsigned touching(const struct stage *stage, unsigned at, char series)
{
    const struct network *network = &stage->networks[at];
    if (network->kind == 't') {
        return 1;
    }
    unsigned n = 0;
    for (unsigned child = network->first; child != 0; child = stage->networks[child].next) {
        n += n > 0 && network->kind == series ? 0 : touching(stage, child, series);
    }
    return n;
}

/* The path through a transistor: how many are in series (0: it is not there), and how many of them
 * are between it and the output. */
struct path {
    unsigned length, before;
};

static struct path through(const struct stage *stage, unsigned at, char series, const char *gate)
{
    const struct network *network = &stage->networks[at];
    if (network->kind == 't') {
        return (struct path){strcmp(network->gate, gate) == 0, 0};
    }
    struct path found = {0};
    unsigned others = 0;
    for (unsigned child = network->first; child != 0; child = stage->networks[child].next) {
        const struct path path = found.length > 0 ? (struct path){0}
                                                  : through(stage, child, series, gate);
        if (path.length > 0) {
            found = path;
            found.before += network->kind == series ? others : 0;
        } else {
            others += longest(stage, child, series);
        }
    }
    found.length += found.length > 0 && network->kind == series ? others : 0;
    return found;
}

/* What one stage adds to an edge of its output when `gate` switches. */
struct step {
    double slew_share, own_ps, slope_ps_per_ff;
};

static struct step take_step(const struct stage *stage, const struct technology *t,
                             const char *gate, enum edge edge)
{
    const struct path up = through(stage, stage->root, '|', gate);
    const struct path down = through(stage, stage->root, '&', gate);
    const struct path *path = edge == RISE ? &up : &down;
    const double *slope = t->slope[edge];
    const double drains = drain_ff * (pmos_width * touching(stage, stage->root, '|') +
                                      touching(stage, stage->root, '&'));
    double own = slope[path->length] * drains;
    for (unsigned i = 1; i <= path->before; i++) {
        own += slope[path->length - i] * drain_ff * (edge == RISE ? pmos_width : 1);
    }
    /* Input voltage at which both networks of alpha-power transistors carry the same. */
    const double strength = pow(t->slope[FALL][down.length] / t->slope[RISE][up.length], 1 / alpha);
    const double at = (threshold + strength * (1 - threshold)) / (1 + strength);
    const double late = (edge == FALL ? at - 0.5 : 0.5 - at) / slew_part;
    return (struct step){liberty_slew_share + late, own, slope[path->length] / stage->width};
}

static enum edge other(enum edge edge)
{
    return edge == RISE ? FALL : RISE;
}

/* An arc from an input of the cell to a node, and the slew that it has there. */
struct arrival {
    struct liberty_arc arc;
    double slew_ps;
};

struct arrivals {
    struct arrival list[LIBERTY_ARCS];
    size_t n;
};

/* Adds an arc; of two between the same edges the slower one stays. */
static void arrive(struct arrivals *arrivals, const struct arrival *new)
{
    for (size_t i = 0; i < arrivals->n; i++) {
        struct arrival *old = &arrivals->list[i];
        if (strcmp(old->arc.input, new->arc.input) == 0 &&
            strcmp(old->arc.output, new->arc.output) == 0 && old->arc.edge == new->arc.edge &&
            old->arc.positive == new->arc.positive) {
            const double was = old->arc.intrinsic_ps + liberty_table_slew_ps * old->arc.slew_share;
            const double is = new->arc.intrinsic_ps + liberty_table_slew_ps *new->arc.slew_share;
            *old = is > was ? *new : *old;
            return;
        }
    }
    if (arrivals->n < LIBERTY_ARCS) {
        arrivals->list[arrivals->n++] = *new;
    }
}

/* All arcs through a transistor of `stage` whose gate is an input, or a node with arrivals. */
static void pass(struct arrivals *arrivals, const struct stage *stage, const struct technology *t,
                 const char *gate, double load_ff)
{
    const size_t before = arrivals->n;
    for (enum edge edge = RISE; edge <= FALL; edge++) {
        const struct step step = take_step(stage, t, gate, edge);
        const double delay = step.own_ps + step.slope_ps_per_ff * load_ff;
        struct arrival next = {
            .arc = {.edge = edge,
                    .slew_share = step.slew_share,
                    .intrinsic_ps = delay,
                    .slope_ps_per_ff = step.slope_ps_per_ff,
                    .own_ps = step.own_ps},
            .slew_ps = liberty_slew_per_delay * delay,
        };
        snprintf(next.arc.input, LIBERTY_NAME, "%s", gate);
        snprintf(next.arc.output, LIBERTY_NAME, "%s", stage->node);
        bool inside = false;
        for (size_t i = 0; i < before; i++) {
            const struct arrival *at = &arrivals->list[i];
            if (strcmp(at->arc.output, gate) != 0) {
                continue;
            }
            inside = true;
            if (at->arc.edge == other(edge)) {
                struct arrival sum = next;
                memcpy(sum.arc.input, at->arc.input, LIBERTY_NAME);
                sum.arc.positive = !at->arc.positive;
                sum.arc.slew_share = at->arc.slew_share;
                sum.arc.intrinsic_ps = at->arc.intrinsic_ps + delay + step.slew_share * at->slew_ps;
                arrive(arrivals, &sum);
            }
        }
        if (!inside) {
            arrive(arrivals, &next);
        }
    }
}

/* What a node inside drives. */
static double load_of(const struct gate *gate, const struct technology *t, const char *node)
{
    double load = 0;
    for (size_t i = 0; i < gate->n; i++) {
        load += driven(&gate->stages[i], node) * gate->stages[i].width * t->gate_ff;
    }
    return load;
}

/* The first input's capacitance is that of the transistors it drives: what is left by those of
 * unit width is of the stages inside. */
static void size_stages(struct gate *gate, const struct cell *cell, const struct technology *t,
                        const struct figures *figures)
{
    char input[LIBERTY_NAME];
    snprintf(input, sizeof input, "%.*s", (int)strcspn(cell->inputs, " "), cell->inputs);
    double inside = 0, driving = 0;
    for (size_t i = 0; i < gate->n; i++) {
        *(gate->stages[i].drives ? &driving : &inside) += driven(&gate->stages[i], input);
    }
    for (size_t i = 0; i < gate->n; i++) {
        if (!gate->stages[i].drives) {
            gate->stages[i].width = (figures->input_cap_ff / t->gate_ff - driving) / inside;
        }
    }
}

/* The worst intercept and slope become the table's. */
static void scale(struct liberty_arc *arcs, size_t n, const struct figures *figures)
{
    double intercept = 0, slope = 0;
    for (size_t i = 0; i < n; i++) {
        intercept = fmax(intercept,
                         arcs[i].intrinsic_ps + liberty_table_slew_ps * arcs[i].slew_share);
        slope = fmax(slope, arcs[i].slope_ps_per_ff);
    }
    for (size_t i = 0; i < n; i++) {
        arcs[i].slew_share *= figures->intercept_ps / intercept;
        arcs[i].intrinsic_ps *= figures->intercept_ps / intercept;
        arcs[i].slope_ps_per_ff *= figures->slope_ps_per_ff / slope;
        arcs[i].own_ps *= figures->slope_ps_per_ff / slope;
    }
}

size_t liberty_arcs(const struct cell *cell, const struct technology *technology,
                    const struct figures *figures, struct liberty_arc arcs[LIBERTY_ARCS])
{
    struct gate gate;
    struct arrivals arrivals = {.n = 0};
    read_gate(cell, &gate);
    size_stages(&gate, cell, technology, figures);
    size_t n = 0;
    for (size_t i = 0; i < gate.n; i++) {
        const struct stage *stage = &gate.stages[i];
        for (unsigned k = 1; k <= stage->n; k++) {
            if (stage->networks[k].kind == 't') {
                pass(&arrivals, stage, technology, stage->networks[k].gate,
                     load_of(&gate, technology, stage->node));
            }
        }
    }
    for (size_t i = 0; i < arrivals.n; i++) {
        if (is_output(cell, arrivals.list[i].arc.output)) {
            arcs[n++] = arrivals.list[i].arc;
        }
    }
    scale(arcs, n, figures);
    return n;
}

void liberty_pairs(const struct cell *cell, unsigned *inside, unsigned *driving)
{
    struct gate gate;
    read_gate(cell, &gate);
    *inside = *driving = 0;
    for (size_t i = 0; i < gate.n; i++) {
        for (unsigned k = 1; k <= gate.stages[i].n; k++) {
            *(gate.stages[i].drives ? driving : inside) += gate.stages[i].networks[k].kind == 't';
        }
    }
}

double liberty_drains_ff(void)
{
    return drain_ff * (1 + pmos_width);
}

void liberty_technology(struct technology *technology, const struct figures *inverter,
                        const struct figures nor[3], const struct figures nand[2])
{
    technology->gate_ff = inverter->input_cap_ff;
    technology->slope[RISE][1] = inverter->slope_ps_per_ff;
    for (int i = 0; i < 3; i++) {
        technology->slope[RISE][i + 2] = nor[i].slope_ps_per_ff;
    }
    const double step = nand[1].slope_ps_per_ff - nand[0].slope_ps_per_ff;
    for (int i = 1; i <= LIBERTY_SERIES; i++) {
        technology->slope[FALL][i] = nand[0].slope_ps_per_ff + (i - 3) * step;
    }
}
