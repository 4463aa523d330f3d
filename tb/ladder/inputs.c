/* inputs.c - what the result of a level depends on, as a hash (tb/ladder/inputs.sh). */
#include "tb/ladder/inputs.h"

#include <limits.h>
#include <stdio.h>

json_t *inputs_now(const char *root, const char *level, const char *unit)
{
    char command[PATH_MAX + 200], line[200], of[64], name[64], hash[64];
    json_t *inputs = json_object();
    snprintf(command, sizeof command, "'%s/tb/ladder/inputs.sh' %s %s", root,
             level != NULL ? level : "", unit != NULL ? unit : "");
    FILE *script = popen(command, "r");
    while (script != NULL && fgets(line, sizeof line, script) != NULL) {
        if (sscanf(line, "%63s %63s %63s", of, name, hash) == 3) {
            char key[130];
            snprintf(key, sizeof key, "%s %s", of, name);
            json_object_set_new(inputs, key, json_string(hash));
        }
    }
    if (script == NULL || pclose(script) != 0) {
        json_object_clear(inputs);
    }
    return inputs;
}

const char *inputs_hash(json_t *inputs, const char *level, const char *unit)
{
    char key[130];
    snprintf(key, sizeof key, "%s %s", level, unit);
    const char *hash = json_string_value(json_object_get(inputs, key));
    return hash != NULL ? hash : "";
}
