/* sass_compare.c - see sass_compare.h. */
#include "sass/sass_compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct side {
    struct sass_input in;
    struct sass_header head;
    struct sass_reader reader;
};

/* The block of the first side: its lines, one after the other. */
struct kept {
    char *text;
    size_t n, max;
    uint64_t lines[TRACEZ_WARPS];
    size_t begin[TRACEZ_WARPS + 1]; /* of a warp's text */
    uint32_t warp;                  /* the last one begun */
};

struct compare {
    struct side a, b;
    struct kept kept;
    struct sass_difference *out;
    /* Of the second side, the warp at hand. */
    size_t at;
    uint64_t line;
    uint32_t warp;
    bool warp_differs;
};

static void note(struct compare *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(struct compare *c, const char *format, ...)
{
    va_list arguments;

    if (!c->out->first[0]) {
        va_start(arguments, format);
        vsnprintf(c->out->first, sizeof c->out->first, format, arguments);
        va_end(arguments);
    }
}

/* ---- the first side ---- */

static int keep_warp(void *self, struct sass_input *in, uint32_t warp, uint64_t lines)
{
    struct kept *kept = &((struct compare *)self)->kept;

    (void)in;
    kept->begin[warp] = kept->n;
    kept->lines[warp] = lines;
    kept->warp = warp;
    return 0;
}

static int keep_line(void *self, struct sass_input *in, const char *from, const char *to)
{
    struct kept *kept = &((struct compare *)self)->kept;
    size_t n;

    while (to > from && to[-1] == ' ') {
        to--;
    }
    n = (size_t)(to - from);
    if (kept->max - kept->n < n + 1) {
        size_t max = 2 * kept->max + n + 4096;
        char *more = realloc(kept->text, max);

        if (!more) {
            return sass_fail(in, "out of memory for a block");
        }
        kept->text = more;
        kept->max = max;
    }
    memcpy(kept->text + kept->n, from, n);
    kept->text[kept->n + n] = '\n';
    kept->n += n + 1;
    return 0;
}

/* ---- the second side ---- */

static int begin_warp(void *self, struct sass_input *in, uint32_t warp, uint64_t lines)
{
    struct compare *c = self;

    (void)in;
    c->warp = warp;
    c->at = c->kept.begin[warp];
    c->line = 0;
    c->warp_differs = false;
    if (lines != c->kept.lines[warp]) {
        note(c, "block %u,%u,%u, warp %u: %" PRIu64 " lines, %" PRIu64, c->a.reader.block.x,
             c->a.reader.block.y, c->a.reader.block.z, warp, c->kept.lines[warp], lines);
        c->warp_differs = true;
    }
    return 0;
}

static int compare_line(void *self, struct sass_input *in, const char *from, const char *to)
{
    struct compare *c = self;
    const char *mine = c->kept.text + c->at, *end;
    const struct isa_dim3 *block = &c->a.reader.block;

    (void)in;
    c->line++;
    if (c->line > c->kept.lines[c->warp]) {
        c->out->lines_differ++;
        return 0;
    }
    end = memchr(mine, '\n', c->kept.n - c->at);
    c->at = (size_t)(end - c->kept.text) + 1;
    while (to > from && to[-1] == ' ') {
        to--;
    }
    c->out->lines++;
    if (end - mine == to - from && memcmp(mine, from, (size_t)(to - from)) == 0) {
        return 0;
    }
    c->warp_differs = true;
    c->out->lines_differ++;
    note(c, "block %u,%u,%u, warp %u, line %" PRIu64 ": '%.*s', '%.*s'", block->x, block->y,
         block->z, c->warp, c->line, (int)(end - mine > 200 ? 200 : end - mine), mine,
         (int)(to - from > 200 ? 200 : to - from), from);
    return 0;
}

static int end_warp(void *self, struct sass_input *in, uint32_t warp)
{
    struct compare *c = self;

    (void)in;
    if (c->line < c->kept.lines[warp]) {
        c->out->lines_differ += c->kept.lines[warp] - c->line;
    }
    c->out->warps_differ += c->warp_differs;
    return 0;
}

/* ---- heads ---- */

static void compare_heads(struct compare *c)
{
    const struct sass_header *a = &c->a.head, *b = &c->b.head;
    const struct {
        const char *what;
        uint64_t a, b;
    } ROWS[] = {
        {"-grid dim x", a->grid.x, b->grid.x},
        {"-grid dim y", a->grid.y, b->grid.y},
        {"-grid dim z", a->grid.z, b->grid.z},
        {"-block dim x", a->block.x, b->block.x},
        {"-block dim y", a->block.y, b->block.y},
        {"-block dim z", a->block.z, b->block.z},
        {"-shmem", a->shared_bytes, b->shared_bytes},
        {"-nregs", a->registers, b->registers},
        {"-binary version", a->binary_version, b->binary_version},
        {"-accelsim tracer version", a->tracer_version, b->tracer_version},
        {"-cuda stream id", a->stream, b->stream},
        {"-shmem base_addr", a->shared_base, b->shared_base},
        {"-local mem base_addr", a->local_base, b->local_base},
        {"-enable lineinfo", a->lineinfo, b->lineinfo},
        {"-warplock kept blocks", a->kept_blocks, b->kept_blocks},
    };

    if (strcmp(a->name, b->name) != 0) {
        c->out->heads++;
        note(c, "-kernel name: '%s', '%s'", a->name, b->name);
    }
    for (size_t r = 0; r < sizeof ROWS / sizeof ROWS[0]; r++) {
        if (ROWS[r].a != ROWS[r].b) {
            c->out->heads++;
            note(c, "%s: %" PRIu64 ", %" PRIu64, ROWS[r].what, ROWS[r].a, ROWS[r].b);
        }
    }
}

static int open_side(struct side *side, char path[SASS_PATH], char *error, size_t n_error)
{
    if (sass_input_open(&side->in, path, error, n_error) != 0 ||
        sass_header_read(&side->in, &side->head) != 0 ||
        (side->in.tracez &&
         sass_tracez_check(side->in.tracez, &side->in, side->head.grid, side->head.warps) != 0)) {
        return -1;
    }
    side->reader = (struct sass_reader){.in = &side->in, .header = &side->head};
    return 0;
}

static bool same_place(const struct sass_reader *a, const struct sass_reader *b)
{
    return a->block.x == b->block.x && a->block.y == b->block.y && a->block.z == b->block.z &&
           memcmp(&a->cluster, &b->cluster, sizeof a->cluster) == 0;
}

/* 1; 0 when both are at their end; -1. */
static int compare_blocks(struct compare *c)
{
    const struct sass_sink keep = {.self = c, .warp_begin = keep_warp, .line = keep_line};
    const struct sass_sink compare = {
        .self = c, .warp_begin = begin_warp, .line = compare_line, .warp_end = end_warp};
    const struct sass_sink nothing = {.self = c};
    int a, b;

    c->kept.n = 0;
    memset(c->kept.lines, 0, sizeof c->kept.lines);
    a = sass_read_block(&c->a.reader, &keep);
    if (a < 0) {
        return -1;
    }
    b = sass_read_block(&c->b.reader, a == 0 ? &nothing : &compare);
    if (b < 0 || a + b == 0) {
        return b;
    }
    c->out->blocks++;
    if (a != b) {
        c->out->blocks_differ++;
        note(c, "after %" PRIu64 " blocks the %s file ends", c->out->blocks - 1,
             a == 0 ? "first" : "second");
        if (b == 0) {
            return 1;
        }
    } else if (!same_place(&c->a.reader, &c->b.reader)) {
        c->out->blocks_differ++;
        note(c,
             "block %" PRIu64 " is %u,%u,%u in the first file and %u,%u,%u in the second, or in "
             "another cluster",
             c->out->blocks, c->a.reader.block.x, c->a.reader.block.y, c->a.reader.block.z,
             c->b.reader.block.x, c->b.reader.block.y, c->b.reader.block.z);
    }
    return 1;
}

int sass_compare(char a[SASS_PATH], char b[SASS_PATH], struct sass_difference *difference,
                 char *error, size_t n_error)
{
    struct compare *c = calloc(1, sizeof *c);
    int more = -1;

    *difference = (struct sass_difference){0};
    error[0] = '\0';
    if (!c) {
        snprintf(error, n_error, "%s:1: out of memory for comparing it", a);
        return -1;
    }
    c->out = difference;
    c->a.in.file = c->b.in.file = -1;
    if (open_side(&c->a, a, error, n_error) == 0 && open_side(&c->b, b, error, n_error) == 0) {
        compare_heads(c);
        if (c->a.head.warps != c->b.head.warps) {
            difference->blocks_differ++; /* nothing in them stands beside the other's */
            more = 0;
        } else {
            do {
                more = compare_blocks(c);
            } while (more > 0);
        }
    }
    sass_reader_free(&c->a.reader);
    sass_reader_free(&c->b.reader);
    sass_input_close(&c->a.in);
    sass_input_close(&c->b.in);
    free(c->kept.text);
    free(c);
    return more;
}
