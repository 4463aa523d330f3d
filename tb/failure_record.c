/* failure_record.c - leaves a failing sequence in build/fail, with its waveform and layout. */
#include "tb/failure_record.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/project.h"
#include "tb/layout_unit.h"
#include "tb/player.h"

enum { MAX_NAME = PATH_MAX + 256 };

/* "build/fail/NAME" as seen from the current folder. */
static void fail_path(const struct library *library, char *path, size_t n, const char *name)
{
    char cwd[PATH_MAX];
    const bool inside = getcwd(cwd, sizeof cwd) != NULL && strcmp(cwd, library_root(library)) == 0;
    snprintf(path, n, "%s%sbuild/fail", inside ? "" : library_root(library), inside ? "" : "/");
    mkdir(path, 0777);
    const size_t used = strlen(path);
    snprintf(path + used, n - used, "/%s", name);
}

static bool write_sequence(const char *path, const struct sequence *sequence,
                           const struct unit_desc *desc)
{
    FILE *to = fopen(path, "w");
    if (to == NULL) {
        return false;
    }
    sequence_write(to, sequence, desc);
    return fclose(to) == 0;
}

bool failure_record_write(struct library *library, const struct unit_backend *backend,
                          const struct sequence *sequence, const char *name, const char *wave_path,
                          struct failure_record *record)
{
    char path[MAX_NAME], text[MAX_NAME + 8], fst[MAX_NAME + 8], layout[MAX_NAME + 8];
    struct wave_steps wave = {NULL, NULL};
    struct play_result played;
    record->replay[0] = record->wave[0] = '\0';
    fail_path(library, path, sizeof path, name);
    snprintf(text, sizeof text, "%s.seq", path);
    snprintf(fst, sizeof fst, "%s.fst", path);
    snprintf(layout, sizeof layout, "%s.gtkw", path);
    if (!write_sequence(text, sequence, backend->desc)) {
        return false;
    }
    struct failure failure;
    const struct unit_backend *opened = library_open_inside(library, backend, &failure);
    backend = opened != NULL ? opened : backend; /* better without the inside than nothing */
    wave_path = wave_path != NULL ? wave_path : fst;
    const bool traced = wave_steps_open(&wave, wave_path, WAVE_EVERYTHING, backend);
    play(backend, sequence, &wave, &played);
    wave_steps_close(&wave);
    const bool failed = played.mismatch;
    if (failed) {
        char command[PATH_MAX];
        project_command(command, sizeof command);
        snprintf(record->replay, sizeof record->replay, "%s replay %s", command, text);
        const struct layout_steps last = {{played.steps - 1}, 1, played.steps};
        if (traced && layout_steps(layout, wave_path, backend, &last, &played.report)) {
            snprintf(record->wave, sizeof record->wave, "gtkwave %s %s", wave_path, layout);
        }
    }
    play_end(backend, &played);
    return failed;
}
