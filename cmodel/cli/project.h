/* project.h - a user's own project: units, mechanisms, workloads and machines outside the tree.
 *
 * A project is a folder with the file warplock.project and the rooms that it adds to.  Entered, it is
 * laid over the tree (base/view.h), and every command, and every script that a command starts, finds
 * its files beside the tree's own. */
#ifndef WARPLOCK_CLI_PROJECT_H
#define WARPLOCK_CLI_PROJECT_H

#include <stdbool.h>
#include <stddef.h>

#define PROJECT_FILE "warplock.project"
/* The environment's name for the project of programs that this one starts. */
#define PROJECT_VARIABLE "WARPLOCK_PROJECT"

/* Enter the project in `folder`; NULL: what PROJECT_VARIABLE names, else the current folder if it is
 * one, else none.  Without a project, a tree that cannot be written to (an installed one) gets a view
 * in the user's cache, where units are built.  0, or -1 with one line in `error`. */
int project_enter(const char *folder, char *error, size_t n_error);

/* The absolute path of the project that was entered; "" without one. */
void project_folder(char *out, size_t n_out);

/* Compile and load the mechanisms and workloads of the project, if it has any; they are then found
 * beside the program's own.  0, or -1 with one line in `error`. */
int project_load(char *error, size_t n_error);

#endif
