/* project.c - see project.h. */
#include "base/project.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/abi.h"
#include "base/tree.h"
#include "base/view.h"

/* The one key of PROJECT_FILE; 0 for any other, which ini_parse then gives the line of. */
static int take_key(void *abi, const char *section, const char *key, const char *value)
{
    char *end;
    *(long *)abi = strtol(value, &end, 10);
    return *section == '\0' && strcmp(key, "abi") == 0 && end != value && *end == '\0';
}

static int read_about(const char *project, char *error, size_t n_error)
{
    char path[PATH_MAX + 32];
    long abi = 0;
    snprintf(path, sizeof path, "%s/" PROJECT_FILE, project);
    struct stat about;
    const bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    const int wrong = folder ? 0 : ini_parse(path, take_key, &abi);
    if (folder) {
        snprintf(error, n_error, "%s: is a folder; it is a file that says abi = %d", path,
                 WARPLOCK_ABI);
    } else if (wrong < 0) {
        snprintf(error, n_error,
                 "%s: %s; a project has one: `warplock new unit NAME` makes a project", path,
                 strerror(errno));
    } else if (wrong > 0) {
        snprintf(error, n_error, "%s:%d: write abi = %d and no more", path, wrong, WARPLOCK_ABI);
    } else if (abi != WARPLOCK_ABI) {
        snprintf(error, n_error,
                 "%s: made for version %ld of the interface, this warplock has %d; see "
                 "docs/projects.md, then write abi = %d",
                 path, abi, WARPLOCK_ABI, WARPLOCK_ABI);
    } else {
        return 0;
    }
    return -1;
}

/* Shells and makes read the path between quotes. */
static int check_path(const char *path, char *error, size_t n_error)
{
    for (const char *c = path; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c) || strchr("'\"\\$`:#%", *c) != NULL || *c == ' ') {
            snprintf(error, n_error,
                     "a project cannot lie in a folder whose path has blanks, quotes or any of "
                     "\\ $ ` : # %%, which make reads otherwise; move it");
            return -1;
        }
    }
    return 0;
}

/* Make, shells and Yosys read the names of files as words.  What an editor has left is none of ours. */
static bool is_plain(const char *name)
{
    const char last = name[strlen(name) - 1];
    bool plain = name[0] != '-';
    for (const char *c = name; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 ||
                          strchr("._-+", *c) != NULL);
    }
    return plain || last == '~' || last == '#';
}

static bool is_folder(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* All names below a room of the project, links not followed. */
static int check_names(const char *folder, char *error, size_t n_error)
{
    DIR *room = opendir(folder);
    int status = 0;
    for (struct dirent *entry; status == 0 && room != NULL && (entry = readdir(room)) != NULL;) {
        char path[PATH_MAX];
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX) {
            continue;
        }
        if (!is_plain(entry->d_name)) {
            snprintf(error, n_error,
                     "%s: make reads such a name otherwise; use letters, digits and . _ - +", path);
            status = -1;
        } else if (is_folder(path)) {
            status = check_names(path, error, n_error);
        }
    }
    if (room != NULL) {
        closedir(room);
    }
    return status;
}

