/* litmus_tests.c - reads the tests of litmus_tests.h from their text. */
#include <stdio.h>
#include <string.h>

#include "litmus/litmus.h"

static const struct {
    const char *name, *text, *weak;
} tests[] = {
#define LITMUS(name, text, weak) {name, text, weak},
#include "litmus/litmus_tests.h"
#undef LITMUS
};

size_t litmus_count(void)
{
    return sizeof tests / sizeof *tests;
}

int litmus_find(const char *name)
{
    for (size_t i = 0; i < litmus_count(); i++) {
        if (!strcmp(tests[i].name, name)) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_location(char c)
{
    return c >= 'x' && c <= 'z';
}

/* "x=1", "x!1", "a=x" or "F". */
static void read_op(struct litmus_test *test, struct litmus_thread *thread, const char *word)
{
    struct litmus_op *op = &thread->op[thread->n_ops++];
    char location = is_location(word[0]) ? word[0] : word[2];

    if (word[0] == 'F') {
        op->kind = LITMUS_FENCE;
        return;
    }
    op->kind = !is_location(word[0]) ? LITMUS_LOAD
               : word[1] == '!'      ? LITMUS_EXCHANGE
                                     : LITMUS_STORE;
    op->location = (uint8_t)(location - 'x');
    op->value = (uint8_t)(op->kind == LITMUS_LOAD ? word[0] - 'a' : word[2] - '0');
    if (op->location >= test->n_locations) {
        test->n_locations = op->location + 1u;
    }
    test->n_registers += op->kind == LITMUS_LOAD;
}

static uint32_t place_of(char name)
{
    return is_location(name) ? 2u * (LITMUS_REGISTERS + (uint32_t)(name - 'x'))
                             : 2u * (uint32_t)(name - 'a');
}

struct litmus_test litmus_get(size_t i)
{
    struct litmus_test test = {
        .name = tests[i].name, .text = tests[i].text, .weak_text = tests[i].weak, .n_threads = 1};

    for (const char *at = test.text; *at; at += at[0] && (at[1] == '=' || at[1] == '!') ? 3 : 1) {
        if (*at == '|') {
            test.n_threads++;
        } else if (*at != ' ') {
            read_op(&test, &test.thread[test.n_threads - 1], at);
        }
    }
    for (const char *at = test.weak_text; *at; at++) {
        if (*at == '=') {
            test.weak_mask |= 3u << place_of(at[-1]);
            test.weak |= (uint32_t)(at[1] - '0') << place_of(at[-1]);
        }
    }
    return test;
}

void litmus_outcome_text(const struct litmus_test *test, uint32_t outcome, char *out, size_t n_out)
{
    size_t used = 0;

    out[0] = '\0';
    for (uint32_t r = 0; r < test->n_registers && used < n_out; r++) {
        used += (size_t)snprintf(out + used, n_out - used, "%s%c=%u", used ? " " : "",
                                 (int)('a' + r), litmus_register_of(outcome, r));
    }
    for (uint32_t l = 0; l < test->n_locations && used < n_out; l++) {
        used += (size_t)snprintf(out + used, n_out - used, "%s%c=%u", used ? " " : "",
                                 (int)('x' + l), litmus_last_value(outcome, l));
    }
}
