/* design.h - for build tools: a unit's description out of its c.so, and its RTL as Yosys
 * writes it (write_json).  Knows no unit. */
#ifndef WARPLOCK_TB_DESIGN_H
#define WARPLOCK_TB_DESIGN_H

#include <dlfcn.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "units/clocking.h"
#include "units/unit.h"

struct design_files {
    void *model;
    const struct unit_desc *desc;
    struct unit_clocking clocking;
    json_t *json;
};

/* False, with a line on stderr that begins with `tool`, when either cannot be read. */
static inline bool design_open(struct design_files *files, const char *tool, const char *model,
                               const char *json)
{
    char path[4200];
    json_error_t error;
    const struct unit_backend *(*get)(void) = NULL;
    snprintf(path, sizeof path, "%s%s", model[0] == '/' ? "" : "./", model);
    files->model = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (files->model != NULL) {
        *(void **)&get = dlsym(files->model, "unit_backend");
    }
    files->json = json_load_file(json, 0, &error);
    if (get == NULL || files->json == NULL) {
        fprintf(stderr, "%s: %s\n", tool, get == NULL ? dlerror() : error.text);
        return false;
    }
    files->desc = get()->desc;
    const struct unit_clocking *clocking = dlsym(files->model, "unit_clocking");
    files->clocking = clocking != NULL ? *clocking
                                       : (struct unit_clocking){"clk", "rst", false, false, false};
    return true;
}

static inline void design_close(struct design_files *files)
{
    json_decref(files->json);
    dlclose(files->model);
}

/* A parameter of a cell: Yosys writes numbers, or strings of 0 and 1. */
static inline uint64_t design_parameter(json_t *cell, const char *name)
{
    json_t *value = json_object_get(json_object_get(cell, "parameters"), name);
    uint64_t sum = json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
    for (const char *bit = json_string_value(value); bit != NULL && *bit != '\0'; bit++) {
        sum = sum * 2 + (*bit == '1');
    }
    return sum;
}

#endif
