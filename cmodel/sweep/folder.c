/* folder.c - see folder.h. */
#include "sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const kinds[] = {"", "tmp", "done", "running", "jobs"};

int folder_open(struct folder *folder, const char *path, char *error, size_t n_error)
{
    char full[PATH_MAX];
    *folder = (struct folder){.lock = -1};
    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path) {
        snprintf(error, n_error, "%.100s...: the path is too long", path);
        return -1;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        snprintf(full, sizeof full, "%s/%s", folder->path, kinds[k]);
        if (mkdir(full, 0777) != 0 && errno != EEXIST) {
            snprintf(error, n_error, "%s: %s; choose another place with --database", full,
                     strerror(errno));
            return -1;
        }
    }
    return 0;
}

int folder_lock(struct folder *folder, char *error, size_t n_error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/lock", folder->path);
    folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (folder->lock < 0 || flock(folder->lock, LOCK_EX | LOCK_NB) != 0) {
        snprintf(error, n_error, "%s: %s", path,
                 errno == EWOULDBLOCK ? "another sweep collects here; wait for it, or end it"
                                      : strerror(errno));
        return -1;
    }
    return 0;
}

void folder_close(struct folder *folder)
{
    if (folder->lock >= 0) {
        close(folder->lock);
    }
    folder->lock = -1;
}

void folder_path(const struct folder *folder, const char *kind, const char *name, char *out,
                 size_t n)
{
    snprintf(out, n, "%s/%s/%s", folder->path, kind, name);
}

static void host_name(char *out, size_t n)
{
    if (gethostname(out, n) != 0) {
        snprintf(out, n, "unknown");
    }
    out[n - 1] = '\0';
}

void folder_tmp(const struct folder *folder, const char *what, char *out, size_t n)
{
    char host[64], name[160];
    host_name(host, sizeof host);
    snprintf(name, sizeof name, "%s@%ld.%s", host, (long)getpid(), what);
    folder_path(folder, "tmp", name, out, n);
}

/* Dead, be it that nobody has asked yet how it ended: it writes nothing any more. */
static bool is_dead(long pid)
{
    char path[64], line[512] = "";
    if (kill((pid_t)pid, 0) != 0) {
        return errno == ESRCH;
    }
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    const char *end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    return end != NULL && (strncmp(end, ") Z", 3) == 0 || strncmp(end, ") X", 3) == 0);
}

static bool is_gone(const char *name, const char *host)
{
    const size_t n = strlen(host);
    if (strncmp(name, host, n) != 0 || name[n] != '@') {
        return false;
    }
    const long pid = strtol(name + n + 1, NULL, 10);
    return pid > 0 && is_dead(pid);
}

/* The first line of a mark in `running` is HOST@PID, which files of `tmp` have in their names. */
static bool mark_is_gone(const char *path, const char *host)
{
    char line[200] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return read && is_gone(line, host);
}

void folder_sweep_out(const struct folder *folder)
{
    char host[64], path[PATH_MAX];
    host_name(host, sizeof host);
    for (int running = 0; running < 2; running++) {
        const char *kind = running ? "running" : "tmp";
        folder_path(folder, kind, "", path, sizeof path);
        DIR *all = opendir(path);
        for (struct dirent *one; all != NULL && (one = readdir(all)) != NULL;) {
            folder_path(folder, kind, one->d_name, path, sizeof path);
            if (one->d_name[0] != '.' &&
                (running ? mark_is_gone(path, host) : is_gone(one->d_name, host))) {
                unlink(path);
            }
        }
        if (all != NULL) {
            closedir(all);
        }
    }
}
