/* sass_reader_private.h - between the files of the reader. */
#ifndef WARPLOCK_SASS_READER_PRIVATE_H
#define WARPLOCK_SASS_READER_PRIVATE_H

#include "sass/sass_reader.h"

/* One line of a warp; `end` is where its blanks end.  0, or -1 and the error. */
int sass_reader_line(struct sass_reader *reader, const struct sass_sink *sink, const char *from,
                     const char *to, const char *end);

#endif
