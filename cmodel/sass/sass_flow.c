/* sass_flow.c - see sass_flow.h.  Node 0 is the start, node e + 1 is entry e. */
#include "sass/sass_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_graph.h"

/* Bytes that the states of the analysis may take, and steps that it may: far more than any
 * kernel needs, some seconds for what was made to be tangled. */
#define STATE_BYTES (UINT64_C(64) << 20)
#define MAX_STEPS (UINT64_C(1) << 32)

struct flow {
    struct ptx_diag diag;
    struct sass_program *program;
    uint32_t n, n_registers;            /* nodes */
    uint32_t *first, *target;           /* successors, in compressed rows */
    uint32_t *back_first, *back_target; /* predecessors */
    uint32_t *idom, *stamp;
    uint32_t *state_of;    /* [n] row of a block's first node, or SASS_NONE */
    uint8_t *in, *carried; /* rows of n_registers origins */
    uint8_t *now;
    uint32_t n_rows;
    bool changed;
    uint64_t steps;
};

static void spend(struct flow *fl, uint64_t steps)
{
    fl->steps += steps;
    if (fl->steps > MAX_STEPS) {
        ptx_fail(&fl->diag, 0, 0, "it is too tangled to follow; this is no kernel");
    }
}

/* ---- the graph ---- */

static uint32_t node_of(uint32_t entry)
{
    return entry == SASS_START ? 0 : entry + 1;
}

/* Compressed rows of the edges, forward or backward, sorted as the hash gave them out. */
static void rows(struct flow *fl, const struct sass_edges *edges, bool backward, uint32_t **first,
                 uint32_t **target)
{
    uint32_t *start = ptx_alloc(&fl->diag, fl->n + 2, sizeof *start);
    uint32_t *list = ptx_alloc(&fl->diag, edges->n + 1, sizeof *list);

    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t s = 0; s < edges->n_slots; s++) {
            uint32_t from = node_of((uint32_t)(edges->slot[s] >> 32));
            uint32_t to = node_of((uint32_t)edges->slot[s]);

            if (edges->slot[s] == UINT64_MAX) {
                continue;
            }
            if (pass == 0) {
                start[(backward ? to : from) + 1]++;
            } else {
                list[start[backward ? to : from]++] = backward ? from : to;
            }
        }
        for (uint32_t v = 0; pass == 0 && v < fl->n; v++) {
            start[v + 1] += start[v];
        }
    }
    memmove(start + 1, start, fl->n * sizeof *start); /* each row was moved to its end */
    start[0] = 0;
    *first = start;
    *target = list;
}

static bool dominates(const struct flow *fl, uint32_t header, uint32_t node)
{
    while (node != header && node != 0 && fl->idom[node] != PTX_GRAPH_NONE) {
        node = fl->idom[node];
    }
    return node == header;
}

static uint32_t degree(const uint32_t *first, uint32_t node)
{
    return first[node + 1] - first[node];
}

/* Blocks begin at the start, where edges meet, and behind where they part. */
static void find_blocks(struct flow *fl)
{
    fl->state_of = ptx_alloc(&fl->diag, fl->n, sizeof *fl->state_of);
    for (uint32_t v = 0; v < fl->n; v++) {
        bool inside = v != 0 && degree(fl->back_first, v) == 1 &&
                      degree(fl->first, fl->back_target[fl->back_first[v]]) == 1;

        fl->state_of[v] = inside ? SASS_NONE : fl->n_rows++;
    }
    if ((uint64_t)fl->n_rows * (fl->n_registers + 1) > STATE_BYTES) {
        ptx_fail(&fl->diag, 0, 0,
                 "its control flow has %u blocks and %u registers, too many to "
                 "follow; this is no kernel",
                 fl->n_rows, fl->n_registers);
    }
    fl->in = ptx_alloc(&fl->diag, (size_t)fl->n_rows * fl->n_registers + 1, 1);
    fl->carried = ptx_alloc(&fl->diag, (size_t)fl->n_rows * fl->n_registers + 1, 1);
    fl->now = ptx_alloc(&fl->diag, fl->n_registers + 1, 1);
}

/* ---- loops ---- */

/* A node of the loop: one deeper, and what it writes goes round. */
static void mark_node(struct flow *fl, uint32_t header, uint32_t node)
{
    struct isa_inst *inst = &fl->program->entry[node - 1].inst;
    uint32_t row = fl->state_of[header];

    inst->loop_depth = (uint8_t)(inst->loop_depth + (inst->loop_depth < UINT8_MAX));
    for (uint32_t d = 0; row != SASS_NONE && d < inst->n_dst; d++) {
        fl->carried[(size_t)row * fl->n_registers + inst->dst[d]] = ISA_FROM_INDUCTION;
    }
}

/* The natural loop of `header`: whatever reaches one of its back edges.  Returns the steps
 * it took. */
