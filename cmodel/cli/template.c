/* template.c - see template.h. */
#include "cli/template.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct writing {
    const char *to;
    const struct template_word *words;
    size_t n_words;
    bool write; /* else only look whether a file is in the way */
    char *error;
    size_t n_error;
};

static int fail(const struct writing *w, const char *path, const char *what)
{
    snprintf(w->error, w->n_error, "%s: %s", path, what);
    return -1;
}

/* The word that begins at `text`, NULL for none. */
static const struct template_word *word_at(const struct writing *w, const char *text)
{
    for (size_t i = 0; text[0] == '@' && i < w->n_words; i++) {
        const size_t length = strlen(w->words[i].key);
        if (strncmp(text + 1, w->words[i].key, length) == 0 && text[length + 1] == '@') {
            return &w->words[i];
        }
    }
    return NULL;
}

static void fill(const struct writing *w, const char *text, FILE *out)
{
    while (*text != '\0') {
        const struct template_word *word = word_at(w, text);
        if (word != NULL) {
            fputs(word->value, out);
            text += strlen(word->key) + 2;
        } else {
            fputc(*text++, out);
        }
    }
}

/* `text` filled in, to be freed; NULL when memory is out. */
static char *filled(const struct writing *w, const char *text)
{
    char *result = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&result, &n);
    if (out != NULL) {
        fill(w, text, out);
        fclose(out);
    }
    return result;
}

/* Every folder that `path` lies in. */
static void make_folders(char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

static char *read_text(const char *path)
{
    char *text = NULL;
    size_t n = 0;
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

static int write_file(const struct writing *w, const char *from, const char *below)
{
    char path[PATH_MAX];
    struct stat about;
    char *name = filled(w, below), *text = read_text(from);
    int status = 0;
    if (name == NULL || text == NULL || stat(from, &about) != 0) {
        status = fail(w, from, strerror(errno));
    } else if (snprintf(path, sizeof path, "%s/%s", w->to, name) >= PATH_MAX) {
        status = fail(w, w->to, "too long a path");
    } else if (!w->write) {
        status = access(path, F_OK) == 0 ? fail(w, path, "is there already; choose another name")
                                         : 0;
    } else {
        make_folders(path);
        FILE *out = fopen(path, "w");
        if (out != NULL) {
            fill(w, text, out);
        }
        if (out == NULL || fclose(out) != 0) {
            status = fail(w, path, strerror(errno));
        } else {
            chmod(path, about.st_mode & 0777);
            printf("  %s\n", name);
        }
    }
    free(name);
    free(text);
    return status;
}

static int ascending(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int write_folder(const struct writing *w, const char *from, const char *below)
{
    struct dirent **entries = NULL;
    const int n = scandir(from, &entries, NULL, ascending);
    int status = n < 0 ? fail(w, from, strerror(errno)) : 0;
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX], deeper[PATH_MAX];
        struct stat about;
        const char *name = entries[i]->d_name;
        if (status == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
            snprintf(path, sizeof path, "%s/%s", from, name) < PATH_MAX &&
            snprintf(deeper, sizeof deeper, "%s%s%s", below, *below != '\0' ? "/" : "", name) <
                PATH_MAX) {
            status = stat(path, &about) == 0 && S_ISDIR(about.st_mode)
                         ? write_folder(w, path, deeper)
                         : write_file(w, path, deeper);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

int template_write(const char *from, const char *to, const struct template_word *words,
                   size_t n_words, char *error, size_t n_error)
{
    struct writing w = {to, words, n_words, false, error, n_error};
    if (write_folder(&w, from, "") != 0) {
        return -1;
    }
    w.write = true;
    return write_folder(&w, from, "");
}
