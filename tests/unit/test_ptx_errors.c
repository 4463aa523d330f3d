/* test_ptx_errors.c - malformed and unsupported PTX: each with the message and the place it names.
 */
#include "test_ptx.h"

static void refuse(const char *text, const char *message)
{
    char error[512] = "";
    struct ptx_module *module = ptx_module_parse("bad.ptx", text, strlen(text), error,
                                                 sizeof(error));
    bool right = module == NULL && strncmp(error, message, strlen(message)) == 0;
    ptx_module_free(module);
    if (!right) {
        fail_msg("expected \"%s\", got \"%s\" for:\n%s", message, error, text);
    }
}

/* A statement on line 3 of a kernel with some registers. */
static void refuse_in_kernel(const char *statement, const char *message)
{
    char text[1024], full[512];
    snprintf(text, sizeof(text),
             ".visible .entry k(.param .u64 p, .param .u32 n) { .reg .pred %%p<4>; .reg .b16 "
             "%%h<4>; .reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .f32 %%f<4>;\n"
             ".shared .b32 s; .local .b32 l;\n%s\nret;\n}\n",
             statement);
    snprintf(full, sizeof(full), "bad.ptx:%s", message);
    refuse(text, full);
}

static void syntax(void **state)
{
    (void)state;
    refuse("hello", "bad.ptx:1:1: a directive such as .entry is expected, not \"hello\"");
    refuse(".version x", "bad.ptx:1:10: a version such as 6.0 is expected");
    refuse(".version 7.0\n.address_size 32\n", "bad.ptx:2:15: only 64-bit addresses are supported");
    refuse("/* never\nclosed", "bad.ptx:1:1: comment without an end; add */");
    refuse(".global .u32 x = 0x;", "bad.ptx:1:18: malformed integer constant");
    refuse(".global .u32 x = 99999999999999999999999;",
           "bad.ptx:1:18: integer constant exceeds 64 bits");
    refuse(".global .f32 x = 0f123;", "bad.ptx:1:18: hexadecimal float constant needs 8 digits");
    refuse(".pragma \"open;\n", "bad.ptx:1:9: string without an end");
    refuse("\n\n\x01", "bad.ptx:3:1: unexpected byte 0x01; PTX is ASCII text");
    refuse(".entry k(", "bad.ptx:1:10: a state space is expected, not the end of the file");
    refuse(".entry k() {", "bad.ptx:1:13: an instruction is expected, not the end of the file");
    refuse(".entry k() { } }", "bad.ptx:1:16: a directive such as .entry is expected, not '}'");
    refuse(".section .debug {\n{", "bad.ptx:1:17: brace without an end; add '}'");
    refuse_in_kernel("add.u32 %r1, %r2 %r3;", "3:18: ';' is expected before \"%r3\"");
    refuse_in_kernel("add.u32 %r1, %r2, (((((1))));", "3:29: ')' is expected before ';'");
    refuse_in_kernel("@%r1 bra X;", "3:2: guard %r1 is not a .pred register");
    refuse_in_kernel("ld.global.u32 %r1, [%d1+];", "3:25: a constant is expected, not ']'");
}

static void declarations(void **state)
{
    (void)state;
    refuse(".global .u32 a; .global .u32 a;", "bad.ptx:1:30: \"a\" is declared twice in one scope");
    refuse(".global .align 3 .u32 a;", "bad.ptx:1:16: alignment must be a power of two, not 3");
    refuse(".global a;", "bad.ptx:1:9: the declaration has no type");
    refuse(".global .u32 a[2] = {1,2,3};",
           "bad.ptx:1:26: more initial values than \"a\" has elements");
    refuse(".global .u32 a[2] = {{1},2};", "bad.ptx:1:22: more braces than \"a\" has dimensions");
    refuse(".global .f32 a = 1;", "bad.ptx:1:18: a .f32 element needs a float constant");
    refuse(".global .u32 a = 1 / 0;", "bad.ptx:1:20: division by zero in a constant expression");
    refuse(".global .u32 b = c;", "bad.ptx:1:18: \"c\" is not a constant or a variable");
    refuse(".global .u32 b; .global .u32 c = b;",
           "bad.ptx:1:34: an address needs 64 bits, not .u32");
    refuse(".shared .u32 s = 1;",
           "bad.ptx:1:18: only .global and .const variables may be initialised");
    refuse(".local .u32 s;",
           "bad.ptx:1: \"s\": .local and .param variables belong inside a function");
    refuse(".global .u32 a[99999999][99999999];", "bad.ptx:1:15: array \"a\" exceeds");
    refuse(".global .texref t;", "bad.ptx:1:9: textures and surfaces are not supported");
    refuse(".entry k(.reg .u32 %x) { ret; }", "bad.ptx:1:15: parameters of a kernel are .param");
    refuse(".entry k() { ret; }\n.entry k() { ret; }", "bad.ptx:2:8: \"k\" is defined twice");
    refuse(".global .u32 k;\n.entry k(.param .u64 p) { ret; }",
           "bad.ptx:2:8: \"k\" is already the name of a variable");
    refuse(".entry k() .explicitcluster { ret; }",
           "bad.ptx:1:12: directive .explicitcluster is not supported");
    refuse_in_kernel("LAB: LAB: add.u32 %r1, %r1, 1;", "3:6: label \"LAB\" is defined twice");
    refuse_in_kernel("{ .reg .u32 %r1; .reg .u32 %r1; }",
                     "3:28: \"%r1\" is declared twice in one scope");
}

