/* cost_read.c - reads what Yosys and OpenSTA print.  It must not know units or claims. */
#include "synth/cost_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "   <type>   <count>" lines of Yosys' stat go to `take`; the depth is what ABC prints last. */
typedef void (*take_count)(void *user, const char *type, uint64_t n);

static FILE *open_in(const char *folder, const char *name, char *why, size_t n_why)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(why, n_why, "%s:1: cannot be read; run make again", path);
    }
    return file;
}

static void read_stat(FILE *file, take_count take, void *user, uint64_t *memory_bits,
                      uint64_t *depth)
{
    char line[1024], type[128];
    uint64_t n;
    bool cells = false;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *levels = strncmp(line, "ABC: ", 5) == 0 ? strstr(line, " lev = ") : NULL;
        if (sscanf(line, " Number of memory bits: %" SCNu64, &n) == 1 && memory_bits != NULL) {
            *memory_bits = n;
        } else if (strstr(line, "Number of cells:") != NULL) {
            cells = true;
        } else if (levels != NULL && depth != NULL) {
            *depth = strtoull(levels + 7, NULL, 10);
        } else if (line[0] == '\n' || line[0] != ' ') {
            cells = false;
        } else if (cells && sscanf(line, " %127s %" SCNu64, type, &n) == 2 && take != NULL) {
            take(user, type, n);
        }
    }
}

/* $dff_32, $sdffe_7: the width follows the type. */
static void take_storage(void *user, const char *type, uint64_t n)
{
    struct cost_counts *counts = user;
    const char *width = strrchr(type, '_');
    if (strstr(type, "dff") != NULL && width != NULL) {
        counts->ff_bits += n * strtoull(width + 1, NULL, 10);
    }
}

static void take_xor(void *user, const char *type, uint64_t n)
{
    struct cost_counts *counts = user;
    if (strcmp(type, "$_XOR_") == 0 || strcmp(type, "$_XNOR_") == 0) {
        counts->xor2 += n;
    }
}

/* $_AND_ as AND; flip-flops and cut memories are no gates. */
static void take_gate(void *user, const char *type, uint64_t n)
{
    struct cost_counts *counts = user;
    const size_t length = strlen(type);
    if (strncmp(type, "$_", 2) != 0 || strstr(type, "DFF") != NULL || length < 5 ||
        counts->n_types == COST_MAX_GATES) {
        return;
    }
    struct cost_gate *gate = &counts->gates[counts->n_types++];
    snprintf(gate->type, sizeof gate->type, "%.*s", (int)(length - 3), type + 2);
    gate->n = n;
    counts->n_gates += n;
}

/* Binary digits or decimal: Yosys writes both. */
static uint64_t parameter_value(const char *text)
{
    const char *quote = strchr(text, '\'');
    return quote != NULL ? strtoull(quote + 1, NULL, 2) : strtoull(text, NULL, 10);
}

static void read_memories(FILE *file, struct cost_counts *counts)
{
    char line[4096], name[64], value[256];
    struct cost_memory *memory = NULL;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, "cell $mem_v2") != NULL) {
            const bool room = counts->n_memories < COST_MAX_MEMORIES;
            memory = room ? &counts->memories[counts->n_memories++] : NULL;
        }
        if (memory == NULL || sscanf(line, " parameter \\%63s %255s", name, value) != 2) {
            continue;
        }
        if (strcmp(name, "MEMID") == 0) {
            const char *start = value + strspn(value, "\"\\");
            snprintf(memory->name, sizeof memory->name, "%.*s", (int)strcspn(start, "\""), start);
        } else if (strcmp(name, "SIZE") == 0) {
            memory->rows = parameter_value(value);
        } else if (strcmp(name, "WIDTH") == 0) {
            memory->width = parameter_value(value);
        } else if (strcmp(name, "RD_PORTS") == 0) {
            memory->read_ports = parameter_value(value);
        } else if (strcmp(name, "WR_PORTS") == 0) {
            memory->write_ports = parameter_value(value);
        }
    }
}

