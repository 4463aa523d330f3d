/* sass_reader.c - see sass_reader.h. */
#include "sass/sass_reader.h"

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
    return scan_word(&from, to, "#") || scan_word(&from, to, "warp") ||
           scan_word(&from, to, "insts") || scan_word(&from, to, "thread");
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

/* ---- one instruction line ---- */

static int read_instruction(struct sass_reader *reader, const struct sass_sink *sink,
                            const char *at, const char *to, struct sass_executed *executed)
{
    struct sass_input *in = reader->in;
    const struct sass_entry *entry;
    uint32_t pc;

    if (sass_line_start(in, &at, to, reader->header->skip, &pc, &executed->mask) != 0) {
        return -1;
    }
    executed->entry = sass_program_find(reader->program, pc, &at, to);
    if (executed->entry == SASS_NONE) {
        if (!reader->finds) {
            return sass_fail(in, "the file has changed since it was looked through; leave it "
                                 "alone while it runs");
        }
        executed->entry = sass_program_add(reader->program, in, pc, &at, to);
        if (executed->entry == SASS_NONE) {
            return -1;
        }
    }
    entry = &reader->program->entry[executed->entry];
    executed->addressed = entry->addressed;
    if (entry->addressed) {
        if (sass_line_addresses(in, at, to, executed->mask, &executed->addresses) != 0) {
            return -1;
        }
    } else if ((at = scan_blanks(at, to)) != to) {
        return sass_fail(in, "'%s' behind memory width 0; such an instruction has no addresses",
                         sass_quote(at, to).text);
    }
    return sink->executed(sink->self, in, executed);
}

static int read_warp(struct sass_reader *reader, const struct sass_sink *sink, uint32_t warp)
{
    struct sass_input *in = reader->in;
    struct sass_executed executed;
    const char *from, *to;
    uint64_t n;

    if (need_line(in, &from, &to, "'insts = n'") < 0 ||
        assignment(in, from, to, "insts", &n) != 0) {
        return -1;
    }
    if (n == 0) {
        return sass_fail(in, "warp %u has no instructions; every warp of a block must have some",
                         warp);
    }
    if (sink->warp_begin(sink->self, in, warp) != 0) {
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
        if (read_instruction(reader, sink, from, to, &executed) != 0) {
            return -1;
        }
    }
    return sink->warp_end(sink->self, in, warp);
}

/* ---- one block ---- */

static int read_place(struct sass_reader *reader, const char *from, const char *to)
{
    const struct isa_dim3 *grid = &reader->header->grid;
    const char *at = from;
    uint64_t value[3];

    if (!scan_word(&at, to, "thread") || !scan_word(&at, to, "block") || !scan_word(&at, to, "=")) {
        return sass_check_text(reader->in, from, to) != 0
                   ? -1
                   : sass_fail(reader->in, "'%s' where 'thread block = x,y,z' should be",
                               sass_quote(from, to).text);
    }
    for (int d = 0; d < 3; d++) {
        if ((d && !scan_word(&at, to, ",")) || !scan_decimal(&at, to, &value[d])) {
            return sass_fail(reader->in, "'%s' is not 'thread block = x,y,z'",
                             sass_quote(from, to).text);
        }
    }
    if (at != to || value[0] >= grid->x || value[1] >= grid->y || value[2] >= grid->z) {
        return sass_fail(reader->in, "'%s' is outside the grid of (%u,%u,%u)",
                         sass_quote(from, to).text, grid->x, grid->y, grid->z);
    }
    reader->block = (struct isa_dim3){(uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]};
    return 0;
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

int sass_read_block(struct sass_reader *reader, const struct sass_sink *sink)
{
    uint32_t warps = reader->header->warps, warp = 0;
    uint64_t all = warps == 64 ? UINT64_MAX : (UINT64_C(1) << warps) - 1, seen = 0;
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
    if (need_line(in, &from, &to, "'thread block = x,y,z'") < 0 ||
        read_place(reader, from, to) != 0) {
        return -1;
    }
    for (;;) {
        if (need_line(in, &from, &to, "'warp = w' or '#END_TB'") < 0) {
            return -1;
        }
        at = from;
        if (scan_word(&at, to, "#END_TB")) {
            break;
        }
        if (take_warp(reader, from, to, &seen, &warp) != 0 || read_warp(reader, sink, warp) != 0) {
            return -1;
        }
    }
    if (seen != all) {
        return sass_fail(in, "the block ends without its warp %d; it must have %u",
                         __builtin_ctzll(~seen), warps);
    }
    return 1;
}
