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
#include "sass/sass_tracez.h"

/* Text of files; of bytes in memory, which are few. */
enum { RAW_BYTES = 1 << 17, TEXT_BYTES = 1 << 18, SMALL_TEXT_BYTES = 2 * SASS_LINE_BYTES };

/* ---- errors ---- */

/* "file:0xbyte: ", and of a line in a frame its warp. */
static int print_place(const struct sass_input *in)
{
    const struct sass_place *at = &in->place;

    if (!at->line) {
        return snprintf(in->error, in->n_error, "%s:0x%llx: ", in->path,
                        (unsigned long long)at->offset);
    }
    return snprintf(in->error, in->n_error,
                    "%s:0x%llx: block %u,%u,%u, warp %u, line %llu: ", in->path,
                    (unsigned long long)at->offset, at->block.x, at->block.y, at->block.z, at->warp,
                    (unsigned long long)at->line);
}

int sass_fail(struct sass_input *in, const char *format, ...)
{
    va_list arguments;
    int n;

    if (in->error[0]) {
        return -1;
    }
    n = in->tracez ? print_place(in)
                   : snprintf(in->error, in->n_error, "%s:%llu: ", in->path,
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
                             "trace, neither plain nor packed by gzip, xz or zstd",
                             (unsigned char)*at, (size_t)(at - from) + 1);
        }
    }
    return 0;
}

/* ---- opening ---- */

static void prepare(struct sass_input *in, const char *path, size_t text_bytes, char *error,
                    size_t n_error)
{
    *in = (struct sass_input){
        .path = path, .file = -1, .text_bytes = text_bytes, .error = error, .n_error = n_error};
    error[0] = '\0';
}

static bool is_container(const char *path)
{
    size_t n = strlen(path);

    return n > 7 && strcmp(path + n - 7, ".tracez") == 0;
}

/* The lines of a container are those of its head. */
static int open_container(struct sass_input *in)
{
    char *head = NULL;
    size_t n = 0;

    in->tracez = sass_tracez_new(in->file, in->raw, in->bytes_total);
    if (!in->tracez) {
        return sass_fail(in, "out of memory for the container");
    }
    if (sass_tracez_open(in->tracez, in, &head, &n) != 0) {
        return -1;
    }
    in->text = head;
    in->end = in->text_bytes = n;
    in->ended = true;
    return 0;
}

/* The next block of the file, or all of the memory. */
static ssize_t next_block(void *self, const uint8_t **block)
{
    struct sass_input *in = self;
    ssize_t n;

    *block = in->raw;
    if (in->file < 0) {
        n = (ssize_t)in->bytes_total - (ssize_t)in->bytes_in;
    } else {
        do {
            n = read(in->file, in->raw_owned, RAW_BYTES);
        } while (n < 0 && errno == EINTR);
    }
    if (n < 0) {
        return sass_fail(in, "cannot be read: %s; check the file", strerror(errno));
    }
    in->bytes_in += (uint64_t)n;
    return n;
}

static int open_codec(struct sass_input *in)
{
    const struct sass_source source = {in, next_block};

    in->text = malloc(in->text_bytes);
    in->codec = sass_codec_open(&source);
    return in->text && in->codec ? 0 : sass_fail(in, "out of memory for unpacking");
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

    prepare(in, path, TEXT_BYTES, error, n_error);
    in->file = open_file(path);
    if (in->file < 0) {
        return sass_fail(in, "%s; check the path", strerror(errno));
    }
    if (fstat(in->file, &about) == 0 && about.st_size > 0) {
        in->bytes_total = (uint64_t)about.st_size;
    }
    if (is_container(path)) {
        return open_container(in);
    }
    in->raw = in->raw_owned = malloc(RAW_BYTES);
    if (!in->raw) {
        return sass_fail(in, "out of memory for the reader");
    }
    return open_codec(in);
}

int sass_input_memory(struct sass_input *in, const char *name, const void *bytes, size_t n,
                      char *error, size_t n_error)
{
    prepare(in, name, SMALL_TEXT_BYTES, error, n_error);
    in->raw = bytes;
    in->bytes_total = n;
    return is_container(name) ? open_container(in) : open_codec(in);
}

void sass_input_close(struct sass_input *in)
{
    sass_codec_close(in->codec);
    sass_tracez_free(in->tracez);
    in->tracez = NULL;
    if (in->file >= 0) {
        close(in->file);
    }
    free(in->raw_owned);
    free(in->text);
    in->codec = NULL;
    in->file = -1;
    in->raw_owned = NULL;
    in->text = NULL;
}

/* ---- lines ---- */

/* More text behind what is there; sets `ended` when there is none. */
static int refill(struct sass_input *in)
{
    char why[200];
    ssize_t n;

    memmove(in->text, in->text + in->at, in->end - in->at);
    in->end -= in->at;
    in->at = 0;
    n = sass_codec_read(in->codec, in->text + in->end, in->text_bytes - in->end, why, sizeof why);
    if (n < 0) {
        in->line++;
        return sass_fail(in, "%s", why);
    }
    in->end += (size_t)n;
    in->ended = n == 0;
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
    in->place.offset = in->at; /* of a head, which is all there */
    in->at = end ? (size_t)(end - in->text) + 1 : in->end;
    *to = in->line_end = end ? end : in->text + in->end;
    while (*to > *from && ((*to)[-1] == ' ' || (*to)[-1] == '\r' || (*to)[-1] == '\t')) {
        --*to;
    }
    return 1;
}
