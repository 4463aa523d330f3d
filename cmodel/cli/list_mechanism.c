/* list_mechanism.c - see list_mechanism.h.  Options are in the descriptor; parameters of units are
 * in the tables of their C models, built when they are not. */
#include "cli/list_mechanism.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/backend.h"

enum { NAME_WIDTH = 26 };

/* The word at a position of "a|b|c". */
static void word_of(const char *words, int64_t position, char *out, size_t n)
{
    for (; position > 0 && strchr(words, '|') != NULL; position--) {
        words = strchr(words, '|') + 1;
    }
    snprintf(out, n, "%.*s", (int)strcspn(words, "|"), words);
}

/* What an option takes, and its standard. */
static void values_of(const struct mechanism_option *option, char *takes, size_t n_takes,
                      char *standard, size_t n_standard)
{
    if (option->kind == OPTION_WORD) {
        snprintf(takes, n_takes, "%s", option->words);
        word_of(option->words, option->standard, standard, n_standard);
        return;
    }
    snprintf(takes, n_takes, "%s%" PRId64 " to %" PRId64,
             option->kind == OPTION_POWER_OF_TWO ? "a power of two, " : "", option->least,
             option->greatest);
    snprintf(standard, n_standard, "%" PRId64, option->standard);
}

static void print_setting(const char *name, const char *takes, const char *meaning,
                          const char *section)
{
    printf("  %-*s %s%s%s\n  %-*s (%s)\n", NAME_WIDTH, name, meaning, section != NULL ? "; " : "",
           section != NULL ? section : "", NAME_WIDTH, "", takes);
}

static void print_options(const struct mechanism *mechanism)
{
    for (size_t i = 0; i < mechanism->n_options; i++) {
        const struct mechanism_option *option = &mechanism->options[i];
        char takes[160], standard[64], name[96];
        values_of(option, takes, sizeof takes, standard, sizeof standard);
        snprintf(name, sizeof name, "%s=%s", option->name, standard);
        print_setting(name, takes, option->meaning, option->section);
    }
}

/* The parameter as it is written behind a mechanism's name: in small letters. */
static void setting_name(const struct mechanism_part *part, const struct unit_param *param,
                         char *out, size_t n)
{
    size_t used = (size_t)snprintf(out, n, "%s.", part->role);
    for (const char *at = param->name; *at != '\0' && used + 1 < n; at++) {
        out[used++] = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    }
    snprintf(out + used, n - used, "=%" PRId64, param->standard);
}

static void takes_of(const struct unit_param *param, char *out, size_t n)
{
    snprintf(out, n, "%s%" PRId64 " to %" PRId64, param->power_of_two ? "a power of two, " : "",
             param->least, param->greatest);
}

static void print_part(struct library *library, const struct mechanism_part *part)
{
    struct failure failure;
    const struct unit_desc *desc = library_desc(library, part->unit, "", &failure);
    printf("\n%s: unit %s%s%s\n", part->role, part->unit, desc != NULL ? ", " : "",
           desc != NULL ? desc->title : "; it does not build");
    for (unsigned p = 0; desc != NULL && p < desc->n_params; p++) {
        const struct unit_param *param = &desc->params[p];
        char takes[96], name[96];
        setting_name(part, param, name, sizeof name);
        takes_of(param, takes, sizeof takes);
        print_setting(name, takes, param->doc, NULL);
    }
}

static void print_all(struct library *library, const struct mechanism *mechanism)
{
    printf("%s - %s\n%s %s\n", mechanism->name, mechanism->title, mechanism->document,
           mechanism->section);
    if (mechanism->memory_model != NULL) {
        printf("memory model: %s\n", mechanism->memory_model);
    }
    for (size_t i = 0; i < mechanism->n_needs; i++) {
        printf("needs: %s\n", mechanism->needs[i].remedy);
    }
    if (mechanism->n_options > 0) {
        printf("\noptions: -m %s:NAME=VALUE:...\n", mechanism->name);
    }
    print_options(mechanism);
    for (size_t i = 0; i < mechanism->n_parts; i++) {
        print_part(library, &mechanism->parts[i]);
    }
    if (mechanism->n_parts > 0) {
        puts("\nWhat follows from the machine or from an option is refused when it is given.");
    }
}

/* ---- JSON ---- */

static json_t *options_json(const struct mechanism *mechanism)
{
    json_t *all = json_array();
    for (size_t i = 0; i < mechanism->n_options; i++) {
        const struct mechanism_option *option = &mechanism->options[i];
        char takes[160], standard[64];
        values_of(option, takes, sizeof takes, standard, sizeof standard);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:s?}", "name", option->name,
                                             "standard", standard, "takes", takes, "meaning",
                                             option->meaning, "section", option->section));
    }
    return all;
}

static json_t *part_json(struct library *library, const struct mechanism_part *part)
{
    struct failure failure;
    const struct unit_desc *desc = library_desc(library, part->unit, "", &failure);
    json_t *params = json_array();
    for (unsigned p = 0; desc != NULL && p < desc->n_params; p++) {
        const struct unit_param *param = &desc->params[p];
        json_array_append_new(
            params, json_pack("{s:s, s:I, s:I, s:I, s:s}", "name", param->name, "standard",
                              (json_int_t)param->standard, "least", (json_int_t)param->least,
                              "greatest", (json_int_t)param->greatest, "meaning", param->doc));
    }
    return json_pack("{s:s, s:s, s:o}", "role", part->role, "unit", part->unit, "parameters",
                     params);
}

json_t *list_mechanism(const struct mechanism *mechanism, bool json)
{
    struct library *library = library_new(NULL);
    json_t *root = NULL;
    if (json) {
        json_t *parts = json_array(), *needs = json_array();
        for (size_t i = 0; i < mechanism->n_parts; i++) {
            json_array_append_new(parts, part_json(library, &mechanism->parts[i]));
        }
        for (size_t i = 0; i < mechanism->n_needs; i++) {
            json_array_append_new(needs, json_string(mechanism->needs[i].remedy));
        }
        root = json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o}", "name", mechanism->name,
                         "title", mechanism->title, "document", mechanism->document, "section",
                         mechanism->section, "memory_model", mechanism->memory_model, "options",
                         options_json(mechanism), "needs", needs, "units", parts);
    } else {
        print_all(library, mechanism);
    }
    library_free(library);
    return root;
}
