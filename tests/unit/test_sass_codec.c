/* Compressed traces: read as they are when whole, in one piece or several; refused with file
 * and line when cut short, damaged, or followed by something else. */
#include <unistd.h>

#include "test_sass.h"

enum { ROOM = 1 << 16 };

/* As the user's own tools pack it: `command` from a file to its standard output. */
static size_t packed(const char *command, const char *text, size_t n, uint8_t *out)
{
    char path[] = "/tmp/test_sass_codec_XXXXXX", line[128];
    FILE *file = fdopen(mkstemp(path), "w"), *pipe;
    size_t size;

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof line, "%s < %s", command, path);
    pipe = popen(line, "r");
    assert_non_null(pipe);
    size = fread(out, 1, ROOM, pipe);
    assert_int_equal(pclose(pipe), 0);
    unlink(path);
    return size;
}

static size_t by_gzip(const char *text, size_t n, uint8_t *out)
{
    return packed("gzip -9", text, n, out);
}

static size_t by_xz(const char *text, size_t n, uint8_t *out)
{
    return packed("xz", text, n, out);
}

static size_t by_zstd(const char *text, size_t n, uint8_t *out)
{
    return packed("zstd -q", text, n, out);
}

typedef size_t compress_fn(const char *text, size_t n, uint8_t *out);
static compress_fn *const CODECS[] = {by_gzip, by_xz, by_zstd};
enum { N_CODECS = 3 };

static void refuse(const uint8_t *bytes, size_t n)
{
    assert_int_equal(scan_bytes(bytes, n, false), -1);
    assert_memory_equal(message, "k.traceg:", 9);
    forget();
}

static void accept(const uint8_t *bytes, size_t n)
{
    assert_int_equal(scan_bytes(bytes, n, false), 0);
    assert_int_equal(kernel.instructions, 7);
    forget();
}

static void whole_and_cut(void **state)
{
    uint8_t *bytes = malloc(ROOM);
    char *text = changed("", "");

    (void)state;
    for (int c = 0; c < N_CODECS; c++) {
        size_t n = CODECS[c](text, strlen(text), bytes);

        accept(bytes, n);
        for (size_t cut = 0; cut < n; cut++) {
            refuse(bytes, cut);
        }
        refuse(bytes, n / 2);
        assert_non_null(strstr(message, "the file is cut short"));
    }
    free(text);
    free(bytes);
}

static void several_pieces(void **state)
{
    uint8_t *bytes = malloc(ROOM);

    (void)state;
    for (int c = 0; c < N_CODECS; c++) {
        size_t head = CODECS[c](HEAD, sizeof HEAD - 1, bytes);
        size_t body = CODECS[c](BODY, sizeof BODY - 1, bytes + head);

        accept(bytes, head + body);
        refuse(bytes, head); /* the head alone is no trace */
    }
    free(bytes);
}

static void followed_by_garbage(void **state)
{
    uint8_t *bytes = malloc(ROOM);
    char *text = changed("", "");

    (void)state;
    for (int c = 0; c < N_CODECS; c++) {
        size_t n = CODECS[c](text, strlen(text), bytes);

        memcpy(bytes + n, "garbage garbage", 15);
        refuse(bytes, n + 15);
    }
    free(text);
    free(bytes);
}

/* A bit of the file turned over never gives another trace: the checks of the codec, or the
 * trace's own, find it.  (Bits of a gzip head that say who made it when are free.) */
static void damaged(void **state)
{
    uint8_t *bytes = malloc(ROOM);
    char *text = changed("", "");

    (void)state;
    for (int c = 0; c < N_CODECS; c++) {
        size_t n = CODECS[c](text, strlen(text), bytes);

        for (size_t bit = 0; bit < 8 * n; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (scan_bytes(bytes, n, false) == 0) {
                assert_int_equal(kernel.instructions, 7);
            } else {
                assert_memory_equal(message, "k.traceg:", 9);
            }
            forget();
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    free(text);
    free(bytes);
}

/* What only the check sum shows is refused as well: the sum itself is changed. */
static void check_sums(void **state)
{
    static const size_t from_end[N_CODECS] = {6, 2, 2};
    uint8_t *bytes = malloc(ROOM);
    char *text = changed("", "");

    (void)state;
    for (int c = 0; c < N_CODECS; c++) {
        size_t n = CODECS[c](text, strlen(text), bytes);

        bytes[n - from_end[c]] ^= 1;
        refuse(bytes, n);
        assert_non_null(strstr(message, "the compressed data are damaged"));
    }
    free(text);
    free(bytes);
}

/* Much from little: a hundred million blanks and more are read through, not held. */
static void a_great_deal(void **state)
{
    size_t n = 1 << 24;
    char *lines = malloc(n);
    uint8_t *bytes = malloc(ROOM);
    size_t head;

    (void)state;
    memset(lines, '\n', n);
    head = by_zstd(HEAD, sizeof HEAD - 1, bytes);
    for (int piece = 0; piece < 8; piece++) {
        head += by_zstd(lines, n, bytes + head);
    }
    head += by_zstd(BODY, sizeof BODY - 1, bytes + head);
    accept(bytes, head);
    free(lines);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_and_cut),       cmocka_unit_test(several_pieces),
        cmocka_unit_test(followed_by_garbage), cmocka_unit_test(damaged),
        cmocka_unit_test(check_sums),          cmocka_unit_test(a_great_deal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
