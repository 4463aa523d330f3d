/* launch_run.c - launch_file_run of launch_file.h: buffers, launches, dumps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/host/host_machine.h"
#include "machine/host/launch_file.h"

/* splitmix64: the n-th word of a stream needs no history. */
static uint32_t random_word(uint64_t seed, uint64_t n)
{
    uint64_t z = seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static int fill_from_file(const struct launch_buffer *buffer, struct host *host, char *error,
                          size_t n_error)
{
    FILE *in = fopen(buffer->file, "rb");
    uint8_t piece[4096];
    uint64_t at = 0;
    size_t n;

    if (!in) {
        snprintf(error, n_error, "buffer %s: cannot open %s: %s; check the path", buffer->name,
                 buffer->file, strerror(errno));
        return -1;
    }
    while (at < buffer->bytes && (n = fread(piece, 1, sizeof piece, in)) > 0) {
        n = n < buffer->bytes - at ? n : (size_t)(buffer->bytes - at);
        host_write(host, buffer->at + at, piece, n);
        at += n;
    }
    fclose(in);
    if (at == buffer->bytes) {
        return 0;
    }
    snprintf(error, n_error, "buffer %s: %s holds only %llu of %llu bytes; lower bytes",
             buffer->name, buffer->file, (unsigned long long)at, (unsigned long long)buffer->bytes);
    return -1;
}

static void fill_words(const struct launch_buffer *buffer, struct host *host)
{
    for (uint64_t at = 0; at < buffer->bytes; at += 4) {
        uint32_t word = buffer->init == LAUNCH_IOTA ? (uint32_t)(at / 4)
                                                    : random_word(buffer->seed, at / 4);
        uint64_t left = buffer->bytes - at;

        host_write(host, buffer->at + at, &word, left < 4 ? (size_t)left : 4);
    }
}

static int dump(const struct launch_buffer *buffer, struct host *host, char *error, size_t n_error)
{
    FILE *out = fopen(buffer->dump, "wb");
    uint8_t piece[4096];
    bool failed = !out;

    for (uint64_t at = 0; at < buffer->bytes && !failed; at += sizeof piece) {
        size_t n = buffer->bytes - at < sizeof piece ? (size_t)(buffer->bytes - at) : sizeof piece;

        host_read(host, piece, buffer->at + at, n);
        failed = fwrite(piece, 1, n, out) != n;
    }
    if (out && fclose(out) != 0) {
        failed = true;
    }
    if (failed) {
        snprintf(error, n_error, "buffer %s: cannot write %s: %s; check the path", buffer->name,
                 buffer->dump, strerror(errno));
    }
    return failed ? -1 : 0;
}

static int allocate(struct launch_buffer *buffer, struct host *host, char *error, size_t n_error)
{
    buffer->at = host_alloc(host, buffer->name, buffer->bytes, 256);
    if (buffer->init == LAUNCH_NONE) {
        host_undefine(host, buffer->at, buffer->bytes);
    }
    if (buffer->init == LAUNCH_IOTA || buffer->init == LAUNCH_RANDOM) {
        fill_words(buffer, host);
    }
    return buffer->init == LAUNCH_FILE ? fill_from_file(buffer, host, error, n_error) : 0;
}

static int launch(const struct launch_file *file, const struct launch_call *call, struct host *host,
                  const char *module, char *error, size_t n_error)
{
    struct host_bytes *args = calloc(call->n_args + 1, sizeof *args);
    char where[512];

    if (!args) {
        snprintf(error, n_error, "out of memory for %zu arguments", call->n_args);
        return -1;
    }
    for (size_t a = 0; a < call->n_args; a++) {
        const struct launch_arg *arg = &call->arg[a];

        args[a] = arg->buffer_name
                      ? (struct host_bytes){&file->buffer[arg->buffer].at, sizeof(gpu_ptr)}
                      : (struct host_bytes){arg->value, arg->bytes};
    }
    snprintf(where, sizeof where, "%.400s:%u: ", file->name, call->line);
    host_launch_bytes(host, where, module, call->kernel, call->grid, call->block,
                      call->shared_bytes, args, call->n_args);
    free(args);
    return 0;
}

int launch_file_run(struct launch_file *file, struct host *host, const char *module, char *error,
                    size_t n_error)
{
    error[0] = '\0';
    for (size_t b = 0; b < file->n_buffers; b++) {
        if (allocate(&file->buffer[b], host, error, n_error) != 0) {
            return -1;
        }
    }
    for (size_t c = 0; c < file->n_calls && !host_error(host); c++) {
        if (launch(file, &file->call[c], host, module, error, n_error) != 0) {
            return -1;
        }
    }
    for (size_t b = 0; b < file->n_buffers && !host_error(host); b++) {
        if (file->buffer[b].dump && dump(&file->buffer[b], host, error, n_error) != 0) {
            return -1;
        }
    }
    return 0;
}
