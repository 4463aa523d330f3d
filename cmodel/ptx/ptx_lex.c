/* ptx_lex.c - see ptx_lex.h (PTX ISA, "Syntax": comments, identifiers, constants). */
#include "ptx/ptx_lex.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
    struct ptx_diag *diag;
    const char *at, *end, *line_start;
    uint32_t line;
    struct ptx_token *tokens;
    size_t n_tokens;
};

static uint32_t column_of(const struct lexer *lx, const char *at)
{
    return (uint32_t)(at - lx->line_start) + 1;
}

static int peek(const struct lexer *lx, size_t ahead)
{
    return (size_t)(lx->end - lx->at) > ahead ? (unsigned char)lx->at[ahead] : 0;
}

static void newline(struct lexer *lx)
{
    lx->at++;
    lx->line++;
    lx->line_start = lx->at;
}

static void skip_block_comment(struct lexer *lx)
{
    uint32_t line = lx->line, column = column_of(lx, lx->at);
    lx->at += 2;
    while (lx->at < lx->end && !(peek(lx, 0) == '*' && peek(lx, 1) == '/')) {
        if (*lx->at == '\n') {
            newline(lx);
        } else {
            lx->at++;
        }
    }
    if (lx->at >= lx->end) {
        ptx_fail(lx->diag, line, column, "comment without an end; add */");
    }
    lx->at += 2;
}

static void skip_blanks(struct lexer *lx)
{
    while (lx->at < lx->end) {
        int c = peek(lx, 0);
        if (c == '\n') {
            newline(lx);
        } else if (isspace(c)) {
            lx->at++;
        } else if (c == '/' && peek(lx, 1) == '/') {
            while (lx->at < lx->end && *lx->at != '\n') {
                lx->at++;
            }
        } else if (c == '/' && peek(lx, 1) == '*') {
            skip_block_comment(lx);
        } else {
            return;
        }
    }
}

static bool is_word(int c)
{
    return isalnum(c) || c == '_' || c == '$';
}

/* The end of a word at `at`; dot words may hold "::", as in .shared::cta. */
static const char *word_end(const struct lexer *lx, const char *at, bool colons)
{
    while (at < lx->end) {
        if (is_word((unsigned char)*at)) {
            at++;
        } else if (colons && lx->end - at > 2 && at[0] == ':' && at[1] == ':' &&
                   is_word((unsigned char)at[2])) {
            at += 2;
        } else {
            break;
        }
    }
    return at;
}

