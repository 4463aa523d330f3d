/* ptx_parse_debug.c - what a module says about where it came from (PTX ISA, "Debugging Directives"),
 * and pragmas.
 *
 * Of debugging information the lines of .loc are kept, and the file names they count; sections are
 * skipped.  Knows no statement.
 */
#include "ptx/ptx_parser.h"

enum { MAX_FILES = 1 << 16 };

static void skip_braces(struct ptx_parser *ps)
{
    uint32_t depth = 0;
    const struct ptx_token *at = ps->token;
    do {
        if (ps->token->kind == PTX_TOKEN_END) {
            PTX_FAIL_AT(ps, at, "brace without an end; add '}'");
        }
        depth += ptx_is_punct(ps, '{');
        depth -= ptx_is_punct(ps, '}');
        ptx_next(ps);
    } while (depth != 0);
}

bool ptx_is_debug(const struct ptx_parser *ps)
{
    return ptx_is_dot(ps, ".loc") || ptx_is_dot(ps, ".file") || ptx_is_dot(ps, ".section");
}

/* .file NUMBER "NAME": the table may name a file after the lines that are from it. */
static void note_file(struct ptx_parser *ps, const struct ptx_token *token)
{
    struct ptx_files *files = ps->files;
    if (token[1].kind != PTX_TOKEN_INTEGER || token[2].kind != PTX_TOKEN_STRING ||
        token[1].bits >= MAX_FILES) {
        return;
    }
    while (files->n <= token[1].bits) {
        files->name = ptx_grow(ps->diag, files->name, files->n, sizeof(*files->name));
        files->name[files->n++] = NULL;
    }
    files->name[token[1].bits] = token[2].name;
}

/* .loc FILE LINE COLUMN: of the statements up to the next. */
static void note_line(struct ptx_parser *ps, const struct ptx_token *token)
{
    if (token[1].kind == PTX_TOKEN_INTEGER && token[2].kind == PTX_TOKEN_INTEGER &&
        token[1].bits < MAX_FILES && token[2].bits <= UINT32_MAX) {
        ps->loc_file = (uint32_t)token[1].bits;
        ps->loc_line = (uint32_t)token[2].bits;
    }
}

static void skip_directive(struct ptx_parser *ps, bool section)
{
    uint32_t line = ps->token->line;
    while (ps->token->line == line && ps->token->kind != PTX_TOKEN_END &&
           !(section && ptx_is_punct(ps, '{'))) {
        ptx_next(ps);
    }
    if (section && ptx_is_punct(ps, '{')) {
        skip_braces(ps);
    }
}

void ptx_parse_debug(struct ptx_parser *ps)
{
    if (ptx_is_dot(ps, ".file")) {
        note_file(ps, ps->token);
    } else if (ptx_is_dot(ps, ".loc")) {
        note_line(ps, ps->token);
    }
    skip_directive(ps, ptx_is_dot(ps, ".section"));
}

void ptx_parse_pragma(struct ptx_parser *ps)
{
    ptx_next(ps);
    do {
        if (ps->token->kind != PTX_TOKEN_STRING) {
            PTX_FAIL_AT(ps, ps->token, ".pragma takes strings");
        }
        ptx_next(ps);
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, ';');
}
