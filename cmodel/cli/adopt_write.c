/* adopt_write.c - see adopt_write.h. */
#include "cli/adopt_write.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/abi.h"
#include "base/tree.h"
#include "cli/adopt_tools.h"
#include "cli/project_files.h"

enum { WORD_BITS = 64, STEPS = 16 };

/* Elements of a row: the widest that make up `width` and are no wider than a word. */
static unsigned element_of(unsigned width)
{
    unsigned element = width < WORD_BITS ? width : WORD_BITS;
    while (element > 1 && width % element != 0) {
        element--;
    }
    return element;
}

static void write_port(FILE *to, const struct adopt_port *p)
{
    const unsigned element = element_of(p->width);
    const char *when = p->from_inputs ? "COMB" : "REG";
    fprintf(to, "%s%s(%s, %u", p->output ? "OUT" : "IN", element < p->width ? "_ARRAY" : "",
            p->name, element);
    if (element < p->width) {
        fprintf(to, ", %u", p->width / element);
    }
    if (p->output) {
        fprintf(to, ", %s, ALWAYS, \"\")\n", when);
    } else {
        fprintf(to, ", ANY, \"\")\n");
    }
}

/* "g[0].key" as an identifier, g_0_key. */
static void put_identifier(FILE *to, const char *path)
{
    bool last = true;
    for (; *path != '\0'; path++) {
        if (isalnum((unsigned char)*path)) {
            fputc(*path, to);
            last = false;
        } else if (!last && path[1] != '\0') {
            fputc('_', to);
            last = true;
        }
    }
}

/* AT(g__BRA__0__KET__, key). */
static void put_place(FILE *to, const char *path)
{
    const char *last = strrchr(path, '.');
    fputs("AT(", to);
    for (const char *at = path; *at != '\0'; at++) {
        const char *as = at == last   ? ", "
                         : *at == '.' ? "__DOT__"
                         : *at == '[' ? "__BRA__"
                         : *at == ']' ? "__KET__"
                                      : NULL;
        if (as != NULL) {
            fputs(as, to);
        } else {
            fputc(*at, to);
        }
    }
    fputc(')', to);
}

/* A memory is an array, and so is what has a guard of its own. */
static void write_state(FILE *to, const struct adopt_state *s)
{
    const unsigned element = element_of(s->width), depth = s->width / element * s->words;
    const bool array = depth > 1 || !s->is_reset;
    fputs(array ? "STATE_ARRAY(" : "STATE(", to);
    put_identifier(to, s->path);
    fprintf(to, ", %u", element);
    if (array) {
        fprintf(to, ", %u", depth);
    }
    fputs(", ", to);
    put_place(to, s->path);
    fprintf(to, ", CLAIMED, %s\"\")\n", !array ? "" : s->is_reset ? "ALWAYS, " : "UNRESET, ");
}

/* The rows of the table behind UNIT, to be freed. */
static char *rows_of(const struct adopt_module *m)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < m->n_params; i++) {
        fprintf(to, "PARAM(%s, %" PRId64 ", %" PRId64 ", %" PRId64 ", \"\")\n", m->params[i].name,
                m->params[i].value, m->params[i].value, m->params[i].value);
    }
    if (m->n_state > 0) {
        fprintf(to, "CLOCK(%s, %s)\n", m->clock, m->falling ? "FALLING" : "RISING");
        fprintf(to, "RESET(%s, %s, %s)\n", m->reset, m->low ? "LOW" : "HIGH",
                m->asynchronous ? "ASYNCHRONOUS" : "SYNCHRONOUS");
    }
    for (size_t i = 0; i < m->n_ports; i++) {
        write_port(to, &m->ports[i]);
    }
    for (size_t i = 0; i < m->n_state; i++) {
        write_state(to, &m->state[i]);
    }
    fclose(to);
    text[n > 0 ? n - 1 : 0] = '\0'; /* the template ends the line */
    return text;
}

