/* scoreboard_print.c - the page of a scoreboard, made from its JSON: see scoreboard.h. */
#include <string.h>

#include "experiments/json_values.h"
#include "experiments/judged.h"
#include "experiments/scoreboard.h"

static const double SECONDS_A_MINUTE = 60, SECONDS_AN_HOUR = 3600;

static void print_time(double seconds, FILE *out)
{
    if (seconds < SECONDS_A_MINUTE) {
        fprintf(out, "%.0f s", seconds);
    } else if (seconds < SECONDS_AN_HOUR) {
        fprintf(out, "%.0f min", seconds / SECONDS_A_MINUTE);
    } else {
        fprintf(out, "%.1f h", seconds / SECONDS_AN_HOUR);
    }
}

static void print_percent(double part, double of, FILE *out)
{
    if (of > 0) {
        fprintf(out, " %.0f %% |", 100 * part / of);
    } else {
        fputs(" - |", out);
    }
}

static void print_share(const json_t *counts, const char *name, FILE *out)
{
    double judged = 0;
    fprintf(out, "| %s |", name);
    for (size_t k = 0; k < N_JUDGED_KINDS; k++) {
        fprintf(out, " %.0f |", number_of(counts, judged_names[k]));
        judged += k != JUDGED_OPEN ? number_of(counts, judged_names[k]) : 0;
    }
    print_percent(number_of(counts, judged_names[JUDGED_VALUE]) +
                      number_of(counts, judged_names[JUDGED_NEAR]),
                  judged, out);
    print_percent(number_of(counts, COUNT_ALONG), number_of(counts, COUNT_DIRECTED), out);
    print_percent(number_of(counts, COUNT_IN_ORDER), number_of(counts, COUNT_ORDERED), out);
    const double differ = judged - number_of(counts, judged_names[JUDGED_VALUE]);
    fprintf(out, " %.0f | %.0f |\n", number_of(counts, COUNT_CAUSED),
            differ - number_of(counts, COUNT_CAUSED));
}

/* The counts of all documents together; the caller's. */
static json_t *sum_of(json_t *documents)
{
    json_t *all = json_object(), *counts, *number;
    const char *name, *key;
    json_object_foreach(documents, name, counts)
    {
        json_object_foreach(counts, key, number)
        {
            json_object_set_new(all, key,
                                json_real(number_of(all, key) + json_number_value(number)));
        }
    }
    return all;
}

static void print_counts(const json_t *board, FILE *out)
{
    json_t *documents = json_object_get(board, "documents"), *counts;
    json_t *all = sum_of(documents), *numbers = sum_of(json_object_get(board, "numbers"));
    const char *name;
    fprintf(out,
            "| document | in value | near | in direction | neither | not run | within %d %% | "
            "direction | order | cause shown | missing "
            "|\n|---|---|---|---|---|---|---|---|---|---|---|\n",
            SCOREBOARD_PERCENT);
    json_object_foreach(documents, name, counts)
    {
        print_share(counts, name, out);
    }
    print_share(all, "**all**", out);
    print_share(numbers, "**of these, printed as numbers**", out);
    json_decref(all);
    json_decref(numbers);
}

/* How long all of it takes. */
static void print_times(const json_t *experiments, FILE *out)
{
    double points = 0, seconds = 0;
    size_t i, told = 0;
    const json_t *one;
    json_array_foreach(experiments, i, one)
    {
        points += number_of(one, "points");
        seconds += number_of(one, "seconds");
        told += json_object_get(one, "points") != NULL;
    }
    if (told > 0) {
        fprintf(out, "\n%.0f points of %zu of %zu experiments took ", points, told,
                json_array_size(experiments));
        print_time(seconds, out);
        fputs(", one after the other.\n", out);
    }
}

