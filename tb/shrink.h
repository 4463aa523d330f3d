/* shrink.h - reduces a failing sequence to a short one that still fails. */
#ifndef WARPLOCK_TB_SHRINK_H
#define WARPLOCK_TB_SHRINK_H

#include "tb/sequence.h"

/* Reduces `sequence`, on which the pair `backend` differs, in place: removes
 * steps, then clears inputs, as long as it still differs, for at most `seconds`.
 * False, leaving it as it was, when it does not differ at all. */
bool shrink(const struct unit_backend *backend, struct sequence *sequence, double seconds);

#endif
