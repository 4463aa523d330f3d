/* script.h - commands that are scripts of the tree (cli/cmd_script.c). */
#ifndef WARPLOCK_CLI_SCRIPT_H
#define WARPLOCK_CLI_SCRIPT_H

/* Become the script of the tree or of the project's view, at its root: `first`, if any, then the words
 * behind argv[0] are its arguments.  Returns only when that fails, with an exit status. */
int script_become(const char *script, const char *first, int argc, char **argv);

#endif
