/* tree.h - the tree of sources that the running program was built in. */
#ifndef WARPLOCK_BASE_TREE_H
#define WARPLOCK_BASE_TREE_H

#include <stddef.h>

/* The folder that holds build/, where the program lies (build/warplock, build/tests/x); "." for a
 * program that lies elsewhere. */
void tree_root(char *out, size_t n_out);

#endif
