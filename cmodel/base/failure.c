/* failure.c - see failure.h. */
#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

void *failure_set(struct failure *failure, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    failure->verdict = verdict;
    vsnprintf(failure->words, sizeof failure->words, format, args);
    va_end(args);
    return NULL;
}
