/* launch_file.c - see launch_file.h. */
#include "machine/host/launch_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/config/ini_text.h"
#include "machine/host/host_machine.h"

#define MAX_BUFFER_BYTES (UINT64_C(1) << 32)

static int bad(char *why, size_t n_why, const char *what, const char *value)
{
    snprintf(why, n_why, "%s: %.60s", what, value);
    return -1;
}

static int number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    char *end;

    if (*text < '0' || *text > '9') {
        return -1;
    }
    errno = 0;
    *out = strtoull(text, &end, 0);
    return errno || *end || *out < least || *out > most ? -1 : 0;
}

/* X, X,Y or X,Y,Z, each at least 1. */
static int shape(const char *text, uint32_t most, struct isa_dim3 *out)
{
    uint32_t part[3] = {1, 1, 1};

    for (uint32_t p = 0; p < 3; p++) {
        char *end;
        unsigned long long value;

        if (*text < '0' || *text > '9') {
            return -1;
        }
        errno = 0;
        value = strtoull(text, &end, 0);
        if (errno || value < 1 || value > most) {
            return -1;
        }
        part[p] = (uint32_t)value;
        if (!*end) {
            *out = (struct isa_dim3){part[0], part[1], part[2]};
            return 0;
        }
        if (*end != ',') {
            return -1;
        }
        text = end + 1 + strspn(end + 1, " ");
    }
    return -1;
}

static int take_launch(struct launch_file *file, const char *name, const char *value, char *why,
                       size_t n_why)
{
    uint64_t bytes;

    if (!strcmp(name, "kernel")) {
        if (!*value || strlen(value) >= sizeof file->kernel) {
            return bad(why, n_why, "kernel: give a name of 1 to 63 characters, not", value);
        }
        snprintf(file->kernel, sizeof file->kernel, "%s", value);
    } else if (!strcmp(name, "grid")) {
        if (shape(value, INT32_MAX, &file->grid) != 0) {
            return bad(why, n_why, "grid: write X, X,Y or X,Y,Z with numbers from 1, not", value);
        }
    } else if (!strcmp(name, "block")) {
        if (shape(value, 1024, &file->block) != 0) {
            return bad(why, n_why, "block: write X, X,Y or X,Y,Z with numbers 1..1024, not", value);
        }
    } else if (!strcmp(name, "shared")) {
        if (number(value, 0, 1 << 20, &bytes) != 0) {
            return bad(why, n_why, "shared: write bytes from 0 to 1048576, not", value);
        }
        file->shared_bytes = (uint32_t)bytes;
    } else {
        return bad(why, n_why, "unknown key of [launch]; use kernel, grid, block or shared, not",
                   name);
    }
    return 0;
}

/* Numbers of arguments may be negative, in decimal or in hexadecimal. */
static int scalar(const char *type, const char *text, struct host_arg *out)
{
    char *end;
    bool negative = *text == '-';
    uint64_t integer;
    double real;

    errno = 0;
    real = strtod(text, &end);
    if (!*text || *end || errno) {
        return -1;
    }
    if (!strcmp(type, "f32") || !strcmp(type, "f64")) {
        *out = type[1] == '3' ? host_arg_f32((float)real) : host_arg_f64(real);
        return 0;
    }
    integer = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (*end || errno) {
        return -1;
    }
    if (!strcmp(type, "u64")) {
        *out = host_arg_u64(integer);
        return 0;
    }
    if (strcmp(type, "u32") != 0 || (!negative && integer > UINT32_MAX) ||
        (negative && (int64_t)integer < INT32_MIN)) {
        return -1;
    }
    *out = host_arg_u32((uint32_t)integer);
    return 0;
}

static int take_arg(struct launch_file *file, const char *value, char *why, size_t n_why)
{
    struct launch_arg *arg = &file->arg[file->n_args];
    size_t n_type = strcspn(value, " ");
    const char *rest = value + n_type + strspn(value + n_type, " ");
    char type[8] = "";

    if (file->n_args == LAUNCH_MAX_ARGS) {
        return bad(why, n_why, "more than 64 arguments; leave out", value);
    }
    if (n_type < sizeof type) {
        memcpy(type, value, n_type);
    }
    *arg = (struct launch_arg){.buffer = -1};
    if (!strcmp(type, "buffer") && *rest && strlen(rest) < sizeof arg->name) {
        snprintf(arg->name, sizeof arg->name, "%s", rest);
        arg->value = host_arg_u64(0);
    } else if (scalar(type, rest, &arg->value) != 0) {
        return bad(why, n_why, "argument: write u32 N, u64 N, f32 X, f64 X or buffer NAME, not",
                   value);
    }
    file->n_args++;
    return 0;
}

static int take_init(struct launch_buffer *buffer, const char *value, char *why, size_t n_why)
{
    if (!strcmp(value, "zero")) {
        buffer->init = LAUNCH_ZERO;
    } else if (!strcmp(value, "none")) {
        buffer->init = LAUNCH_NONE;
    } else if (!strcmp(value, "iota")) {
        buffer->init = LAUNCH_IOTA;
    } else if (!strncmp(value, "random ", 7) &&
               number(value + 7, 0, UINT64_MAX, &buffer->seed) == 0) {
        buffer->init = LAUNCH_RANDOM;
    } else if (!strncmp(value, "file ", 5) && value[5] && strlen(value + 5) < sizeof buffer->file) {
        buffer->init = LAUNCH_FILE;
        snprintf(buffer->file, sizeof buffer->file, "%s", value + 5);
    } else {
        return bad(why, n_why, "init: write zero, none, iota, random SEED or file PATH, not",
                   value);
    }
    return 0;
}

