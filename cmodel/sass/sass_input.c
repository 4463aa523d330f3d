/* sass_input.c - see sass_input.h. */
#include "sass/sass_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sass/sass_codec.h"

/* Text of files; of bytes in memory, which are few. */
enum { RAW_BYTES = 1 << 17, TEXT_BYTES = 1 << 18, SMALL_TEXT_BYTES = 2 * SASS_LINE_BYTES };

/* ---- errors ---- */

int sass_fail(struct sass_input *in, const char *format, ...)
{
    va_list arguments;
    int n;

    if (in->error[0]) {
        return -1;
    }
    n = snprintf(in->error, in->n_error, "%s:%llu: ", in->path,
                 (unsigned long long)(in->line ? in->line : 1));
    if (n < 0 || (size_t)n >= in->n_error) {
        return -1;
    }
    va_start(arguments, format);
    vsnprintf(in->error + n, in->n_error - (size_t)n, format, arguments);
    va_end(arguments);
    return -1;
}

struct sass_quote sass_quote(const char *from, const char *to)
{
    struct sass_quote quote = {""};
    size_t n = (size_t)(to - from);

    for (size_t c = 0; c < n && c < 40; c++) {
        quote.text[c] = from[c] >= ' ' && from[c] <= '~' ? from[c] : '?';
    }
    if (n > 40) {
        strcpy(quote.text + 40, "...");
    }
    return quote;
}

int sass_check_text(struct sass_input *in, const char *from, const char *to)
{
    for (const char *at = from; at < to; at++) {
        if ((*at < ' ' && *at != '\t') || *at > '~') {
            return sass_fail(in,
                             "byte 0x%02x in column %zu is no printable ASCII; this is no "
                             "trace",
                             (unsigned char)*at, (size_t)(at - from) + 1);
        }
    }
    return 0;
}

/* ---- opening ---- */

static int prepare(struct sass_input *in, const char *path, size_t text_bytes, char *error,
                   size_t n_error)
{
    *in = (struct sass_input){
        .path = path, .file = -1, .text_bytes = text_bytes, .error = error, .n_error = n_error};
    error[0] = '\0';
    in->text = malloc(text_bytes);
    return in->text ? 0 : sass_fail(in, "out of memory for the reader");
}

/* Read until the raw buffer is full or the file has ended. */
static int read_raw(struct sass_input *in)
{
    if (in->raw_at > 0) {
        memmove(in->raw, in->raw + in->raw_at, in->raw_end - in->raw_at);
        in->raw_end -= in->raw_at;
        in->raw_at = 0;
    }
    while (!in->file_ended && in->raw_end < RAW_BYTES) {
        ssize_t n = read(in->file, in->raw + in->raw_end, RAW_BYTES - in->raw_end);

        if (n < 0 && errno != EINTR) {
            return sass_fail(in, "cannot be read: %s; check the file", strerror(errno));
        }
        in->file_ended = n == 0;
        in->raw_end += n > 0 ? (size_t)n : 0;
        in->bytes_in += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int open_codec(struct sass_input *in)
{
    in->codec = sass_codec_of(in->raw + in->raw_at, in->raw_end - in->raw_at);
    in->codec_state = in->codec->open();
    return in->codec_state ? 0 : sass_fail(in, "out of memory for unpacking %s", in->codec->name);
}

static int open_file(char *path)
{
    static const char *const ENDINGS[] = {".xz", ".gz", ".zst"};
    size_t n = strlen(path);
    int file = open(path, O_RDONLY | O_CLOEXEC);

    for (size_t e = 0; file < 0 && errno == ENOENT && e < 3 && n + 5 < SASS_PATH; e++) {
        strcpy(path + n, ENDINGS[e]);
        file = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (file < 0) {
        path[n] = '\0';
    }
    return file;
}

int sass_input_open(struct sass_input *in, char *path, char *error, size_t n_error)
{
    struct stat about;

    if (prepare(in, path, TEXT_BYTES, error, n_error) != 0) {
        return -1;
    }
    in->raw = malloc(RAW_BYTES);
    in->raw_owned = true;
    if (!in->raw) {
        return sass_fail(in, "out of memory for the reader");
    }
    in->file = open_file(path);
    if (in->file < 0) {
        return sass_fail(in, "%s; check the path", strerror(errno));
    }
    if (fstat(in->file, &about) == 0 && about.st_size > 0) {
        in->bytes_total = (uint64_t)about.st_size;
    }
    return read_raw(in) == 0 ? open_codec(in) : -1;
}

int sass_input_memory(struct sass_input *in, const char *name, const void *bytes, size_t n,
                      char *error, size_t n_error)
{
    /* Only read from: a file's bytes share the pointer and are written. */
    union {
        const void *in;
        uint8_t *out;
    } raw = {.in = bytes};

    if (prepare(in, name, SMALL_TEXT_BYTES, error, n_error) != 0) {
        return -1;
    }
    in->raw = raw.out;
    in->raw_end = in->bytes_in = in->bytes_total = n;
    in->file_ended = true;
    return open_codec(in);
}

void sass_input_close(struct sass_input *in)
{
    if (in->codec_state) {
        in->codec->close(in->codec_state);
    }
    if (in->file >= 0) {
        close(in->file);
    }
    if (in->raw_owned) {
        free(in->raw);
    }
    free(in->text);
    in->codec_state = NULL;
    in->file = -1;
    in->raw = NULL;
    in->text = NULL;
}

/* ---- lines ---- */

/* More text behind what is there; sets `ended` when there is none. */
static int refill(struct sass_input *in)
{
    const char *why = "";

    memmove(in->text, in->text + in->at, in->end - in->at);
    in->end -= in->at;
    in->at = 0;
    for (size_t had = in->end; in->end == had && !in->ended;) {
        struct sass_span from = {in->raw + in->raw_at, in->raw_end - in->raw_at};
        struct sass_span to = {(uint8_t *)in->text + in->end, in->text_bytes - in->end};
        enum sass_codec_result result;

        if (from.n == 0 && !in->file_ended) {
            if (read_raw(in) != 0) {
                return -1;
            }
            continue;
        }
        result = in->codec->step(in->codec_state, &from, &to, in->file_ended, &why);
        in->raw_at = in->raw_end - from.n;
        in->end = in->text_bytes - to.n;
        in->ended = result == SASS_CODEC_END;
        if (result == SASS_CODEC_BAD) {
            in->line++;
            return sass_fail(in, "%s", why);
        }
    }
    return 0;
}

int sass_input_line(struct sass_input *in, const char **from, const char **to)
{
    char *end = memchr(in->text + in->at, '\n', in->end - in->at);

    while (!end && !in->ended) {
        size_t had = in->end - in->at;

        if (had > SASS_LINE_BYTES) {
            in->line++;
            return sass_fail(in, "a line of more than %d bytes; this is no trace", SASS_LINE_BYTES);
        }
        if (refill(in) != 0) {
            return -1;
        }
        end = memchr(in->text + had, '\n', in->end - had);
    }
    if (!end && in->at == in->end) {
        return 0;
    }
    in->line++;
    *from = in->text + in->at;
    in->at = end ? (size_t)(end - in->text) + 1 : in->end;
    *to = end ? end : in->text + in->end;
    while (*to > *from && ((*to)[-1] == ' ' || (*to)[-1] == '\r' || (*to)[-1] == '\t')) {
        --*to;
    }
    return 1;
}
