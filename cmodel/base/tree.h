/* tree.h - the tree that the running program works in. */
#ifndef WARPLOCK_BASE_TREE_H
#define WARPLOCK_BASE_TREE_H

#include <stddef.h>

/* The environment's name for the tree that programs started by this one work in. */
#define TREE_VARIABLE "WARPLOCK_TREE"

/* What TREE_VARIABLE says, a project's view (base/view.h); else as tree_own. */
void tree_root(char *out, size_t n_out);
/* The folder that holds build/, where the program lies (build/warplock, build/tests/x), also when it
 * was started by a link to it; of a library that lies elsewhere the folder `warplock` beside it; "."
 * for a program that lies elsewhere. */
void tree_own(char *out, size_t n_out);

#endif
