/* launch_file.c - launch files from text: see launch_file.h. */
#include "machine/host/launch_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/config/ini_text.h"

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

/* Room for one more of `size` bytes in an array of `n`; NULL when out of memory. */
static void *grow(void *array, size_t n, size_t size, char *why, size_t n_why)
{
    void *more = n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);

    if (!more) {
        snprintf(why, n_why, "out of memory");
    }
    return more;
}

static int set_text(char **text, const char *value, char *why, size_t n_why)
{
    free(*text);
    *text = strdup(value);
    if (!*text) {
        snprintf(why, n_why, "out of memory");
    }
    return *text ? 0 : -1;
}

/* The launch called `label`, made when its section is seen first. */
static struct launch_call *call_named(struct launch_file *file, const char *label, unsigned line,
                                      char *why, size_t n_why)
{
    struct launch_call *more, new = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .line = line};

    for (size_t c = 0; c < file->n_calls; c++) {
        if (!strcmp(file->call[c].label, label)) {
            return &file->call[c];
        }
    }
    more = grow(file->call, file->n_calls, sizeof *more, why, n_why);
    if (!more) {
        return NULL;
    }
    file->call = more;
    if (set_text(&new.label, label, why, n_why) != 0) {
        return NULL;
    }
    file->call[file->n_calls] = new;
    return &file->call[file->n_calls++];
}

static int take_launch(struct launch_call *call, const char *name, const char *value, char *why,
                       size_t n_why)
{
    uint64_t bytes;

    if (!strcmp(name, "kernel")) {
        return *value ? set_text(&call->kernel, value, why, n_why)
                      : bad(why, n_why, "kernel: give its name, not", value);
    }
    if (!strcmp(name, "grid")) {
        return shape(value, INT32_MAX, &call->grid) == 0
                   ? 0
                   : bad(why, n_why, "grid: write X, X,Y or X,Y,Z with numbers from 1, not", value);
    }
    if (!strcmp(name, "block")) {
        return shape(value, 1024, &call->block) == 0
                   ? 0
                   : bad(why, n_why, "block: write X, X,Y or X,Y,Z with numbers 1..1024, not",
                         value);
    }
    if (strcmp(name, "shared") != 0) {
        return bad(why, n_why, "unknown key of [launch]; use kernel, grid, block or shared, not",
                   name);
    }
    if (number(value, 0, 1 << 20, &bytes) != 0) {
        return bad(why, n_why, "shared: write bytes from 0 to 1048576, not", value);
    }
    call->shared_bytes = (uint32_t)bytes;
    return 0;
}

static int take_arg(struct launch_call *call, const char *value, unsigned line, char *why,
                    size_t n_why)
{
    size_t n_type = strcspn(value, " ");
    const char *rest = value + n_type + strspn(value + n_type, " ");
    struct launch_arg *more, new = {.line = line};
    char type[8] = "";

    if (n_type < sizeof type) {
        memcpy(type, value, n_type);
    }
    more = grow(call->arg, call->n_args, sizeof *more, why, n_why);
    if (!more) {
        return -1;
    }
    call->arg = more;
    if (!strcmp(type, "buffer") && *rest) {
        if (set_text(&new.buffer_name, rest, why, n_why) != 0) {
            return -1;
        }
    } else {
        new.value = launch_value(type, rest, &new.bytes);
        if (!new.value) {
            return bad(why, n_why,
                       "argument: write TYPE NUMBER (s8 to s64, u8 to u64, b8 to b64, f16, f32, "
                       "f64) that the type holds, bytes HEXADECIMAL, or buffer NAME, not",
                       value);
        }
    }
    call->arg[call->n_args++] = new;
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
    } else if (!strncmp(value, "file ", 5) && value[5]) {
        buffer->init = LAUNCH_FILE;
        return set_text(&buffer->file, value + 5, why, n_why);
    } else {
        return bad(why, n_why, "init: write zero, none, iota, random SEED or file PATH, not",
                   value);
    }
    return 0;
}

static struct launch_buffer *buffer_named(const struct launch_file *file, const char *name)
{
    for (size_t b = 0; b < file->n_buffers; b++) {
        if (!strcmp(file->buffer[b].name, name)) {
            return &file->buffer[b];
        }
    }
    return NULL;
}

static struct launch_buffer *new_buffer(struct launch_file *file, const char *name, unsigned line,
                                        char *why, size_t n_why)
{
    struct launch_buffer *more, new = {.init = LAUNCH_ZERO, .line = line};

    if (!*name) {
        bad(why, n_why, "a buffer needs a name; write [buffer NAME], not", "[buffer ]");
        return NULL;
    }
    more = grow(file->buffer, file->n_buffers, sizeof *more, why, n_why);
    if (!more) {
        return NULL;
    }
    file->buffer = more;
    if (set_text(&new.name, name, why, n_why) != 0) {
        return NULL;
    }
    file->buffer[file->n_buffers] = new;
    return &file->buffer[file->n_buffers++];
}

