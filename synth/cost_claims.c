/* cost_claims.c - loads and checks the claims of the source documents. */
#include "synth/cost_claims.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/cost_expr.h"
#include "synth/cost_sram.h"

/* Tolerances beyond it say why. */
enum { PLAIN_TOLERANCE_PERCENT = 10 };

const char *const cost_claim_columns[CLAIM_COLUMNS] = {"id",
                                                       "document",
                                                       "section",
                                                       "quote",
                                                       "value",
                                                       "relation",
                                                       "unit",
                                                       "node_nm",
                                                       "tool",
                                                       "machine",
                                                       "formula",
                                                       "about",
                                                       "table",
                                                       "measured",
                                                       "tolerance_percent",
                                                       "tolerance_reason",
                                                       "must",
                                                       "left_out",
                                                       "unchecked",
                                                       "remark"};

/* The row that is being checked. */
struct checker {
    struct cost_claim *claim;
    const struct cost_known_units *units;
    char *error;
    size_t n_error;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct checker *c,
                                                         const char *format, ...)
{
    char words[640];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(c->error, c->n_error, "%s:%u: %s", c->claim->path, c->claim->line, words);
    return false;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--) {
        text[n - 1] = '\0';
    }
    return text;
}

/* "S=5; N=32" into names. */
static bool read_machine(const struct checker *c)
{
    char text[1024], *rest = NULL;
    struct cost_claim *claim = c->claim;
    if (strlen(claim->text[CLAIM_MACHINE]) >= sizeof text) {
        return refuse(c, "machine has more than %zu characters; shorten it", sizeof text - 1);
    }
    snprintf(text, sizeof text, "%s", claim->text[CLAIM_MACHINE]);
    for (char *item = strtok_r(text, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *value = strchr(item, '=');
        if (value == NULL || claim->n_names == CLAIM_MAX_NAMES) {
            return refuse(c, "machine '%s' is not at most %d of NAME=NUMBER, separated by ';'",
                          claim->text[CLAIM_MACHINE], CLAIM_MAX_NAMES);
        }
        *value++ = '\0';
        struct cost_name *name = &claim->names[claim->n_names++];
        item = trim(item);
        if (strlen(item) >= sizeof name->name || !isupper((unsigned char)*item) ||
            !cost_csv_number(trim(value), &name->value)) {
            return refuse(
                c,
                "machine has '%s=%s'; write NAME=NUMBER, with a capital first, and ';' before the next",
                item, value);
        }
        snprintf(name->name, sizeof name->name, "%s", item);
    }
    return true;
}

/* "what: bits; what: bits" into items. */
static bool read_left_out(const struct checker *c)
{
    char text[2048], *rest = NULL;
    struct cost_claim *claim = c->claim;
    if (strlen(claim->text[CLAIM_LEFT_OUT]) >= sizeof text) {
        return refuse(c, "left_out has more than %zu characters; shorten it", sizeof text - 1);
    }
    snprintf(text, sizeof text, "%s", claim->text[CLAIM_LEFT_OUT]);
    for (char *item = strtok_r(text, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *bits = strrchr(item, ':');
        if (bits == NULL || claim->n_left_out == CLAIM_MAX_LEFT_OUT) {
            return refuse(c,
                          "left_out item '%s' is not 'what: bits', or more than %d of them; "
                          "separate them by ';'",
                          trim(item), CLAIM_MAX_LEFT_OUT);
        }
        *bits++ = '\0';
        struct cost_left_out *left = &claim->left_out[claim->n_left_out++];
        item = trim(item);
        bits = trim(bits);
        if (strlen(item) >= sizeof left->what || strlen(bits) >= sizeof left->bits) {
            return refuse(c, "left_out item '%s' is too long; shorten it", item);
        }
        char *unit = strrchr(item, '['), *end = unit != NULL ? strchr(unit, ']') : NULL;
        snprintf(left->unit, sizeof left->unit, "bits");
        if (end != NULL && end[1] == '\0') {
            snprintf(left->unit, sizeof left->unit, "%.*s", (int)(end - unit - 1), unit + 1);
            *unit = '\0';
            item = trim(item);
        }
        snprintf(left->what, sizeof left->what, "%s", item);
        snprintf(left->bits, sizeof left->bits, "%s", bits);
    }
    return true;
}

static bool name_is_known(void *user, const char *name, double *value, char *why, size_t n_why)
{
    const struct checker *c = user;
    for (size_t i = 0; i < c->claim->n_names; i++) {
        if (strcmp(c->claim->names[i].name, name) == 0) {
            *value = c->claim->names[i].value;
            return true;
        }
    }
    snprintf(why, n_why, "'%s' is not in the row's machine", name);
    return false;
}

static bool unit_is_known(void *user, const struct cost_reference *reference, double *value,
                          char *why, size_t n_why)
{
    const struct checker *c = user;
    *value = 1;
    if (!c->units->known(c->units->user, reference->unit)) {
        snprintf(why, n_why, "no unit '%s'", reference->unit);
        return false;
    }
    return true;
}

static bool any_call(void *user, const char *function, const double *arg, size_t n, double *value,
                     char *why, size_t n_why)
{
    (void)user;
    (void)function;
    (void)arg;
    (void)n;
    (void)why;
    (void)n_why;
    *value = 1;
    return true;
}

static bool check_expression(const struct checker *c, const char *column, const char *text)
{
    const struct cost_names names = {(void *)c, name_is_known, unit_is_known, cost_sram_functions,
                                     any_call};
    char why[512];
    double value;
    if (text[0] != '\0' && !cost_expr(text, &names, &value, why, sizeof why) &&
        strstr(why, "finite") == NULL) {
        return refuse(c, "%s: %s; correct it", column, why);
    }
    return true;
}

static bool check_expressions(const struct checker *c)
{
    static const enum cost_column columns[] = {CLAIM_FORMULA, CLAIM_TABLE, CLAIM_MEASURED,
                                               CLAIM_MUST};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!check_expression(c, cost_claim_columns[columns[i]], c->claim->text[columns[i]])) {
            return false;
        }
    }
    for (size_t i = 0; i < c->claim->n_left_out; i++) {
        if (!check_expression(c, "left_out", c->claim->left_out[i].bits)) {
            return false;
        }
    }
    return true;
}

