/* ptx_parse.c - module level: directives, linkage, functions (PTX ISA, "Directives").
 *
 * Knows the shape of a module; statements, variables and constants have files of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/ptx_parser.h"

static void parse_version(struct ptx_parser *ps)
{
    ptx_next(ps);
    if (ps->token->kind != PTX_TOKEN_F64) {
        PTX_FAIL_AT(ps, ps->token, "a version such as 6.0 is expected");
    }
    ptx_next(ps);
}

static void parse_target(struct ptx_parser *ps)
{
    ptx_next(ps);
    do {
        const char *name = ptx_expect_name(ps, "a target such as sm_35");
        uint32_t number = strncmp(name, "sm_", 3) == 0 ? (uint32_t)strtoul(name + 3, NULL, 10) : 0;
        ps->module->target = number > ps->module->target ? number : ps->module->target;
    } while (ptx_accept_punct(ps, ','));
}

static void parse_address_size(struct ptx_parser *ps)
{
    ptx_next(ps);
    if (ps->token->kind != PTX_TOKEN_INTEGER || ps->token->bits != 64) {
        PTX_FAIL_AT(ps, ps->token, "only 64-bit addresses are supported; compile for 64 bits");
    }
    ptx_next(ps);
}

static struct isa_dim3 parse_dims(struct ptx_parser *ps)
{
    uint32_t v[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        v[i] = (uint32_t)ptx_parse_integer(ps, "number of threads", 1, 65536);
        if (i == 2 || !ptx_accept_punct(ps, ',')) {
            break;
        }
    }
    return (struct isa_dim3){v[0], v[1], v[2]};
}

static void parse_performance_directive(struct ptx_parser *ps)
{
    struct ptx_function *f = ps->function;
    const struct ptx_token *at = ps->token;
    ptx_next(ps);
    if (strcmp(at->name, ".maxntid") == 0) {
        struct isa_dim3 d = parse_dims(ps);
        f->max_threads = (uint64_t)d.x * d.y * d.z;
    } else if (strcmp(at->name, ".reqntid") == 0) {
        f->required_block = parse_dims(ps);
    } else if (strcmp(at->name, ".minnctapersm") == 0 || strcmp(at->name, ".maxnctapersm") == 0 ||
               strcmp(at->name, ".maxnreg") == 0) {
        ptx_parse_integer(ps, "number", 0, 65536);
    } else if (strcmp(at->name, ".pragma") == 0) {
        ps->token = at;
        ptx_parse_pragma(ps);
    } else if (strcmp(at->name, ".noreturn") != 0) {
        PTX_FAIL_AT(ps, at, "directive %s is not supported on a function", at->name);
    }
}

static struct ptx_variable **parse_formals(struct ptx_parser *ps, uint32_t *n)
{
    struct ptx_variable **list = NULL;
    ptx_expect_punct(ps, '(');
    while (!ptx_is_punct(ps, ')')) {
        list = ptx_grow(ps->diag, list, *n, sizeof(*list));
        struct ptx_variable *formal = ptx_parse_formal(ps);
        list[(*n)++] = formal;
        if (!ptx_accept_punct(ps, ',')) {
            break;
        }
    }
    ptx_expect_punct(ps, ')');
    return list;
}

/* A second declaration of one function must agree in the number of its parameters. */
static void check_redeclaration(struct ptx_parser *ps, const struct ptx_function *known,
                                const struct ptx_function *f, const struct ptx_token *at)
{
    if (known->is_entry != f->is_entry || (known->has_body && f->has_body)) {
        PTX_FAIL_AT(ps, at, "\"%s\" is defined twice; rename one of them", f->name);
    }
    if (known->n_params != f->n_params || known->n_returns != f->n_returns) {
        PTX_FAIL_AT(ps, at, "\"%s\" was declared with other parameters (line %u)", f->name,
                    known->line);
    }
}

static void register_function(struct ptx_parser *ps, struct ptx_function *f,
                              const struct ptx_token *at, bool is_weak)
{
    struct ptx_scope *innermost = ps->scope;
    struct ptx_module *m = ps->module;
    while (ps->scope->outer != NULL) {
        ps->scope = ps->scope->outer;
    }
    struct ptx_symbol *symbol = ptx_find(ps, f->name);
    if (symbol == NULL) {
        symbol = ptx_declare(ps, f->name, PTX_SYMBOL_FUNCTION, at);
        symbol->function = f;
        f->address = PTX_CODE_WINDOW + 16 * (m->n_functions + 1);
        m->functions = ptx_grow(ps->diag, m->functions, m->n_functions, sizeof(*m->functions));
        m->functions[m->n_functions++] = f;
    }
    ps->scope = innermost; /* before an error: what is parsed ends from here */
    if (symbol->kind != PTX_SYMBOL_FUNCTION) {
        PTX_FAIL_AT(ps, at, "\"%s\" is already the name of a variable; rename one of them",
                    f->name);
    }
    if (symbol->function != f && is_weak && symbol->function->has_body && f->has_body) {
        ps->function = f; /* read, and forgotten: the first definition counts */
        return;
    }
    if (symbol->function != f) {
        check_redeclaration(ps, symbol->function, f, at);
        if (f->has_body) {
            f->address = symbol->function->address;
            f->is_address_taken = symbol->function->is_address_taken;
            *symbol->function = *f; /* earlier calls point at the first declaration */
        }
    }
    ps->function = symbol->function;
}

