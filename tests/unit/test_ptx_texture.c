/* test_ptx_texture.c - tex, tld4, txq, suld, sust on small textures: each sample against the formulas of
 * the CUDA C++ Programming Guide, "Texture Fetching", worked out here in double precision.
 */
#include "test_ptx.h"

#include <math.h>

enum { WIDTH = 5, HEIGHT = 3, ROW = 32, AT = 0x2000, COORDINATES = 0x4000, SAMPLES = 128 };

static float texel_value(int64_t x, int64_t y)
{
    return (float)(x * 4 + y * y * 3) * 0.5f - 2;
}

static struct ptx_texture floats(uint8_t mode, bool linear, bool normalised)
{
    return (struct ptx_texture){.handle = 77,
                                .base = TEST_BASE + AT,
                                .width = WIDTH,
                                .height = HEIGHT,
                                .depth = 1,
                                .layers = 1,
                                .row_bytes = ROW,
                                .slice_bytes = ROW * HEIGHT,
                                .channels = 1,
                                .channel_bits = 32,
                                .kind = PTX_TEXTURE_FLOAT,
                                .mode = {mode, mode, mode},
                                .linear = linear,
                                .normalised = normalised,
                                .border = {0.75f, 0, 0, 0}};
}

static void put_texels(struct test_gpu *gpu)
{
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        float v = texel_value(i % WIDTH, i / WIDTH);
        memcpy(gpu->memory + AT + i / WIDTH * ROW + i % WIDTH * 4, &v, 4);
    }
}

/* Each thread samples at its two words of COORDINATES; four words of result at the thread's 16 bytes. */
static void sample(struct test_gpu *gpu, const char *opcode, const char *coordinates,
                   uint32_t threads)
{
    char body[1024];
    snprintf(
        body, sizeof(body),
        ".reg .f32 %%f<9>;\nmul.wide.u32 %%d2, %%r0, 16;\nadd.u64 %%d2, %%d2, %%d0;\n"
        "ld.global.v2.f32 {%%f1,%%f2}, [%%d2+%d];\nld.global.v2.u32 {%%r1,%%r2}, [%%d2+%d];\n"
        "mov.u64 %%d5, 77;\n%s {%%r10,%%r11,%%r12,%%r13}, [%%d5, %s];\nmov.f32 %%f1, 0f00000000;\n"
        "st.global.v4.u32 [%%d2], {%%r10,%%r11,%%r12,%%r13};\n",
        COORDINATES, COORDINATES, opcode, coordinates);
    if (test_run_body(gpu, body, threads) != 0) {
        fail_msg("%s: %s", opcode, gpu->error);
    }
}

static float result(const struct test_gpu *gpu, uint32_t thread, uint32_t channel)
{
    float v;
    memcpy(&v, gpu->memory + thread * 16 + channel * 4, 4);
    return v;
}

static double reference_texel(int64_t x, int64_t y, uint8_t mode, bool normalised)
{
    if (mode == PTX_TEXTURE_BORDER && (x < 0 || x >= WIDTH || y < 0 || y >= HEIGHT)) {
        return 0.75;
    }
    if (mode == PTX_TEXTURE_WRAP && normalised) {
        x = (x % WIDTH + WIDTH) % WIDTH;
        y = (y % HEIGHT + HEIGHT) % HEIGHT;
    }
    x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return (double)texel_value(x, y);
}

static double folded(double u, uint8_t mode)
{
    double whole = floor(u);
    return mode == PTX_TEXTURE_WRAP     ? u - whole
           : mode == PTX_TEXTURE_MIRROR ? (fmod(whole, 2) == 0 ? u - whole : 1 - (u - whole))
                                        : u;
}

