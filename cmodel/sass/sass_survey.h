/* sass_survey.h - a whole trace looked through, kernel by kernel, without running it.
 *
 * Works on a command list or on the file of one kernel.  It must not know what is made of it.
 */
#ifndef WARPLOCK_SASS_SURVEY_H
#define WARPLOCK_SASS_SURVEY_H

#include "sass/sass_run.h"

/* Each returns 0, or -1 to stop; those that are NULL are left out. */
struct sass_survey {
    void *self;
    int (*copy)(void *self, uint64_t address, uint64_t bytes);
    int (*kernel)(void *self, const struct sass_kernel *kernel); /* after it was scanned */
    struct sass_pages *pages; /* optional: the pages touched, the caller's */
};

/* 0; or -1, and the error unless it was a function that stopped. */
int sass_survey(const char *path, const struct sass_scan_options *options,
                const struct sass_survey *survey, char *error, size_t n_error);

#endif
