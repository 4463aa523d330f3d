/* sass_tail.c - what tracers of version 4 to 6 write besides: bulk copies, immediates, register
 * values.  See sass_line.h.
 */
#include <stdlib.h>
#include <string.h>

#include "sass/sass_line.h"
#include "sass/sass_scan_text.h"

/* ---- bulk copies ---- */

static int take(struct sass_input *in, const char **at, const char *end, uint64_t most,
                const char *what, uint64_t *out)
{
    const char *from = *at;

    if (!scan_decimal(at, end, out) || !scan_stops(*at, end) || *out > most) {
        return sass_line_bad(in, what, from, end);
    }
    return 0;
}

static int take_hex(struct sass_input *in, const char **at, const char *end, uint64_t most,
                    const char *what, uint64_t *out)
{
    const char *from = *at;

    if (!scan_hex(at, end, out) || *out > most) {
        return sass_line_bad(in, what, from, end);
    }
    return 0;
}

/* Fewer than the characters left to name them; grown before they are read. */
static int make_room(struct sass_input *in, uint64_t count, const char *at, const char *end,
                     struct sass_bulk *out)
{
    uint64_t *more;

    if (count > (uint64_t)(end - at) / 2 + 1) {
        return sass_fail(in, "%llu addresses in the %lld characters left of the line",
                         (unsigned long long)count, (long long)(end - at));
    }
    out->n = (uint32_t)count;
    if (count <= out->max) {
        return 0;
    }
    more = realloc(out->address, count * sizeof *more);
    if (!more) {
        return sass_fail(in, "out of memory for the addresses of a copy");
    }
    out->address = more;
    out->max = (uint32_t)count;
    return 0;
}

static int take_list(struct sass_input *in, const char **at, const char *end, struct sass_bulk *out)
{
    static const char COUNT[] = "a count of addresses";
    uint64_t mode, count, base = 0;

    if (take(in, at, end, 4, "an address mode of a copy, 3 (list) or 4 (base, deltas)", &mode) !=
        0) {
        return -1;
    }
    if (mode < 3) {
        return sass_fail(in, "address mode %llu on a copy; it has 3 (list) or 4 (base, deltas)",
                         (unsigned long long)mode);
    }
    if (mode == 4 && take_hex(in, at, end, UINT64_MAX, "a base address, in hexadecimal", &base)) {
        return -1;
    }
    if (take(in, at, end, UINT32_MAX, COUNT, &count) != 0 ||
        make_room(in, count, *at, end, out) != 0) {
        return -1;
    }
    for (uint32_t a = 0; a < out->n; a++) {
        const char *from = *at;
        int64_t delta = 0;

        if (mode == 3 && take_hex(in, at, end, UINT64_MAX, "an address, in hexadecimal", &base)) {
            return -1;
        }
        if (mode == 4 && a > 0 && !scan_signed(at, end, &delta)) {
            return sass_line_bad(in, "a delta for each address but the first", from, end);
        }
        base += (uint64_t)delta;
        out->address[a] = base;
    }
    /* The tracer forgets the base of a list of one. */
    if (mode == 4 && out->n == 1 && out->address[0] == 0) {
        out->n = 0;
    }
    return 0;
}

int sass_line_bulk(struct sass_input *in, const char **cursor, const char *end,
                   struct sass_bulk *out)
{
    uint64_t width, mbarrier = 0, multicast = 0, ranks = 0;
    const char *at;

    if (take(in, cursor, end, 1 << 20, "a width in bytes, 0 to 1048576", &width) != 0) {
        return -1;
    }
    at = scan_blanks(*cursor, end);
    out->width = (uint32_t)width;
    out->bytes = out->outside = 0;
    out->old_form = !(end - at > 2 && at[0] == '0' && at[1] == 'x');
    if (!out->old_form) {
        if (take_hex(in, cursor, end, UINT32_MAX, "the address of an mbarrier", &mbarrier) != 0 ||
            take(in, cursor, end, 1, "0 or 1, whether it is a multicast", &multicast) != 0 ||
            (multicast && take_hex(in, cursor, end, UINT16_MAX, "a mask of blocks", &ranks)) ||
            take(in, cursor, end, UINT32_MAX, "a count of bytes", &out->bytes) != 0 ||
            take(in, cursor, end, UINT32_MAX, "a count of bytes outside", &out->outside) != 0) {
            return -1;
        }
    }
    out->mbarrier = (uint32_t)mbarrier;
    out->multicast = multicast != 0;
    out->ranks = (uint32_t)ranks;
    if (take_list(in, cursor, end, out) != 0) {
        return -1;
    }
    if (out->old_form) {
        out->bytes = (uint64_t)out->n * out->width;
    }
    return 0;
}

/* ---- behind the addresses ---- */

static int take_group(struct sass_input *in, const char **at, const char *end, uint32_t lane,
                      uint64_t *out)
{
    const char *from = *at;
    uint64_t count, value;

    if (!scan_decimal(at, end, &count) || !scan_stops(*at, end) || (count != 1 && count != 32)) {
        return sass_line_bad(in, "1 or 32, how many values a register has", from, end);
    }
    for (uint64_t v = 0; v < count; v++) {
        if (take_hex(in, at, end, UINT64_MAX, "a register's value, in hexadecimal", &value) != 0) {
            return -1;
        }
        if (v == 0 || v == lane) {
            *out = value;
        }
    }
    return 0;
}

static int take_values(struct sass_input *in, const char **at, const char *end, uint32_t mask,
                       uint32_t registers, struct sass_tail *out)
{
    const char *from = *at;

    if (scan_word(at, end, "NoVal") && scan_stops(*at, end)) {
        return 0;
    }
    *at = from;
    if (!scan_word(at, end, "Val") || !scan_stops(*at, end)) {
        return sass_line_bad(in, "Val or NoVal", from, end);
    }
    for (uint32_t r = 0; r < registers; r++) {
        if (take_group(in, at, end, mask ? (uint32_t)__builtin_ctz(mask) : 0, &out->value[r])) {
            return -1;
        }
    }
    out->n_values = registers;
    return 0;
}

int sass_line_tail(struct sass_input *in, const struct sass_header *header, const char *at,
                   const char *end, uint32_t mask, uint32_t registers, struct sass_tail *out)
{
    out->n_imm = out->n_values = 0;
    out->imm[0] = out->imm[1] = 0;
    for (at = scan_blanks(at, end); at < end && *at != 'V' && *at != 'N';) {
        const char *from = at;

        if (out->n_imm == 2) {
            return sass_fail(in, "'%s' behind the second immediate", sass_quote(at, end).text);
        }
        if (!scan_signed(&at, end, &out->imm[out->n_imm++])) {
            return sass_line_bad(in, "an immediate", from, end);
        }
        at = scan_blanks(at, end);
    }
    if (header->valued && take_values(in, &at, end, mask, registers, out) != 0) {
        return -1;
    }
    at = scan_blanks(at, end);
    return at == end ? 0
                     : sass_fail(in, "'%s' behind the end of the line", sass_quote(at, end).text);
}
