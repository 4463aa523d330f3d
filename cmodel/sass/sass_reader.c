/* sass_reader.c - see sass_reader.h.  Blocks and warps of text; lines are in sass_reader_line.c. */
#include "sass/sass_reader_private.h"

#include "sass/sass_scan_text.h"

/* The next line that is not blank: 1, 0 at the end of the file, -1. */
static int next_line(struct sass_input *in, const char **from, const char **to)
{
    int more;

    do {
        more = sass_input_line(in, from, to);
    } while (more > 0 && (*from = scan_blanks(*from, *to)) == *to);
    return more;
}

/* The next line, which must be there. */
static int need_line(struct sass_input *in, const char **from, const char **to, const char *what)
{
    int more = next_line(in, from, to);

    return more != 0 ? more
                     : sass_fail(in, "the file ends where %s should be; it is cut short", what);
}

/* Words that no instruction line can begin with. */
static bool is_mark(const char *from, const char *to)
{
    if (*from <= '9' && *from != '#') {
        return false; /* as most lines begin, which are not empty */
    }
    return scan_word(&from, to, "#") || scan_word(&from, to, "warp") ||
           scan_word(&from, to, "insts") || scan_word(&from, to, "thread") ||
           scan_word(&from, to, "cluster");
}

/* "words = number", alone on the line. */
static int assignment(struct sass_input *in, const char *from, const char *to, const char *word,
                      uint64_t *value)
{
    const char *at = from;

    if (!scan_word(&at, to, word) || !scan_word(&at, to, "=") || !scan_decimal(&at, to, value) ||
        at != to) {
        return sass_check_text(in, from, to) != 0
                   ? -1
                   : sass_fail(in, "'%s' where '%s = number' should be", sass_quote(from, to).text,
                               word);
    }
    return 0;
}

static int read_warp(struct sass_reader *reader, const struct sass_sink *sink, uint32_t warp)
{
    struct sass_input *in = reader->in;
    const char *from, *to;
    uint64_t n;

    if (need_line(in, &from, &to, "'insts = n'") < 0 ||
        assignment(in, from, to, "insts", &n) != 0) {
        return -1;
    }
    if (n == 0 && !reader->header->modern) {
        return sass_fail(in, "warp %u has no instructions; every warp of a block must have some",
                         warp);
    }
    sass_reader_begin_warp(reader);
    if (sink->warp_begin && sink->warp_begin(sink->self, in, warp, n) != 0) {
        return -1;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (need_line(in, &from, &to, "an instruction") < 0) {
            return -1;
        }
        if (is_mark(from, to)) {
            return sass_fail(in, "'%s' after %llu of the %llu instructions announced for warp %u",
                             sass_quote(from, to).text, (unsigned long long)i,
                             (unsigned long long)n, warp);
        }
        if (sass_reader_line(reader, sink, from, to, in->line_end) != 0) {
            return -1;
        }
    }
    return sass_reader_end_warp(reader, sink) != 0 ? -1
           : sink->warp_end                        ? sink->warp_end(sink->self, in, warp)
                                                   : 0;
}

/* ---- one block ---- */

/* "words = x,y,z", alone on the line. */
static int triple(struct sass_input *in, const char *from, const char *to, const char *first,
                  const char *second, struct isa_dim3 *out)
{
    const char *at = from;
    uint64_t value[3];

    if (!scan_word(&at, to, first) || !scan_word(&at, to, second) || !scan_word(&at, to, "=")) {
        return sass_check_text(in, from, to) != 0
                   ? -1
                   : sass_fail(in, "'%s' where '%s %s = x,y,z' should be",
                               sass_quote(from, to).text, first, second);
    }
    for (int d = 0; d < 3; d++) {
        if ((d && !scan_word(&at, to, ",")) || !scan_decimal(&at, to, &value[d]) ||
            value[d] > UINT32_MAX) {
            return sass_fail(in, "'%s' is not '%s %s = x,y,z'", sass_quote(from, to).text, first,
                             second);
        }
    }
    *out = (struct isa_dim3){(uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]};
    return at == to ? 0
                    : sass_fail(in, "'%s' is not '%s %s = x,y,z'", sass_quote(from, to).text, first,
                                second);
}

static int read_place(struct sass_reader *reader, const char *from, const char *to)
{
    const struct isa_dim3 *grid = &reader->header->grid, *at = &reader->block;

    if (triple(reader->in, from, to, "thread", "block", &reader->block) != 0) {
        return -1;
    }
    return at->x < grid->x && at->y < grid->y && at->z < grid->z
               ? 0
               : sass_fail(reader->in, "'%s' is outside the grid of (%u,%u,%u)",
                           sass_quote(from, to).text, grid->x, grid->y, grid->z);
}

/* The three lines about the block's cluster: 1 when the line was one of them, 0, or -1. */
static int read_cluster(struct sass_reader *reader, const char *from, const char *to)
{
    const char *at = from;
    uint64_t rank;

    if (!reader->header->modern || !scan_word(&at, to, "cluster")) {
        return 0;
    }
    if (scan_word(&at, to, "rank")) {
        if (!scan_word(&at, to, "=") || !scan_decimal(&at, to, &rank) || at != to || rank > 65535) {
            return sass_fail(reader->in, "'%s' is not 'cluster rank = number'",
                             sass_quote(from, to).text);
        }
        reader->cluster.rank = (uint32_t)rank;
        return 1;
    }
    if (scan_word(&at, to, "id")) {
        return triple(reader->in, from, to, "cluster", "id", &reader->cluster.id) != 0 ? -1 : 1;
    }
    return triple(reader->in, from, to, "cluster", "cta", &reader->cluster.cta) != 0 ? -1 : 1;
}

