/* view.c - see view.h.
 *
 * Of a name that one side has, the view has a link; a folder that both have is a folder in the view
 * as well, in which the same holds.  A link that is right is left alone, and others are put in their
 * place by rename, so that several programs may refresh one view at the same time. */
#include "base/view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const view_rooms[] = {"rtl", "cmodel", "synth", "waves", "experiments", NULL};
static const char joined[] = "units.list"; /* the one file that both may have */

struct view {
    char *error;
    size_t n_error;
};

static int fail(struct view *view, const char *what, const char *path)
{
    snprintf(view->error, view->n_error, "%s: %s", path, what);
    return -1;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static int make_folder(struct view *view, const char *path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && !S_ISDIR(about.st_mode)) {
        unlink(path); /* a link, from when one side alone had it */
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : fail(view, strerror(errno), path);
}

static int remove_all(const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        return unlink(path);
    }
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char inside[PATH_MAX];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < PATH_MAX) {
            remove_all(inside);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return rmdir(path);
}

static int link_to(struct view *view, const char *path, const char *target)
{
    char now[PATH_MAX], fresh[PATH_MAX];
    const ssize_t length = readlink(path, now, sizeof now - 1);
    if (length >= 0 && (size_t)length == strlen(target) &&
        memcmp(now, target, (size_t)length) == 0) {
        return 0;
    }
    if (length < 0 && is_there(path)) {
        remove_all(path);
    }
    if (snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid()) >= PATH_MAX) {
        return fail(view, "too long a path", path);
    }
    unlink(fresh);
    return symlink(target, fresh) == 0 && rename(fresh, path) == 0
               ? 0
               : fail(view, strerror(errno), path);
}

/* The contents of `path` appended to `text`, which the caller frees; what cannot be read adds
 * nothing. */
static char *append_file(char *text, const char *path)
{
    FILE *from = fopen(path, "r");
    size_t used = text != NULL ? strlen(text) : 0;
    char block[4096];
    for (size_t n; from != NULL && (n = fread(block, 1, sizeof block, from)) > 0;) {
        char *longer = realloc(text, used + n + 2);
        if (longer == NULL) {
            break;
        }
        text = longer;
        memcpy(text + used, block, n);
        used += n;
        text[used] = '\0';
    }
    if (from != NULL) {
        fclose(from);
    }
    return text;
}

/* Both files, one after the other; written only when that is something else than what is there,
 * since make compares times. */
static int join_files(struct view *view, const char *path, const char *first, const char *second)
{
    char *both = append_file(append_file(NULL, first), second), *now = append_file(NULL, path);
    int status = 0;
    if (both == NULL || now == NULL || strcmp(both, now) != 0) {
        char fresh[PATH_MAX];
        snprintf(fresh, sizeof fresh, "%.4000s.%ld", path, (long)getpid());
        FILE *to = fopen(fresh, "w");
        const bool written = to != NULL && fputs(both != NULL ? both : "", to) >= 0;
        if ((to != NULL && fclose(to) != 0) || !written || rename(fresh, path) != 0) {
            status = fail(view, strerror(errno), path);
        }
    }
    free(both);
    free(now);
    return status;
}

static int merge(struct view *view, const char *path, const char *tree, const char *project);

/* What stands under `name` in one of the folders or in both. */
static int place(struct view *view, const char *path, const char *tree, const char *project,
                 const char *name)
{
    char to[PATH_MAX], of_tree[PATH_MAX], of_project[PATH_MAX];
    if (snprintf(to, sizeof to, "%s/%s", path, name) >= PATH_MAX - 32 ||
        snprintf(of_tree, sizeof of_tree, "%s/%s", tree, name) >= PATH_MAX ||
        snprintf(of_project, sizeof of_project, "%s/%s", project, name) >= PATH_MAX) {
        return fail(view, "too long a path", path);
    }
    if (!is_there(of_project)) {
        return link_to(view, to, of_tree);
    }
    if (!is_there(of_tree)) {
        return link_to(view, to, of_project);
    }
    if (is_folder(of_tree) && is_folder(of_project)) {
        return merge(view, to, of_tree, of_project);
    }
    if (strcmp(name, joined) == 0 && !is_folder(of_project)) {
        return join_files(view, to, of_tree, of_project);
    }
    return fail(view, "the tree has a file of that name, too; rename yours", of_project);
}

/* The names in a folder that are not hidden, each once handed to place(); names that the tree has
 * as well are left out for `other`. */