static bool check_about(const struct checker *c)
{
    char text[512], *rest = NULL;
    const char *about = c->claim->text[CLAIM_ABOUT];
    if (about[0] == '\0' || strlen(about) >= sizeof text) {
        return refuse(c, "about is empty or too long; name units, pending:NAME or text");
    }
    snprintf(text, sizeof text, "%s", about);
    for (char *item = strtok_r(text, " ", &rest); item; item = strtok_r(NULL, " ", &rest)) {
        item[strcspn(item, "[")] = '\0';
        if (strncmp(item, "pending:", 8) == 0) {
            c->claim->pending = true;
            if (c->units->known(c->units->user, item + 8)) {
                return refuse(c, "about '%s' has RTL now; name the unit without pending:", item);
            }
        } else if (strcmp(item, "text") != 0 && !c->units->known(c->units->user, item)) {
            return refuse(c,
                          "about '%s' is no unit of cmodel/units/units.list; write pending:%s "
                          "while it has no RTL",
                          item, item);
        }
    }
    return true;
}

static bool read_number(const struct checker *c, enum cost_column column, double *value)
{
    const char *text = c->claim->text[column];
    *value = 0;
    if (text[0] != '\0' && !cost_csv_number(text, value)) {
        return refuse(c, "%s '%s' is no number; write one or leave it empty",
                      cost_claim_columns[column], text);
    }
    return true;
}

static bool check_tolerance(const struct checker *c)
{
    double *percent = &c->claim->tolerance_percent;
    if (!read_number(c, CLAIM_TOLERANCE, percent)) {
        return false;
    }
    if (*percent < 0) {
        return refuse(c, "tolerance_percent %g is below 0; write how far a figure may be off",
                      *percent);
    }
    if (*percent > PLAIN_TOLERANCE_PERCENT && c->claim->text[CLAIM_TOLERANCE_REASON][0] == '\0') {
        return refuse(c,
                      "tolerance_percent %g is above %d without a tolerance_reason; say why, or "
                      "lower it",
                      *percent, PLAIN_TOLERANCE_PERCENT);
    }
    return true;
}

static bool check_plain(const struct checker *c)
{
    static const char *const relations[] = {"eq", "le", "lt", "ge", "gt"};
    static const enum cost_column needed[] = {CLAIM_ID, CLAIM_DOCUMENT, CLAIM_SECTION};
    char *const *text = c->claim->text;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (text[needed[i]][0] == '\0') {
            return refuse(c, "%s is empty; fill it in", cost_claim_columns[needed[i]]);
        }
    }
    if (text[CLAIM_VALUE][0] != '\0' && text[CLAIM_UNIT][0] == '\0') {
        return refuse(c, "value %s has no unit; fill it in", text[CLAIM_VALUE]);
    }
    bool known = false;
    for (size_t i = 0; i < 5; i++) {
        known = known || strcmp(text[CLAIM_RELATION], relations[i]) == 0;
    }
    if (!known) {
        return refuse(c, "relation '%s'; write eq, le, lt, ge or gt", text[CLAIM_RELATION]);
    }
    c->claim->has_value = text[CLAIM_VALUE][0] != '\0';
    const bool checkable = text[CLAIM_FORMULA][0] != '\0' || text[CLAIM_TABLE][0] != '\0' ||
                           text[CLAIM_MEASURED][0] != '\0' || text[CLAIM_MUST][0] != '\0';
    if (!checkable && text[CLAIM_UNCHECKED][0] == '\0') {
        return refuse(c, "nothing to check it with; give formula, table, measured or must, or say "
                         "in unchecked why not");
    }
    return read_number(c, CLAIM_VALUE, &c->claim->value) &&
           read_number(c, CLAIM_NODE, &c->claim->node_nm) && check_tolerance(c);
}

