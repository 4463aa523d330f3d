/* no_model.c - in place of the C model of a unit that has none: its description alone, so that tables,
 * ports and cost work as for any other, and nothing can be run on it (tb/backend.c).
 *
 * Compiled with UNIT_TABLE, as the bindings are. */
#include "units/table.h"

const struct unit_backend *unit_backend(void);
__attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    static const struct unit_backend described = {.desc = &unit_desc, .name = "c"};
    return &described;
}
