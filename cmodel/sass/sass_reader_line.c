/* sass_reader_line.c - one line of a warp, and the lines of a sub-chunk.  See sass_reader.h. */
#include <stdlib.h>
#include <string.h>

#include "sass/sass_reader_private.h"
#include "sass/sass_scan_text.h"

void sass_reader_begin_warp(struct sass_reader *reader)
{
    reader->replaying = reader->holds = false;
}

void sass_reader_free(struct sass_reader *reader)
{
    free(reader->now.bulk.address);
    reader->now.bulk = (struct sass_bulk){0};
}

/* A pass through a loop that waits stands between two marks, which are whole lines: 1 when the
 * line is one, 0, or -1 and the error.  The pass is taken as it was traced. */
static int take_mark(struct sass_reader *reader, const char *from, const char *to)
{
    static const char MARK[] = "0000 ffffffff 0 REPLAY_", TAIL[] = " 0 0 0 0";
    size_t n = sizeof MARK - 1;
    bool start;

    if ((size_t)(to - from) < n || memcmp(from, MARK, n) != 0) {
        return 0;
    }
    from += n;
    start = to - from == 5 + 8 && memcmp(from, "START", 5) == 0;
    from += start ? 5 : 3;
    if ((!start && (to - from != 8 || memcmp(from - 3, "END", 3) != 0)) ||
        memcmp(from, TAIL, 8) != 0) {
        return 0;
    }
    if (start == reader->replaying) {
        return sass_fail(reader->in, start ? "REPLAY_START inside a replay region"
                                           : "REPLAY_END without REPLAY_START");
    }
    reader->replaying = start;
    reader->marks++;
    return 1;
}

static int find_entry(struct sass_reader *reader, uint32_t pc, const char **at, const char *to)
{
    struct sass_executed *now = &reader->now;

    now->entry = sass_program_find(reader->program, pc, at, to);
    if (now->entry == SASS_NONE && !reader->finds) {
        return sass_fail(reader->in, "the file has changed since it was looked through; leave it "
                                     "alone while it runs");
    }
    if (now->entry == SASS_NONE) {
        now->entry = sass_program_add(reader->program, reader->in, pc, at, to);
    }
    return now->entry == SASS_NONE ? -1 : 0;
}

static struct sass_known_start *known(struct sass_reader *reader, uint32_t entry)
{
    return &reader->known[entry % SASS_KNOWN_STARTS];
}

/* Does the line begin as that instruction's did, but perhaps with another mask? */
static bool begins_as(struct sass_reader *reader, const struct sass_known_start *guess,
                      const char **cursor, const char *to)
{
    const char *from = *cursor, *behind = from + guess->n;
    const uint32_t at = guess->mask_at, rest = at + SASS_MASK_DIGITS;
    uint64_t mask = guess->mask;

    if (!guess->n || (size_t)(to - from) < guess->n || !scan_stops(behind, to)) {
        return false;
    }
    if (memcmp(from, guess->text, guess->n) != 0 &&
        (!at || memcmp(from, guess->text, at) != 0 ||
         memcmp(from + rest, guess->text + rest, guess->n - rest) != 0 ||
         !scan_eight_digits(from + at, &mask))) {
        return false;
    }
    reader->now.entry = guess->entry;
    reader->now.mask = (uint32_t)mask;
    *cursor = behind;
    return true;
}

/* As that of one of those that came next the last times? */
static bool begins_as_known(struct sass_reader *reader, const char **cursor, const char *to)
{
    const struct sass_known_start *last = known(reader, reader->now.entry);

    return begins_as(reader, known(reader, last->next[0]), cursor, to) ||
           begins_as(reader, known(reader, last->next[1]), cursor, to);
}

/* Where in such a start the eight digits of its mask stand alone, or 0. */
static uint32_t find_mask(const char *from, const char *to)
{
    const char *at = from;
    uint64_t value;

    if (!scan_hex(&at, to, &value) || to - at <= SASS_MASK_DIGITS + 1 ||
        !scan_eight_digits(at + 1, &value) || !scan_stops(at + 1 + SASS_MASK_DIGITS, to)) {
        return 0;
    }
    return (uint32_t)(at + 1 - from);
}

static void learn(struct sass_reader *reader, uint32_t last, const char *from, const char *to)
{
    struct sass_known_start *before = known(reader, last);
    struct sass_known_start *now = known(reader, reader->now.entry);

    if (before->next[0] != reader->now.entry) {
        before->next[1] = before->next[0];
        before->next[0] = reader->now.entry;
    }
    if (now->entry != reader->now.entry) {
        now->next[0] = now->next[1] = 0;
    }
    now->entry = reader->now.entry;
    now->mask = reader->now.mask;
    now->n = to - from <= SASS_KNOWN_BYTES ? (uint32_t)(to - from) : 0;
    now->mask_at = reader->header->skip ? 0 : find_mask(from, to);
    memcpy(now->text, from, now->n);
}

