/* wave.c - an FST file being written, through GTKWave's own writer. */
#include "tb/wave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"

struct signal {
    fstHandle handle;
    unsigned width;
    bool known;
    uint64_t value; /* last written */
};

struct wave {
    void *fst;
    struct wave_window window;
    struct signal *signals; /* number - 1 */
    uint32_t n_signals, max_signals;
    bool any_time;
    uint64_t time;
};

/* The writer wants values as text, most significant bit first. */
static void bits_of(char bits[65], uint64_t value, unsigned width)
{
    for (unsigned bit = 0; bit < width; bit++) {
        bits[bit] = (char)('0' + (value >> (width - 1 - bit) & 1));
    }
    bits[width] = '\0';
}

struct wave *wave_open(const char *path, const char *timescale, struct wave_window window)
{
    struct wave *wave = calloc(1, sizeof *wave);
    if (wave == NULL || (wave->fst = fstWriterCreate(path, 1)) == NULL) {
        free(wave);
        return NULL;
    }
    wave->window = window;
    fstWriterSetPackType(wave->fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(wave->fst, timescale);
    return wave;
}

bool wave_close(struct wave *wave, uint64_t end)
{
    fstWriterEmitTimeChange(wave->fst, end > wave->time ? end : wave->time + 1);
    const bool whole = !fstWriterGetDumpSizeLimitReached(wave->fst) &&
                       !fstWriterGetFseekFailed(wave->fst);
    fstWriterClose(wave->fst);
    free(wave->signals);
    free(wave);
    return whole;
}

uint32_t wave_names(struct wave *wave, const char *title, unsigned width,
                    const struct wave_name *names, unsigned n)
{
    const char **literal = calloc(n + 1, sizeof *literal), **value = calloc(n + 1, sizeof *value);
    char(*text)[65] = calloc(n + 1, sizeof *text);
    uint32_t table = 0;
    if (n > 0 && literal != NULL && value != NULL && text != NULL) {
        for (unsigned i = 0; i < n; i++) {
            bits_of(text[i], names[i].value, width);
            literal[i] = names[i].name;
            value[i] = text[i];
        }
        table = fstWriterCreateEnumTable(wave->fst, title, n, width, literal, value);
    }
    free(literal);
    free(value);
    free(text);
    return table;
}

void wave_enter(struct wave *wave, const char *scope)
{
    fstWriterSetScope(wave->fst, FST_ST_VCD_MODULE, scope, NULL);
}

void wave_leave(struct wave *wave)
{
    fstWriterSetUpscope(wave->fst);
}

/* How many bytes of both paths are the same whole scopes. */
static size_t common(const char *a, const char *b)
{
    size_t whole = 0;
    for (size_t i = 0;; i++) {
        const bool end_a = a[i] == '\0' || a[i] == '.', end_b = b[i] == '\0' || b[i] == '.';
        if (end_a && end_b) {
            whole = i;
        }
        if (a[i] != b[i] || a[i] == '\0') {
            return whole;
        }
    }
}

static unsigned scopes_in(const char *path)
{
    unsigned n = *path != '\0' && *path != '.';
    for (; *path != '\0'; path++) {
        n += *path == '.';
    }
    return n;
}

void wave_go_to(struct wave *wave, const char *path, const char *name)
{
    const size_t same = common(path, name);
    for (unsigned n = scopes_in(path + same); n > 0; n--) {
        wave_leave(wave);
    }
    for (const char *at = name + same; *at != '\0';) {
        char scope[128];
        at += *at == '.';
        const size_t length = strcspn(at, ".");
        snprintf(scope, sizeof scope, "%.*s", (int)length, at);
        if (length > 0) {
            wave_enter(wave, scope);
        }
        at += length;
    }
}

uint32_t wave_declare(struct wave *wave, const char *name, unsigned width, uint32_t names)
{
    if (wave->n_signals == wave->max_signals) {
        const uint32_t max = 2 * wave->max_signals + 256;
        struct signal *more = realloc(wave->signals, max * sizeof *more);
        if (more == NULL) {
            return 0;
        }
        wave->signals = more;
        wave->max_signals = max;
    }
    char ranged[192];
    if (width > 1) {
        snprintf(ranged, sizeof ranged, "%s [%u:0]", name, width - 1);
        name = ranged;
    }
    if (names != 0) {
        fstWriterEmitEnumTableRef(wave->fst, names);
    }
    wave->signals[wave->n_signals++] = (struct signal){
        fstWriterCreateVar(wave->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0), width,
        false, 0};
    return wave->n_signals;
}

bool wave_shows(const struct wave *wave, uint64_t position)
{
    return position >= wave->window.from && position <= wave->window.to;
}

uint64_t wave_time(struct wave *wave, uint64_t time)
{
    if (!wave->any_time || time > wave->time) {
        fstWriterEmitTimeChange(wave->fst, time);
        wave->time = time;
        wave->any_time = true;
    }
    return wave->time;
}

void wave_emit(struct wave *wave, uint32_t signal, uint64_t value)
{
    if (signal == 0) {
        return;
    }
    struct signal *s = &wave->signals[signal - 1];
    if (s->known && s->value == value) {
        return;
    }
    char bits[65];
    bits_of(bits, value, s->width);
    fstWriterEmitValueChange(wave->fst, s->handle, bits);
    s->known = true;
    s->value = value;
}
