// common.h - what the programs of this folder share: a check of every call, and the last line.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CALL(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_ != cudaSuccess) { \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_)); \
            exit(1); \
        } \
    } while (0)

// Fails the program, with the place, unless it holds.
#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static inline int passed()
{
    CALL(cudaDeviceSynchronize());
    CALL(cudaGetLastError());
    puts("PASSED");
    return 0;
}

// The same numbers everywhere.
static inline unsigned random_word(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