/* PC to memwidth. */
static int take_start(struct sass_reader *reader, const char **cursor, const char *to)
{
    struct sass_executed *now = &reader->now;
    const uint32_t last = now->entry;
    const char *from = *cursor;
    uint32_t pc;

    if (begins_as_known(reader, cursor, to)) {
        return 0;
    }
    if (sass_line_start(reader->in, cursor, to, reader->header->skip, &pc, &now->mask) != 0 ||
        find_entry(reader, pc, cursor, to) != 0) {
        return -1;
    }
    learn(reader, last, from, *cursor);
    return 0;
}

static int take_apart(struct sass_reader *reader, const char *at, const char *to)
{
    const struct sass_header *header = reader->header;
    struct sass_executed *now = &reader->now;
    struct sass_input *in = reader->in;
    const struct sass_entry *entry;

    if (take_start(reader, &at, to) != 0) {
        return -1;
    }
    entry = &reader->program->entry[now->entry];
    now->addressed = entry->addressed && !entry->bulk;
    if (entry->bulk) {
        if (sass_line_bulk(in, &at, to, &now->bulk) != 0) {
            return -1;
        }
    } else if (entry->addressed) {
        if (sass_line_addresses(in, header, &at, to, now->mask, &now->addresses) != 0) {
            return -1;
        }
    } else if (!header->modern && (at = scan_blanks(at, to)) != to) {
        return sass_fail(in, "'%s' behind memory width 0; such an instruction has no addresses",
                         sass_quote(at, to).text);
    }
    now->tail.n_imm = now->tail.n_values = 0;
    return header->modern
               ? sass_line_tail(in, header, at, to, now->mask, entry->registers, &now->tail)
               : 0;
}

static int let_go(struct sass_reader *reader, const struct sass_sink *sink)
{
    if (!reader->holds) {
        return 0;
    }
    reader->holds = false;
    return sink->executed(sink->self, reader->in, &reader->held);
}

/* Where source lines are traced, the two lines of one LDGSTS were not made one: of two in a row
 * the second counts, which has the global addresses. */
static int hold(struct sass_reader *reader, const struct sass_sink *sink)
{
    const bool async = reader->program->entry[reader->now.entry].class == SASS_LOAD_ASYNC;
    const bool second = reader->holds && async && reader->held.entry == reader->now.entry &&
                        reader->held.mask == reader->now.mask;

    if (second) {
        reader->holds = false;
    } else if (let_go(reader, sink) != 0) {
        return -1;
    } else if (async) {
        reader->held = reader->now;
        reader->holds = true;
        return 0;
    }
    return sink->executed(sink->self, reader->in, &reader->now);
}

int sass_reader_end_warp(struct sass_reader *reader, const struct sass_sink *sink)
{
    return sink->executed ? let_go(reader, sink) : 0;
}

int sass_reader_line(struct sass_reader *reader, const struct sass_sink *sink, const char *from,
                     const char *to, const char *end)
{
    int mark;

    if (sink->line && sink->line(sink->self, reader->in, from, end) != 0) {
        return -1;
    }
    if (!sink->executed) {
        return 0;
    }
    mark = reader->header->modern ? take_mark(reader, from, to) : 0;
    if (mark != 0) {
        return mark < 0 ? -1 : 0;
    }
    if (take_apart(reader, from, to) != 0) {
        return -1;
    }
    return reader->header->lineinfo && reader->header->modern
               ? hold(reader, sink)
               : sink->executed(sink->self, reader->in, &reader->now);
}

int sass_read_chunk(struct sass_reader *reader, const struct sass_sink *sink, const char *from,
                    const char *to, uint32_t lines)
{
    uint32_t n = 0;

    for (const char *at = from; at < to; n++) {
        const char *end = memchr(at, '\n', (size_t)(to - at)), *last;

        end = end ? end : to;
        last = end;
        while (last > at && last[-1] == ' ') {
            last--;
        }
        reader->in->place.line++;
        if (last == at) {
            return sass_fail(reader->in, "an empty line");
        }
        if (n == lines) {
            return sass_fail(reader->in, "more lines in a sub-chunk than its %u in the index",
                             lines);
        }
        if (sass_reader_line(reader, sink, at, last, end) != 0) {
            return -1;
        }
        at = end + 1;
    }
    return n == lines ? 0
                      : sass_fail(reader->in, "%u lines in a sub-chunk, of which the index has %u",
                                  n, lines);
}
