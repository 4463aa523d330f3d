/* test_harness_reasons - written reasons for uncovered points (tb/reasons.h): which points
 * a line stands for, how many it must stand for, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/reasons.h"

enum { ERROR_SIZE = 8800 };
static char root[] = "/tmp/reasons-XXXXXX";

static int make_tree(void **state)
{
    char command[200];
    (void)state;
    snprintf(command, sizeof command, "mkdir -p '%s'", mkdtemp(root));
    return system(command);
}

static int remove_tree(void **state)
{
    char command[200];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void write_list(const char *list, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s.reasons", root, list);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool read_list(struct reasons *reasons, const char *list, char *error)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s.reasons", root, list);
    return reasons_read(reasons, path, error, ERROR_SIZE);
}

/* What reading `text` complains of, NULL for nothing. */
static const char *refused(const char *text)
{
    static char error[ERROR_SIZE];
    struct reasons reasons = {0};
    write_list("u", text);
    const bool good = read_list(&reasons, "u", error);
    reasons_free(&reasons);
    return good ? NULL : error;
}

/* What is wrong with the first row of `text` after these open points, NULL for nothing. */
static const char *wrong(const char *text, const char *const *open, size_t n, bool all)
{
    static char error[ERROR_SIZE];
    struct reasons reasons = {0};
    write_list("u", text);
    assert_true(read_list(&reasons, "u", error));
    for (size_t i = 0; i < n; i++) {
        reasons_open(&reasons, "toggle", open[i]);
    }
    const bool is_wrong = reasons_wrong(&reasons, "toggle", 0, all, error, sizeof error);
    reasons_free(&reasons);
    return is_wrong ? error : NULL;
}

static void test_lines_that_are_none(void **state)
{
    (void)state;
    assert_non_null(strstr(refused("toggle u.v a\n"), "u.reasons:1: write KIND PATTERN because"));
    assert_non_null(strstr(refused("\n# x\nedge u.v a because b\n"), "u.reasons:3: the kind is"));
    assert_non_null(strstr(refused("line u.v * because b\n"), "write KIND N of PATTERN"));
    assert_null(refused("line 2 of u.v * because b\nmutant u.v * because c\n"));
}

static void test_counts(void **state)
{
    static const char *const bits[] = {"u.v a[5]", "u.v a[6]", "u.v a[7]"};
    static const char range[] = "toggle u.v a[7:5] because padding\n";
    (void)state;
    assert_null(wrong(range, bits, 3, true));
    assert_non_null(strstr(wrong(range, bits, 2, true), "stands for 2 open points and not for 3"));
    assert_non_null(strstr(wrong(range, bits, 0, true), "stands for no open toggle"));
    assert_null(wrong(range, bits, 2, false)); /* not all parameter sets were run */
    assert_null(wrong("toggle 3 of u.v a* because padding\n", bits, 3, true));
    assert_non_null(strstr(wrong("toggle 4 of u.v a* because padding\n", bits, 3, true),
                           "stands for 3 open points and not for 4"));
}

static void test_reached(void **state)
{
    char error[ERROR_SIZE];
    struct reasons reasons = {0};
    (void)state;
    write_list("u", "toggle u.v a[7:5] because padding\n");
    assert_true(read_list(&reasons, "u", error));
    assert_string_equal(reasons_open(&reasons, "toggle", "u.v a[6]"), "padding");
    assert_null(reasons_of(&reasons, "toggle", "u.v a[4]"));
    assert_null(reasons_of(&reasons, "line", "u.v a[6]"));
    reasons_reached(&reasons, "toggle", "u.v a[5]");
    assert_true(reasons_wrong(&reasons, "toggle", 0, false, error, sizeof error));
    assert_non_null(strstr(error, "'u.v a[5]', which was covered; take it out"));
    reasons_free(&reasons);
}

/* A star is any text; a range its bits; all that other globs have stands for itself. */
static void test_patterns(void **state)
{
    static const struct {
        const char *pattern, *point;
        bool matches;
    } rows[] = {
        {"u.v a[7:5]", "u.v a[5]", true},
        {"u.v a[7:5]", "u.v a[8]", false},
        {"u.v a[7:5]", "u.v a[57]", false},
        {"u.v a[12:9].b[1:0]", "u.v a[10].b[1]", true},
        {"u.v a[12:9].b[1:0]", "u.v a[10].b[2]", false},
        {"u.v a[3]", "u.v a3", false},
        {"u.v x ? y : z", "u.v x ? y : z", true},
        {"u.v x ? y : z", "u.v x | y : z", false},
        {"u.v if (*(x) + @(y))", "u.v if (a b/c(x) + @(y))", true},
        {"u.v if (*(x) + @(y))", "u.v if (a(x) + y)", false},
        {"u.v \\x", "u.v \\x", true},
        {"u.v *a*a*a*a*a*a*a*a*a*b", "u.v aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200], error[ERROR_SIZE];
        struct reasons reasons = {0};
        snprintf(text, sizeof text, "mutant %s because of it\n", rows[i].pattern);
        write_list("u", text);
        assert_true(read_list(&reasons, "u", error));
        assert_int_equal(reasons_of(&reasons, "mutant", rows[i].point) != NULL, rows[i].matches);
        reasons_free(&reasons);
    }
}

static void test_modules(void **state)
{
    char error[ERROR_SIZE];
    struct reasons reasons = {0};
    (void)state;
    write_list("u", "toggle u.v a because one\n");
    write_list("m", "# of m\nline m.v if: x because two\n");
    assert_true(read_list(&reasons, "u", error));
    assert_true(read_list(&reasons, "m", error));
    assert_true(read_list(&reasons, "none", error));
    assert_string_equal(reasons_of(&reasons, "toggle", "u.v a"), "one");
    assert_string_equal(reasons_of(&reasons, "line", "m.v if: x"), "two");
    assert_true(reasons_wrong(&reasons, "line", 1, true, error, sizeof error));
    assert_non_null(strstr(error, "m.reasons:2: stands for no open line"));
    reasons_free(&reasons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_that_are_none), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_reached), cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_modules)};
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
