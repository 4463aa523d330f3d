/* sass_codec.c - see sass_codec.h.
 *
 * libarchive reads everything but gzip, whose check sums it passes over (3.6.2 and before):
 * a damaged trace would be taken for another one.  That format is read with zlib.
 */
#include "sass/sass_codec.h"

#define ZLIB_CONST
#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char CUT[] = "the compressed data end too early; the file is cut short";
static const char DAMAGED[] = "the compressed data are damaged; copy the file again";

struct sass_codec {
    struct sass_source source;
    const uint8_t *block; /* the first, until it is given out */
    ssize_t n_block;
    bool failed; /* the source */
    bool ended;
    struct archive *archive; /* NULL: gzip */
    z_stream gzip;
};

static ssize_t next_block(struct sass_codec *codec, const uint8_t **block)
{
    ssize_t n = codec->n_block;

    *block = codec->block;
    codec->n_block = 0;
    if (n == 0) {
        n = codec->source.next(codec->source.self, block);
    }
    codec->failed = n < 0;
    return n;
}

/* ---- gzip: members may follow each other ---- */

static bool open_gzip(struct sass_codec *codec)
{
    return inflateInit2(&codec->gzip, 15 + 16) == Z_OK;
}

static ssize_t refuse(char *why, size_t n_why, const char *words)
{
    snprintf(why, n_why, "%s", words);
    return -1;
}

/* More input when there is none; false when the source fails. */
static bool feed_gzip(struct sass_codec *codec)
{
    z_stream *z = &codec->gzip;

    if (z->avail_in == 0 && !codec->ended) {
        const uint8_t *block;
        ssize_t n = next_block(codec, &block);

        z->next_in = block;
        z->avail_in = n > 0 ? (uInt)n : 0;
        codec->ended = n == 0;
    }
    return !codec->failed;
}

static ssize_t read_gzip(struct sass_codec *codec, void *out, size_t n, char *why, size_t n_why)
{
    z_stream *z = &codec->gzip;

    z->next_out = out;
    z->avail_out = (uInt)n;
    while (z->avail_out == n) {
        int result;

        if (!feed_gzip(codec)) {
            return -1;
        }
        if (codec->ended && z->avail_in == 0 && z->total_in == 0) { /* just behind a member */
            return 0;
        }
        result = inflate(z, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            result = inflateReset(z);
        } else if (result == Z_BUF_ERROR && codec->ended) {
            return refuse(why, n_why, CUT);
        }
        if (result != Z_OK && result != Z_BUF_ERROR) {
            return refuse(why, n_why, DAMAGED);
        }
    }
    return (ssize_t)(n - z->avail_out);
}

/* ---- the others ---- */

static la_ssize_t give_archive(struct archive *archive, void *self, const void **out)
{
    const uint8_t *block;
    ssize_t n = next_block(self, &block);

    (void)archive;
    *out = block;
    return n;
}

static bool open_archive(struct sass_codec *codec)
{
    struct archive *a = codec->archive = archive_read_new();

    return a && archive_read_support_filter_xz(a) == ARCHIVE_OK &&
           archive_read_support_filter_zstd(a) == ARCHIVE_OK &&
           archive_read_support_format_raw(a) == ARCHIVE_OK &&
           archive_read_support_format_empty(a) == ARCHIVE_OK;
}

/* What libarchive says about damaged data, with a remedy. */
static ssize_t refuse_archive(struct sass_codec *codec, char *why, size_t n_why)
{
    const char *words = archive_error_string(codec->archive);

    if (codec->failed) {
        return -1;
    }
    if (!words) {
        return refuse(why, n_why, DAMAGED);
    }
    if (strcasestr(words, "truncated") || strstr(words, "No progress")) {
        return refuse(why, n_why, CUT);
    }
    snprintf(why, n_why, "the compressed data are damaged (%s); copy the file again", words);
    return -1;
}

static ssize_t read_archive(struct sass_codec *codec, void *out, size_t n, char *why, size_t n_why)
{
    struct archive *a = codec->archive;
    la_ssize_t got;

    if (archive_file_count(a) == 0 && !codec->ended) {
        struct archive_entry *entry;
        int result = archive_read_open(a, codec, NULL, give_archive, NULL);

        if (result == ARCHIVE_OK) {
            result = archive_read_next_header(a, &entry);
        }
        codec->ended = result == ARCHIVE_EOF;
        if (result != ARCHIVE_OK && result != ARCHIVE_EOF) {
            return refuse_archive(codec, why, n_why);
        }
    }
    got = codec->ended ? 0 : archive_read_data(a, out, n);
    return got < 0 ? refuse_archive(codec, why, n_why) : got;
}

/* ---- both ---- */

struct sass_codec *sass_codec_open(const struct sass_source *source)
{
    struct sass_codec *codec = calloc(1, sizeof *codec);

    if (!codec) {
        return NULL;
    }
    codec->source = *source;
    codec->n_block = source->next(source->self, &codec->block);
    if (codec->n_block < 0 ||
        !(codec->n_block >= 2 && memcmp(codec->block, "\x1f\x8b", 2) == 0 ? open_gzip(codec)
                                                                          : open_archive(codec))) {
        sass_codec_close(codec);
        return NULL;
    }
    return codec;
}

ssize_t sass_codec_read(struct sass_codec *codec, void *out, size_t n, char *why, size_t n_why)
{
    why[0] = '\0';
    return codec->archive ? read_archive(codec, out, n, why, n_why)
                          : read_gzip(codec, out, n, why, n_why);
}

void sass_codec_close(struct sass_codec *codec)
{
    if (!codec) {
        return;
    }
    if (codec->archive) {
        archive_read_free(codec->archive);
    } else {
        inflateEnd(&codec->gzip);
    }
    free(codec);
}
