/* Looks for libraries that the program loads on demand. Tests the order of the search and the
 * messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/library.h"

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    char command[512];
    strcpy(folder, "/tmp/redsweep-library-XXXXXX");
    assert_non_null(mkdtemp(folder));
    texts_rename(folder, "$work");
    /* In the first toolkit, the file is a real library with another name. In the second one, it
     * is not a library. */
    snprintf(
        command, sizeof command,
        "cd %s && mkdir -p good/lib64 bad/lib64 good/include && echo x >good/include/some.h && "
        "cp -L $(ls /lib/*/libm.so.6 /lib64/libm.so.6 2>/dev/null | head -n 1) "
        "good/lib64/libredsweeptest.so && echo no >bad/lib64/libredsweeptest.so",
        folder);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    unsetenv("CUDA_HOME");
    unsetenv("REDSWEEP_TEST");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *const names[] = {"libredsweeptest.so.9", "libredsweeptest.so", NULL};

static void set_home(const char *variable, const char *rest)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, rest);
    setenv(variable, path, 1);
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void cuda_home_is_searched(void **state)
{
    (void)state;
    char found[LIBRARY_PATH_SIZE], wanted[LIBRARY_PATH_SIZE];
    struct error e = {0};
    set_home("CUDA_HOME", "good");
    void *library = library_open(names, "REDSWEEP_TEST", found, &e);
    if (!library)
        fail_msg("%s", e.text);
    snprintf(wanted, sizeof wanted, "%s/good/lib64/libredsweeptest.so", folder);
    assert_string_equal(found, wanted);
    assert_non_null(library_function(library, found, "cos", &e));
    assert_null(library_function(library, found, "no_such_function", &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    texts_expect("no such function", e.text);
}

static void the_variable_goes_before_all_else(void **state)
{
    (void)state;
    struct error e = {0};
    set_home("CUDA_HOME", "good");
    set_home("REDSWEEP_TEST", "nowhere.so");
    assert_null(library_open(names, "REDSWEEP_TEST", NULL, &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    texts_expect_line("a variable with a path to nowhere", e.text);
    set_home("CUDA_HOME", "bad");
    set_home("REDSWEEP_TEST", "good/lib64/libredsweeptest.so");
    assert_non_null(library_open(names, "REDSWEEP_TEST", NULL, &e));
    setenv("REDSWEEP_TEST", "", 1); /* an empty variable counts as unset */
    assert_null(library_open(names, "REDSWEEP_TEST", NULL, &e));
}

static void a_file_that_does_not_open_is_told_with_the_reason(void **state)
{
    (void)state;
    struct error e = {0};
    set_home("CUDA_HOME", "bad");
    assert_null(library_open(names, NULL, NULL, &e));
    texts_expect_line("a file that is no library", e.text);
    assert_holds(e.text, "bad/lib64/libredsweeptest.so: ");
}

static void a_missing_library_is_told_with_the_folders(void **state)
{
    (void)state;
    static const char *const none[] = {"libredsweepnothing.so", NULL};
    struct error e = {0};
    set_home("CUDA_HOME", "good");
    assert_null(library_open(none, "REDSWEEP_TEST", NULL, &e));
    texts_expect_until(" /", "a missing library", e.text);
    const char *last_folder = strrchr(e.text, ',') + strlen(", ");
    texts_expect("a missing library, behind the folders", strchr(last_folder, ' '));
    assert_holds(e.text, "/good/lib64");
}

static void files_of_the_toolkit_are_found(void **state)
{
    (void)state;
    char path[LIBRARY_PATH_SIZE], wanted[LIBRARY_PATH_SIZE];
    set_home("CUDA_HOME", "good");
    assert_true(library_toolkit_path("include/some.h", NULL, "REDSWEEP_TEST", path));
    snprintf(wanted, sizeof wanted, "%s/good/include/some.h", folder);
    assert_string_equal(path, wanted);
    assert_false(library_toolkit_path("include/none.h", NULL, "REDSWEEP_TEST", path));
    set_home("REDSWEEP_TEST", "elsewhere.h");
    assert_false(library_toolkit_path("include/some.h", NULL, "REDSWEEP_TEST", path));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void nothing_is_found_beside_the_program_that_is_not_there(void **state)
{
    (void)state;
    char path[LIBRARY_PATH_SIZE] = "as it was";
    assert_false(library_beside_program("libredsweeptest.so", path));
    assert_string_equal(path, "as it was");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cuda_home_is_searched),
        TEST(the_variable_goes_before_all_else),
        TEST(a_file_that_does_not_open_is_told_with_the_reason),
        TEST(a_missing_library_is_told_with_the_folders),
        TEST(files_of_the_toolkit_are_found),
        TEST(nothing_is_found_beside_the_program_that_is_not_there),
    };
    return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