static struct launch_buffer *buffer_named(struct launch_file *file, const char *name, bool create)
{
    for (uint32_t b = 0; b < file->n_buffers; b++) {
        if (!strcmp(file->buffer[b].name, name)) {
            return &file->buffer[b];
        }
    }
    if (!create || file->n_buffers == LAUNCH_MAX_BUFFERS || !*name || strlen(name) >= LAUNCH_NAME) {
        return NULL;
    }
    file->buffer[file->n_buffers] = (struct launch_buffer){.init = LAUNCH_ZERO};
    snprintf(file->buffer[file->n_buffers].name, LAUNCH_NAME, "%s", name);
    return &file->buffer[file->n_buffers++];
}

static int take_buffer(struct launch_file *file, const char *buffer_name, const char *name,
                       const char *value, char *why, size_t n_why)
{
    struct launch_buffer *buffer = buffer_named(file, buffer_name, true);

    if (!buffer) {
        return bad(why, n_why, "buffer name empty or too long, or more than 64 buffers",
                   buffer_name);
    }
    if (!strcmp(name, "bytes")) {
        if (number(value, 1, MAX_BUFFER_BYTES, &buffer->bytes) != 0) {
            return bad(why, n_why, "bytes: write a number from 1 to 4294967296, not", value);
        }
    } else if (!strcmp(name, "init")) {
        return take_init(buffer, value, why, n_why);
    } else if (!strcmp(name, "dump")) {
        if (!*value || strlen(value) >= sizeof buffer->dump) {
            return bad(why, n_why, "dump: write a path of 1 to 191 characters, not", value);
        }
        snprintf(buffer->dump, sizeof buffer->dump, "%s", value);
    } else {
        return bad(why, n_why, "unknown key of [buffer]; use bytes, init or dump, not", name);
    }
    return 0;
}

static int take_entry(void *user, const char *section, const char *name, const char *value,
                      unsigned line, char *why, size_t n_why)
{
    (void)line;
    if (!strcmp(section, "launch")) {
        return take_launch(user, name, value, why, n_why);
    }
    if (!strcmp(section, "args")) {
        return take_arg(user, value, why, n_why);
    }
    if (!strncmp(section, "buffer ", 7)) {
        return take_buffer(user, section + 7, name, value, why, n_why);
    }
    return bad(why, n_why, "unknown section; use [launch], [args] or [buffer NAME], not", section);
}

/* What can be seen only when all has been read. */
static int check_whole(struct launch_file *file, const char *name, char *error, size_t n_error)
{
    if (!file->kernel[0]) {
        snprintf(error, n_error, "%s:0: no kernel; add kernel = NAME to [launch]", name);
        return -1;
    }
    for (uint32_t b = 0; b < file->n_buffers; b++) {
        if (!file->buffer[b].bytes) {
            snprintf(error, n_error, "%s:0: buffer %s has no size; add bytes = N", name,
                     file->buffer[b].name);
            return -1;
        }
    }
    for (uint32_t a = 0; a < file->n_args; a++) {
        struct launch_buffer *buffer = file->arg[a].name[0]
                                           ? buffer_named(file, file->arg[a].name, false)
                                           : NULL;

        if (file->arg[a].name[0] && !buffer) {
            snprintf(error, n_error,
                     "%s:0: argument %u names buffer %s, which has no section; add "
                     "[buffer %s]",
                     name, a + 1, file->arg[a].name, file->arg[a].name);
            return -1;
        }
        file->arg[a].buffer = buffer ? (int)(buffer - file->buffer) : -1;
    }
    return 0;
}

int launch_file_parse(struct launch_file *out, const char *name, const char *text, char *error,
                      size_t n_error)
{
    *out = (struct launch_file){.grid = {1, 1, 1}, .block = {1, 1, 1}};
    if (ini_text_parse(name, text, take_entry, out, error, n_error) != 0) {
        return -1;
    }
    return check_whole(out, name, error, n_error);
}

int launch_file_read(struct launch_file *out, const char *path, char *error, size_t n_error)
{
    char *text = ini_text_load(path, error, n_error);
    int result;

    if (!text) {
        return -1;
    }
    result = launch_file_parse(out, path, text, error, n_error);
    free(text);
    return result;
}

/* ---- running it ---- */

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

int launch_file_run(struct launch_file *file, struct host *host, const char *module, char *error,
                    size_t n_error)
{
    struct host_arg args[LAUNCH_MAX_ARGS];

    error[0] = '\0';
    for (uint32_t b = 0; b < file->n_buffers; b++) {
        struct launch_buffer *buffer = &file->buffer[b];

        buffer->at = host_alloc(host, buffer->name, buffer->bytes, 256);
        if (buffer->init == LAUNCH_NONE) {
            host_undefine(host, buffer->at, buffer->bytes);
        }
        if (buffer->init == LAUNCH_FILE && fill_from_file(buffer, host, error, n_error) != 0) {
            return -1;
        }
        if (buffer->init == LAUNCH_IOTA || buffer->init == LAUNCH_RANDOM) {
            fill_words(buffer, host);
        }
    }
    for (uint32_t a = 0; a < file->n_args; a++) {
        args[a] = file->arg[a].buffer < 0 ? file->arg[a].value
                                          : host_arg_u64(file->buffer[file->arg[a].buffer].at);
    }
    host_launch(host, module, file->kernel, file->grid, file->block, file->shared_bytes, args,
                file->n_args);
    for (uint32_t b = 0; b < file->n_buffers && !host_error(host); b++) {
        if (file->buffer[b].dump[0] && dump(&file->buffer[b], host, error, n_error) != 0) {
            return -1;
        }
    }
    return 0;
}
