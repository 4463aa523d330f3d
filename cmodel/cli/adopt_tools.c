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
    const char *file; /* of the user's */
    char folder[64], copy[16];
    char *error;
    size_t n_error;
};

static int fail(const struct work *w, const char *what)
{
    snprintf(w->error, w->n_error, "%s: %s", w->file, what);
    return -1;
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

static int copy_in(const struct work *w)
{
    char path[128], block[4096];
    snprintf(path, sizeof path, "%s/%s", w->folder, w->copy);
    FILE *from = fopen(w->file, "r"), *to = fopen(path, "w");
    if (from == NULL || to == NULL) {
        const int status = fail(w, strerror(errno));
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
    return fclose(to) == 0 && good ? 0 : fail(w, "cannot be read");
}

static bool write_script(const struct work *w, const char *top)
{
    char path[128];
    snprintf(path, sizeof path, "%s/script.ys", w->folder);
    FILE *to = fopen(path, "w");
    if (to == NULL) {
        return false;
    }
    fprintf(to,
            "read_verilog %s%s\nhierarchy -check %s%s\nproc\nflatten\n"
            "tee -q -o registers dump t:$*dff*\nmemory -nordff -nomap\nopt_clean\n"
            "write_json plain.json\nopt_expr\nopt_dff -nodffe\nopt_clean\nwrite_json resets.json\n",
            adopt_tools_is_sv(w->file) ? "-sv " : "", w->copy, *top != '\0' ? "-top " : "-auto-top",
            top);
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

/* The first line of a log with `mark` in it; mark and the copy's name left out: "12: syntax error". */
static int refuse_by(const struct work *w, const char *tool, const char *log, const char *mark)
{
    char *text = read_file(w, log), name[24];
    const char *found = text != NULL ? strstr(text, mark) : NULL;
    char words[600] = "it cannot be started; `make setup` installs it";
    if (found != NULL) {
        const char *line = found;
        while (line > text && line[-1] != '\n') {
            line--;
        }
        snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
        leave_out(words, mark);
        snprintf(name, sizeof name, "%s:", w->copy);
        leave_out(words, name);
    }
    free(text);
    snprintf(w->error, w->n_error, "%s: %s does not read it: %s%s", w->file, tool, words,
             strstr(words, "not part of the design") != NULL ? " Put it into the same file." : "");
    return -1;
}

static json_t *read_json(const struct work *w, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    return json_load_file(path, 0, NULL);
}

/* The module that Yosys took for the top. */
static int find_top(const struct work *w, json_t *plain, char *name)
{
    json_t *modules = json_object_get(plain, "modules"), *module;
    const char *key;
    json_object_foreach(modules, key, module)
    {
        if (json_object_get(json_object_get(module, "attributes"), "top") != NULL) {
            if (strlen(key) >= ADOPT_NAME) {
                return fail(w, "the module's name is too long");
            }
            snprintf(name, ADOPT_NAME, "%s", key);
            return 0;
        }
    }
    return fail(w, "it has no module; name another file");
}

static int read_all(const struct work *w, char *name, struct adopt_found *found)
{
    char *const yosys[] = {"yosys", "-q", "-s", "script.ys", NULL};
    char *const verilator[] = {"verilator",     "--lint-only", "--no-timing",  "-Wno-fatal",
                               "-Wno-lint",     "-Wno-style",  "--top-module", name,
                               (char *)w->copy, NULL};
    if (copy_in(w) != 0) {
        return -1;
    }
    if (!write_script(w, name)) {
        return fail(w, "its script cannot be written");
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
    if (find_top(w, found->plain, name) != 0) {
        return -1;
    }
    return run(w, "verilator.log", verilator) == 0
               ? 0
               : refuse_by(w, "Verilator", "verilator.log", "%Error: ");
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
    snprintf(path, sizeof path, "%s/%s", w->folder, w->copy);
    unlink(path);
    rmdir(w->folder);
}

int adopt_tools_read(const char *file, char *name, struct adopt_found *found, char *error,
                     size_t n_error)
{
    struct work w = {
        .file = file, .folder = "/tmp/adoptXXXXXX", .error = error, .n_error = n_error};
    const size_t n = strlen(file);
    memset(found, 0, sizeof *found);
    if (!adopt_tools_is_sv(file) && (n < 3 || strcmp(file + n - 2, ".v") != 0)) {
        return fail(&w, "write a file of Verilog (.v) or SystemVerilog (.sv)");
    }
    snprintf(w.copy, sizeof w.copy, "adopted%s", adopt_tools_is_sv(file) ? ".sv" : ".v");
    if (mkdtemp(w.folder) == NULL) {
        return fail(&w, strerror(errno));
    }
    const int status = read_all(&w, name, found);
    remove_folder(&w);
    return status;
}

void adopt_tools_free(struct adopt_found *found)
{
    json_decref(found->plain);
    json_decref(found->resets);
    free(found->registers);
}
