/* shell.h - words of a command for a POSIX shell. */
#ifndef WARPLOCK_SWEEP_SHELL_H
#define WARPLOCK_SWEEP_SHELL_H

#include <stdio.h>

/* In quotes where it needs them, so that the shell reads this word and nothing else. */
void shell_word(FILE *out, const char *word);

#endif
