/* unit_list.c - see unit_list.h. */
#include "tb/unit_list.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* family/unit, in letters that a shell and make take as they are. */
static bool is_full_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t family = strspn(name, letters);
    const size_t unit = name[family] == '/' ? strspn(name + family + 1, letters) : 0;
    return family > 0 && unit > 0 && name[family + 1 + unit] == '\0';
}

/* A name is one unit's, whatever its family. */
static void note_twin(struct unit_list *list, const char *path, unsigned line)
{
    const char *name = strchr(list->name[list->n], '/') + 1;
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(strchr(list->name[i], '/') + 1, name) == 0) {
            snprintf(list->wrong, sizeof list->wrong,
                     "%s:%u: two units are named %s, this one and %s; rename one", path, line, name,
                     list->name[i]);
        }
    }
}

void unit_list_read(struct unit_list *list, const char *root)
{
    char path[PATH_MAX + 32], line[200], more[2];
    snprintf(path, sizeof path, "%s/cmodel/units/units.list", root);
    FILE *file = fopen(path, "r");
    for (unsigned number = 1;
         file != NULL && list->n < UNIT_LIST_MOST && fgets(line, sizeof line, file) != NULL;
         number++) {
        char *name = list->name[list->n];
        line[strcspn(line, "#\n")] = '\0';
        const int words = sscanf(line, "%95s %1s", name, more);
        if (words == 1 && is_full_name(name)) {
            note_twin(list, path, number);
            list->n++;
        } else if (words > 0) {
            snprintf(list->wrong, sizeof list->wrong,
                     "%s:%u: write family/unit and no more; parameter sets are rows of the file "
                     "<unit>.unit of the unit",
                     path, number);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

const char *unit_list_full_name(const struct unit_list *list, const char *unit)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *slash = strchr(list->name[i], '/');
        if (strcmp(list->name[i], unit) == 0 || (slash != NULL && strcmp(slash + 1, unit) == 0)) {
            return list->name[i];
        }
    }
    return NULL;
}

static bool is_there(const char *root, const char *below)
{
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/%s", root, below);
    return access(path, R_OK) == 0;
}

bool unit_list_has_file(const char *root, const char *below, struct failure *failure)
{
    if (is_there(root, below)) {
        return true;
    }
    failure_set(failure, VERDICT_USAGE,
                "%s: is not there; a unit has it (cmodel/units/unit_file.md), or no line in "
                "units.list",
                below);
    return false;
}

bool unit_list_has_rooms(const char *root, const char *name, struct failure *failure)
{
    char rtl[128], sv[128], table[256];
    snprintf(rtl, sizeof rtl, "rtl/%s.v", name);
    snprintf(sv, sizeof sv, "rtl/%s.sv", name);
    snprintf(table, sizeof table, "cmodel/units/%s/%s.ports.h", name, strrchr(name, '/') + 1);
    return (is_there(root, sv) || unit_list_has_file(root, rtl, failure)) &&
           unit_list_has_file(root, table, failure);
}
