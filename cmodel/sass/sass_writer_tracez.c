/* sass_writer_tracez.c - a trace as a container.  See sass_writer.h.
 *
 * Works after the tracez format, section 2.
 */
#include "sass/sass_writer_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zdict.h>
#include <zstd.h>

enum { LEVEL = 3, SPILL_BYTES = 1 << 20, DICTIONARY_BYTES = 1 << 16 };

struct bytes {
    char *at;
    size_t n, max;
};

struct tracez_writer {
    ZSTD_CCtx *context;
    ZSTD_CDict *dictionary;
    FILE *index;             /* entries of blocks */
    uint64_t offset, blocks; /* of the file's end */
    /* The block at hand: its entry in the index, without the count of its warps. */
    struct bytes entry;
    /* The warp: its frames not yet in the file, lines of its sub-chunks, counts. */
    struct bytes record, chunks;
    uint64_t record_at, lines;
    uint32_t n_chunks;
    bool spilled;
    /* The sub-chunk: its text, replay regions open in it. */
    struct bytes text, packed;
    uint32_t chunk_lines;
    int64_t open;
};

static bool reserve(struct sass_writer *writer, struct bytes *bytes, size_t n)
{
    if (bytes->max - bytes->n < n) {
        size_t max = 2 * bytes->max + n + 4096;
        char *more = realloc(bytes->at, max);

        if (!more) {
            writer->failed = true;
            return false;
        }
        bytes->at = more;
        bytes->max = max;
    }
    return true;
}

static void append(struct sass_writer *writer, struct bytes *bytes, const void *from, size_t n)
{
    if (n && reserve(writer, bytes, n)) {
        memcpy(bytes->at + bytes->n, from, n);
        bytes->n += n;
    }
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int b = 0; b < 4; b++) {
        at[b] = (uint8_t)(value >> (8 * b));
    }
}

static void append_u32(struct sass_writer *writer, struct bytes *bytes, uint32_t value)
{
    uint8_t four[4];

    put_u32(four, value);
    append(writer, bytes, four, sizeof four);
}

static void append_u64(struct sass_writer *writer, struct bytes *bytes, uint64_t value)
{
    append_u32(writer, bytes, (uint32_t)value);
    append_u32(writer, bytes, (uint32_t)(value >> 32));
}

static void put(struct sass_writer *writer, const void *from, size_t n)
{
    writer->failed |= fwrite(from, 1, n, writer->file) != n;
    writer->container->offset += n;
}

/* ---- opening and closing ---- */

static int put_head(struct sass_writer *writer, const struct sass_writer_options *options)
{
    uint8_t sizes[8];

    put_u32(sizes, (uint32_t)options->n_dictionary);
    put_u32(sizes + 4, SASS_CHUNK_LINES);
    put(writer, options->head, options->n_head);
    put(writer, "", 1);
    put(writer, sizes, sizeof sizes);
    put(writer, options->dictionary, options->n_dictionary);
    return writer->failed ? -1 : 0;
}

struct tracez_writer *tracez_writer_new(struct sass_writer *writer,
                                        const struct sass_writer_options *options)
{
    struct tracez_writer *c = calloc(1, sizeof *c);

    if (!c) {
        return NULL;
    }
    writer->container = c;
    c->context = ZSTD_createCCtx();
    c->index = tmpfile();
    if (options->n_dictionary) {
        c->dictionary = ZSTD_createCDict(options->dictionary, options->n_dictionary, LEVEL);
    }
    if (!c->context || !c->index || (options->n_dictionary && !c->dictionary) ||
        put_head(writer, options) != 0) {
        errno = errno ? errno : ENOMEM;
        tracez_writer_free(c);
        writer->container = c = NULL;
    }
    return c;
}

void tracez_writer_free(struct tracez_writer *c)
{
    if (!c) {
        return;
    }
    ZSTD_freeCCtx(c->context);
    ZSTD_freeCDict(c->dictionary);
    if (c->index) {
        fclose(c->index);
    }
    free(c->entry.at);
    free(c->record.at);
    free(c->chunks.at);
    free(c->text.at);
    free(c->packed.at);
    free(c);
}

/* The index behind the records, and where it is. */
void tracez_writer_finish(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;
    const uint64_t index = c->offset;
    uint8_t eight[8];
    char copy[1 << 14];
    size_t n;

    writer->failed |= c->blocks > UINT32_MAX || fflush(c->index) != 0 ||
                      fseeko(c->index, 0, SEEK_SET) != 0;
    put_u32(eight, (uint32_t)c->blocks);
    put(writer, eight, 4);
    while (!writer->failed && (n = fread(copy, 1, sizeof copy, c->index)) > 0) {
        put(writer, copy, n);
    }
    writer->failed |= ferror(c->index) != 0;
    put_u32(eight, (uint32_t)index);
    put_u32(eight + 4, (uint32_t)(index >> 32));
    put(writer, eight, 8);
}

/* ---- blocks and warps ---- */

