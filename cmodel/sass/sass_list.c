/* sass_list.c - the command list of a trace (kernelslist.g).  See sass_run.h. */
#include "sass/sass_run.h"
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
