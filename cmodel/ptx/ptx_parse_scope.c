/* ptx_parse_scope.c - tokens, scopes, symbols and labels of the parser.
 *
 * Registers declared as a family, %r<100>, get a symbol when one of them is
 * first named.  A label belongs to the innermost scope that defines it; a use
 * not satisfied inside its scope is handed outwards when the scope closes.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_parser.h"

bool ptx_is_punct(const struct ptx_parser *ps, int punct)
{
    return ps->token->kind == PTX_TOKEN_PUNCT && ps->token->punct == punct;
}

bool ptx_is_dot(const struct ptx_parser *ps, const char *word)
{
    return ps->token->kind == PTX_TOKEN_DOT && strcmp(ps->token->name, word) == 0;
}

void ptx_next(struct ptx_parser *ps)
{
    if (ps->token->kind != PTX_TOKEN_END) {
        ps->token++;
    }
}

bool ptx_accept_punct(struct ptx_parser *ps, int punct)
{
    bool is = ptx_is_punct(ps, punct);
    if (is) {
        ptx_next(ps);
    }
    return is;
}

bool ptx_accept_dot(struct ptx_parser *ps, const char *word)
{
    bool is = ptx_is_dot(ps, word);
    if (is) {
        ptx_next(ps);
    }
    return is;
}

const char *ptx_token_text(struct ptx_parser *ps, const struct ptx_token *token)
{
    switch (token->kind) {
    case PTX_TOKEN_END: return "the end of the file";
    case PTX_TOKEN_NAME:
    case PTX_TOKEN_DOT: return ptx_format(ps->diag, "\"%.80s\"", token->name);
    case PTX_TOKEN_PUNCT:
        return token->punct < 256 ? ptx_format(ps->diag, "'%c'", token->punct) : "an operator";
    case PTX_TOKEN_STRING: return "a string";
    default: return "a number";
    }
}

void ptx_expect_punct(struct ptx_parser *ps, int punct)
{
    if (!ptx_accept_punct(ps, punct)) {
        PTX_FAIL_AT(ps, ps->token, "'%c' is expected before %s", punct,
                    ptx_token_text(ps, ps->token));
    }
}

const char *ptx_expect_name(struct ptx_parser *ps, const char *what)
{
    if (ps->token->kind != PTX_TOKEN_NAME) {
        PTX_FAIL_AT(ps, ps->token, "%s is expected, not %s", what, ptx_token_text(ps, ps->token));
    }
    const char *name = ps->token->name;
    ptx_next(ps);
    return name;
}

void ptx_enter(struct ptx_parser *ps)
{
    if (++ps->nesting > PTX_MAX_NESTING) {
        PTX_FAIL_AT(ps, ps->token, "nested deeper than %d levels; flatten it", PTX_MAX_NESTING);
    }
}

void ptx_leave(struct ptx_parser *ps)
{
    ps->nesting--;
}

void ptx_scope_push(struct ptx_parser *ps)
{
    struct ptx_scope *scope = ptx_alloc(ps->diag, 1, sizeof(*scope));
    scope->outer = ps->scope;
    ps->scope = scope;
}

/* Give an undefined label of the closing scope to the scope around it. */
static void hand_outwards(struct ptx_parser *ps, const char *name, uint32_t label)
{
    struct ptx_label *inner = &ps->function->labels[label];
    struct ptx_token at = {.line = inner->line, .column = inner->column};
    uint32_t outer = ptx_label_use(ps, name, &at);
    if (outer != label) {
        ps->function->labels[label].alias = outer;
    }
}

void ptx_scope_pop(struct ptx_parser *ps)
{
    struct ptx_scope *closing = ps->scope;
    struct ptx_label_name *entry, *next;
    HASH_CLEAR(hh, closing->symbols);
    ps->scope = closing->outer;
    HASH_ITER(hh, closing->labels, entry, next)
    {
        const struct ptx_label *label = &ps->function->labels[entry->label];
        bool open = label->statement == PTX_NO_INDEX && label->targets == NULL;
        if (open && ps->scope->outer == NULL) { /* the function's own scope closes */
            ps->scope = closing;
            ptx_fail(ps->diag, label->line, label->column,
                     "label \"%s\" is not defined in this function; define it or correct its name",
                     entry->name);
        }
        if (open) {
            hand_outwards(ps, entry->name, entry->label);
        }
    }
    HASH_CLEAR(hh, closing->labels);
}

void ptx_scope_drop_all(struct ptx_parser *ps)
{
    for (; ps->scope != NULL; ps->scope = ps->scope->outer) {
        HASH_CLEAR(hh, ps->scope->symbols);
        HASH_CLEAR(hh, ps->scope->labels);
    }
}

static struct ptx_symbol *find_in(struct ptx_scope *scope, const char *name)
{
    struct ptx_symbol *symbol = NULL;
    HASH_FIND_STR(scope->symbols, name, symbol);
    return symbol;
}

