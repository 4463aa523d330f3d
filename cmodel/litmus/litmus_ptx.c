/* litmus_ptx.c - a litmus test as PTX.
 *
 * Lane 0 of each thread's warp: loads of the locations that `warm` says (so that the L1D
 * holds copies), a spin that delays this thread, the operations back to back, then the
 * registers go to the result array.  It must not know models or the machine.
 */
#include <stdarg.h>
#include <stdio.h>

#include "litmus/litmus.h"

struct text {
    char *at;
    size_t used, size;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (text->used < text->size) {
        text->used += (size_t)vsnprintf(text->at + text->used, text->size - text->used, format,
                                        arguments);
    }
    va_end(arguments);
}

static void head(struct text *text, const struct litmus_test *test, uint32_t together)
{
    put(text,
        "// %s: %s\n.version 6.0\n.target sm_35\n.address_size 64\n"
        ".visible .entry litmus(.param .u64 locations, .param .u64 results,\n"
        "    .param .u32 offset1, .param .u32 offset2, .param .u32 warm",
        test->name, test->text);
    for (uint32_t t = 0; t < LITMUS_THREADS; t++) {
        put(text, ", .param .u32 spin%u", t);
    }
    put(text,
        ")\n{\n    .reg .pred %%p<4>;\n    .reg .b32 %%r<32>;\n    .reg .b64 %%rd<8>;\n"
        "    mov.u32 %%r0, %%tid.x;\n    and.b32 %%r1, %%r0, 31;\n"
        "    setp.ne.u32 %%p0, %%r1, 0;\n    @%%p0 bra EXIT;\n"
        "    shr.u32 %%r0, %%r0, 5;\n    mov.u32 %%r1, %%ctaid.x;\n"
        "    mad.lo.u32 %%r0, %%r1, %u, %%r0; // number of the thread\n"
        "    setp.ge.u32 %%p0, %%r0, %u;\n    @%%p0 bra EXIT;\n"
        "    ld.param.u64 %%rd7, [results];\n    ld.param.u64 %%rd0, [locations];\n"
        "    ld.param.u32 %%r3, [warm];\n",
        together, test->n_threads);
    for (uint32_t l = 1; l < test->n_locations; l++) {
        put(text,
            "    ld.param.u32 %%r2, [offset%u];\n    cvt.u64.u32 %%rd%u, %%r2;\n"
            "    add.u64 %%rd%u, %%rd%u, %%rd0;\n",
            l, l, l, l);
    }
    for (uint32_t t = 1; t < test->n_threads; t++) {
        put(text, "    setp.eq.u32 %%p1, %%r0, %u;\n    @%%p1 bra T%u;\n", t, t);
    }
}

/* Warm-up loads, each waited for; then the spin. */
static void prelude(struct text *text, const struct litmus_test *test, uint32_t t)
{
    put(text, "T%u:\n", t);
    for (uint32_t l = 0; l < test->n_locations; l++) {
        put(text,
            "    and.b32 %%r4, %%r3, %u;\n    setp.eq.u32 %%p2, %%r4, 0;\n"
            "    @%%p2 bra W%u_%u;\n    ld.global.u32 %%r5, [%%rd%u];\n"
            "    add.u32 %%r6, %%r6, %%r5;\nW%u_%u:\n",
            1u << (t * LITMUS_LOCATIONS + l), t, l, l, t, l);
    }
    put(text,
        "    mov.u32 %%r16, 0;\n    mov.u32 %%r17, 1;\n    mov.u32 %%r18, 2;\n"
        "    mov.u32 %%r19, 3;\n    ld.param.u32 %%r4, [spin%u];\nS%u:\n"
        "    setp.eq.u32 %%p2, %%r4, 0;\n    @%%p2 bra G%u;\n"
        "    sub.u32 %%r4, %%r4, 1;\n    bra S%u;\nG%u:\n",
        t, t, t, t, t);
}

static void body(struct text *text, const struct litmus_thread *thread, bool fenced)
{
    for (uint32_t i = 0; i < thread->n_ops; i++) {
        const struct litmus_op *op = &thread->op[i];

        if (op->kind == LITMUS_LOAD) {
            put(text, "    ld.global.u32 %%r%u, [%%rd%u];\n", 8u + op->value, op->location);
        } else if (op->kind == LITMUS_STORE) {
            put(text, "    st.global.u32 [%%rd%u], %%r%u;\n", op->location, 16u + op->value);
        } else if (op->kind == LITMUS_EXCHANGE) {
            put(text, "    atom.global.exch.b32 %%r20, [%%rd%u], %%r%u;\n", op->location,
                16u + op->value);
        } else if (fenced) {
            put(text, "    membar.gl;\n");
        }
    }
    for (uint32_t i = 0; i < thread->n_ops; i++) {
        if (thread->op[i].kind == LITMUS_LOAD) {
            put(text, "    st.global.u32 [%%rd7+%u], %%r%u;\n", 4u * thread->op[i].value,
                8u + thread->op[i].value);
        }
    }
    put(text, "    bra EXIT;\n");
}

size_t litmus_ptx(const struct litmus_test *test, const struct litmus_variant *variant, char *out,
                  size_t n_out)
{
    struct text text = {out, 0, n_out};

    head(&text, test, litmus_together(test, variant));
    for (uint32_t t = 0; t < test->n_threads; t++) {
        prelude(&text, test, t);
        body(&text, &test->thread[t], variant->fenced);
    }
    put(&text, "EXIT:\n    ret;\n}\n");
    return text.used < n_out ? text.used : n_out - 1;
}
