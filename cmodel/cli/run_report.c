/* run_report.c - see run_report.h. */
#include "cli/run_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"

static void show_progress(void *self, uint64_t cycle, uint64_t instructions, uint64_t ctas_done,
                          uint64_t ctas, const char *kernel)
{
    struct run_progress *p = self;
    const double now = seconds_now();

    if (now - p->last < (p->terminal ? 0.5 : 10.0)) {
        return;
    }
    p->last = now;
    p->shown = true;
    fprintf(stderr, "%s%.60s: cycle %llu, %llu instructions, CTAs %llu%%, %.0f cycles/s%s",
            p->terminal ? "\r" : "", kernel, (unsigned long long)cycle,
            (unsigned long long)instructions,
            (unsigned long long)(ctas ? 100 * ctas_done / ctas : 0),
            (double)cycle / (now - p->start), p->terminal ? "  " : "\n");
}

void run_progress_start(struct run_progress *p, struct gpu_options *options)
{
    *p = (struct run_progress){.terminal = isatty(STDERR_FILENO)};
    p->start = p->last = seconds_now();
    options->progress = show_progress;
    options->progress_self = p;
}

void run_progress_end(const struct run_progress *p)
{
    if (p->terminal && p->shown) {
        fputc('\n', stderr);
    }
}

static int write_json(const struct run_options *o, struct gpu *gpu, const struct run_units *units,
                      json_t *trace, enum verdict verdict, FILE *out)
{
    json_t *root = json_object();
    int result;

    json_object_set_new(root, "verdict", json_string(verdict_word(verdict)));
    json_object_set_new(root, "configuration", json_string(run_options_config(o)));
    if (trace) {
        json_object_set(root, "trace", trace);
    }
    json_object_set_new(root, "statistics", gpu_stats_json(gpu));
    json_object_set_new(root, "mechanisms", run_units_json(units));
    if (!strcmp(o->json, "-")) {
        result = json_dumpf(root, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        fputc('\n', out);
    } else {
        result = json_dump_file(root, o->json, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    }
    json_decref(root);
    if (result != 0) {
        fprintf(stderr, "warplock: cannot write %s: %s; check the path\n", o->json,
                strerror(errno));
    }
    return result;
}

enum verdict run_report(const struct run_options *o, struct gpu *gpu, struct run_units *units,
                        json_t *trace, enum verdict verdict, FILE *out)
{
    gpu_stats_text(gpu, out);
    fprintf(out, "speed          %.0f cycles/s\n", (double)gpu->now / gpu->launch_seconds);
    if (!run_units_end_wave(units, out) && verdict == VERDICT_PASS) {
        verdict = VERDICT_USAGE;
    }
    if (!run_units_report(units, out) && verdict == VERDICT_PASS) {
        verdict = VERDICT_MISMATCH;
    }
    if (o->json && write_json(o, gpu, units, trace, verdict, out) != 0 && verdict == VERDICT_PASS) {
        verdict = VERDICT_USAGE;
    }
    json_decref(trace);
    return verdict;
}
