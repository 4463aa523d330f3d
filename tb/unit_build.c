/* unit_build.c - see unit_build.h. */
#include "tb/unit_build.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb/made.h"

/* Run make: its last line of output (the folder) goes to `where`, and what it says of inputs into
 * the record. */
static bool run_make(const char *command, struct made *made, char *where, size_t n_where,
                     char *text, size_t n_text)
{
    made_begin(made);
    FILE *make = popen(command, "r");
    char *line = NULL, *inputs = NULL;
    size_t room = 0;
    text[0] = where[0] = '\0';
    while (make != NULL && getline(&line, &room, make) >= 0) {
        if (strncmp(line, "inputs ", 7) == 0) {
            free(inputs);
            inputs = strdup(line + 7);
            continue;
        }
        strncat(text, line, n_text - strlen(text) - 1);
        line[strcspn(line, "\n")] = '\0';
        snprintf(where, n_where, "%s", line);
    }
    const int status = make != NULL ? pclose(make) : -1;
    if (status == 0 && inputs != NULL) {
        inputs[strcspn(inputs, "\n")] = '\0';
        made_finish(made, where, inputs);
    }
    free(line);
    free(inputs);
    return status == 0;
}

/* One process at a time. */
bool unit_build(const char *root, const char *unit, const char *set, const char *target,
                char *where, size_t n_where, struct failure *failure)
{
    char command[PATH_MAX + 1024], lock_path[PATH_MAX + 128], text[1400];
    struct made made = made_of(root, unit, set, target);
    if (made_stands(&made, root, target, where, n_where)) {
        return true;
    }
    snprintf(lock_path, sizeof lock_path, "%s/build/units", root);
    mkdir(lock_path, 0777);
    snprintf(lock_path, sizeof lock_path, "%s/build/units/%s.lock", root, strrchr(unit, '/') + 1);
    const int lock = open(lock_path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock >= 0) {
        flock(lock, LOCK_EX);
    }
    snprintf(command, sizeof command,
             "MAKEFLAGS= MAKELEVEL= make -s -C '%s' -f tb/%s.mk UNIT=%s SET='%s' %s where 2>&1",
             root, strcmp(target, "rtl-open") == 0 ? "open" : "variant", unit, set, target);
    const bool good = run_make(command, &made, where, n_where, text, sizeof text);
    if (lock >= 0) {
        close(lock);
    }
    if (!good) {
        failure_set(failure, VERDICT_BUILD, "%s %s does not build (%s):\n%s", unit, set, target,
                    text);
    }
    return good;
}
