/* ptx_lex.h - PTX text to tokens (PTX ISA, "Syntax").
 *
 * Knows characters only: not which words are opcodes, types or registers.
 */
#ifndef WARPLOCK_PTX_LEX_H
#define WARPLOCK_PTX_LEX_H

#include "ptx/ptx_diag.h"

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_NAME,    /* identifier, %register or $label: `name` */
    PTX_TOKEN_DOT,     /* dot word with its dot: ".u32", ".L2::128B": `name` */
    PTX_TOKEN_INTEGER, /* `bits` */
    PTX_TOKEN_F32,     /* 0f...: `bits` holds the 32-bit pattern */
    PTX_TOKEN_F64,     /* 0d... or a decimal literal: `bits` holds the 64-bit pattern */
    PTX_TOKEN_STRING,
    PTX_TOKEN_PUNCT /* `punct`: the character, or PTX_PUNCT_* */
};

enum {
    PTX_PUNCT_SHL = 256,
    PTX_PUNCT_SHR,
    PTX_PUNCT_EQ,
    PTX_PUNCT_NE,
    PTX_PUNCT_LE,
    PTX_PUNCT_GE,
    PTX_PUNCT_AND,
    PTX_PUNCT_OR
};

struct ptx_token {
    enum ptx_token_kind kind;
    uint32_t line, column; /* from 1 */
    int punct;
    const char *name;
    uint64_t bits;
};

/* All tokens of `text`, ended by one PTX_TOKEN_END; fails through `diag`. */
struct ptx_token *ptx_lex(struct ptx_diag *diag, const char *text, size_t n);

#endif