static void names_and_operands(void **state)
{
    (void)state;
    refuse_in_kernel("add.u32 %r1, %r2, %r99;", "3:19: register %r99 is not declared");
    refuse_in_kernel("bra NOWHERE;", "3:5: label \"NOWHERE\" is not defined in this function");
    refuse_in_kernel("{ INSIDE: add.u32 %r1, %r1, 1; } bra INSIDE;",
                     "3:38: label \"INSIDE\" is not defined");
    refuse_in_kernel("add.u32 %r1, %r2, %d1;",
                     "3:19: register %d1 is .b64 where add.u32 takes .u32");
    refuse_in_kernel("add.u32 %r1, %r2;", "3:1: add.u32 takes 3 operands, not 2");
    refuse_in_kernel("add.u32 5, %r1, %r2;", "3:9: the destination of add.u32 must be a register");
    refuse_in_kernel("add.f32 %f1, %f2, 1;", "3:1: a .f32 operand needs a float constant");
    refuse_in_kernel("add.u32 %r1, %r2, !%r3;", "3:20: '!' applies to predicates only");
    refuse_in_kernel("ld.global.u32 %r1, %d1;", "3:20: ld.global.u32 needs an address in [ ] here");
    refuse_in_kernel("ld.global.u32 %r1, [s];", "3:20: variable \"s\" is not in the space");
    refuse_in_kernel("ld.global.u32 %r1, [%r2];", "3:20: register %r2 is .b32 where");
    refuse_in_kernel("ld.global.v2.u32 %r1, [%d1];", "3:1: ld.global.v2.u32 needs a vector of 2");
    refuse_in_kernel("mov.b64 %d1, {%r1, %r2, %r3};", "3:1: .b64 cannot be made of 3 elements");
    refuse_in_kernel("mov.u32 %r1, %tid;", "3:14: register %tid is not declared");
    refuse_in_kernel("lop3.b32 %r1, %r1, %r2, %r3, 256;",
                     "3:1: lop3 is lop3.b32 with a constant table");
    refuse_in_kernel("call nobody, (%r1);", "3:6: \"nobody\" is not a function declared before");
    refuse_in_kernel("call %d1, (%r1);", "3:16: a call through a register ends in its");
    refuse_in_kernel("call %d1, (%r1), Q;", "3:18: label \"Q\" is not defined");
    refuse_in_kernel("P: .callprototype _ (.param .b32 _)", "4:1: .callprototype without an end");
    refuse_in_kernel("P: .calltargets nobody;", "3:17: \"nobody\" is not a function declared");
    refuse_in_kernel("P: .callprototype _ (.reg .b32 _);\nbrx.idx %r1, P;",
                     "4:1: brx.idx needs a list of targets");
    refuse_in_kernel("P: .callprototype (.reg .b64 _) _ ();\ncall (%d1), %d1, P;",
                     "4:1: the result would overwrite the address");
    refuse(".extern .func f(.param .b32 a);\n.entry k() {\n.param .b32 a;\ncall f, (a);\nret; }",
           "bad.ptx:4:1: function \"f\" is declared and not defined");
    refuse(
        ".extern .func __cudaCDP2LaunchDeviceV2();\n.entry k() {\n"
        "call __cudaCDP2LaunchDeviceV2;\nret; }",
        "bad.ptx:3:1: function \"__cudaCDP2LaunchDeviceV2\" is declared and not defined; kernels "
        "cannot launch kernels here: launch them from the host");
    refuse(".func f(.param .b64 a) { ret; }\n.entry k() {\n.param .b32 a;\ncall f, (a);\nret; }",
           "bad.ptx:4:1: \"a\" has 4 bytes where \"a\" takes 8");
    refuse(".func f(.param .b64 a) { ret; }\n.entry k() {\n.param .b64 a;\ncall f;\nret; }",
           "bad.ptx:4:1: call of \"f\" with 0 arguments where it has 1");
    refuse(".extern .global .u32 g;\n.entry k() { .reg .b32 %r;\nld.global.u32 %r, [g];\nret; }",
           "bad.ptx:3:1: \"g\" is declared .extern and not defined in this module");
}

