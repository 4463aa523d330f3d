/* sass_list.c - the command list of a trace (kernelslist.g).  See sass_run.h. */
#include "sass/sass_run.h"

#include <stdio.h>
#include <string.h>

#include "sass/sass_scan_text.h"

static int take_copy(struct sass_input *in, const char *at, const char *to,
                     struct sass_list_line *line)
{
    const char *from = at, *comma;

    if (!scan_word(&at, to, "MemcpyHtoD,")) {
        return sass_fail(in, "'%s' is not 'MemcpyHtoD,0xaddress,bytes'", sass_quote(from, to).text);
    }
    for (comma = at; comma < to && *comma != ',';) {
        comma++;
    }
    if (!scan_hex(&at, comma, &line->address) || at != comma || comma == to) {
        return sass_fail(in, "'%s' has no hexadecimal address between its commas",
                         sass_quote(from, to).text);
    }
    at = comma + 1;
    if (!scan_decimal(&at, to, &line->bytes) || at != to) {
        return sass_fail(in, "'%s' does not end in a count of bytes", sass_quote(from, to).text);
    }
    line->command = SASS_COMMAND_COPY;
    return 1;
}

int sass_list_next(struct sass_input *in, struct sass_list_line *line)
{
    const char *from, *to, *at;
    int more = sass_input_line(in, &from, &to);

    *line = (struct sass_list_line){.command = SASS_COMMAND_NONE};
    if (more <= 0) {
        return more;
    }
    at = from = scan_blanks(from, to);
    if (sass_check_text(in, from, to) != 0) {
        return -1;
    }
    if (scan_word(&at, to, "MemcpyHtoD")) {
        return take_copy(in, from, to, line);
    }
    if (scan_word(&at, to, "kernel")) {
        line->command = SASS_COMMAND_KERNEL;
        line->file = from;
        line->end = to;
    }
    return 1;
}

bool sass_is_kernel_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strstr(name, ".traceg") || strstr(name, ".tracez");
}

/* No way out of the list's folder: not from the root, no part "..". */
static bool is_inside(const char *from, const char *to)
{
    if (from == to || *from == '/') {
        return false;
    }
    for (const char *at = from; at < to;) {
        const char *slash = memchr(at, '/', (size_t)(to - at)), *end = slash ? slash : to;

        if (end - at == 2 && at[0] == '.' && at[1] == '.') {
            return false;
        }
        at = end + 1;
    }
    return true;
}

int sass_list_join(struct sass_input *in, const struct sass_list_line *line, char path[SASS_PATH])
{
    const char *slash = strrchr(in->path, '/');
    int folder = slash ? (int)(slash - in->path) + 1 : 0, n;

    if (!is_inside(line->file, line->end)) {
        return sass_fail(in, "'%s' leaves the folder of the list; name a file in it",
                         sass_quote(line->file, line->end).text);
    }
    n = snprintf(path, SASS_PATH, "%.*s%.*s", folder, in->path, (int)(line->end - line->file),
                 line->file);
    return n < SASS_PATH ? 0 : sass_fail(in, "the path is longer than %d bytes", SASS_PATH);
}