static double reference(double x, double y, uint8_t mode, bool linear, bool normalised)
{
    double u = normalised ? folded(x, mode) * WIDTH : x;
    double v = normalised ? folded(y, mode) * HEIGHT : y, sum = 0;
    if (!linear) {
        return reference_texel((int64_t)floor(u), (int64_t)floor(v), mode, normalised);
    }
    double i = floor(u - 0.5), j = floor(v - 0.5), a = u - 0.5 - i, b = v - 0.5 - j;
    for (int c = 0; c < 4; c++) {
        sum += (c & 1 ? a : 1 - a) * (c & 2 ? b : 1 - b) *
               reference_texel((int64_t)i + (c & 1), (int64_t)j + (c >> 1), mode, normalised);
    }
    return sum;
}

/* Unnormalised: multiples of 1/256, where weights are exact.  Normalised: multiples of 1/64 of the
 * whole, whose products with 5 and 3 are exact, too. */
static void test_samples(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t random = 3;
    (void)state;
    for (uint32_t form = 0; form < 16; form++) {
        bool linear = form & 4, normalised = form & 8;
        uint8_t mode = form & 3;
        struct ptx_texture t = floats(mode, linear, normalised);
        float at[SAMPLES][2];
        gpu->textures = &t;
        gpu->n_textures = 1;
        put_texels(gpu);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            for (uint32_t d = 0; d < 2; d++) {
                int32_t r = (int32_t)(test_random(&random) >> 40 & 0xfff);
                at[i][d] = normalised ? (float)(r % 256 - 96) / 64 : (float)(r - 1024) / 256;
            }
            memcpy(gpu->memory + COORDINATES + i * 16, at[i], 8);
        }
        sample(gpu, "tex.2d.v4.f32.f32", "{%f1,%f2}", SAMPLES);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            double want = reference((double)at[i][0], (double)at[i][1], mode, linear, normalised);
            if ((double)result(gpu, i, 0) != (double)(float)want) {
                fail_msg("form %u at (%g, %g): %g, not %g", form, (double)at[i][0],
                         (double)at[i][1], (double)result(gpu, i, 0), want);
            }
        }
    }
    free(gpu);
}

/* Channels and their formats: one texel read by its number. */
static void test_formats(void **state)
{
    static const struct {
        uint8_t channels, bits, kind;
        bool to_float;
        uint64_t texel;
        uint32_t want[4];
    } rows[] = {{2, 16, PTX_TEXTURE_FLOAT, false, 0xc0003c00, {0x3f800000, 0xc0000000, 0, 0}},
                {4, 8, PTX_TEXTURE_UNSIGNED, true, 0xff003300, {0, 0x3e4ccccd, 0, 0x3f800000}},
                {2, 8, PTX_TEXTURE_SIGNED, true, 0x7f80, {0xbf800000, 0x3f800000, 0, 0}},
                {2, 8, PTX_TEXTURE_SIGNED, false, 0x7f80, {0xffffff80, 0x7f, 0, 0}},
                {4, 16, PTX_TEXTURE_UNSIGNED, false, 0xffff000100020003, {3, 2, 1, 0xffff}},
                {2, 32, PTX_TEXTURE_SIGNED, false, 0xfffffffe00000005, {5, 0xfffffffe, 0, 0}}};
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct ptx_texture t = floats(PTX_TEXTURE_CLAMP, false, false);
        int32_t number[] = {3, 0};
        t.channels = rows[r].channels;
        t.channel_bits = rows[r].bits;
        t.kind = rows[r].kind;
        t.to_float = rows[r].to_float;
        t.height = 1;
        gpu->textures = &t;
        gpu->n_textures = 1;
        memcpy(gpu->memory + AT + 3 * ptx_texture_bytes(&t), &rows[r].texel, 8);
        memcpy(gpu->memory + COORDINATES, number, 8);
        sample(gpu, rows[r].to_float ? "tex.1d.v4.f32.s32" : "tex.1d.v4.u32.s32", "{%r1}", 1);
        for (uint32_t c = 0; c < 4; c++) {
            assert_int_equal(test_word(gpu, c), rows[r].want[c]);
        }
    }
    free(gpu);
}

