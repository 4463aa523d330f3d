/* made.c - records of what make has found up to date. */
#include "tb/made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct made made_of(const char *root, const char *unit, const char *set, const char *target)
{
    struct made made = {.known = true};
    const char *slash = strrchr(unit, '/'), *name = slash != NULL ? slash + 1 : unit;
    const int n = snprintf(made.path, sizeof made.path, "%s/build/units/%s/%s.%s.made", root, name,
                           set[0] != '\0' ? set : "standard", target);
    made.known = n > 0 && (size_t)n + 16 < sizeof made.path;
    for (char *at = made.path + strlen(root) + 1; made.known && *at != '\0'; at++) {
        *at = *at == ' ' ? '_' : *at;
    }
    return made;
}

static bool older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* A line without its end, or NULL. */
static char *next_line(char **line, size_t *room, FILE *file)
{
    if (getline(line, room, file) < 0) {
        return NULL;
    }
    (*line)[strcspn(*line, "\n")] = '\0';
    return *line;
}

bool made_stands(const struct made *made, const char *root, const char *target, char *where,
                 size_t n)
{
    struct stat record, input;
    FILE *file = made->known ? fopen(made->path, "re") : NULL;
    char *line = NULL, path[2 * PATH_MAX];
    size_t room = 0;
    bool stands = file != NULL && fstat(fileno(file), &record) == 0 &&
                  next_line(&line, &room, file) != NULL &&
                  snprintf(where, n, "%s", line) < (int)n &&
                  snprintf(path, sizeof path, "%s/%s/%s.so", root, where, target) <
                      (int)sizeof path &&
                  access(path, R_OK) == 0;
    bool some = false;
    while (stands && next_line(&line, &room, file) != NULL) {
        stands = snprintf(path, sizeof path, "%s/%s", root, line) < (int)sizeof path &&
                 stat(path, &input) == 0 && older(&input.st_mtim, &record.st_mtim);
        some = true;
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return stands && some;
}

/* A file beside the record, for the time and for writing. */
static FILE *beside(const struct made *made, char *path, size_t n)
{
    snprintf(path, n, "%s.%d", made->path, (int)getpid());
    return fopen(path, "we");
}

void made_begin(struct made *made)
{
    char path[PATH_MAX + 32];
    struct stat now;
    if (!made->known) {
        return;
    }
    snprintf(path, sizeof path, "%.*s", (int)(strrchr(made->path, '/') - made->path), made->path);
    mkdir(path, 0777);
    FILE *file = beside(made, path, sizeof path);
    made->known = file != NULL && fstat(fileno(file), &now) == 0;
    if (made->known) {
        made->begun = now.st_mtim;
    }
    if (file != NULL) {
        fclose(file);
        unlink(path);
    }
}

void made_finish(const struct made *made, const char *where, const char *inputs)
{
    char path[PATH_MAX + 32];
    FILE *file = made->known && where[0] != '\0' && inputs[0] != '\0'
                     ? beside(made, path, sizeof path)
                     : NULL;
    if (file == NULL) {
        return;
    }
    fprintf(file, "%s\n", where);
    for (const char *word = inputs + strspn(inputs, " "); *word != '\0';) {
        const size_t length = strcspn(word, " ");
        fprintf(file, "%.*s\n", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    const struct timespec times[2] = {made->begun, made->begun};
    bool good = fflush(file) == 0 && futimens(fileno(file), times) == 0;
    good = fclose(file) == 0 && good;
    if (!good || rename(path, made->path) != 0) {
        unlink(path);
    }
}