struct ptx_symbol *ptx_declare(struct ptx_parser *ps, const char *name, enum ptx_symbol_kind kind,
                               const struct ptx_token *at)
{
    if (find_in(ps->scope, name) != NULL) {
        PTX_FAIL_AT(ps, at, "\"%s\" is declared twice in one scope; rename one of them", name);
    }
    struct ptx_symbol *symbol = ptx_alloc(ps->diag, 1, sizeof(*symbol));
    symbol->name = name;
    symbol->kind = kind;
    symbol->vector = 1;
    symbol->reg = PTX_NO_INDEX;
    HASH_ADD_KEYPTR(hh, ps->scope->symbols, symbol->name, strlen(symbol->name), symbol);
    return symbol;
}

struct ptx_symbol *ptx_find(struct ptx_parser *ps, const char *name)
{
    for (struct ptx_scope *scope = ps->scope; scope != NULL; scope = scope->outer) {
        struct ptx_symbol *symbol = find_in(scope, name);
        if (symbol != NULL) {
            return symbol;
        }
    }
    return NULL;
}

/* The family in `scope` that `name` belongs to: "%r12" to "%r<...>" when 12 is below its count. */
static struct ptx_symbol *find_family(struct ptx_parser *ps, struct ptx_scope *scope,
                                      const char *name)
{
    size_t n = strlen(name), digits = 0;
    while (digits < n - 1 && digits < 9 && name[n - 1 - digits] >= '0' &&
           name[n - 1 - digits] <= '9') {
        digits++;
        unsigned long number = strtoul(name + n - digits, NULL, 10);
        bool canonical = digits == 1 || name[n - digits] != '0';
        char *key = ptx_format(ps->diag, "%.*s<", (int)(n - digits > 400 ? 400 : n - digits), name);
        struct ptx_symbol *family = canonical ? find_in(scope, key) : NULL;
        if (family != NULL && number < family->count) {
            return family;
        }
    }
    return NULL;
}

struct ptx_symbol *ptx_find_register(struct ptx_parser *ps, const char *name)
{
    for (struct ptx_scope *scope = ps->scope; scope != NULL; scope = scope->outer) {
        struct ptx_symbol *symbol = find_in(scope, name);
        if (symbol != NULL) {
            return symbol->kind == PTX_SYMBOL_REGISTER ? symbol : NULL;
        }
        struct ptx_symbol *family = find_family(ps, scope, name);
        if (family != NULL) {
            struct ptx_scope *innermost = ps->scope;
            ps->scope = scope;
            symbol = ptx_declare(ps, name, PTX_SYMBOL_REGISTER, ps->token);
            ps->scope = innermost;
            symbol->type = family->type;
            symbol->vector = family->vector;
            return symbol;
        }
    }
    return NULL;
}

uint32_t ptx_symbol_register(struct ptx_parser *ps, struct ptx_symbol *symbol)
{
    struct ptx_function *f = ps->function;
    if (symbol->reg != PTX_NO_INDEX) {
        return symbol->reg;
    }
    symbol->reg = f->n_registers;
    for (uint32_t i = 0; i < symbol->vector; i++) {
        f->registers = ptx_grow(ps->diag, f->registers, f->n_registers, sizeof(*f->registers));
        f->registers[f->n_registers++] = (struct ptx_register){.name = symbol->name,
                                                               .type = symbol->type};
    }
    return symbol->reg;
}

static struct ptx_label_name *label_in(struct ptx_parser *ps, const char *name,
                                       const struct ptx_token *at)
{
    struct ptx_function *f = ps->function;
    struct ptx_label_name *entry = NULL;
    HASH_FIND_STR(ps->scope->labels, name, entry);
    if (entry == NULL) {
        entry = ptx_alloc(ps->diag, 1, sizeof(*entry));
        entry->name = name;
        entry->label = f->n_labels;
        HASH_ADD_KEYPTR(hh, ps->scope->labels, entry->name, strlen(entry->name), entry);
        f->labels = ptx_grow(ps->diag, f->labels, f->n_labels, sizeof(*f->labels));
        f->labels[f->n_labels++] = (struct ptx_label){.name = name,
                                                      .statement = PTX_NO_INDEX,
                                                      .alias = PTX_NO_INDEX,
                                                      .line = at->line,
                                                      .column = at->column};
    }
    return entry;
}

uint32_t ptx_label_use(struct ptx_parser *ps, const char *name, const struct ptx_token *at)
{
    return label_in(ps, name, at)->label;
}

void ptx_label_define(struct ptx_parser *ps, const char *name, const struct ptx_token *at)
{
    uint32_t index = label_in(ps, name, at)->label; /* may move the labels */
    struct ptx_label *label = &ps->function->labels[index];
    if (label->statement != PTX_NO_INDEX || label->targets != NULL) {
        PTX_FAIL_AT(ps, at, "label \"%s\" is defined twice; rename one of them", name);
    }
    label->statement = ps->function->n_statements;
}
