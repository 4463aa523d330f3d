/* test_sass.h - a small sound trace, scanned from memory with one thing changed. */
#ifndef TEST_SASS_H
#define TEST_SASS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sass/sass_kernel.h"

/* Two blocks of 40 threads: warps of 32 and 8 lanes.  Lines are counted from 1. */
static const char HEAD[] = "-kernel name = k\n"                               /* 1 */
                           "-kernel id = 1\n"                                 /* 2 */
                           "-grid dim = (2,1,1)\n"                            /* 3 */
                           "-block dim = (40,1,1)\n"                          /* 4 */
                           "-shmem = 0\n"                                     /* 5 */
                           "-nregs = 8\n"                                     /* 6 */
                           "-binary version = 70\n"                           /* 7 */
                           "-shmem base_addr = 0x7f0000000000\n"              /* 8 */
                           "-local mem base_addr = 0x7f0001000000\n"          /* 9 */
                           "-accelsim tracer version = 3\n"                   /* 10 */
                           "#traces format\n";                                /* 11 */
static const char BODY[] = "#BEGIN_TB\n"                                      /* 12 */
                           "thread block = 0,0,0\n"                           /* 13 */
                           "warp = 0\n"                                       /* 14 */
                           "insts = 4\n"                                      /* 15 */
                           "0000 ffffffff 1 R1 S2R 0 0\n"                     /* 16 */
                           "0010 ffffffff 1 R2 LDG.E 1 R1 4 1 0x40000000 4\n" /* 17 */
                           "0020 0000ffff 0 STG.E 2 R1 R2 4 1 0x40001000 4\n" /* 18 */
                           "0030 ffffffff 0 EXIT 0 0\n"                       /* 19 */
                           "warp = 1\n"                                       /* 20 */
                           "insts = 1\n"                                      /* 21 */
                           "0030 000000ff 0 EXIT 0 0\n"                       /* 22 */
                           "#END_TB\n"                                        /* 23 */
                           "#BEGIN_TB\n"                                      /* 24 */
                           "thread block = 1,0,0\n"                           /* 25 */
                           "warp = 0\n"                                       /* 26 */
                           "insts = 1\n"                                      /* 27 */
                           "0030 ffffffff 0 EXIT 0 0\n"                       /* 28 */
                           "warp = 1\n"                                       /* 29 */
                           "insts = 1\n"                                      /* 30 */
                           "0030 000000ff 0 EXIT 0 0\n"                       /* 31 */
                           "#END_TB\n";                                       /* 32 */

static char message[512];
static struct sass_kernel kernel;

/* Scan bytes as "k.traceg"; the kernel is to be freed with forget(). */
static inline int scan_bytes(const void *bytes, size_t n, bool unknown_as_alu)
{
    struct sass_opcodes *opcodes = sass_opcodes_new();
    const struct sass_scan_options options = {
        .opcodes = opcodes, .unknown = unknown_as_alu ? SASS_UNKNOWN_ALU : SASS_UNKNOWN_ERROR};
    struct sass_pages pages = {0};
    struct sass_input in;
    int result;

    memset(&kernel, 0, sizeof kernel);
    kernel.path = "k.traceg";
    result = sass_input_memory(&in, "k.traceg", bytes, n, message, sizeof message);
    if (result == 0) {
        result = sass_kernel_scan(&kernel, &in, &pages, &options);
    }
    sass_input_close(&in);
    sass_pages_free(&pages);
    sass_opcodes_free(opcodes);
    return result;
}

static inline void forget(void)
{
    sass_kernel_free(&kernel);
}

/* The sound trace with the first `old` replaced; to be freed. */
static inline char *changed(const char *old, const char *new)
{
    size_t n = sizeof HEAD + sizeof BODY + strlen(new) + 1;
    char *text = malloc(n), *whole = malloc(n), *at;

    assert_non_null(text);
    assert_non_null(whole);
    snprintf(whole, n, "%s%s", HEAD, BODY);
    at = strstr(whole, old);
    assert_non_null(at);
    snprintf(text, n, "%.*s%s%s", (int)(at - whole), whole, new, at + strlen(old));
    free(whole);
    return text;
}

static inline int scan_changed(const char *old, const char *new)
{
    char *text = changed(old, new);
    int result = scan_bytes(text, strlen(text), false);

    free(text);
    return result;
}

#endif