static void unsupported(void **state)
{
    (void)state;
    refuse_in_kernel("wgmma.fence.sync.aligned;",
                     "3:1: instruction \"wgmma.fence.sync.aligned\" is not supported");
    refuse_in_kernel(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%r1], [%d1, {%r2,%r3}], [%r4];",
        "3:1: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
        "bytes: tensor maps are not supported; copy rows by cp.async.bulk");
    refuse_in_kernel(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], "
        "[%r2], %r3, [%r4];",
        "3:1: cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes is "
        "not supported: a bulk copy is from .global to the CTA's own shared memory");
    refuse_in_kernel(
        "cp.async.cg.shared.global [%r1], [%d1], 8;",
        "3:1: cp.async.cg.shared.global copies 4, 8 or 16 bytes with .ca, 16 with .cg");
    refuse_in_kernel("mbarrier.arrive.shared::cluster.b64 _, [%r1];",
                     "3:1: mbarrier.arrive.shared::cluster.b64 is not supported; use .cta");
    refuse_in_kernel("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f0}, [s, {%f1,%f2}];",
                     "3:1: tex.2d.v4.f32.f32 needs [object, {coordinates}] with an object in a");
    refuse_in_kernel("tex.cube.v4.f32.f32 {%f1,%f2,%f3,%f0}, [%d1, {%f1,%f2,%f3,%f3}];",
                     "3:1: tex.cube.v4.f32.f32 is not supported; use .1d, .2d");
    refuse_in_kernel("sust.p.2d.v4.b32.trap [%d1, {%r1,%r2}], {%r1,%r2,%r3,%r4};",
                     "3:1: sust.p.2d.v4.b32.trap is not supported; use .b");
    refuse_in_kernel("ld.global.u32 %r1, [%d1, {%r2}];",
                     "3:20: ld.global.u32 takes one address in [ ], no coordinates");
    refuse_in_kernel("add.wide.u32 %r1, %r2, %r3;", "3:1: modifier .wide is not supported on add");
    refuse_in_kernel("add.u8 %r1, %r2, %r3;", "3:1: add does not take type .u8");
    refuse_in_kernel("add %r1, %r2, %r3;", "3:1: add lacks a type");
    refuse_in_kernel("mul.u32 %r1, %r2, %r3;", "3:1: mul.u32 needs .lo, .hi or .wide");
    refuse_in_kernel("setp.lo.s32 %p1, %r1, %r2;", "3:1: setp.lo.s32 is not a comparison");
    refuse_in_kernel("atom.global.inc.s32 %r1, [%d1], %r2;",
                     "3:1: atom.global.inc.s32: there is no such operation on .s32");
    refuse_in_kernel("red.global.exch.b32 [%d1], %r2;",
                     "3:1: red.global.exch.b32 is not an atomic operation");
    refuse_in_kernel("cvt.b32.u16 %r1, %h1;", "3:1: cvt does not convert .u16 to .b32");
    refuse_in_kernel("ld.global.v8.u32 {%r1,%r2}, [%d1];", "3:1: vectors of 8 are not supported");
    refuse_in_kernel("ld.global.v4.u64 {%d1,%d2,%d3,%d4}, [%d1];",
                     "3:1: ld.global.v4.u64 moves more than 16 bytes");
    refuse_in_kernel("st.const.u32 [%d1], %r1;",
                     "3:1: st.const.u32 writes memory that is read-only");
    refuse_in_kernel("st.param.u32 [n], %r1;", "3:1: st.param.u32 writes memory that is read-only");
    refuse_in_kernel("barrier.cluster.arrive;", "3:1: clusters are not supported");
    refuse_in_kernel("brx %r1, T; T: .branchtargets T;", "3:1: brx needs .idx");
    refuse_in_kernel("U: .branchtargets U; brx.idx %r1, U;", "3:1: \"U\" is a list of targets");
}

static void launches(void **state)
{
    (void)state;
    static const char text[] = ".visible .entry k(.param .u64 p) .maxntid 64, 1, 1 { ret; "
                               "}\n.visible .entry r() .reqntid 32, 2 { ret; }\n";
    struct ptx_module *module = test_parse(text);
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t params[2] = {0, 0};
    static const struct isa_dim3 one = {1, 1, 1}, none = {0, 1, 1}, large = {65, 1, 1},
                                 right = {32, 2, 1};
    assert_int_equal(test_run_module(gpu, module, "k", one, one, 0, params, 2), -1);
    assert_string_equal(gpu->error, "kernel k: 16 bytes of parameters where it has 8");
    assert_int_equal(test_run_module(gpu, module, "k", one, none, 0, params, 1), -1);
    assert_string_equal(gpu->error, "kernel k: a block of 0x1x1 threads; use 1 to 1024");
    assert_int_equal(test_run_module(gpu, module, "k", none, one, 0, params, 1), -1);
    assert_int_equal(test_run_module(gpu, module, "k", one, large, 0, params, 1), -1);
    assert_string_equal(gpu->error, "kernel k: 65 threads where .maxntid allows 64");
    assert_int_equal(test_run_module(gpu, module, "r", one, one, 0, NULL, 0), -1);
    assert_string_equal(gpu->error, "kernel r: a block of 1x1x1 where .reqntid wants 32x2x1");
    assert_int_equal(test_run_module(gpu, module, "r", one, right, 0, NULL, 0), 0);
    char error[512];
    assert_null(ptx_module_load("/nonexistent/x.ptx", error, sizeof(error)));
    assert_string_equal(error, "/nonexistent/x.ptx: cannot be opened; check the path");
    ptx_module_free(module);
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(syntax), cmocka_unit_test(declarations),
                                       cmocka_unit_test(names_and_operands),
                                       cmocka_unit_test(unsupported), cmocka_unit_test(launches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