static bool check_unique(const struct checker *c, const struct cost_claims *claims)
{
    for (size_t i = 0; i < claims->n_claims; i++) {
        if (strcmp(claims->claims[i].text[CLAIM_ID], c->claim->text[CLAIM_ID]) == 0) {
            return refuse(c, "id '%s' is taken by %s:%u; choose another", c->claim->text[CLAIM_ID],
                          claims->claims[i].path, claims->claims[i].line);
        }
    }
    return true;
}

static void name_family(const char *path, char *family, size_t n_family)
{
    const char *slash = strrchr(path, '/');
    snprintf(family, n_family, "%s", slash != NULL ? slash + 1 : path);
    family[strcspn(family, ".")] = '\0';
}

/* Checks every row of the last file and adds it. */
static bool add_rows(struct cost_claims *claims, const struct cost_known_units *units, char *error,
                     size_t n_error)
{
    const struct cost_csv *csv = &claims->files[claims->n_files - 1];
    struct cost_claim *grown = realloc(claims->claims,
                                       (claims->n_claims + csv->n_rows + 1) * sizeof *grown);
    if (grown == NULL) {
        snprintf(error, n_error, "%s:1: memory is out; close other programs", csv->path);
        return false;
    }
    claims->claims = grown;
    for (size_t i = 0; i < csv->n_rows; i++) {
        struct cost_claim *claim = &claims->claims[claims->n_claims];
        *claim = (struct cost_claim){
            .text = csv->rows[i].cell, .path = csv->path, .line = csv->rows[i].line};
        name_family(csv->path, claim->family, sizeof claim->family);
        const struct checker checker = {claim, units, error, n_error};
        if (!check_plain(&checker) || !check_unique(&checker, claims) || !read_machine(&checker) ||
            !read_left_out(&checker) || !check_about(&checker) || !check_expressions(&checker)) {
            return false;
        }
        claims->n_claims++;
    }
    return true;
}

bool cost_claims_load(struct cost_claims *claims, const char *path,
                      const struct cost_known_units *units, char *error, size_t n_error)
{
    /* Rows point to their file's path: room for all files is made once, before the first. */
    enum { MAX_FILES = 64 };
    if (claims->files == NULL) {
        claims->files = calloc(MAX_FILES, sizeof *claims->files);
    }
    if (claims->files == NULL || claims->n_files == MAX_FILES) {
        snprintf(error, n_error, "%s:1: more than %d files, or memory is out; merge files", path,
                 MAX_FILES);
        return false;
    }
    if (!cost_csv_load(&claims->files[claims->n_files], path, cost_claim_columns, CLAIM_COLUMNS,
                       error, n_error)) {
        return false;
    }
    claims->n_files++;
    return add_rows(claims, units, error, n_error);
}

static int is_csv(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".csv") == 0;
}

bool cost_claims_load_folder(struct cost_claims *claims, const char *folder,
                             const struct cost_known_units *units, char *error, size_t n_error)
{
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_csv, alphasort);
    bool good = n > 0;
    if (!good) {
        snprintf(error, n_error, "%s:1: no claims (*.csv) there; check the path", folder);
    }
    for (int i = 0; i < n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good = good && cost_claims_load(claims, path, units, error, n_error);
        free(entries[i]);
    }
    free(entries);
    return good;
}

void cost_claims_free(struct cost_claims *claims)
{
    for (size_t i = 0; i < claims->n_files; i++) {
        cost_csv_free(&claims->files[i]);
    }
    free(claims->files);
    free(claims->claims);
    *claims = (struct cost_claims){0};
}

const char *cost_claim_bound(const struct cost_claim *claim)
{
    static const char *const names[][2] = {{"lt", "<"}, {"le", "<="}, {"ge", ">="}, {"gt", ">"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(claim->text[CLAIM_RELATION], names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return "";
}

bool cost_claim_is_about(const struct cost_claim *claim, const char *unit)
{
    char text[512], *rest = NULL;
    snprintf(text, sizeof text, "%s", claim->text[CLAIM_ABOUT]);
    for (char *item = strtok_r(text, " ", &rest); item; item = strtok_r(NULL, " ", &rest)) {
        item[strcspn(item, "[")] = '\0';
        if (strcmp(item, unit) == 0) {
            return true;
        }
    }
    return false;
}
