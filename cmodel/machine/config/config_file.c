/* config_file.c - see config_file.h. */
#include "machine/config/config_file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/config/ini_text.h"

/* A file and its bases, the file first; and the one that is being read. */
struct chain {
    struct gpu_config *config;
    const char *folder;
    struct config_origins *origins;
    char *texts[CONFIG_FILES];
    size_t reading;
    char base[256];
    unsigned base_line; /* 0: it has none */
    unsigned lines[CONFIG_KEYS];
    char *error;
    size_t n_error;
};

static bool is_base(const char *section, const char *name)
{
    return !*section && !strcmp(name, "base");
}

static int find_base(void *user, const char *section, const char *name, const char *value,
                     unsigned line, char *why, size_t n_why)
{
    struct chain *chain = user;

    if (!is_base(section, name)) {
        return 0;
    }
    if (chain->base_line) {
        snprintf(why, n_why, "a second base, after that of line %u; keep one", chain->base_line);
        return -1;
    }
    snprintf(chain->base, sizeof chain->base, "%s", value);
    chain->base_line = line;
    return 0;
}

static int take_key(void *user, const char *section, const char *name, const char *value,
                    unsigned line, char *why, size_t n_why)
{
    struct chain *chain = user;
    int key;

    if (is_base(section, name)) {
        return 0;
    }
    key = config_assign(chain->config, section, name, value, why, n_why);
    if (key < 0) {
        return -1;
    }
    if (chain->lines[key]) {
        snprintf(why, n_why, "%s.%s stands in line %u already; keep one of the two", section, name,
                 chain->lines[key]);
        return -1;
    }
    chain->lines[key] = line;
    chain->origins->of[key] = (struct config_origin){chain->reading, line};
    return 0;
}

static int refuse_base(struct chain *chain, const char *why)
{
    snprintf(chain->error, chain->n_error, "%s:%u: base = %.60s: %s",
             chain->origins->files[chain->reading], chain->base_line, chain->base, why);
    return -1;
}

/* The path that the base's name stands for. */
static int place_base(struct chain *chain, char *path, size_t n_path)
{
    const char *base = chain->base, *from = chain->origins->files[chain->reading];
    const char *dot = strrchr(base, '.'), *slash = strrchr(from, '/');
    int n;

    if (!strpbrk(base, "/.")) {
        n = snprintf(path, n_path, "%s/%s.ini", chain->folder, base);
        if (n < 0 || (size_t)n >= n_path || access(path, R_OK) != 0) {
            return refuse_base(chain, "no configuration of that name; `warplock list "
                                      "configurations` shows all");
        }
        return 0;
    }
    if (!dot || strcmp(dot, ".ini") != 0) {
        return refuse_base(chain, "neither a name nor a path that ends in .ini; write one");
    }
    n = snprintf(path, n_path, "%.*s%s", *base == '/' || !slash ? 0 : (int)(slash - from) + 1, from,
                 base);
    if (n < 0 || (size_t)n >= n_path || access(path, R_OK) != 0) {
        return refuse_base(chain, "cannot be read; the path counts from this file's folder");
    }
    return 0;
}

static bool same_file(const char *a, const char *b)
{
    char real[2][PATH_MAX];

    return realpath(a, real[0]) && realpath(b, real[1]) && !strcmp(real[0], real[1]);
}

/* Load the base of the last file of the chain. */
static int follow(struct chain *chain)
{
    struct config_origins *origins = chain->origins;
    char path[CONFIG_PATH];

    if (place_base(chain, path, sizeof path) != 0) {
        return -1;
    }
    for (size_t f = 0; f < origins->n_files; f++) {
        if (same_file(path, origins->files[f])) {
            return refuse_base(chain, "it rests on this file, a circle; remove one of the bases");
        }
    }
    if (origins->n_files == CONFIG_FILES) {
        return refuse_base(chain, "too many bases under each other; merge some");
    }
    chain->texts[origins->n_files] = ini_text_load(path, chain->error, chain->n_error);
    memcpy(origins->files[origins->n_files], path, sizeof path);
    return chain->texts[origins->n_files++] ? 0 : -1;
}

/* Load all bases, then take the keys, those of the last base first. */
static int read_chain(struct chain *chain)
{
    struct config_origins *origins = chain->origins;

    for (chain->reading = 0; chain->reading < origins->n_files; chain->reading++) {
        chain->base_line = 0;
        if (ini_text_parse(origins->files[chain->reading], chain->texts[chain->reading], find_base,
                           chain, chain->error, chain->n_error) != 0 ||
            (chain->base_line && follow(chain) != 0)) {
            return -1;
        }
    }
    while (chain->reading-- > 0) {
        memset(chain->lines, 0, sizeof chain->lines);
        if (ini_text_parse(origins->files[chain->reading], chain->texts[chain->reading], take_key,
                           chain, chain->error, chain->n_error) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Takes over `text`. */
static int read_all(struct gpu_config *config, const char *path, char *text, const char *folder,
                    struct config_origins *origins, char *error, size_t n_error)
{
    struct config_origins unasked;
    struct chain chain = {.config = config,
                          .folder = folder,
                          .origins = origins ? origins : &unasked,
                          .texts = {text},
                          .error = error,
                          .n_error = n_error};
    int result = -1;

    *chain.origins = (struct config_origins){.n_files = 1};
    if (strlen(path) < CONFIG_PATH) {
        strcpy(chain.origins->files[0], path);
        result = read_chain(&chain);
    } else {
        snprintf(error, n_error, "%s:0: a path of %d characters or more; shorten it", path,
                 CONFIG_PATH);
    }
    for (size_t f = 0; f < chain.origins->n_files; f++) {
        free(chain.texts[f]);
    }
    return result;
}

int config_read_text(struct gpu_config *config, const char *name, const char *text,
                     const char *folder, char *error, size_t n_error)
{
    char *copy = strdup(text);

    if (!copy) {
        snprintf(error, n_error, "%s:0: out of memory; close other programs", name);
        return -1;
    }
    return read_all(config, name, copy, folder, NULL, error, n_error);
}

int config_read(struct gpu_config *config, const char *path, const char *folder,
                struct config_origins *origins, char *error, size_t n_error)
{
    char *text = ini_text_load(path, error, n_error);

    return text ? read_all(config, path, text, folder, origins, error, n_error) : -1;
}