/* "warp = w" for a warp that exists and was not there yet. */
static int take_warp(struct sass_reader *reader, const char *from, const char *to, uint64_t *seen,
                     uint32_t *warp)
{
    uint32_t warps = reader->header->warps;
    uint64_t value;

    if (assignment(reader->in, from, to, "warp", &value) != 0) {
        return -1;
    }
    if (value >= warps) {
        return sass_fail(reader->in, "warp %llu in a block of %u warps", (unsigned long long)value,
                         warps);
    }
    if (*seen >> value & 1) {
        return sass_fail(reader->in, "warp %llu comes twice in its block",
                         (unsigned long long)value);
    }
    *seen |= UINT64_C(1) << value;
    *warp = (uint32_t)value;
    return 0;
}

static int read_warps(struct sass_reader *reader, const struct sass_sink *sink, const char *from,
                      const char *to)
{
    uint32_t warps = reader->header->warps, warp = 0;
    uint64_t all = warps == 64 ? UINT64_MAX : (UINT64_C(1) << warps) - 1, seen = 0;
    struct sass_input *in = reader->in;
    const char *at;

    for (;;) {
        at = from;
        if (scan_word(&at, to, "#END_TB")) {
            break;
        }
        if (take_warp(reader, from, to, &seen, &warp) != 0 || read_warp(reader, sink, warp) != 0 ||
            need_line(in, &from, &to, "'warp = w' or '#END_TB'") < 0) {
            return -1;
        }
    }
    if (seen != all) {
        return sass_fail(in, "the block ends without its warp %d; it must have %u",
                         __builtin_ctzll(~seen), warps);
    }
    return sink->block_end && sink->block_end(sink->self, in) != 0 ? -1 : 1;
}

static int read_text_block(struct sass_reader *reader, const struct sass_sink *sink)
{
    struct sass_input *in = reader->in;
    const char *from, *to, *at;
    int more = next_line(in, &from, &to);

    if (more <= 0) {
        return more;
    }
    at = from;
    if (!scan_word(&at, to, "#BEGIN_TB") || at != to) {
        return sass_check_text(in, from, to) != 0
                   ? -1
                   : sass_fail(in, "'%s' where '#BEGIN_TB' should be", sass_quote(from, to).text);
    }
    reader->cluster = (struct sass_cluster){0};
    if (need_line(in, &from, &to, "'thread block = x,y,z'") < 0 ||
        read_place(reader, from, to) != 0) {
        return -1;
    }
    do {
        if (need_line(in, &from, &to, "'warp = w' or '#END_TB'") < 0) {
            return -1;
        }
        more = read_cluster(reader, from, to);
    } while (more > 0);
    if (more < 0 || (sink->block_begin &&
                     sink->block_begin(sink->self, in, reader->block, &reader->cluster) != 0)) {
        return -1;
    }
    return read_warps(reader, sink, from, to);
}

/* ---- blocks of a container ---- */

static int read_chunks(struct sass_reader *reader, const struct sass_sink *sink,
                       const struct sass_tracez_block *block, uint32_t warp)
{
    struct sass_input *in = reader->in;
    struct sass_tracez_cursor cursor;
    const char *from, *to;
    uint32_t lines;
    int more;

    sass_reader_begin_warp(reader);
    if (sass_tracez_begin(in->tracez, in, block, warp, &cursor) != 0 ||
        (sink->warp_begin &&
         sink->warp_begin(sink->self, in, warp, block->warp[warp].lines) != 0)) {
        return -1;
    }
    while ((more = sass_tracez_next(in->tracez, in, &cursor, &from, &to, &lines)) > 0) {
        if (sass_read_chunk(reader, sink, from, to, lines) != 0) {
            return -1;
        }
    }
    return more < 0 || sass_reader_end_warp(reader, sink) != 0 ? -1
           : sink->warp_end ? sink->warp_end(sink->self, in, warp)
                            : 0;
}

static int read_container_block(struct sass_reader *reader, const struct sass_sink *sink)
{
    struct sass_input *in = reader->in;
    struct sass_tracez_block block;
    int result = 0;

    if (reader->block_number == sass_tracez_blocks(in->tracez)) {
        return 0;
    }
    if (sass_tracez_block(in->tracez, in, reader->block_number, &block) != 0) {
        return -1;
    }
    reader->block_number++;
    reader->block = block.at;
    reader->cluster = block.cluster;
    if (sink->block_begin) {
        result = sink->block_begin(sink->self, in, block.at, &block.cluster);
    }
    for (uint32_t w = 0; w < block.n_warps && result == 0; w++) {
        result = read_chunks(reader, sink, &block, w);
    }
    sass_tracez_block_free(&block);
    if (result == 0 && sink->block_end) {
        result = sink->block_end(sink->self, in);
    }
    return result != 0 ? -1 : 1;
}

int sass_read_block(struct sass_reader *reader, const struct sass_sink *sink)
{
    return reader->in->tracez ? read_container_block(reader, sink) : read_text_block(reader, sink);
}
