/* sass_codec.c - see sass_codec.h. */
#include "sass/sass_codec.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* Memory that a damaged file may ask a decoder for; xz -9 needs 65 MiB. */
#define DECODER_BYTES (UINT64_C(128) << 20)
enum { DECODER_WINDOW_LOG = 27 };

static const char CUT[] = "the compressed data end too early; the file is cut short";
static const char DAMAGED[] = "the compressed data are damaged; copy the file again";

/* ---- plain text ---- */

static void *plain_open(void)
{
    return calloc(1, 1);
}

static enum sass_codec_result plain_step(void *state, struct sass_span *in, struct sass_span *out,
                                         bool last, const char **why)
{
    size_t n = in->n < out->n ? in->n : out->n;

    (void)state;
    (void)why;
    memcpy(out->at, in->at, n);
    in->at += n;
    in->n -= n;
    out->at += n;
    out->n -= n;
    return last && in->n == 0 ? SASS_CODEC_END : SASS_CODEC_MORE;
}

/* ---- gzip: members may follow each other ---- */

static void *gzip_open(void)
{
    z_stream *z = calloc(1, sizeof *z);

    if (z && inflateInit2(z, 15 + 16) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static enum sass_codec_result gzip_step(void *state, struct sass_span *in, struct sass_span *out,
                                        bool last, const char **why)
{
    z_stream *z = state;
    int result;

    if (last && in->n == 0 && z->total_in == 0) { /* just behind a member */
        return SASS_CODEC_END;
    }
    z->next_in = in->at;
    z->avail_in = (uInt)in->n;
    z->next_out = out->at;
    z->avail_out = (uInt)out->n;
    result = inflate(z, Z_NO_FLUSH);
    *in = (struct sass_span){z->next_in, z->avail_in};
    *out = (struct sass_span){z->next_out, z->avail_out};
    if (result == Z_STREAM_END) {
        return inflateReset(z) == Z_OK ? SASS_CODEC_MORE : SASS_CODEC_BAD;
    }
    if (result != Z_OK && result != Z_BUF_ERROR) {
        *why = DAMAGED;
        return SASS_CODEC_BAD;
    }
    if (last && in->n == 0 && out->n != 0) {
        *why = CUT;
        return SASS_CODEC_BAD;
    }
    return SASS_CODEC_MORE;
}

static void gzip_close(void *state)
{
    inflateEnd(state);
    free(state);
}

/* ---- xz ---- */

static void *xz_open(void)
{
    lzma_stream *stream = calloc(1, sizeof *stream);

    if (stream && lzma_stream_decoder(stream, DECODER_BYTES, LZMA_CONCATENATED) != LZMA_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static enum sass_codec_result xz_step(void *state, struct sass_span *in, struct sass_span *out,
                                      bool last, const char **why)
{
    lzma_stream *stream = state;
    lzma_ret result;

    stream->next_in = in->at;
    stream->avail_in = in->n;
    stream->next_out = out->at;
    stream->avail_out = out->n;
    result = lzma_code(stream, last ? LZMA_FINISH : LZMA_RUN);
    in->at += in->n - stream->avail_in;
    in->n = stream->avail_in;
    *out = (struct sass_span){stream->next_out, stream->avail_out};
    if (result == LZMA_STREAM_END) {
        return SASS_CODEC_END;
    }
    if (result == LZMA_OK) {
        return SASS_CODEC_MORE;
    }
    *why = result == LZMA_BUF_ERROR        ? CUT
           : result == LZMA_MEMLIMIT_ERROR ? "unpacking it takes more than 128 MiB of memory; "
                                             "compress it with xz -9 or less"
                                           : DAMAGED;
    return SASS_CODEC_BAD;
}

static void xz_close(void *state)
{
    lzma_end(state);
    free(state);
}

/* ---- zstd: frames may follow each other ---- */

struct zstd_state {
    ZSTD_DStream *stream;
    bool inside; /* a frame has begun and not ended */
};

static void *zstd_open(void)
{
    struct zstd_state *state = calloc(1, sizeof *state);

    if (state && !(state->stream = ZSTD_createDStream())) {
        free(state);
        return NULL;
    }
    if (state) {
        ZSTD_DCtx_setParameter(state->stream, ZSTD_d_windowLogMax, DECODER_WINDOW_LOG);
    }
    return state;
}

static enum sass_codec_result zstd_step(void *self, struct sass_span *in, struct sass_span *out,
                                        bool last, const char **why)
{
    struct zstd_state *state = self;
    ZSTD_inBuffer from = {in->at, in->n, 0};
    ZSTD_outBuffer to = {out->at, out->n, 0};
    size_t result = ZSTD_decompressStream(state->stream, &to, &from);

    in->at += from.pos;
    in->n -= from.pos;
    out->at += to.pos;
    out->n -= to.pos;
    if (ZSTD_isError(result)) {
        *why = DAMAGED;
        return SASS_CODEC_BAD;
    }
    state->inside = result != 0;
    if (last && in->n == 0 && out->n != 0) {
        *why = CUT;
        return state->inside ? SASS_CODEC_BAD : SASS_CODEC_END;
    }
    return SASS_CODEC_MORE;
}

static void zstd_close(void *self)
{
    struct zstd_state *state = self;

    ZSTD_freeDStream(state->stream);
    free(state);
}

const struct sass_codec *sass_codec_of(const uint8_t *bytes, size_t n)
{
    static const struct sass_codec PLAIN = {"plain text", plain_open, plain_step, free},
                                   GZIP = {"gzip", gzip_open, gzip_step, gzip_close},
                                   XZ = {"xz", xz_open, xz_step, xz_close},
                                   ZSTD = {"zstd", zstd_open, zstd_step, zstd_close};

    if (n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0) {
        return &GZIP;
    }
    if (n >= 6 && memcmp(bytes,
                         "\xfd"
                         "7zXZ\0",
                         6) == 0) {
        return &XZ;
    }
    if (n >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0) {
        return &ZSTD;
    }
    return &PLAIN;
}
