/* mutant_list.h - the mutants of a unit as Yosys lists them, with names people can read. */
#ifndef WARPLOCK_TB_LADDER_MUTANT_LIST_H
#define WARPLOCK_TB_LADDER_MUTANT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* One line of mutate -list. */
struct mutant {
    char mode[8];    /* inv const0 const1 cnot0 cnot1 */
    char source[96]; /* rtl/family/file.v:LINE of the code that was changed */
    /* "file.v mode operator.pin[bit] signal[bit]: the source line": does not change while
     * that line and its names stay. */
    char name[320];
};

struct mutant_list {
    struct mutant *mutants;
    size_t n;
};

/* Reads `path`; source lines come from below `root`.  False when it cannot be read. */
bool mutant_list_read(struct mutant_list *list, const char *path, const char *root);
void mutant_list_free(struct mutant_list *list);

#endif
