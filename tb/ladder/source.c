/* source.c - lines of the project's sources, to name points that lie in them. */
#include "tb/ladder/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void source_text(const char *root, const char *file, unsigned number, char *text)
{
    char path[4300], *line = NULL;
    size_t cap = 0;
    snprintf(path, sizeof path, "%s/%s", root, file);
    FILE *from = fopen(path, "r");
    text[0] = '\0';
    for (unsigned i = 1; from != NULL && i <= number && getline(&line, &cap, from) >= 0; i++) {
        if (i == number) {
            char *comment = strstr(line, "//");
            if (comment != NULL) {
                *comment = '\0';
            }
            size_t length = strcspn(line, "\n");
            while (length > 0 && line[length - 1] == ' ') {
                length--;
            }
            line[length] = '\0';
            snprintf(text, SOURCE_TEXT, "%s", line + strspn(line, " "));
        }
    }
    free(line);
    if (from != NULL) {
        fclose(from);
    }
}
