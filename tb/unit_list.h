/* unit_list.h - the names in cmodel/units/units.list, and whether a unit's folder has what it must.
 * It builds and loads nothing. */
#ifndef WARPLOCK_TB_UNIT_LIST_H
#define WARPLOCK_TB_UNIT_LIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"

enum { UNIT_LIST_MOST = 256 };

struct unit_list {
    char name[UNIT_LIST_MOST][96]; /* family/unit, in file order */
    size_t n;
    char wrong[PATH_MAX + 200]; /* with the file, for whoever asks for a unit; "" for nothing */
};

/* Lines of family/unit into an empty list. */
void unit_list_read(struct unit_list *list, const char *root);
/* "family/unit" of a unit's name with or without its family; NULL when there is none. */
const char *unit_list_full_name(const struct unit_list *list, const char *unit);
/* A file that a unit must have, by its path below `root`; false with USAGE. */
bool unit_list_has_file(const char *root, const char *below, struct failure *failure);
/* RTL and table are there; false with USAGE. */
bool unit_list_has_rooms(const char *root, const char *name, struct failure *failure);

#endif
