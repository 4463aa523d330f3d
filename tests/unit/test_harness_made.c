/* test_harness_made.c - a record of what make found up to date stands until something that the
 * object depends on is younger, or gone, or new in a folder, or the object is not there. */
#include <fcntl.h>
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

#include "tb/made.h"

enum { OLD = 1000, YOUNG = 2000000000 }; /* 1970; 2033: younger than a record of now */

static char root[] = "/tmp/test_harness_made-XXXXXX";

static const char *at(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void date(const char *name, time_t time)
{
    const struct timespec times[2] = {{.tv_sec = time}, {.tv_sec = time}};
    assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

static void write_file(const char *name, time_t time)
{
    FILE *file = fopen(at(name), "a");
    assert_non_null(file);
    fclose(file);
    date(name, time);
}

static bool stands(void)
{
    char where[100] = "";
    const struct made made = made_of(root, "family/unit", "A=1 B=2", "rtl");
    const bool it_does = made_stands(&made, root, "rtl", where, sizeof where);
    assert_true(!it_does || strcmp(where, "build/units/unit/A-1") == 0);
    return it_does;
}

/* A record as after a make that looked at two files and a folder, all of them old. */
static int begin(void **state)
{
    (void)state;
    write_file("rtl/one.v", OLD);
    write_file("two.h", OLD);
    date("rtl", OLD);
    write_file("build/units/unit/A-1/rtl.so", YOUNG);
    struct made made = made_of(root, "family/unit", "A=1 B=2", "rtl");
    made_begin(&made);
    made_finish(&made, "build/units/unit/A-1", "rtl/one.v two.h  rtl/");
    return 0;
}

static void test_stands(void **state)
{
    (void)state;
    assert_true(stands());
    char where[100];
    const struct made other = made_of(root, "family/unit", "A=1 B=3", "rtl");
    assert_false(made_stands(&other, root, "rtl", where, sizeof where));
}

static void test_changed(void **state)
{
    (void)state;
    date("two.h", YOUNG);
    assert_false(stands());
    date("two.h", OLD);
    assert_true(stands());
}

static void test_gone(void **state)
{
    (void)state;
    unlink(at("rtl/one.v"));
    date("rtl", OLD);
    assert_false(stands());
}

static void test_new_in_folder(void **state)
{
    (void)state;
    write_file("rtl/three.v", OLD);
    date("rtl", YOUNG);
    assert_false(stands());
}

static void test_no_object(void **state)
{
    (void)state;
    unlink(at("build/units/unit/A-1/rtl.so"));
    assert_false(stands());
}

/* What changes while make runs is younger than the record. */
static void test_changed_meanwhile(void **state)
{
    (void)state;
    struct made made = made_of(root, "family/unit", "A=1 B=2", "rtl");
    made_begin(&made);
    date("two.h", made.begun.tv_sec + 1);
    made_finish(&made, "build/units/unit/A-1", "rtl/one.v two.h rtl/");
    assert_false(stands());
}

/* A make that says nothing of inputs leaves no record. */
static void test_nothing_known(void **state)
{
    (void)state;
    struct made made = made_of(root, "family/unit", "A=1 B=2", "c");
    char where[100];
    made_begin(&made);
    made_finish(&made, "build/units/unit/A-1", "");
    assert_false(made_stands(&made, root, "c", where, sizeof where));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stands, begin),
        cmocka_unit_test_setup(test_changed, begin),
        cmocka_unit_test_setup(test_gone, begin),
        cmocka_unit_test_setup(test_new_in_folder, begin),
        cmocka_unit_test_setup(test_no_object, begin),
        cmocka_unit_test_setup(test_changed_meanwhile, begin),
        cmocka_unit_test_setup(test_nothing_known, begin),
    };
    if (mkdtemp(root) == NULL) {
        return 1;
    }
    const char *folders[] = {"rtl", "build", "build/units", "build/units/unit",
                             "build/units/unit/A-1"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        mkdir(at(folders[i]), 0777);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof root + 16];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) == 0 ? failed : 1;
}