static int take_buffer(struct launch_buffer *buffer, const char *name, const char *value, char *why,
                       size_t n_why)
{
    if (!strcmp(name, "bytes")) {
        return number(value, 1, MAX_BUFFER_BYTES, &buffer->bytes) == 0
                   ? 0
                   : bad(why, n_why, "bytes: write a number from 1 to 4294967296, not", value);
    }
    if (!strcmp(name, "init")) {
        return take_init(buffer, value, why, n_why);
    }
    if (strcmp(name, "dump") != 0) {
        return bad(why, n_why, "unknown key of [buffer]; use bytes, init or dump, not", name);
    }
    return *value ? set_text(&buffer->dump, value, why, n_why)
                  : bad(why, n_why, "dump: write a path, not", value);
}

/* LABEL of a section `kind` or `kind LABEL`; NULL when it is another one. */
static const char *label_of(const char *section, const char *kind)
{
    size_t n = strlen(kind);

    return strncmp(section, kind, n) != 0 || (section[n] != 0 && section[n] != ' ') ? NULL
           : section[n] == 0                                                        ? section + n
                             : section + n + strspn(section + n, " ");
}

static int take_entry(void *user, const char *section, const char *name, const char *value,
                      unsigned line, char *why, size_t n_why)
{
    struct launch_file *file = user;
    const char *launched = label_of(section, "launch"), *given = label_of(section, "args");
    const char *named = label_of(section, "buffer");

    if (launched || given) {
        struct launch_call *call = call_named(file, launched ? launched : given, line, why, n_why);

        return !call      ? -1
               : launched ? take_launch(call, name, value, why, n_why)
                          : take_arg(call, value, line, why, n_why);
    }
    if (named) {
        struct launch_buffer *buffer = buffer_named(file, named);

        buffer = buffer ? buffer : new_buffer(file, named, line, why, n_why);
        return buffer ? take_buffer(buffer, name, value, why, n_why) : -1;
    }
    return bad(why, n_why,
               "unknown section; use [launch], [args], [launch LABEL], [args LABEL] or "
               "[buffer NAME], not",
               section);
}

/* ---- what can be seen only when all has been read ---- */

static int check_call(const struct launch_file *file, struct launch_call *call, char *error,
                      size_t n_error)
{
    const char *blank = call->label[0] ? " " : "";

    if (!call->kernel) {
        snprintf(error, n_error, "%s:%u: no kernel; add kernel = NAME to [launch%s%s]", file->name,
                 call->line, blank, call->label);
        return -1;
    }
    for (size_t a = 0; a < call->n_args; a++) {
        struct launch_arg *arg = &call->arg[a];
        const struct launch_buffer *buffer = arg->buffer_name ? buffer_named(file, arg->buffer_name)
                                                              : NULL;

        if (arg->buffer_name && !buffer) {
            snprintf(error, n_error,
                     "%s:%u: buffer %.60s has no section; add [buffer %.60s] with bytes = N",
                     file->name, arg->line, arg->buffer_name, arg->buffer_name);
            return -1;
        }
        arg->buffer = buffer ? (uint32_t)(buffer - file->buffer) : 0;
    }
    return 0;
}

static int check_whole(struct launch_file *file, char *error, size_t n_error)
{
    if (!file->n_calls) {
        snprintf(error, n_error, "%s:1: no kernel; add [launch] with kernel = NAME", file->name);
        return -1;
    }
    for (size_t b = 0; b < file->n_buffers; b++) {
        if (!file->buffer[b].bytes) {
            snprintf(error, n_error, "%s:%u: buffer %.60s has no size; add bytes = N", file->name,
                     file->buffer[b].line, file->buffer[b].name);
            return -1;
        }
    }
    for (size_t c = 0; c < file->n_calls; c++) {
        if (check_call(file, &file->call[c], error, n_error) != 0) {
            return -1;
        }
    }
    return 0;
}

int launch_file_parse(struct launch_file *out, const char *name, const char *text, char *error,
                      size_t n_error)
{
    *out = (struct launch_file){.name = strdup(name)};
    if (!out->name) {
        snprintf(error, n_error, "%s:1: out of memory", name);
        return -1;
    }
    if (ini_text_parse(name, text, take_entry, out, error, n_error) != 0) {
        return -1;
    }
    return check_whole(out, error, n_error);
}

int launch_file_read(struct launch_file *out, const char *path, char *error, size_t n_error)
{
    char *text = ini_text_load(path, error, n_error);
    int result;

    *out = (struct launch_file){0};
    if (!text) {
        return -1;
    }
    result = launch_file_parse(out, path, text, error, n_error);
    free(text);
    return result;
}

void launch_file_release(struct launch_file *file)
{
    for (size_t c = 0; c < file->n_calls; c++) {
        for (size_t a = 0; a < file->call[c].n_args; a++) {
            free(file->call[c].arg[a].value);
            free(file->call[c].arg[a].buffer_name);
        }
        free(file->call[c].arg);
        free(file->call[c].label);
        free(file->call[c].kernel);
    }
    for (size_t b = 0; b < file->n_buffers; b++) {
        free(file->buffer[b].name);
        free(file->buffer[b].file);
        free(file->buffer[b].dump);
    }
    free(file->call);
    free(file->buffer);
    free(file->name);
    *file = (struct launch_file){0};
}
