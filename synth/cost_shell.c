/* cost_shell.c - see cost_shell.h. */
#include "synth/cost_shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"

enum { WORDS = 1400 };

static bool run(const struct cost_shell *shell, const char *command, char *last, size_t n_last,
                struct failure *failure)
{
    char line[1024], words[WORDS] = "", whole[COST_SHELL_COMMAND + 1024];
    last[0] = '\0';
    snprintf(whole, sizeof whole, "cd '%s' && export MAKEFLAGS= MAKELEVEL= && { %s; } 2>&1",
             shell->root, command);
    FILE *pipe = popen(whole, "r");
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        strncat(words, line, sizeof words - strlen(words) - 1);
        line[strcspn(line, "\n")] = '\0';
        snprintf(last, n_last, "%s", line);
    }
    if (pipe == NULL || pclose(pipe) != 0) {
        failure_set(failure, VERDICT_BUILD, "cannot be measured: %s", words);
        return false;
    }
    return true;
}

bool cost_shell_run(const struct cost_shell *shell, const char *command, const char *step,
                    char *last, size_t n_last, struct failure *failure)
{
    FILE *tell = step != NULL ? shell->tell : NULL;
    const double started = seconds_now();
    if (tell != NULL) {
        fprintf(tell, "%s ...", step);
        fflush(tell);
    }
    const bool good = run(shell, command, last, n_last, failure);
    const double seconds = seconds_now() - started;
    if (tell != NULL && seconds >= 1) {
        fprintf(tell, " %.0f s\n", seconds);
    } else if (tell != NULL) {
        fprintf(tell, "\r\033[K"); /* the line is empty again */
    }
    return good;
}