bool cost_read_storage(const char *folder, struct cost_counts *counts, char *why, size_t n_why)
{
    *counts = (struct cost_counts){0};
    snprintf(counts->folder, sizeof counts->folder, "%s", folder);
    FILE *storage = open_in(folder, "storage.txt", why, n_why);
    FILE *memories = open_in(folder, "memories.txt", why, n_why);
    const bool good = storage != NULL && memories != NULL;
    if (good) {
        read_stat(storage, take_storage, counts, &counts->memory_bits, NULL);
        read_memories(memories, counts);
    }
    if (storage != NULL) {
        fclose(storage);
    }
    if (memories != NULL) {
        fclose(memories);
    }
    return good;
}

bool cost_read_counts(const char *folder, struct cost_counts *counts, char *why, size_t n_why)
{
    static const char *const files[] = {"xor.txt", "gates.txt"};
    if (!cost_read_storage(folder, counts, why, n_why)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        FILE *file = open_in(folder, files[i], why, n_why);
        if (file == NULL) {
            return false;
        }
        if (i == 0) {
            read_stat(file, take_xor, counts, NULL, &counts->xor_depth);
        } else {
            read_stat(file, take_gate, counts, NULL, &counts->depth);
        }
        fclose(file);
    }
    return true;
}

bool cost_read_area(const char *path, double *area, uint64_t *cells)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    *area = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strstr(line, "Chip area for") != NULL ? strrchr(line, ':') : NULL;
        if (colon != NULL) {
            *area = strtod(colon + 1, NULL);
        }
        if (cells != NULL) {
            (void)sscanf(line, " Number of cells: %" SCNu64, cells);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* The first path of report_checks and the total of report_power, in watts. */
static void read_timing(FILE *file, struct cost_mapping *mapping)
{
    char line[1024];
    double number, setup_ps = 0, internal, switching, leakage_w;
    bool arrived = false, powered = false;
    while (!powered && fgets(line, sizeof line, file) != NULL) {
        if (!arrived && strstr(line, "data arrival time") != NULL &&
            sscanf(line, " %lf", &number) == 1) {
            mapping->delay_ps = number;
            arrived = true;
        } else if (strstr(line, "library setup time") != NULL &&
                   sscanf(line, " %lf", &number) == 1) {
            setup_ps = -number;
        } else if (sscanf(line, "Total %lf %lf %lf", &internal, &switching, &leakage_w) == 3) {
            mapping->leakage_nw = leakage_w * 1e9;
            powered = true;
        }
    }
    mapping->delay_ps += setup_ps;
}

bool cost_read_variant(const char *folder, struct cost_mapping *mapping, char *why, size_t n_why)
{
    char path[1024];
    *mapping = (struct cost_mapping){0};
    snprintf(path, sizeof path, "%s/area.txt", folder);
    FILE *file = cost_read_area(path, &mapping->area_um2, &mapping->cells)
                     ? open_in(folder, "timing.txt", why, n_why)
                     : NULL;
    if (file == NULL) {
        snprintf(why, n_why, "%s:1: no mapping there; run make again", folder);
        return false;
    }
    read_timing(file, mapping);
    fclose(file);
    return true;
}

bool cost_read_mapping(const char *folder, struct cost_mapping *mapping, char *why, size_t n_why)
{
    char path[1024];
    if (!cost_read_variant(folder, mapping, why, n_why)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/logic.txt", folder);
    if (!cost_read_area(path, &mapping->logic_um2, NULL)) {
        snprintf(why, n_why, "%s:1: cannot be read; run make again", path);
        return false;
    }
    FILE *script = open_in(folder, "script.txt", why, n_why);
    if (script != NULL) {
        char name[16] = "";
        mapping->for_speed = fgets(name, sizeof name, script) != NULL &&
                             strcmp(name, "speed\n") == 0;
        fclose(script);
    }
    return script != NULL;
}

bool cost_read_through(const char *path, double *delay_ps)
{
    FILE *file = fopen(path, "r");
    char line[1024], port[8];
    bool port_is_there = file != NULL, arrived = false;
    *delay_ps = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "no port %7s", port) == 1) {
            port_is_there = false;
        } else if (!arrived && strstr(line, "data arrival time") != NULL) {
            arrived = sscanf(line, " %lf", delay_ps) == 1;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return port_is_there;
}
