/* verdict.h - how a run ends: one word and one exit status each, so that a
 * failed build never passes for a caught bug. */
#ifndef WARPLOCK_BASE_VERDICT_H
#define WARPLOCK_BASE_VERDICT_H

enum verdict {
    VERDICT_PASS = 0,
    VERDICT_MISMATCH = 1, /* two sides, or a side and a vector, differ */
    VERDICT_USAGE = 2,    /* bad option, file or parameter */
    VERDICT_STUCK = 3,    /* no progress */
    VERDICT_ASSERT = 4,   /* an assertion of the RTL or of the simulator failed */
    VERDICT_LIMIT = 5,    /* a limit of time, steps or memory was reached */
    VERDICT_BUILD = 6     /* a unit could not be built */
};

static inline const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"PASS",   "MISMATCH", "USAGE", "STUCK",
                                        "ASSERT", "LIMIT",    "BUILD"};
    return words[verdict];
}

#endif
