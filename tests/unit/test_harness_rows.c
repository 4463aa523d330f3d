/* test_harness_rows - the parameter sets and the clock of a unit's file (tb/unit_file.h): what is
 * read, and that a wrong row is refused with the words that tb/rows.sh has for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/unit_file.h"

static char path[] = "/tmp/rows-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static bool read_text(const char *text, struct unit_file *file, char *error, size_t n_error)
{
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
    return unit_file_read(file, path, error, n_error);
}

static void test_sets(void **state)
{
    struct unit_file file;
    char error[400];
    (void)state;
    assert_true(read_text("# x\n\nset A=1\nprove - 60\n  set B_2=-4,C=0 # why\nset D=5", &file,
                          error, sizeof error));
    assert_int_equal(file.n_sets, 3);
    assert_string_equal(file.sets[0], "A=1");
    assert_string_equal(file.sets[1], "B_2=-4,C=0");
    assert_string_equal(file.sets[2], "D=5");
    assert_true(read_text("", &file, error, sizeof error));
    assert_int_equal(file.n_sets, 0);
}

static void test_clock(void **state)
{
    struct unit_file file;
    char error[400];
    (void)state;
    assert_true(read_text("set A=1\n clock  1400 \tTable 3.1: SM clock  # why\n", &file, error,
                          sizeof error));
    assert_int_equal(file.clock_mhz, 1400);
    assert_string_equal(file.clock_words, "Table 3.1: SM clock");
    assert_int_equal(file.n_sets, 1);
    assert_true(read_text("late  as drawn, \t one cycle \nset A=1\n", &file, error, sizeof error));
    assert_int_equal(file.clock_mhz, 0);
    assert_string_equal(file.late_words, "as drawn, \t one cycle");
    assert_true(read_text("set A=1\n", &file, error, sizeof error));
    assert_string_equal(file.late_words, "");
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {{"set A=1\nporve - 60\n",
                 ":2: 'porve' is no kind of row; write clock, late, foreign, set, mutate"},
                {"set\n", ":1: write set K=V,K=V, one parameter set a row"},
                {"set A\n", ":1: write set"},
                {"set A=1 B=2\n", ":1: write set"},
                {"set A=1,\n", ":1: write set"},
                {"set A=1,,B=2\n", ":1: write set"},
                {"set A=+1\n", ":1: write set"},
                {"set A=0x4\n", ":1: write set"},
                {"set 2A=4\n", ":1: write set"},
                {"set =4\n", ":1: write set"},
                {"clock\n", ":1: write clock MHZ and the table"},
                {"clock 700\n", ":1: write clock"},
                {"clock 700 # Table 1\n", ":1: write clock"},
                {"clock 0 Table 1\n", ":1: write clock"},
                {"clock 0.7 Table 1\n", ":1: write clock"},
                {"clock 12345 Table 1\n", ":1: write clock"},
                {"clock 700 a\nclock 700 a\n", ":2: a second clock row; a unit has one"},
                {"late\n", ":1: write late and why the unit does not meet its clock"},
                {"late a\nlate b\n", ":2: a second late row; a unit has one"}};
    struct unit_file file;
    char error[400];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(read_text(rows[i].text, &file, error, sizeof error));
        assert_int_equal(strncmp(error, path, strlen(path)), 0);
        assert_non_null(strstr(error, rows[i].words));
    }
    assert_false(unit_file_read(&file, "/nowhere/x.unit", error, sizeof error));
    assert_non_null(strstr(error, "/nowhere/x.unit: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets), cmocka_unit_test(test_clock),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