static void append_place(struct sass_writer *writer, struct bytes *to, struct isa_dim3 at)
{
    append_u32(writer, to, at.x);
    append_u32(writer, to, at.y);
    append_u32(writer, to, at.z);
}

void tracez_writer_block(struct sass_writer *writer, struct isa_dim3 at,
                         const struct sass_cluster *cluster)
{
    struct bytes *entry = &writer->container->entry;

    entry->n = 0;
    append_place(writer, entry, at);
    append_place(writer, entry, cluster->id);
    append_place(writer, entry, cluster->cta);
    append_u32(writer, entry, cluster->rank);
    append_u32(writer, entry, 0); /* warps */
}

void tracez_writer_block_end(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;

    if (writer->failed) {
        return;
    }
    put_u32((uint8_t *)c->entry.at + 40, writer->warps);
    writer->failed |= fwrite(c->entry.at, 1, c->entry.n, c->index) != c->entry.n;
    c->blocks++;
}

void tracez_writer_warp(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;

    c->record.n = c->chunks.n = c->text.n = 0;
    c->lines = c->n_chunks = c->chunk_lines = 0;
    c->open = 0;
    c->spilled = false;
    c->record_at = c->offset;
    append_u64(writer, &c->record, 0); /* its counts */
}

/* The frames so far go to the file; the counts in front of them when they are known. */
static void spill(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;

    put(writer, c->record.at, c->record.n);
    c->record.n = 0;
    c->spilled = true;
}

static void end_chunk(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;
    size_t n = c->text.n - 1; /* no end of line behind the last */
    size_t bound = ZSTD_compressBound(n), packed;

    c->packed.n = 0;
    if (writer->failed || !reserve(writer, &c->packed, bound)) {
        return;
    }
    packed = c->dictionary
                 ? ZSTD_compress_usingCDict(c->context, c->packed.at, c->packed.max, c->text.at, n,
                                            c->dictionary)
                 : ZSTD_compressCCtx(c->context, c->packed.at, c->packed.max, c->text.at, n, LEVEL);
    writer->failed |= ZSTD_isError(packed) || packed > UINT32_MAX;
    if (writer->failed) {
        return;
    }
    append_u32(writer, &c->record, (uint32_t)packed);
    append(writer, &c->record, c->packed.at, packed);
    append_u32(writer, &c->chunks, c->chunk_lines);
    c->n_chunks++;
    c->text.n = c->chunk_lines = 0;
    if (c->record.n > SPILL_BYTES) {
        spill(writer);
    }
}

static bool is_mark(const char *from, const char *to, const char *word)
{
    return memmem(from, (size_t)(to - from), word, strlen(word)) != NULL;
}

void tracez_writer_line(struct sass_writer *writer, const char *from, const char *to)
{
    struct tracez_writer *c = writer->container;

    append(writer, &c->text, from, (size_t)(to - from));
    append(writer, &c->text, "\n", 1);
    c->open += is_mark(from, to, "REPLAY_START") - is_mark(from, to, "REPLAY_END");
    c->lines++;
    c->chunk_lines++;
    if (c->chunk_lines >= SASS_CHUNK_LINES && c->open <= 0) {
        end_chunk(writer);
        c->open = 0;
    }
}

void tracez_writer_warp_end(struct sass_writer *writer)
{
    struct tracez_writer *c = writer->container;
    uint8_t counts[8];

    if (c->chunk_lines) {
        end_chunk(writer);
    }
    if (writer->failed) {
        return;
    }
    writer->failed |= c->lines > UINT32_MAX;
    put_u32(counts, (uint32_t)c->lines);
    put_u32(counts + 4, c->n_chunks);
    if (!c->spilled) {
        memcpy(c->record.at, counts, sizeof counts);
    }
    put(writer, c->record.at, c->record.n);
    if (c->spilled) {
        writer->failed |= fflush(writer->file) != 0 ||
                          pwrite(fileno(writer->file), counts, sizeof counts,
                                 (off_t)c->record_at) != sizeof counts;
    }
    append_u32(writer, &c->entry, (uint32_t)c->lines);
    append_u32(writer, &c->entry, c->n_chunks);
    append_u64(writer, &c->entry, c->record_at);
    append(writer, &c->entry, c->chunks.at, c->chunks.n);
}

/* ---- dictionaries ---- */

size_t sass_writer_train(const char *text, const size_t *sizes, uint32_t n, void **dictionary)
{
    size_t bytes, total = 0, most;

    for (uint32_t s = 0; s < n; s++) {
        total += sizes[s];
    }
    most = total / 8 < DICTIONARY_BYTES ? total / 8 : DICTIONARY_BYTES; /* it must pay */
    *dictionary = malloc(DICTIONARY_BYTES);
    if (!*dictionary) {
        return 0;
    }
    bytes = n ? ZDICT_trainFromBuffer(*dictionary, most, text, sizes, n) : 0;
    if (ZDICT_isError(bytes)) { /* too few samples, mostly */
        bytes = 0;
    }
    if (bytes == 0) {
        free(*dictionary);
        *dictionary = NULL;
    }
    return bytes;
}
