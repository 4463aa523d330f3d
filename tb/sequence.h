/* sequence.h - sequences of steps as text: the documents' vectors, and replays.
 *
 * One format serves both (<unit>.vec and what a failing check
 * writes).  A line is empty, a comment (#), or one of
 *
 *   unit NAME                         first line
 *   test NAME [K=V ...]               begins a test; K=V override parameters
 *   seed N                            pre-reset contents of both sides
 *   backend NAME                      suggested backend of a replay
 *   load field=V ...                  the state to start from, fields not named 0; may go on
 *                                     over several lines, all before the first step
 *   rst [in=V ...] [=> field=V ...]   one clock edge with reset
 *   step [in=V ...] [-> out=V ...] [=> field=V ...]
 *   repeat N step ...                 the same step N times
 *
 * V is decimal, 0x hex, 0b binary or the name of an enum value.  An array port or
 * field takes name[i]=V, or name=V,V,V from element 0.  Inputs not named are 0.
 * `->` lists expected outputs in that step, `=>` expected state after its edge.
 */
#ifndef WARPLOCK_TB_SEQUENCE_H
#define WARPLOCK_TB_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "units/unit.h"

/* One expected value: of an output, or of a state field after the edge. */
struct sequence_expect {
    bool of_state;
    unsigned index; /* into desc->out or desc->state */
    unsigned element;
    uint64_t value;
};

struct sequence_step {
    bool rst;
    uint64_t repeat;
    size_t in; /* offset of the input slots in sequence.inputs */
    size_t first_expect, n_expects;
    unsigned line;
};

struct sequence {
    char test[64];
    char backend[32];
    uint64_t seed;
    unsigned char *state; /* the unit's struct state to start from; NULL: as created */
    uint64_t *inputs;
    size_t n_inputs, cap_inputs;
    struct sequence_step *steps;
    size_t n_steps, cap_steps;
    struct sequence_expect *expects;
    size_t n_expects, cap_expects;
};

/* What must be known before a file's steps can be read: the unit and, per test,
 * the parameters.  `tests` are in file order. */
struct sequence_head {
    char test[64];
    char overrides[256]; /* "K=V K=V" */
    unsigned line;       /* of the `test` line, or 1 */
    size_t body;         /* offset in the text of what follows that line */
};
struct sequence_file {
    char *path, *text;
    size_t longest_line;
    char unit[64];
    struct sequence_head *tests;
    size_t n_tests;
};

/* Read a file and find its tests.  False with "file:line: what; remedy" in error. */
bool sequence_file_open(struct sequence_file *file, const char *path, char *error, size_t n_error);
/* The same of text in memory, which is copied; `path` stands for it in messages. */
bool sequence_text_open(struct sequence_file *file, const char *path, const char *text, char *error,
                        size_t n_error);
void sequence_file_close(struct sequence_file *file);

/* Parse the steps of test `i` for a unit variant.  False with an error as above. */
bool sequence_parse(struct sequence *sequence, const struct sequence_file *file, size_t i,
                    const struct unit_desc *desc, char *error, size_t n_error);
void sequence_free(struct sequence *sequence);

/* Append a step (inputs are copied; NULL for rst).  False when memory is out. */
bool sequence_add(struct sequence *sequence, const struct unit_desc *desc, const uint64_t *in,
                  bool rst);

/* Write as text; parse gives back the same sequence. */
void sequence_write(FILE *to, const struct sequence *sequence, const struct unit_desc *desc);

#endif