/* Steps in which every input changes, inputs of one bit at rates of their own. */
static char *steps_of(const struct adopt_module *m)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to == NULL) {
        return NULL;
    }
    fputs(m->n_state > 0 ? "rst\n" : "", to);
    for (unsigned step = 0; step < STEPS; step++) {
        fputs("step", to);
        unsigned rate = 0;
        for (size_t i = 0; i < m->n_ports; i++) {
            const struct adopt_port *p = &m->ports[i];
            const unsigned element = element_of(p->width);
            if (p->output || element < p->width) {
                continue;
            }
            const uint64_t mask = element == WORD_BITS ? UINT64_MAX : (UINT64_C(1) << element) - 1;
            const uint64_t value = element == 1 ? step >> rate % 4
                                                : (step + rate) * UINT64_C(0x9E5);
            fprintf(to, " %s=%" PRIu64, p->name, value & mask);
            rate++;
        }
        fputs("\n", to);
    }
    fclose(to);
    text[n - 1] = '\0';
    return text;
}

/* The file's name as a comment and a string may have it. */
static void plain_name(const char *file, char *out, size_t n)
{
    const char *slash = strrchr(file, '/');
    snprintf(out, n, "%s", slash != NULL ? slash + 1 : file);
    for (char *c = out; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) || *c == '.' || *c == '-' ? *c : '_';
    }
}

/* Byte for byte to a path where nothing may be. */
static int copy_file(const char *file, const char *path, char *error, size_t n_error)
{
    char block[4096];
    FILE *from = fopen(file, "r"), *to = from != NULL ? fopen(path, "wx") : NULL;
    bool good = to != NULL;
    for (size_t n; good && (n = fread(block, 1, sizeof block, from)) > 0;) {
        good = fwrite(block, 1, n, to) == n;
    }
    if (!good) {
        snprintf(error, n_error, "%s: %s", from != NULL ? path : file, strerror(errno));
    }
    if (from != NULL) {
        fclose(from);
    }
    good = (to == NULL || fclose(to) == 0) && good;
    return good ? 0 : -1;
}

/* The RTL as it is: the file with the module under its name, others under theirs. */
static int copy_rtl(const struct adopt_module *m, const struct adopt_sources *sources,
                    const char *family, const char *project, char *error, size_t n_error)
{
    char folder[PATH_MAX + 128], path[PATH_MAX + 400], plain[128];
    snprintf(folder, sizeof folder, "%s/rtl", project);
    mkdir(folder, 0777);
    snprintf(folder, sizeof folder, "%s/rtl/%s", project, family);
    mkdir(folder, 0777);
    for (size_t i = 0; i < sources->n_files; i++) {
        const char *file = sources->files[i];
        plain_name(file, plain, sizeof plain);
        if (i == sources->top) {
            snprintf(plain, sizeof plain, "%.100s%s", m->name,
                     adopt_tools_is_sv(file) ? ".sv" : ".v");
        }
        snprintf(path, sizeof path, "%s/%s", folder, plain);
        if (copy_file(file, path, error, n_error) != 0) {
            return -1;
        }
        printf("  rtl/%s/%s\n", family, plain);
    }
    return 0;
}

int adopt_write(const struct adopt_module *module, const struct adopt_sources *sources,
                const char *family, char *project, char *error, size_t n_error)
{
    char root[PATH_MAX], from[PATH_MAX + 64], abi[16], plain[128];
    char *rows = rows_of(module), *steps = steps_of(module);
    int status = -1;
    tree_root(root, sizeof root);
    snprintf(from, sizeof from, "%s/tb/templates/adopted", root);
    snprintf(abi, sizeof abi, "%d", WARPLOCK_ABI);
    plain_name(sources->files[sources->top], plain, sizeof plain);
    const struct template_word words[] = {
        {"name", module->name},
        {"family", family},
        {"abi", abi},
        {"file", plain},
        {"kind", module->n_state > 0 ? "SEQUENTIAL" : "COMBINATIONAL"},
        {"rows", rows != NULL ? rows : ""},
        {"steps", steps != NULL ? steps : ""}};
    const size_t n_words = sizeof words / sizeof *words;
    if (rows == NULL || steps == NULL) {
        snprintf(error, n_error, "out of memory");
    } else if (project_begin(module->name, words, n_words, project, error, n_error) == 0 &&
               template_write(from, project, words, n_words, error, n_error) == 0 &&
               copy_rtl(module, sources, family, project, error, n_error) == 0) {
        status = project_add_unit(project, family, module->name, error, n_error);
    }
    free(rows);
    free(steps);
    return status;
}