static int place_all(struct view *view, const char *path, const char *tree, const char *project,
                     const char *from, const char *other)
{
    DIR *folder = opendir(from);
    int status = 0;
    for (struct dirent *entry;
         status == 0 && folder != NULL && (entry = readdir(folder)) != NULL;) {
        char twin[PATH_MAX];
        const bool fits = snprintf(twin, sizeof twin, "%s/%s", other, entry->d_name) < PATH_MAX;
        if (entry->d_name[0] != '.' && !(from == project && fits && is_there(twin))) {
            status = place(view, path, tree, project, entry->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return status;
}

/* What was there once and is no longer. */
static void sweep(const char *path, const char *tree, const char *project)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char of_tree[PATH_MAX], of_project[PATH_MAX], own[PATH_MAX];
        if (entry->d_name[0] == '.' ||
            snprintf(of_tree, sizeof of_tree, "%s/%s", tree, entry->d_name) >= PATH_MAX ||
            snprintf(of_project, sizeof of_project, "%s/%s", project, entry->d_name) >= PATH_MAX ||
            snprintf(own, sizeof own, "%s/%s", path, entry->d_name) >= PATH_MAX) {
            continue;
        }
        if (!is_there(of_tree) && !is_there(of_project)) {
            remove_all(own);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static int merge(struct view *view, const char *path, const char *tree, const char *project)
{
    if (make_folder(view, path) != 0 || place_all(view, path, tree, project, tree, project) != 0 ||
        place_all(view, path, tree, project, project, tree) != 0) {
        return -1;
    }
    sweep(path, tree, project);
    return 0;
}

static bool is_room(const char *name)
{
    bool room = false;
    for (size_t i = 0; view_rooms[i] != NULL; i++) {
        room |= strcmp(view_rooms[i], name) == 0;
    }
    return room;
}

/* The programs that the tree has built, each where scripts look for it; what a project builds
 * stands beside them. */
static int link_programs(struct view *view, const char *tree, const char *build)
{
    static const char *const folders[] = {"", "/tools", "/verilated"};
    int status = make_folder(view, build);
    for (size_t i = 0; status == 0 && i < sizeof folders / sizeof *folders; i++) {
        char from[PATH_MAX], to[PATH_MAX];
        snprintf(from, sizeof from, "%.4000s/build%s", tree, folders[i]);
        snprintf(to, sizeof to, "%.4000s%s", build, folders[i]);
        DIR *folder = make_folder(view, to) == 0 ? opendir(from) : NULL;
        for (struct dirent *entry;
             status == 0 && folder != NULL && (entry = readdir(folder)) != NULL;) {
            char program[PATH_MAX + 256], link[PATH_MAX + 256];
            snprintf(program, sizeof program, "%s/%s", from, entry->d_name);
            snprintf(link, sizeof link, "%s/%s", to, entry->d_name);
            if (entry->d_name[0] != '.' && !is_folder(program)) {
                status = link_to(view, link, program);
            }
        }
        if (folder != NULL) {
            closedir(folder);
        }
    }
    return status;
}

/* One program at a time refreshes a view; the lock ends with the file that is returned. */
static int lock_view(const char *path)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%.4000s/.lock", path);
    const int lock = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock >= 0) {
        flock(lock, LOCK_EX);
    }
    return lock;
}

int view_make(const char *path, const char *tree, const char *project, const char *build,
              char *error, size_t n_error)
{
    struct view view = {error, n_error};
    char to[PATH_MAX], from[PATH_MAX], own[PATH_MAX];
    if (make_folder(&view, path) != 0) {
        return -1;
    }
    const int lock = lock_view(path);
    DIR *top = opendir(tree);
    int status = top != NULL ? 0 : fail(&view, strerror(errno), tree);
    for (struct dirent *entry; status == 0 && top != NULL && (entry = readdir(top)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] == '.' || strcmp(name, "build") == 0 ||
            snprintf(to, sizeof to, "%s/%s", path, name) >= PATH_MAX - 32 ||
            snprintf(from, sizeof from, "%s/%s", tree, name) >= PATH_MAX) {
            continue;
        }
        const bool both = project != NULL && is_room(name) &&
                          snprintf(own, sizeof own, "%s/%s", project, name) < PATH_MAX &&
                          is_folder(own);
        status = both ? merge(&view, to, from, own) : link_to(&view, to, from);
    }
    if (top != NULL) {
        closedir(top);
    }
    snprintf(to, sizeof to, "%.4000s/build", path);
    if (status == 0 && (link_programs(&view, tree, build) != 0 || link_to(&view, to, build) != 0)) {
        status = -1;
    }
    if (lock >= 0) {
        close(lock);
    }
    return status;
}
