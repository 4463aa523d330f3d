/* options.c - what the subcommands' option parsing has in common. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

error_t cli_add_param(struct cli_params *params, const char *arg, struct argp_state *state)
{
    const size_t used = strlen(params->text);
    if (strchr(arg, '=') == NULL) {
        argp_error(state, "--param %s: write NAME=VALUE", arg);
    }
    if (strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=-,") !=
            strlen(arg) ||
        used + strlen(arg) + 2 > sizeof params->text) {
        argp_error(state, "--param %s: not a parameter", arg);
    }
    snprintf(params->text + used, sizeof params->text - used, "%s%s", used > 0 ? "," : "", arg);
    return 0;
}

uint64_t cli_number(const char *option, const char *arg, uint64_t least, uint64_t greatest,
                    struct argp_state *state)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(arg, &end, 0);
    if (*end == 'e' || *end == '.') {
        const double real = strtod(arg, &end);
        value = real >= 0 && real < 1e18 && floor(real) == real ? (uint64_t)real : 0;
    }
    if (arg[0] == '-' || end == arg || *end != '\0' || errno != 0 || value < least ||
        value > greatest) {
        argp_error(state, "--%s %s: give a whole number from %llu to %llu", option, arg,
                   (unsigned long long)least, (unsigned long long)greatest);
    }
    return value;
}

error_t cli_experiment(const char **name, const char *arg, struct argp_state *state)
{
    if (*name != NULL) {
        argp_error(state, "one experiment at a time, '%s' or '%s'", *name, arg);
    }
    *name = arg;
    return 0;
}

struct wave_window cli_window(const char *option, const char *arg, struct argp_state *state)
{
    struct wave_window window = WAVE_EVERYTHING;
    char from[24] = "";
    const char *colon = strchr(arg, ':');
    if (colon == NULL || (size_t)(colon - arg) >= sizeof from) {
        argp_error(state, "--%s %s: write FROM:TO, either may be left out", option, arg);
        return window;
    }
    memcpy(from, arg, (size_t)(colon - arg));
    if (from[0] != '\0') {
        window.from = cli_number(option, from, 0, UINT64_MAX / 2, state);
    }
    if (colon[1] != '\0') {
        window.to = cli_number(option, colon + 1, window.from, UINT64_MAX / 2, state);
    }
    return window;
}

void cli_print_failure(const struct failure *failure)
{
    fprintf(stderr, "warplock: %s\n", failure->words);
}

void cli_print_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(json);
}
