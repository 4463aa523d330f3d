/* folder.h - the folder in which workers leave what they have run, until it is collected.
 *
 * A worker writes in `tmp` and renames into `done`: what lies there is whole, also on a file system
 * of a network.  Nobody but the collector opens the database. */
#ifndef WARPLOCK_SWEEP_FOLDER_H
#define WARPLOCK_SWEEP_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct folder {
    char path[PATH_MAX - 128];
    int lock;
};

/* `path` and what belongs into it, made where it is not there.  0, or -1 with one line. */
int folder_open(struct folder *folder, const char *path, char *error, size_t n_error);
/* One collector at a time: -1 with one line where another has it.  Released when the process ends,
 * however it ends. */
int folder_lock(struct folder *folder, char *error, size_t n_error);
void folder_close(struct folder *folder);

/* path/kind/name, cut at `n`. */
void folder_path(const struct folder *folder, const char *kind, const char *name, char *out,
                 size_t n);
/* A name in `tmp` that no other process has: it tells host and process. */
void folder_tmp(const struct folder *folder, const char *what, char *out, size_t n);
/* Removes from `tmp` and `running` what processes of this host left that are no more. */
void folder_sweep_out(const struct folder *folder);

#endif