static void print_claim(const json_t *claim, FILE *out)
{
    const int digits = (int)json_integer_value(json_object_get(claim, "digits"));
    const double document = json_number_value(json_object_get(claim, "document"));
    const json_t *here = json_object_get(claim, "here");
    const char *over = text_of(claim, "over"), *bound = text_of(claim, "bound");
    const char *setting = text_of(claim, "setting"), *workload = text_of(claim, "workload");
    const bool bounded = strcmp(bound, "value") != 0;
    const bool in_words = json_is_true(json_object_get(claim, "words"));
    fprintf(out, "| %s | %s of %s%s%s%s%s%s%s | %s%s%s%.*f%s ", text_of(claim, "section"),
            text_of(claim, "metric"), text_of(claim, "scheme"), *over != '\0' ? " over " : "", over,
            *workload != '\0' ? ", " : "", workload, *setting != '\0' ? ", " : "", setting,
            in_words ? "(" : "", bounded ? bound : "", bounded ? " " : "", digits, document,
            in_words ? ")" : "");
    if (json_is_null(here)) {
        fputs("| - | - ", out);
    } else {
        const double ours = json_number_value(here);
        fprintf(out, "| %.*f ", digits, ours);
        if (bounded) {
            fputs("| - ", out);
        } else {
            fprintf(out, "| %+.0f %% ", 100 * (ours / document - 1));
        }
    }
    const double pairs = number_of(claim, "pairs");
    if (pairs > 0) {
        fprintf(out, "| %.0f of %.0f ", number_of(claim, "in_order"), pairs);
    } else {
        fputs("| - ", out);
    }
    const char *kind = text_of(claim, "kind"), *again = text_of(claim, "again");
    fprintf(out, "| %s%s%s%s |\n", strcmp(kind, "open") == 0 ? "not run" : kind,
            *again != '\0' ? " (counts in `" : "", again, *again != '\0' ? "`)" : "");
}

static bool all_in_value(const json_t *claims)
{
    const json_t *claim;
    size_t c;
    json_array_foreach(claims, c, claim)
    {
        if (strcmp(text_of(claim, "kind"), "value") != 0) {
            return false;
        }
    }
    return true;
}

static void print_experiment(const json_t *one, FILE *out)
{
    const json_t *claims = json_object_get(one, "claims"), *row, *words;
    size_t i, f;
    fprintf(out, "\n### %s\n\n`%s`, machine `%s`%s%s. %s\n", text_of(one, "title"),
            text_of(one, "name"), text_of(one, "machine"),
            *text_of(one, "size") != '\0' ? ", all at size " : "", text_of(one, "size"),
            text_of(one, "source"));
    if (*text_of(one, "swept") != '\0') {
        fprintf(out, "Run %s", text_of(one, "swept"));
        if (number_of(one, "points") > 0) {
            fprintf(out, ": %.0f points, ", number_of(one, "points"));
            print_time(number_of(one, "seconds"), out);
        } else if (json_object_get(one, "points") != NULL) {
            fputs(": its points are other experiments' too and count there", out);
        }
        fputs(".\n", out);
    }
    if (*text_of(one, "note") != '\0') {
        fprintf(out, "%s\n", text_of(one, "note"));
    }
    fputs("\n| section | what | document | ours | off by | order | reproduced "
          "|\n|---|---|---|---|---|---|---|\n",
          out);
    json_array_foreach(claims, i, row)
    {
        print_claim(row, out);
    }
    if (all_in_value(claims)) {
        return;
    }
    json_array_foreach(json_object_get(one, "causes"), i, row)
    {
        fprintf(out, "\n%s `%s`\n", text_of(row, "text"), text_of(row, "run"));
        json_array_foreach(json_object_get(row, "not_so"), f, words)
        {
            fprintf(out, "Not so: %s\n", json_string_value(words));
        }
    }
}

void scoreboard_print(const struct scoreboard *board, FILE *out)
{
    const char *document = "";
    json_t *whole = scoreboard_json(board);
    const json_t *one;
    size_t i;
    fprintf(
        out,
        "# What the documents print, and what comes out here\n\n"
        "In value: within %d %%, a ratio besides on the same side of 1.00 as printed or within 3 %%, "
        "or on its side of a bound.\nNear: within %d %%, a ratio on another side. In direction: "
        "only on the same side. Within %d %% are the first two of\nthose that ran; direction is "
        "of ratios and bounds; order is the share of pairs of a figure's values, more than %d "
        "%%\napart in the document, that stand as there, a mean over values. Of those not in value "
        "the last columns count which\nhave a cause that a command shows and no run contradicts. "
        "A value that is printed once and looked at again under\nother conditions counts where the "
        "conditions are the document's. In brackets stands what a document says in words,\n"
        "without a number: better, the same, no loss. The page is made by `warplock scoreboard` from "
        "runs in databases and\nwhat it kept of earlier ones; `warplock sweep NAME` runs an "
        "experiment's points.\n\n",
        SCOREBOARD_PERCENT, SCOREBOARD_PERCENT, SCOREBOARD_PERCENT, JUDGED_APART_PERCENT);
    print_counts(whole, out);
    print_times(board->experiments, out);
    json_array_foreach(board->experiments, i, one)
    {
        if (json_array_size(json_object_get(one, "claims")) == 0) {
            continue;
        }
        if (strcmp(document, text_of(one, "document")) != 0) {
            document = text_of(one, "document");
            fprintf(out, "\n## %s\n", document);
        }
        print_experiment(one, out);
    }
    json_decref(whole);
}