/* tld4 gives the four in the order (0, 1), (1, 1), (1, 0), (0, 0) of (x, y). */
static void test_gather(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    struct ptx_texture t = floats(PTX_TEXTURE_CLAMP, false, false);
    float at[] = {2.25f, 1.5f}; /* between texels 1 and 2, 1 and 2 */
    (void)state;
    gpu->textures = &t;
    gpu->n_textures = 1;
    put_texels(gpu);
    memcpy(gpu->memory + COORDINATES, at, 8);
    sample(gpu, "tld4.r.2d.v4.f32.f32", "{%f1,%f2}", 1);
    assert_true(result(gpu, 0, 0) == texel_value(1, 2) && result(gpu, 0, 1) == texel_value(2, 2));
    assert_true(result(gpu, 0, 2) == texel_value(2, 1) && result(gpu, 0, 3) == texel_value(1, 1));
    free(gpu);
}

static void run(struct test_gpu *gpu, const char *body)
{
    if (test_run_body(gpu, body, 8) != 0) {
        fail_msg("%s", gpu->error);
    }
}

/* Eight lanes, columns -1 to 6 of a surface of 5: what is outside is zero, or the edge. */
static void test_surfaces(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    struct ptx_texture t = floats(PTX_TEXTURE_CLAMP, false, false);
    (void)state;
    t.is_surface = true;
    gpu->textures = &t;
    gpu->n_textures = 1;
    put_texels(gpu);
    run(gpu, "mov.u64 %d5, 77;\nsub.u32 %r1, %r0, 1;\nshl.b32 %r1, %r1, 2;\nmov.u32 %r2, 2;\n"
             "suld.b.2d.b32.zero {%r10}, [%d5, {%r1,%r2}];\nst.global.u32 [%d1], %r10;\n"
             "suld.b.2d.b32.clamp {%r11}, [%d5, {%r1,%r2}];\nst.global.u32 [%d1+32], %r11;\n"
             "mov.u32 %r3, 0;\nadd.u32 %r12, %r0, 100;\n"
             "sust.b.2d.b32.zero [%d5, {%r1,%r3}], {%r12};\n"
             "txq.width.b32 %r13, [%d5];\nsuq.height.b32 %r14, [%d5];\n"
             "st.global.v2.u32 [%d0+64], {%r13,%r14};\n");
    for (int32_t lane = 0; lane < 8; lane++) {
        int32_t x = lane - 1, near = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
        float zero, clamp, want = x == near ? texel_value(x, 2) : 0;
        uint32_t stored;
        memcpy(&zero, gpu->memory + lane * 4, 4);
        memcpy(&clamp, gpu->memory + 32 + lane * 4, 4);
        memcpy(&stored, gpu->memory + AT + near * 4, 4);
        assert_true(zero == want && clamp == texel_value(near, 2));
        assert_int_equal(stored, 101 + (uint32_t)near);
    }
    assert_int_equal(test_word(gpu, 16), WIDTH);
    assert_int_equal(test_word(gpu, 17), HEIGHT);
    assert_int_equal(test_run_body(gpu,
                                   "mov.u64 %d5, 77;\nmov.u32 %r1, 20;\nmov.u32 %r2, 0;\n"
                                   "suld.b.2d.b32.trap {%r10}, [%d5, {%r1,%r2}];\n",
                                   1),
                     -1);
    assert_non_null(strstr(gpu->error, "surface access outside at (20, 0, 0)"));
    free(gpu);
}

static void test_no_object(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    assert_int_equal(test_run_body(gpu,
                                   ".reg .f32 %f<4>;\nmov.u64 %d5, 78;\nmov.u32 %r1, 0;\n"
                                   "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%d5, {%r1}];\n",
                                   1),
                     -1);
    assert_non_null(strstr(gpu->error, "0x4e is no texture object"));
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_formats),
        cmocka_unit_test(test_gather),    cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_no_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