/* What of a project is laid over the tree can be: folders, and names that can be read. */
static int check_rooms(const char *project, char *error, size_t n_error)
{
    for (size_t i = 0; view_rooms[i] != NULL; i++) {
        char room[PATH_MAX + 32];
        struct stat about;
        snprintf(room, sizeof room, "%.4000s/%s", project, view_rooms[i]);
        if (stat(room, &about) == 0 && !S_ISDIR(about.st_mode)) {
            snprintf(error, n_error, "%s: is a file; in a project that name is a folder's", room);
            return -1;
        }
        if (check_names(room, error, n_error) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Where the view of a tree without a project is. */
static int cache_folder(const char *tree, char *out, size_t n_out, char *error, size_t n_error)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[PATH_MAX], name[PATH_MAX];
    if (cache != NULL && *cache == '/') {
        snprintf(folder, sizeof folder, "%s", cache);
    } else if (home != NULL && *home == '/') {
        snprintf(folder, sizeof folder, "%s/.cache", home);
    } else {
        snprintf(error, n_error, "%s cannot be written to, and there is no HOME for what is built",
                 tree);
        return -1;
    }
    mkdir(folder, 0777);
    snprintf(name, sizeof name, "%.3000s/warplock", folder);
    mkdir(name, 0777);
    snprintf(folder, sizeof folder, "%s", tree + 1);
    for (char *slash = folder; (slash = strchr(slash, '/')) != NULL;) {
        *slash = '-';
    }
    snprintf(out, n_out, "%.3000s/%.900s", name, folder);
    return 0;
}

/* The project's folder into `out`, "" for none. */
static void choose(const char *folder, char *out)
{
    const char *named = folder != NULL ? folder : getenv(PROJECT_VARIABLE);
    out[0] = '\0';
    if (named != NULL && *named != '\0') {
        if (realpath(named, out) == NULL) {
            snprintf(out, PATH_MAX, "%.4000s", named);
        }
    } else if (access(PROJECT_FILE, F_OK) == 0 && realpath(".", out) == NULL) {
        out[0] = '\0';
    }
}

/* The view, `build` and absolute path of the project in `folder`; or of none, where the tree itself
 * cannot be written to.  "" in `view`: the tree serves as it is. */
static int find_view(const char *tree, char *project, char *view, char *build, char *error,
                     size_t n_error)
{
    char place[PATH_MAX];
    snprintf(build, PATH_MAX, "%.4000s/build", tree);
    view[0] = '\0';
    if (project[0] != '\0') {
        snprintf(view, PATH_MAX, "%.4000s/.warplock", project);
        snprintf(build, PATH_MAX, "%.4000s/build", project);
        return check_path(project, error, n_error) != 0 ||
                       read_about(project, error, n_error) != 0 ||
                       check_rooms(project, error, n_error) != 0
                   ? -1
                   : 0;
    }
    if (access(build, W_OK) == 0) {
        return 0;
    }
    if (cache_folder(tree, place, sizeof place, error, n_error) != 0) {
        return -1;
    }
    mkdir(place, 0777);
    snprintf(view, PATH_MAX, "%.4000s/view", place);
    snprintf(build, PATH_MAX, "%.4000s/build", place);
    return 0;
}

int project_root(const char *folder, char *root, size_t n_root, char *error, size_t n_error)
{
    char project[PATH_MAX], own[PATH_MAX], tree[PATH_MAX], view[PATH_MAX], build[PATH_MAX];
    const char *inherited = getenv(TREE_VARIABLE);
    if (folder == NULL && inherited != NULL && *inherited != '\0') {
        snprintf(root, n_root, "%s", inherited); /* a program started from a view */
        return 0;
    }
    choose(folder, project);
    tree_own(own, sizeof own);
    if (realpath(own, tree) == NULL) {
        snprintf(error, n_error, "%s: %s", own, strerror(errno));
        return -1;
    }
    if (find_view(tree, project, view, build, error, n_error) != 0 ||
        (view[0] != '\0' &&
         view_make(view, tree, project[0] != '\0' ? project : NULL, build, error, n_error) != 0)) {
        return -1;
    }
    snprintf(root, n_root, "%s", view[0] != '\0' ? view : tree);
    return 0;
}

/* Programs that this one starts print what the user has typed, not how they were started. */
static void keep_command(const char *project)
{
    char here[PATH_MAX], command[2 * PATH_MAX + 32];
    if (strcmp(program_invocation_short_name, "warplock") != 0) {
        return;
    }
    const bool outside = *project != '\0' &&
                         (getcwd(here, sizeof here) == NULL || strcmp(here, project) != 0);
    snprintf(command, sizeof command, "%s%s%s", program_invocation_name,
             outside ? " --project " : "", outside ? project : "");
    setenv(COMMAND_VARIABLE, command, 0);
}

int project_enter(const char *folder, char *error, size_t n_error)
{
    char project[PATH_MAX], root[PATH_MAX];
    choose(folder, project);
    if (project_root(folder, root, sizeof root, error, n_error) != 0) {
        return -1;
    }
    setenv(TREE_VARIABLE, root, 1);
    setenv(PROJECT_VARIABLE, project, 1);
    keep_command(project);
    return 0;
}

void project_folder(char *out, size_t n_out)
{
    const char *project = getenv(PROJECT_VARIABLE);
    snprintf(out, n_out, "%s", project != NULL ? project : "");
}

void project_command(char *out, size_t n_out)
{
    const char *first = getenv(COMMAND_VARIABLE), *project = getenv(PROJECT_VARIABLE);
    snprintf(out, n_out, "%s",
             first != NULL                           ? first
             : project != NULL && project[0] != '\0' ? "warplock"
                                                     : "build/warplock");
}
