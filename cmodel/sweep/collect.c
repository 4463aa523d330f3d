/* collect.c - see collect.h. */
#include "sweep/collect.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/json_values.h"
#include "sweep/shell.h"

enum { MAX_AT_ONCE = 2000 };

struct collector {
    struct database *database;
    struct metric_writer *writers;
    size_t n_writers;
    sqlite3_stmt *point, *statistics, *members;
    struct collected *collected;
};

/* ---- one result ---- */

static void bind_text(sqlite3_stmt *statement, const char *name, const char *text)
{
    sqlite3_bind_text(statement, sqlite3_bind_parameter_index(statement, name), text, -1,
                      SQLITE_TRANSIENT);
}

static void bind_json(sqlite3_stmt *statement, const char *name, const json_t *value)
{
    const int at = sqlite3_bind_parameter_index(statement, name);
    if (json_is_integer(value)) {
        sqlite3_bind_int64(statement, at, json_integer_value(value));
    } else if (json_is_real(value)) {
        sqlite3_bind_double(statement, at, json_real_value(value));
    } else if (json_is_string(value)) {
        sqlite3_bind_text(statement, at, json_string_value(value), -1, SQLITE_TRANSIENT);
    } else {
        sqlite3_bind_null(statement, at);
    }
}

static char *command_of(const json_t *header)
{
    const json_t *list = json_object_get(header, "arguments"), *one;
    const char *project = json_string_value(json_object_get(header, "project"));
    char *text = NULL;
    size_t i, n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL) {
        return NULL;
    }
    fputs("warplock", out);
    if (project != NULL && *project != '\0') {
        fputs(" --project ", out);
        shell_word(out, project);
    }
    fputs(" run", out);
    json_array_foreach(list, i, one)
    {
        if (json_is_string(one)) {
            fputc(' ', out);
            shell_word(out, json_string_value(one));
        }
    }
    fclose(out);
    return text;
}

static const char *state_of(const json_t *header, const json_t *run)
{
    const json_t *exit = json_object_get(header, "exit");
    if (run != NULL && json_is_integer(exit) && json_integer_value(exit) == 0) {
        return "done";
    }
    return run != NULL && strcmp(text_of(run, "verdict"), "MISMATCH") == 0 ? "wrong" : "failed";
}

static int step(struct collector *c, sqlite3_stmt *statement, char *error, size_t n_error)
{
    const int status = sqlite3_step(statement);
    sqlite3_reset(statement);
    return status == SQLITE_DONE ? 0 : database_failed(c->database, error, n_error);
}

static int put_point(struct collector *c, const json_t *header, const json_t *run, char *error,
                     size_t n_error)
{
    static const char *const texts[] = {"key",  "machine",    "machine_digest", "workload",
                                        "size", "mechanisms", "program"};
    static const char *const values[] = {"seed",    "host", "ended",  "seconds",
                                         "peak_kb", "exit", "reason", "tail"};
    char name[32];
    sqlite3_stmt *s = c->point;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        snprintf(name, sizeof name, ":%s", texts[i]);
        bind_text(s, name, text_of(header, texts[i]));
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(name, sizeof name, ":%s", values[i]);
        bind_json(s, name, json_object_get(header, values[i]));
    }
    char *command = command_of(header);
    char *settings = json_dumps(json_object_get(header, "settings"), JSON_COMPACT);
    bind_text(s, ":command", command != NULL ? command : "");
    bind_text(s, ":settings", settings != NULL ? settings : "[]");
    bind_text(s, ":state", state_of(header, run));
    free(command);
    free(settings);
    return step(c, s, error, n_error);
}

