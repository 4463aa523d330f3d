/* seconds.h - a clock that only runs forward, for measuring how long something took. */
#ifndef WARPLOCK_BASE_SECONDS_H
#define WARPLOCK_BASE_SECONDS_H

#include <time.h>

static inline double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
