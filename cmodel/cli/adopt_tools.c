/* adopt_tools.c - see adopt_tools.h. */
#include "cli/adopt_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct work {
    const char *const *files; /* the user's */
    size_t n_files;
    char folder[64];
    char *error;
    size_t n_error;
};

static int fail(const struct work *w, size_t i, const char *what)
{
    snprintf(w->error, w->n_error, "%s: %s", w->files[i], what);
    return -1;
}

/* The name of a copy, without its folder. */
static void copy_name(const struct work *w, size_t i, char *name, size_t n)
{
    snprintf(name, n, "adopted%zu%s", i, adopt_tools_is_sv(w->files[i]) ? ".sv" : ".v");
}

bool adopt_tools_is_sv(const char *file)
{
    const size_t n = strlen(file);
    return n > 3 && strcmp(file + n - 3, ".sv") == 0;
}

static char *read_file(const struct work *w, const char *name)
{
    char path[128], *text = NULL;
    size_t n = 0;
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    FILE *from = fopen(path, "r");
    if (from != NULL && getdelim(&text, &n, '\0', from) < 0) {
        free(text);
        text = NULL;
    }
    if (from != NULL) {
        fclose(from);
    }
    return text;
}

static int copy_in(const struct work *w, size_t i)
{
    char path[128], name[32], block[4096];
    copy_name(w, i, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    FILE *from = fopen(w->files[i], "r"), *to = fopen(path, "w");
    if (from == NULL || to == NULL) {
        const int status = fail(w, i, strerror(errno));
        if (from != NULL) {
            fclose(from);
        }
        if (to != NULL) {
            fclose(to);
        }
        return status;
    }
    bool good = true;
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;) {
        good = good && fwrite(block, 1, n, to) == n;
    }
    good = !ferror(from) && good;
    fclose(from);
    return fclose(to) == 0 && good ? 0 : fail(w, i, "cannot be read");
}

static bool write_script(const struct work *w, const char *top)
{
    char path[128];
    snprintf(path, sizeof path, "%s/script.ys", w->folder);
    FILE *to = fopen(path, "w");
    if (to == NULL) {
        return false;
    }
    for (size_t i = 0; i < w->n_files; i++) {
        char name[32];
        copy_name(w, i, name, sizeof name);
        fprintf(to, "read_verilog %s%s\n", adopt_tools_is_sv(w->files[i]) ? "-sv " : "", name);
    }
    fprintf(to,
            "hierarchy -check %s%s\nproc\nflatten\n"
            "tee -q -o registers dump t:$*dff*\nmemory -nordff -nomap\nopt_clean\n"
            "write_json plain.json\nopt_expr\nopt_dff -nodffe\nopt_clean\nwrite_json resets.json\n",
            *top != '\0' ? "-top " : "-auto-top", top);
    return fclose(to) == 0;
}

