/* ptx_parse_call.c - calls, and the lists that name where branches and calls may go (PTX ISA, "call",
 * "Control Flow Directives").
 *
 * Which function an address means is lowering's and the launch's business.
 */
#include "ptx/ptx_parser.h"

/* ( a, b, ... ) of a call. */
static const struct ptx_operand *parse_call_list(struct ptx_parser *ps, uint32_t *n)
{
    struct ptx_operand *list = NULL;
    ptx_expect_punct(ps, '(');
    while (!ptx_is_punct(ps, ')')) {
        list = ptx_grow(ps->diag, list, *n, sizeof(*list));
        struct ptx_operand o = ptx_parse_operand(ps); /* may move the arena, not the list */
        list[(*n)++] = o;
        if (!ptx_accept_punct(ps, ',')) {
            break;
        }
    }
    ptx_expect_punct(ps, ')');
    return list;
}

/* The callee: a function, or a register with its address. */
static void parse_callee(struct ptx_parser *ps, struct ptx_call_site *site)
{
    const struct ptx_token *at = ps->token;
    struct ptx_symbol *symbol = at->kind == PTX_TOKEN_NAME ? ptx_find_register(ps, at->name) : NULL;
    if (symbol != NULL) {
        struct ptx_operand *through = ptx_alloc(ps->diag, 1, sizeof(*through));
        *through = ptx_parse_operand(ps);
        site->through = through;
        return;
    }
    const char *name = ptx_expect_name(ps, "a function name");
    symbol = ptx_find(ps, name);
    if (symbol == NULL || symbol->kind != PTX_SYMBOL_FUNCTION) {
        PTX_FAIL_AT(ps, at, "\"%s\" is not a function declared before this call", name);
    }
    site->callee = symbol->function;
}

void ptx_parse_call(struct ptx_parser *ps, struct ptx_statement *st)
{
    struct ptx_call_site *site = ptx_alloc(ps->diag, 1, sizeof(*site));
    if (ptx_is_punct(ps, '(')) {
        site->returns = parse_call_list(ps, &site->n_returns);
        ptx_expect_punct(ps, ',');
    }
    parse_callee(ps, site);
    bool comma = ptx_accept_punct(ps, ',');
    if (comma && ptx_is_punct(ps, '(')) {
        site->arguments = parse_call_list(ps, &site->n_arguments);
        comma = ptx_accept_punct(ps, ',');
    }
    if ((site->through != NULL) != comma) {
        PTX_FAIL_AT(ps, ps->token,
                    site->through != NULL
                        ? "a call through a register ends in its .callprototype or .calltargets"
                        : "only a call through a register takes a prototype");
    }
    if (comma) { /* what it says, the arguments show */
        ptx_label_operand(ps);
    }
    st->call = site;
}

/* Label `self` is a list and no place in the code: of branch targets, or none of these. */
static void define_list(struct ptx_parser *ps, uint32_t self, const struct ptx_token *at,
                        uint32_t *targets, uint32_t n)
{
    struct ptx_label *label = &ps->function->labels[self];
    if (label->statement != PTX_NO_INDEX || label->targets != NULL) {
        PTX_FAIL_AT(ps, at, "label \"%s\" is defined twice; rename one of them", label->name);
    }
    label->targets = targets;
    label->n_targets = n;
}

static void parse_branch_targets(struct ptx_parser *ps, uint32_t self, const struct ptx_token *at)
{
    uint32_t n = 0, *targets = NULL;
    do {
        targets = ptx_grow(ps->diag, targets, n, sizeof(*targets));
        targets[n++] = ptx_label_operand(ps).label;
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, ';');
    define_list(ps, self, at, targets, n);
}

static void parse_call_targets(struct ptx_parser *ps)
{
    do {
        const struct ptx_token *at = ps->token;
        const char *name = ptx_expect_name(ps, "a function name");
        struct ptx_symbol *symbol = ptx_find(ps, name);
        if (symbol == NULL || symbol->kind != PTX_SYMBOL_FUNCTION) {
            PTX_FAIL_AT(ps, at, "\"%s\" is not a function declared before this list", name);
        }
        symbol->function->is_address_taken = true;
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, ';');
}

/* (results) _ (parameters) and words such as .noreturn; names stand in parentheses only. */
static void skip_prototype(struct ptx_parser *ps)
{
    uint32_t depth = 0;
    while (depth != 0 || !ptx_is_punct(ps, ';')) {
        const struct ptx_token *token = ps->token;
        bool name = token->kind == PTX_TOKEN_NAME && depth == 0 && token->name[0] != '_';
        if (token->kind == PTX_TOKEN_END || name || ptx_is_punct(ps, ';') ||
            ptx_is_punct(ps, '{') || ptx_is_punct(ps, '}')) {
            PTX_FAIL_AT(ps, token, ".callprototype without an end; add ';'");
        }
        depth += ptx_is_punct(ps, '(');
        depth -= depth != 0 && ptx_is_punct(ps, ')');
        ptx_next(ps);
    }
    ptx_next(ps);
}

bool ptx_parse_list(struct ptx_parser *ps, const char *name, const struct ptx_token *at)
{
    bool branches = ptx_is_dot(ps, ".branchtargets"), calls = ptx_is_dot(ps, ".calltargets");
    if (!branches && !calls && !ptx_is_dot(ps, ".callprototype")) {
        return false;
    }
    ptx_next(ps);
    uint32_t self = ptx_label_use(ps, name, at);
    if (branches) {
        parse_branch_targets(ps, self, at);
        return true;
    }
    if (calls) {
        parse_call_targets(ps);
    } else {
        skip_prototype(ps);
    }
    define_list(ps, self, at, ptx_alloc(ps->diag, 1, sizeof(uint32_t)), 0);
    return true;
}