static void lex_hex_float(struct lexer *lx, struct ptx_token *token, unsigned digits)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; i++) {
        int c = peek(lx, 2 + i);
        if (!isxdigit(c)) {
            ptx_fail(lx->diag, token->line, token->column,
                     "hexadecimal float constant needs %u digits; write them all", digits);
        }
        bits = bits * 16 + (uint64_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    token->kind = digits == 8 ? PTX_TOKEN_F32 : PTX_TOKEN_F64;
    token->bits = bits;
    lx->at += 2 + digits;
}

static void lex_decimal_float(struct lexer *lx, struct ptx_token *token, const char *end)
{
    char text[64];
    size_t n = (size_t)(end - lx->at);
    if (n >= sizeof(text)) {
        ptx_fail(lx->diag, token->line, token->column,
                 "number is too long; write at most 63 digits");
    }
    memcpy(text, lx->at, n);
    text[n] = '\0';
    char *stop = NULL;
    double value = strtod(text, &stop);
    if (*stop != '\0') {
        ptx_fail(lx->diag, token->line, token->column, "malformed number \"%s\"", text);
    }
    memcpy(&token->bits, &value, sizeof(value));
    token->kind = PTX_TOKEN_F64;
    lx->at = end;
}

static unsigned radix_of(struct lexer *lx)
{
    if (peek(lx, 0) != '0') {
        return 10;
    }
    int c = tolower(peek(lx, 1));
    if (c == 'x' || c == 'b') {
        lx->at += 2;
        return c == 'x' ? 16 : 2;
    }
    return isdigit(c) ? 8 : 10;
}

static void lex_integer(struct lexer *lx, struct ptx_token *token)
{
    unsigned radix = radix_of(lx);
    uint64_t value = 0;
    bool any = false;
    for (;; any = true, lx->at++) {
        int c = peek(lx, 0);
        unsigned digit = isdigit(c)   ? (unsigned)(c - '0')
                         : isalpha(c) ? (unsigned)(tolower(c) - 'a' + 10)
                                      : 99u;
        if (digit >= radix) {
            break;
        }
        uint64_t next = 0;
        if (__builtin_mul_overflow(value, (uint64_t)radix, &next) ||
            __builtin_add_overflow(next, (uint64_t)digit, &next)) {
            ptx_fail(lx->diag, token->line, token->column, "integer constant exceeds 64 bits");
        }
        value = next;
    }
    if (peek(lx, 0) == 'U') {
        lx->at++;
    }
    if (!any || is_word(peek(lx, 0))) {
        ptx_fail(lx->diag, token->line, token->column, "malformed integer constant");
    }
    token->kind = PTX_TOKEN_INTEGER;
    token->bits = value;
}

/* Where a decimal float that starts here ends, or NULL when this is an integer. */
static const char *decimal_float_end(const struct lexer *lx)
{
    const char *p = lx->at;
    bool is_float = false;
    while (p < lx->end && isdigit((unsigned char)*p)) {
        p++;
    }
    if (p + 1 < lx->end && *p == '.' && isdigit((unsigned char)p[1])) {
        is_float = true;
        for (p++; p < lx->end && isdigit((unsigned char)*p); p++) {
        }
    }
    if (p + 1 < lx->end && (*p == 'e' || *p == 'E')) {
        is_float = true;
        p += p[1] == '+' || p[1] == '-' ? 2 : 1;
        while (p < lx->end && isdigit((unsigned char)*p)) {
            p++;
        }
    }
    return is_float ? p : NULL;
}

static void lex_number(struct lexer *lx, struct ptx_token *token)
{
    int marker = peek(lx, 0) == '0' ? tolower(peek(lx, 1)) : 0;
    const char *end = NULL;
    if (marker == 'f' || marker == 'd') {
        lex_hex_float(lx, token, marker == 'f' ? 8 : 16);
    } else if (marker != 'x' && marker != 'b' && (end = decimal_float_end(lx)) != NULL) {
        lex_decimal_float(lx, token, end);
    } else {
        lex_integer(lx, token);
    }
}

static void lex_string(struct lexer *lx, struct ptx_token *token)
{
    const char *start = ++lx->at;
    while (lx->at < lx->end && *lx->at != '"' && *lx->at != '\n') {
        lx->at++;
    }
    if (lx->at >= lx->end || *lx->at != '"') {
        ptx_fail(lx->diag, token->line, token->column, "string without an end; add \"");
    }
    token->kind = PTX_TOKEN_STRING;
    token->name = ptx_strndup(lx->diag, start, (size_t)(lx->at - start));
    lx->at++;
}

static void lex_punct(struct lexer *lx, struct ptx_token *token)
{
    static const struct {
        char text[3];
        int punct;
    } pairs[] = {{"<<", PTX_PUNCT_SHL}, {">>", PTX_PUNCT_SHR}, {"==", PTX_PUNCT_EQ},
                 {"!=", PTX_PUNCT_NE},  {"<=", PTX_PUNCT_LE},  {">=", PTX_PUNCT_GE},
                 {"&&", PTX_PUNCT_AND}, {"||", PTX_PUNCT_OR}};
    token->kind = PTX_TOKEN_PUNCT;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (peek(lx, 0) == pairs[i].text[0] && peek(lx, 1) == pairs[i].text[1]) {
            token->punct = pairs[i].punct;
            lx->at += 2;
            return;
        }
    }
    token->punct = peek(lx, 0);
    if (strchr("{}()[]<>,;:@!|&^~+-*/%=?.", token->punct) == NULL || token->punct == 0) {
        if (isprint(token->punct)) {
            ptx_fail(lx->diag, token->line, token->column, "unexpected character '%c'; remove it",
                     token->punct);
        }
        ptx_fail(lx->diag, token->line, token->column, "unexpected byte 0x%02x; PTX is ASCII text",
                 (unsigned)token->punct);
    }
    lx->at++;
}

static void lex_one(struct lexer *lx, struct ptx_token *token)
{
    int c = peek(lx, 0), next = peek(lx, 1);
    token->line = lx->line;
    token->column = column_of(lx, lx->at);
    bool name = isalpha(c) || c == '_' || c == '$' ||
                (c == '%' && (is_word(next) && !isdigit(next)));
    bool dot = c == '.' && is_word(next);
    if (name || dot) {
        const char *end = word_end(lx, lx->at + 1, dot);
        token->kind = dot ? PTX_TOKEN_DOT : PTX_TOKEN_NAME;
        token->name = ptx_strndup(lx->diag, lx->at, (size_t)(end - lx->at));
        lx->at = end;
    } else if (isdigit(c)) {
        lex_number(lx, token);
    } else if (c == '"') {
        lex_string(lx, token);
    } else {
        lex_punct(lx, token);
    }
}

struct ptx_token *ptx_lex(struct ptx_diag *diag, const char *text, size_t n)
{
    struct lexer lx = {.diag = diag, .at = text, .end = text + n, .line_start = text, .line = 1};
    for (;;) {
        skip_blanks(&lx);
        lx.tokens = ptx_grow(diag, lx.tokens, lx.n_tokens, sizeof(*lx.tokens));
        struct ptx_token *token = &lx.tokens[lx.n_tokens++];
        if (lx.at >= lx.end) {
            token->kind = PTX_TOKEN_END;
            token->line = lx.line;
            token->column = column_of(&lx, lx.at);
            return lx.tokens;
        }
        lex_one(&lx, token);
    }
}
