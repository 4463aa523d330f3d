/* config_file.h - the machine's configuration from INI files, which may rest on others.
 *
 * A file holds what is its own.  `base = NAME` above its first section makes it start from
 * another: the name of a configuration, or a path, from the file's folder, that ends in .ini.
 * It must not know which keys there are, nor where the configurations with names lie.
 */
#ifndef WARPLOCK_GPU_CONFIG_FILE_H
#define WARPLOCK_GPU_CONFIG_FILE_H

#include "machine/config/config.h"

enum { CONFIG_FILES = 8, CONFIG_PATH = 512 };

/* Where each value was written. */
struct config_origins {
    char files[CONFIG_FILES][CONFIG_PATH]; /* the file, its base, the base of that ... */
    size_t n_files;
    struct config_origin {
        size_t file;
        unsigned line; /* 0: nowhere, it stayed what it was */
    } of[CONFIG_KEYS];
};

/* Read an INI file and its bases over `config`; `folder` holds the configurations with names.
 * Returns 0; else -1 and `error` holds `file:line: what is wrong; remedy`.  Does not
 * cross-check.  `origins` may be NULL. */
int config_read(struct gpu_config *config, const char *path, const char *folder,
                struct config_origins *origins, char *error, size_t n_error);
/* The same for text in memory; `name` stands for its path. */
int config_read_text(struct gpu_config *config, const char *name, const char *text,
                     const char *folder, char *error, size_t n_error);

#endif