/* Run a tool in the folder, what it says goes to the file `log` there; its exit status. */
static int run(const struct work *w, const char *log, char *const *argv)
{
    fflush(NULL);
    const pid_t child = fork();
    int status = -1;
    if (child == 0) {
        const int out = chdir(w->folder) == 0 ? open(log, O_CREAT | O_WRONLY | O_TRUNC, 0666) : -1;
        if (out >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) {
            execvp(argv[0], argv);
        }
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* Take `word` out of `text`, wherever it is. */
static void leave_out(char *text, const char *word)
{
    const size_t n = strlen(word);
    for (char *at = text; (at = strstr(at, word)) != NULL;) {
        memmove(at, at + n, strlen(at + n) + 1);
    }
}

/* The first line of a log with `mark` in it, which is left out: "my.v:12: syntax error", with the user's
 * name for the file, or that of the first where the line has none. */
static int refuse_by(const struct work *w, const char *tool, const char *log, const char *mark)
{
    char *text = read_file(w, log), name[40];
    const char *found = text != NULL ? strstr(text, mark) : NULL;
    char words[600] = "it cannot be started; `make setup` installs it";
    size_t of = 0;
    if (found != NULL) {
        const char *line = found;
        while (line > text && line[-1] != '\n') {
            line--;
        }
        snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
        leave_out(words, mark);
    }
    free(text);
    for (size_t i = 0; i < w->n_files; i++) {
        copy_name(w, i, name, sizeof name - 1);
        strcat(name, ":");
        of = strstr(words, name) != NULL ? i : of;
        leave_out(words, name);
    }
    const bool absent = strstr(words, "not part of the design") != NULL;
    snprintf(w->error, w->n_error, "%s: %s does not read it: %s%s", w->files[of], tool, words,
             absent ? " Name its file, too." : "");
    return -1;
}

static json_t *read_json(const struct work *w, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    return json_load_file(path, 0, NULL);
}

/* The module that Yosys took for the top, and its file: src is "adopted1.v:5.1-20.10". */
static int find_top(const struct work *w, json_t *plain, char *name, size_t *top)
{
    json_t *modules = json_object_get(plain, "modules"), *module;
    const char *key;
    json_object_foreach(modules, key, module)
    {
        json_t *attributes = json_object_get(module, "attributes");
        const char *src = json_string_value(json_object_get(attributes, "src"));
        if (json_object_get(attributes, "top") != NULL) {
            if (strlen(key) >= ADOPT_NAME) {
                return fail(w, 0, "the module's name is too long");
            }
            snprintf(name, ADOPT_NAME, "%s", key);
            *top = src != NULL ? strtoul(src + strlen("adopted"), NULL, 10) : 0;
            return *top < w->n_files ? 0 : fail(w, 0, "its module has no place in it");
        }
    }
    return fail(w, 0, "it has no module; name another file");
}

static int verilate(const struct work *w, char *name)
{
    char copies[ADOPT_FILES][32],
        *words[ADOPT_FILES + 10] = {"verilator", "--lint-only", "--no-timing",  "-Wno-fatal",
                                    "-Wno-lint", "-Wno-style",  "--top-module", name};
    size_t n = 8;
    for (size_t i = 0; i < w->n_files; i++) {
        copy_name(w, i, copies[i], sizeof copies[i]);
        words[n++] = copies[i];
    }
    return run(w, "verilator.log", words) == 0
               ? 0
               : refuse_by(w, "Verilator", "verilator.log", "%Error: ");
}

static int read_all(const struct work *w, char *name, size_t *top, struct adopt_found *found)
{
    char *const yosys[] = {"yosys", "-q", "-s", "script.ys", NULL};
    for (size_t i = 0; i < w->n_files; i++) {
        if (copy_in(w, i) != 0) {
            return -1;
        }
    }
    if (!write_script(w, name)) {
        return fail(w, 0, "its script cannot be written");
    }
    if (run(w, "yosys.log", yosys) != 0) {
        return refuse_by(w, "Yosys", "yosys.log", "ERROR: ");
    }
    found->plain = read_json(w, "plain.json");
    found->resets = read_json(w, "resets.json");
    found->registers = read_file(w, "registers");
    if (found->registers == NULL) { /* a module without any */
        found->registers = strdup("");
    }
    return find_top(w, found->plain, name, top) != 0 ? -1 : verilate(w, name);
}

static void remove_folder(const struct work *w)
{
    static const char *const names[] = {"script.ys",  "yosys.log",   "verilator.log",
                                        "plain.json", "resets.json", "registers"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", w->folder, names[i]);
        unlink(path);
    }
    for (size_t i = 0; i < w->n_files; i++) {
        char name[32];
        copy_name(w, i, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", w->folder, name);
        unlink(path);
    }
    rmdir(w->folder);
}

int adopt_tools_read(const char *const *files, size_t n_files, char *name, size_t *top,
                     struct adopt_found *found, char *error, size_t n_error)
{
    struct work w = {.files = files,
                     .n_files = n_files,
                     .folder = "/tmp/adoptXXXXXX",
                     .error = error,
                     .n_error = n_error};
    memset(found, 0, sizeof *found);
    for (size_t i = 0; i < n_files; i++) {
        const size_t n = strlen(files[i]);
        if (!adopt_tools_is_sv(files[i]) && (n < 3 || strcmp(files[i] + n - 2, ".v") != 0)) {
            return fail(&w, i, "write files of Verilog (.v) or SystemVerilog (.sv)");
        }
    }
    if (mkdtemp(w.folder) == NULL) {
        return fail(&w, 0, strerror(errno));
    }
    const int status = read_all(&w, name, top, found);
    remove_folder(&w);
    return status;
}

void adopt_tools_free(struct adopt_found *found)
{
    json_decref(found->plain);
    json_decref(found->resets);
    free(found->registers);
}
