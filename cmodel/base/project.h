/* project.h - a user's own project: units, mechanisms, workloads and machines outside the tree.
 *
 * A project is a folder with the file warplock.project and the rooms that it adds to.  Entered, it is
 * laid over the tree (base/view.h), and every command, and every script that a command starts, finds
 * its files beside the tree's own. */
#ifndef WARPLOCK_BASE_PROJECT_H
#define WARPLOCK_BASE_PROJECT_H

#include <stddef.h>

#define PROJECT_FILE "warplock.project"
/* The environment's name for the project of programs that this one starts. */
#define PROJECT_VARIABLE "WARPLOCK_PROJECT"

/* And how the user called the first `warplock` of them. */
#define COMMAND_VARIABLE "WARPLOCK_COMMAND"

/* The root in which the units of the project in `folder` are found, and built (as below). */
int project_root(const char *folder, char *root, size_t n_root, char *error, size_t n_error);

/* Enter the project in `folder`: the environment then tells it to tree_root and to every program that
 * is started.  NULL: what PROJECT_VARIABLE names, else the current folder if it is
 * one, else none.  Without a project, a tree that cannot be written to (an installed one) gets a view
 * in the user's cache, where units are built.  0, or -1 with one line in `error`. */
int project_enter(const char *folder, char *error, size_t n_error);

/* How the user calls `warplock`, for commands that are printed: as it was called first, with --project
 * if the project is not the current folder. */
void project_command(char *out, size_t n_out);

/* The absolute path of the project that was entered; "" without one. */
void project_folder(char *out, size_t n_out);

#endif
