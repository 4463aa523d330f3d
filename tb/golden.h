/* golden.h - a unit's executable reference as a backend.
 *
 * A reference is a class in `<unit>.golden.py`, written from the spec's words alone, without a
 * look at the C model or the RTL: it works on lists and dictionaries, has no state that could be
 * compared, and answers with the outputs of every step.  What C model and RTL have in common by
 * one reading of the spec shows against it.  Every instance is a Python process of its own
 * (tb/golden/serve.py).  Knows no unit. */
#ifndef WARPLOCK_TB_GOLDEN_H
#define WARPLOCK_TB_GOLDEN_H

#include "units/unit.h"

/* The reference in `file` at the parameters of `desc`, which must outlive it; `root` is the
 * project's folder.  NULL when memory is out.  A reference that fails says why on stderr, and from
 * then on answers with all ones. */
struct unit_backend *golden_backend_new(const struct unit_desc *desc, const char *root,
                                        const char *file);
void golden_backend_free(struct unit_backend *backend);
bool golden_is(const struct unit_backend *backend);

#endif
