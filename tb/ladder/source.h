/* source.h - lines of the project's sources, to name points that lie in them. */
#ifndef WARPLOCK_TB_LADDER_SOURCE_H
#define WARPLOCK_TB_LADDER_SOURCE_H

enum { SOURCE_TEXT = 120 };

/* Line `number` of root/file without its indentation and its comment, cut to SOURCE_TEXT;
 * "" where there is none. */
void source_text(const char *root, const char *file, unsigned number, char *text);

#endif
