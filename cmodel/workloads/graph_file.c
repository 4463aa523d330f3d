/* graph_file.c - graph files from the disk, plain or gzip-compressed.
 *
 * The inputs of Lakshminarayana 2014 section 6.3 are distributed compressed.
 * Knows nothing of what the text means: graph_read_text does.
 */
#include "workloads/graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct text {
    char *start;
    size_t bytes, capacity;
};

static bool refuse(struct graph_error *error, const char *path, const char *what)
{
    snprintf(error->text, sizeof error->text, "%.200s: %.100s", path, what);
    return false;
}

static bool grow(struct text *text)
{
    size_t capacity = text->capacity ? 2 * text->capacity : (size_t)1 << 16;
    char *start = capacity <= GRAPH_MAX_FILE_BYTES ? realloc(text->start, capacity) : NULL;
    if (!start) {
        return false;
    }
    text->start = start;
    text->capacity = capacity;
    return true;
}

/* Everything in the file, decompressed. */
static bool load(gzFile file, const char *path, struct text *text, struct graph_error *error)
{
    int got;
    do {
        if (text->bytes == text->capacity && !grow(text)) {
            return refuse(error, path, "the text is too large; use a smaller graph");
        }
        got = gzread(file, text->start + text->bytes, (unsigned)(text->capacity - text->bytes));
        text->bytes += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    int status;
    gzerror(file, &status); /* a stream cut off shows here only, as Z_BUF_ERROR */
    if (got < 0 || status != Z_OK) {
        return refuse(error, path, "cannot be read or is damaged; fetch the file again");
    }
    return true;
}

bool graph_read_file(struct graph *graph, const char *path, struct graph_error *error)
{
    *graph = (struct graph){0};
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file) {
        char what[100];
        snprintf(what, sizeof what, "%.60s; give a readable file",
                 errno ? strerror(errno) : "no memory to open it");
        return refuse(error, path, what);
    }
    struct text text = {0};
    bool ok = load(file, path, &text, error);
    gzclose(file);
    ok = ok && graph_read_text(graph, path, text.start, text.bytes, GRAPH_MAX_VERTICES,
                               GRAPH_MAX_EDGES, error);
    free(text.start);
    return ok;
}
