/* ptx_name.c - see ptx_name.h.  The demangler is that of the system's C++ library (Itanium C++ ABI). */
#include "ptx/ptx_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of <cxxabi.h>, which only C++ can include. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *n_buffer, int *status);

/* Up to `end`, or to the end of the text. */
static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ') {
        at++;
    }
    return at;
}

static bool same(const char *a, const char *a_end, const char *b)
{
    const char *b_end = b + strlen(b);

    for (;;) {
        a = after_blanks(a, a_end);
        b = after_blanks(b, b_end);
        if (a == a_end || b == b_end) {
            return a == a_end && b == b_end;
        }
        if (*a++ != *b++) {
            return false;
        }
    }
}

/* Where the bracket opens that closes at the end of [text, end): what it holds left out; else `end`. */
static const char *without(const char *text, const char *end, char open, char close)
{
    const char *at = end;
    int depth = 0;

    while (at > text && (depth || at == end)) {
        at--;
        depth += *at == close;
        depth -= *at == open;
        if (at + 1 == end && !depth) {
            return end;
        }
    }
    return depth ? end : at;
}

/* Templates are shown with their result, which is void for every kernel. */
static const char *without_result(const char *text)
{
    return strncmp(text, "void ", 5) == 0 ? text + 5 : text;
}

static bool is_called(const char *mangled, const char *name)
{
    int status = 0;
    char *text = __cxa_demangle(mangled, NULL, NULL, &status);
    bool result = false;

    if (text && status == 0) {
        const char *start = without_result(text), *end = text + strlen(text);
        const char *bare = without(start, end, '(', ')'), *base = without(start, bare, '<', '>');

        name = without_result(name);
        result = same(start, end, name) || same(start, bare, name) || same(start, base, name);
    }
    free(text);
    return result;
}

const struct isa_kernel *ptx_kernel_called(const struct ptx_module *module, const char *name,
                                           char *error, size_t n_error)
{
    const struct isa_kernel *found = ptx_kernel(module, name), *other = NULL;

    for (size_t k = 0; !found && k < ptx_kernel_count(module); k++) {
        found = is_called(ptx_kernel_at(module, k)->name, name) ? ptx_kernel_at(module, k) : NULL;
        for (size_t n = k + 1; found && n < ptx_kernel_count(module); n++) {
            const struct isa_kernel *next = ptx_kernel_at(module, n);

            other = !other && is_called(next->name, name) ? next : other;
        }
    }
    if (other) {
        snprintf(error, n_error,
                 "%s is %s and %s; write the parameters, too, or one of these names", name,
                 found->name, other->name);
        return NULL;
    }
    if (!found) {
        snprintf(error, n_error, "no kernel %s in the module; it has %s%s", name,
                 ptx_kernel_count(module) ? ptx_kernel_at(module, 0)->name : "none",
                 ptx_kernel_count(module) > 1 ? " and others" : "");
    }
    return found;
}
