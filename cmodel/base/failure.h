/* failure.h - why something could not be done: a verdict and a sentence. */
#ifndef WARPLOCK_BASE_FAILURE_H
#define WARPLOCK_BASE_FAILURE_H

#include "base/verdict.h"

struct failure {
    enum verdict verdict; /* PASS while nothing failed */
    char words[2048];
};

/* Always NULL, for functions that return a pointer. */
void *failure_set(struct failure *failure, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