static uint64_t mark_loop(struct flow *fl, uint32_t header, uint32_t *work)
{
    uint32_t top = 0;
    uint64_t steps = 0;

    fl->stamp[header] = header;
    for (uint32_t e = fl->back_first[header]; e < fl->back_first[header + 1]; e++) {
        if (dominates(fl, header, fl->back_target[e])) {
            work[top++] = fl->back_target[e];
        }
    }
    if (top > 0) {
        mark_node(fl, header, header);
    }
    while (top > 0) {
        uint32_t v = work[--top];

        if (fl->stamp[v] == header) {
            continue;
        }
        fl->stamp[v] = header;
        steps += 1 + degree(fl->back_first, v);
        mark_node(fl, header, v);
        for (uint32_t e = fl->back_first[v]; e < fl->back_first[v + 1]; e++) {
            if (fl->idom[fl->back_target[e]] != PTX_GRAPH_NONE) {
                work[top++] = fl->back_target[e];
            }
        }
    }
    return steps;
}

static void find_loops(struct flow *fl, uint32_t n_edges)
{
    uint32_t *work = ptx_alloc(&fl->diag, (size_t)n_edges + fl->n + 1, sizeof *work);

    fl->stamp = ptx_alloc(&fl->diag, fl->n, sizeof *fl->stamp);
    for (uint32_t v = 1; v < fl->n; v++) {
        if (fl->idom[v] != PTX_GRAPH_NONE && degree(fl->back_first, v) > 1) {
            spend(fl, mark_loop(fl, v, work));
        }
    }
}

/* ---- origins ---- */

static uint8_t result_origin(const struct flow *fl, const struct sass_entry *entry)
{
    const struct isa_inst *inst = &entry->inst;
    uint8_t origin = 0;

    if (inst->access == ISA_ACCESS_LOAD || inst->access == ISA_ACCESS_ATOMIC) {
        return ISA_FROM_LOADED;
    }
    if (entry->class == SASS_SPECIAL) {
        return ISA_FROM_TID | ISA_FROM_CTAID;
    }
    if (entry->class == SASS_CONST || inst->n_src == 0) {
        return ISA_FROM_PARAM;
    }
    for (uint32_t s = 0; s < inst->n_src; s++) {
        origin |= fl->now[inst->src[s]];
    }
    return origin;
}

static void flow_node(struct flow *fl, uint32_t node)
{
    struct sass_entry *entry = &fl->program->entry[node - 1];
    struct isa_inst *inst = &entry->inst;
    uint8_t origin = result_origin(fl, entry);

    if (inst->access != ISA_ACCESS_NONE) {
        inst->origin |= inst->n_src ? fl->now[inst->src[0]] : (uint8_t)ISA_FROM_PARAM;
    } else if (inst->is_branch) {
        inst->origin |= origin;
    }
    for (uint32_t d = 0; d < inst->n_dst; d++) {
        fl->now[inst->dst[d]] = origin;
    }
}

static void flow_block(struct flow *fl, uint32_t v)
{
    uint32_t n = fl->n_registers;
    size_t row = (size_t)fl->state_of[v] * n;

    spend(fl, n);
    for (uint32_t r = 0; r < n; r++) {
        fl->now[r] = fl->in[row + r] | fl->carried[row + r];
    }
    for (;;) {
        uint32_t next = fl->target[fl->first[v]];

        if (v != 0) {
            flow_node(fl, v);
        }
        if (degree(fl->first, v) != 1 || fl->state_of[next] != SASS_NONE) {
            break;
        }
        v = next;
    }
    spend(fl, (uint64_t)degree(fl->first, v) * n);
    for (uint32_t e = fl->first[v]; e < fl->first[v + 1]; e++) {
        uint8_t *to = &fl->in[(size_t)fl->state_of[fl->target[e]] * n];

        for (uint32_t r = 0; r < n; r++) {
            fl->changed |= (fl->now[r] & ~to[r]) != 0;
            to[r] |= fl->now[r];
        }
    }
}

static void analyse(struct flow *fl, const struct sass_edges *edges)
{
    struct ptx_graph graph;

    rows(fl, edges, false, &fl->first, &fl->target);
    rows(fl, edges, true, &fl->back_first, &fl->back_target);
    graph = (struct ptx_graph){.n = fl->n, .first = fl->first, .target = fl->target};
    fl->idom = ptx_graph_idom(&fl->diag, &graph);
    find_blocks(fl);
    find_loops(fl, edges->n);
    do {
        fl->changed = false;
        for (uint32_t v = 0; v < fl->n; v++) {
            if (fl->state_of[v] != SASS_NONE && fl->idom[v] != PTX_GRAPH_NONE) {
                flow_block(fl, v);
            }
        }
    } while (fl->changed);
}

int sass_flow(struct sass_program *program, const struct sass_edges *edges, char *error,
              size_t n_error)
{
    struct ptx_arena arena = {NULL};
    struct flow *fl = calloc(1, sizeof *fl); /* survives the jump */

    if (!fl) {
        snprintf(error, n_error, "out of memory for the kernel's data flow");
        return -1;
    }
    fl->program = program;
    fl->n = program->n + 1;
    fl->n_registers = program->n_registers;
    fl->diag = (struct ptx_diag){
        .arena = &arena, .error = error, .n_error = n_error, .file = "its data flow"};
    error[0] = '\0';
    if (setjmp(fl->diag.escape) == 0) {
        analyse(fl, edges);
    }
    ptx_arena_free(&arena);
    free(fl);
    return error[0] ? -1 : 0;
}