static void parse_function(struct ptx_parser *ps, bool is_weak)
{
    struct ptx_function *f = ptx_alloc(ps->diag, 1, sizeof(*f));
    f->is_entry = ptx_is_dot(ps, ".entry");
    ptx_next(ps);
    ptx_accept_dot(ps, ".noreturn");
    ps->function = f;
    ptx_scope_push(ps);
    if (!f->is_entry && ptx_is_punct(ps, '(')) {
        f->returns = parse_formals(ps, &f->n_returns);
    }
    const struct ptx_token *at = ps->token;
    f->line = at->line;
    f->file = ps->file;
    f->files = ps->files;
    ps->loc_file = ps->loc_line = 0;
    f->name = ptx_expect_name(ps, "a function name");
    if (ptx_is_punct(ps, '(')) {
        f->params = parse_formals(ps, &f->n_params);
    }
    while (ps->token->kind == PTX_TOKEN_DOT) {
        parse_performance_directive(ps);
    }
    f->has_body = ptx_is_punct(ps, '{');
    register_function(ps, f, at, is_weak);
    if (f->has_body) {
        ptx_parse_body(ps);
    } else {
        ptx_expect_punct(ps, ';');
    }
    ptx_scope_pop(ps);
    ps->function = NULL;
}

static struct ptx_linkage accept_linkage(struct ptx_parser *ps)
{
    struct ptx_linkage linkage = {false, false};
    for (;;) {
        if (ptx_accept_dot(ps, ".extern")) {
            linkage.is_external = true;
        } else if (ptx_accept_dot(ps, ".weak") || ptx_accept_dot(ps, ".common")) {
            linkage.is_weak = true;
        } else if (!ptx_accept_dot(ps, ".visible")) {
            return linkage;
        }
    }
}

static void parse_definition(struct ptx_parser *ps)
{
    struct ptx_linkage linkage = accept_linkage(ps);
    if (ptx_is_dot(ps, ".entry") || ptx_is_dot(ps, ".func")) {
        parse_function(ps, linkage.is_weak);
    } else {
        ptx_parse_variables(ps, linkage);
    }
}

static void parse_directive(struct ptx_parser *ps)
{
    if (ptx_is_dot(ps, ".version")) {
        parse_version(ps);
    } else if (ptx_is_dot(ps, ".target")) {
        parse_target(ps);
    } else if (ptx_is_dot(ps, ".address_size")) {
        parse_address_size(ps);
    } else if (ptx_is_debug(ps)) {
        ptx_parse_debug(ps);
    } else if (ptx_is_dot(ps, ".pragma")) {
        ptx_parse_pragma(ps);
    } else if (ptx_is_dot(ps, ".tex")) {
        PTX_FAIL_AT(ps, ps->token, "textures and surfaces are not supported; use .global memory");
    } else if (ptx_is_dot(ps, ".alias")) {
        PTX_FAIL_AT(ps, ps->token, ".alias is not supported; define the function under both names");
    } else {
        parse_definition(ps);
    }
}

static void parse_part(struct ptx_parser *ps, const struct ptx_text *part)
{
    size_t n = part->n;
    while (n != 0 && part->text[n - 1] == '\0') { /* as in fat binaries */
        n--;
    }
    ps->file = ptx_strndup(ps->diag, part->file, strlen(part->file));
    ps->diag->file = ps->file;
    ps->files = ptx_alloc(ps->diag, 1, sizeof(*ps->files));
    ps->token = ptx_lex(ps->diag, part->text, n);
    while (ps->token->kind != PTX_TOKEN_END) {
        if (ptx_accept_punct(ps, ';')) {
            continue;
        }
        if (ps->token->kind != PTX_TOKEN_DOT) {
            PTX_FAIL_AT(ps, ps->token, "a directive such as .entry is expected, not %s",
                        ptx_token_text(ps, ps->token));
        }
        parse_directive(ps);
    }
}

static void __attribute__((noinline))
parse_parts(struct ptx_parser *ps, const struct ptx_text *parts, size_t n_parts)
{
    ptx_scope_push(ps);
    for (size_t p = 0; p < n_parts; p++) {
        parse_part(ps, &parts[p]);
    }
}

void ptx_parse(struct ptx_diag *diag, struct ptx_module *module, const struct ptx_text *parts,
               size_t n_parts)
{
    struct ptx_diag inner = *diag;
    struct ptx_parser *ps = ptx_alloc(diag, 1, sizeof(*ps));
    ps->diag = &inner;
    ps->module = module;
    if (setjmp(inner.escape) != 0) { /* give back the hash tables, then fail as asked */
        ptx_scope_drop_all(ps);
        longjmp(diag->escape, 1);
    }
    parse_parts(ps, parts, n_parts);
    ptx_scope_drop_all(ps);
}
