/* adopt_state.c - the registers and memories of a module that is adopted (cli/adopt_reading.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/adopt_reading.h"

static int add_state(struct reading *r, const char *path, unsigned width, unsigned words)
{
    struct adopt_module *m = r->module;
    if (m->n_state == ADOPT_MOST || strlen(path) >= ADOPT_NAME) {
        return REFUSE(
            r, "more than %d registers, or names of more than %d characters; adopt its parts",
            ADOPT_MOST, ADOPT_NAME - 1);
    }
    struct adopt_state *to = &m->state[m->n_state++];
    *to = (struct adopt_state){.width = width, .words = words};
    snprintf(to->path, sizeof to->path, "%s", path);
    return 0;
}

static int read_memories(struct reading *r)
{
    const char *name;
    json_t *cell;
    json_object_foreach(r->cells, name, cell)
    {
        const char *path = json_string_value(get(get(cell, "parameters"), "MEMID"));
        if (is_memory(cell) && path != NULL && number_of(cell, "OFFSET") != 0) {
            return REFUSE(r, "memory %s begins at %llu; declare it from 0", path + 1,
                          (unsigned long long)number_of(cell, "OFFSET"));
        }
        if (is_memory(cell) &&
            add_state(r, path[0] == '\\' ? path + 1 : path, (unsigned)number_of(cell, "WIDTH"),
                      (unsigned)number_of(cell, "SIZE")) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Word 3 of a memory that became registers, "base[3]": its base's length, 0 for another name. */
static size_t word_of(const char *path, unsigned *index)
{
    const size_t n = strlen(path);
    const char *open = strrchr(path, '[');
    char *end;
    if (n == 0 || path[n - 1] != ']' || open == NULL) {
        return 0;
    }
    *index = (unsigned)strtoul(open + 1, &end, 10);
    return *end == ']' ? (size_t)(open - path) : 0;
}

/* A register of this name, of which some bit is still there and counted. */
static int read_register(struct reading *r, const char *path)
{
    struct adopt_module *m = r->module;
    json_t *bits = get(get(r->nets, path), "bits");
    unsigned index = 0;
    const size_t base = word_of(path, &index);
    bool alive = false;
    for (size_t i = 0; i < json_array_size(bits); i++) {
        json_t *cell = driver_of(r, json_array_get(bits, i));
        alive |= cell != NULL && is_flop(cell);
    }
    for (size_t i = 0; alive && i < m->n_state; i++) {
        struct adopt_state *s = &m->state[i];
        if (strcmp(s->path, path) == 0) {
            return 0;
        }
        if (base > 0 && strlen(s->path) == base && strncmp(s->path, path, base) == 0) {
            s->words = index + 1 > s->words ? index + 1 : s->words;
            return 0;
        }
    }
    if (!alive) {
        return 0;
    }
    char name[ADOPT_NAME * 2];
    snprintf(name, sizeof name, "%.*s", (int)(base > 0 ? base : strlen(path)), path);
    return add_state(r, name, (unsigned)json_array_size(bits), base > 0 ? index + 1 : 1);
}

/* `connect \Q \name [3:0]`, or several between braces, of every flip-flop. */
static int read_registers(struct reading *r, const char *text)
{
    for (const char *at = text; (at = strstr(at, "connect \\Q ")) != NULL;) {
        const char *end = strchr(at += strlen("connect \\Q "), '\n');
        end = end != NULL ? end : at + strlen(at);
        for (const char *word = at; word < end;) {
            const size_t n = strcspn(word, " \n");
            char path[ADOPT_NAME * 2];
            if (*word == '\\' && n < sizeof path) {
                snprintf(path, sizeof path, "%.*s", (int)n - 1, word + 1);
                if (read_register(r, path) != 0) {
                    return -1;
                }
            }
            word += n + strspn(word + n, " ");
        }
        at = end;
    }
    return 0;
}

/* Which of them the reset does not reach. */
static void find_unreset(struct reading *r)
{
    json_t *cells = get(r->resets, "cells"), *nets = get(r->resets, "netnames"), *cell;
    const char *name;
    for (size_t i = 0; i < r->module->n_state; i++) {
        struct adopt_state *s = &r->module->state[i];
        char path[ADOPT_NAME + 8];
        snprintf(path, sizeof path, "%s[0]", s->path);
        json_t *net = get(nets, s->path) ? get(nets, s->path) : get(nets, path);
        json_t *bit = json_array_get(get(net, "bits"), 0);
        json_object_foreach(cells, name, cell)
        {
            json_t *q = is_flop(cell) ? pin(cell, "Q") : NULL;
            for (size_t b = 0; b < json_array_size(q); b++) {
                s->is_reset |= json_equal(json_array_get(q, b), bit) &&
                               (pin(cell, "ARST") != NULL || pin(cell, "SRST") != NULL);
            }
        }
    }
}

static uint64_t storage(const struct reading *r)
{
    const char *name;
    json_t *cell;
    uint64_t bits = 0;
    json_object_foreach(r->cells, name, cell)
    {
        bits += is_flop(cell)     ? number_of(cell, "WIDTH")
                : is_memory(cell) ? number_of(cell, "WIDTH") * number_of(cell, "SIZE")
                                  : 0;
    }
    return bits;
}

/* Yosys gives them from the last to the first. */
static void reverse(struct adopt_state *state, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const struct adopt_state kept = state[i];
        state[i] = state[n - 1 - i];
        state[n - 1 - i] = kept;
    }
}

int adopt_state_read(struct reading *r, const char *registers)
{
    struct adopt_module *m = r->module;
    m->state = calloc(ADOPT_MOST, sizeof *m->state);
    if (m->state == NULL) {
        return REFUSE(r, "out of memory");
    }
    if (read_memories(r) != 0) {
        return -1;
    }
    const size_t memories = m->n_state;
    if (read_registers(r, registers) != 0) {
        return -1;
    }
    reverse(m->state + memories, m->n_state - memories);
    for (size_t i = 0; i < m->n_state; i++) {
        m->bits += (uint64_t)m->state[i].width * m->state[i].words;
    }
    if (m->bits != storage(r)) {
        return REFUSE(r,
                      "%llu bits of state, of which %llu have a name in the RTL; give every "
                      "register one of its own",
                      (unsigned long long)storage(r), (unsigned long long)m->bits);
    }
    find_unreset(r);
    return 0;
}