static int put_statistics(struct collector *c, const char *key, const json_t *run, char *error,
                          size_t n_error)
{
    size_t n;
    char *text = json_dumps(run, JSON_COMPACT | JSON_PRESERVE_ORDER);
    void *data = text != NULL ? statistics_pack(text, strlen(text), &n) : NULL;
    if (data == NULL) {
        snprintf(error, n_error, "out of memory");
        free(text);
        return -1;
    }
    sqlite3_bind_text(c->statistics, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(c->statistics, 2, (sqlite3_int64)strlen(text));
    sqlite3_bind_blob64(c->statistics, 3, data, n, free);
    free(text);
    return step(c, c->statistics, error, n_error);
}

static int put_metrics(struct collector *c, const char *key, const json_t *run, char *error,
                       size_t n_error)
{
    int status = 0, row = SQLITE_DONE;
    sqlite3_bind_text(c->members, 1, key, -1, SQLITE_TRANSIENT);
    while (status == 0 && (row = sqlite3_step(c->members)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(c->members, 0);
        for (size_t w = 0; w < c->n_writers && status == 0; w++) {
            if (strcmp(c->writers[w].experiment->name, name) == 0) {
                status = metric_writer_put(&c->writers[w], key, run, error, n_error);
            }
        }
    }
    if (status == 0 && row != SQLITE_DONE) {
        status = database_failed(c->database, error, n_error);
    }
    sqlite3_reset(c->members);
    return status;
}

static int put_result(struct collector *c, const json_t *header, const json_t *run, char *error,
                      size_t n_error)
{
    const char *key = text_of(header, "key");
    if (put_point(c, header, run, error, n_error) != 0) {
        return -1;
    }
    const bool good = strcmp(state_of(header, run), "failed") != 0;
    c->collected->done += good;
    c->collected->failed += !good;
    if (!good) {
        return 0;
    }
    if (put_statistics(c, key, run, error, n_error) != 0) {
        return -1;
    }
    return put_metrics(c, key, run, error, n_error);
}

/* ---- files ---- */

static int take_file(struct collector *c, const char *path, char *error, size_t n_error)
{
    char *line = NULL;
    size_t cap = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0; /* gone: another took it, though the lock says that there is none */
    }
    json_t *header = getline(&line, &cap, file) > 0 ? json_loads(line, 0, NULL) : NULL;
    json_t *run = header != NULL ? json_loadf(file, 0, NULL) : NULL;
    fclose(file);
    free(line);
    int status = 0;
    if (header == NULL || *text_of(header, "key") == '\0') {
        c->collected->damaged++; /* run again */
    } else {
        status = put_result(c, header, run, error, n_error);
    }
    json_decref(run);
    json_decref(header);
    return status;
}

static size_t list_files(const struct folder *folder, char names[][65])
{
    char path[PATH_MAX];
    size_t n = 0;
    folder_path(folder, "done", "", path, sizeof path);
    DIR *all = opendir(path);
    for (struct dirent *one; all != NULL && n < MAX_AT_ONCE && (one = readdir(all)) != NULL;) {
        if (one->d_name[0] != '.' && strlen(one->d_name) < 65) {
            strcpy(names[n++], one->d_name);
        }
    }
    if (all != NULL) {
        closedir(all);
    }
    return n;
}

static int prepare(struct collector *c, char *error, size_t n_error)
{
    struct database *database = c->database;
    /* A good result stays, whatever comes later under its key. */
    c->point = database_prepare(
        database, error, n_error, "%s",
        "INSERT INTO point (key, state, machine, machine_digest, workload, size, mechanisms, "
        "settings, seed, command, program, host, ended, seconds, peak_kb, exit, reason, tail) "
        "VALUES (:key, :state, :machine, :machine_digest, :workload, :size, :mechanisms, "
        ":settings, :seed, :command, :program, :host, :ended, :seconds, :peak_kb, :exit, :reason, "
        ":tail) ON CONFLICT (key) DO UPDATE SET state = excluded.state, host = excluded.host, "
        "ended = excluded.ended, seconds = excluded.seconds, peak_kb = excluded.peak_kb, exit = "
        "excluded.exit, reason = excluded.reason, tail = excluded.tail WHERE point.state = "
        "'failed'");
    c->statistics = database_prepare(database, error, n_error,
                                     "INSERT OR IGNORE INTO statistics VALUES (?, ?, ?)");
    c->members = database_prepare(database, error, n_error,
                                  "SELECT DISTINCT experiment FROM member WHERE key = ?");
    return c->point != NULL && c->statistics != NULL && c->members != NULL ? 0 : -1;
}

static int take_all(struct collector *c, const struct folder *folder, char names[][65], size_t n,
                    char *error, size_t n_error)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < n; i++) {
        folder_path(folder, "done", names[i], path, sizeof path);
        if (take_file(c, path, error, n_error) != 0) {
            return -1;
        }
    }
    return 0;
}

static void remove_all(const struct folder *folder, char names[][65], size_t n)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < n; i++) {
        folder_path(folder, "done", names[i], path, sizeof path);
        unlink(path);
    }
}

int collect(struct database *database, const struct folder *folder, struct metric_writer *writers,
            size_t n_writers, struct collected *collected, char *error, size_t n_error)
{
    struct collector c = {
        .database = database, .writers = writers, .n_writers = n_writers, .collected = collected};
    char(*names)[65] = calloc(MAX_AT_ONCE, sizeof *names);
    int status = names != NULL ? prepare(&c, error, n_error) : -1;
    size_t n;
    while (status == 0 && (n = list_files(folder, names)) > 0) {
        if ((status = database_do(database, "BEGIN IMMEDIATE", error, n_error)) != 0) {
            break;
        }
        status = take_all(&c, folder, names, n, error, n_error);
        char ignored[64];
        if (status != 0) {
            database_do(database, "ROLLBACK", ignored, sizeof ignored);
        } else if ((status = database_do(database, "COMMIT", error, n_error)) == 0) {
            remove_all(folder, names, n);
        }
    }
    sqlite3_finalize(c.point);
    sqlite3_finalize(c.statistics);
    sqlite3_finalize(c.members);
    free(names);
    return status;
}
