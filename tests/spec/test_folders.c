/*
 * Checks the folders in which redsweep looks for files: kernels, configs, and the cache of compiled
 * kernels.
 */
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

#include "../texts/expected.h"
#include "spec/folders.h"
#include "spec/kernel.h"

static char scratch[] = "/tmp/redsweep-folders-XXXXXX", root[4096];

static int set_up(void **state)
{
    (void)state;
    if (!getcwd(root, sizeof root) || !mkdtemp(scratch))
        return -1;
    texts_rename(scratch, "$work");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    unsetenv("REDSWEEP_HOME");
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return chdir(root) == 0 ? system(command) : -1;
}

static void put_variable(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static void a_cache_is_where_the_environment_says(void **state)
{
    (void)state;
    char own[64], path[256];
    snprintf(own, sizeof own, "/tmp/redsweep-cache-%ld", (long)getuid());
    const struct {
        const char *given, *cache, *home, *expected;
    } cases[] = {
        {"/given", "/cache", "/home", "/given"},
        {"", "/cache", "/home", "/cache/redsweep"},
        {NULL, "/cache", NULL, "/cache/redsweep"},
        {NULL, "", "/home", "/home/.cache/redsweep"},
        {NULL, NULL, "/home", "/home/.cache/redsweep"},
        {NULL, NULL, "", own},
        {NULL, NULL, NULL, own},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_variable("REDSWEEP_CACHE", cases[i].given);
        put_variable("XDG_CACHE_HOME", cases[i].cache);
        put_variable("HOME", cases[i].home);
        find_cache_folder(path, sizeof path);
        assert_string_equal(path, cases[i].expected);
    }
}

static void make_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

/* Without REDSWEEP_HOME, the kernels in the working folder are used, unless there are kernels
 * next to the program. */
static void kernels_and_configs_are_found(void **state)
{
    (void)state;
    char path[4200], hint[CONFIG_HINT], expected[300];
    struct error e = {0};
    assert_int_equal(chdir(scratch), 0);
    setenv("REDSWEEP_HOME", scratch, 1);
    assert_false(find_kernel_folder(path, sizeof path, &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    texts_expect("REDSWEEP_HOME without kernels", e.text);
    error_clear(&e);
    unsetenv("REDSWEEP_HOME");
    assert_false(find_kernel_folder(path, sizeof path, &e));
    texts_expect("no folder of kernels", e.text);
    error_clear(&e);
    make_folder("kernels");
    assert_true(find_kernel_folder(path, sizeof path, &e));
    assert_string_equal(path, "kernels");
    assert_true(find_data_folder(path, sizeof path, &e));
    assert_string_equal(path, ".");
    setenv("REDSWEEP_HOME", scratch, 1);
    assert_true(find_kernel_folder(path, sizeof path, &e));
    snprintf(expected, sizeof expected, "%s/kernels", scratch);
    assert_string_equal(path, expected);
    assert_true(find_data_folder(path, sizeof path, &e));
    assert_string_equal(path, scratch);

    make_folder("configs");
    snprintf(path, sizeof path, "%s/configs/ant.json", scratch);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    assert_string_equal(find_config("configs/ant.json", path, sizeof path), "configs/ant.json");
    assert_int_equal(chdir("/"), 0);
    snprintf(expected, sizeof expected, "%s/configs/ant.json", scratch);
    assert_string_equal(find_config("configs/ant.json", path, sizeof path), expected);
    assert_string_equal(find_config("configs/bee.json", path, sizeof path), "configs/bee.json");
    assert_string_equal(find_config("/configs/ant.json", path, sizeof path), "/configs/ant.json");
    assert_null(find_config(NULL, path, sizeof path));
    static const char *const cases[][2] = {
        {"ant", "; did you mean configs/ant.json?"},
        {"ant.json", "; did you mean configs/ant.json?"},
        {"mine/ant.json", "; did you mean configs/ant.json?"},
        {"ant.jso", ""},
        {"ant.json/", ""},
        {"an", ""},
        {".json", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(suggest_config(cases[i][0], hint), cases[i][1]);
}

/* The two sides of a gate have their own GPU kernels, but share the CPU functions and the host
 * libraries. */
static void two_sides_have_the_kernels_of_both(void **state)
{
    (void)state;
    char path[4200];
    struct error e = {0};
    struct catalogue kernels, support, one, none;
    assert_int_equal(chdir(root), 0);
    setenv("REDSWEEP_HOME", root, 1);
    assert_true(find_kernel_folder(path, sizeof path, &e));
    assert_true(read_catalogues(path, NULL, 0, &one, &none, &e));
    int expected = 0;
    for (int i = 0; i < one.count; i++)
        expected += one.kernels[i]->backend == BACKEND_GPU && !one.kernels[i]->library;
    assert_true(expected > 0 && expected < one.count);
    const char *const folders[2] = {path, path};
    assert_true(read_two_sides(path, folders, &kernels, &support, &e));
    assert_int_equal(kernels.count, 2 * expected);
    assert_int_equal(support.count, none.count);
    for (int i = 0; i < kernels.count; i++) {
        assert_true(kernels.kernels[i]->backend == BACKEND_GPU && !kernels.kernels[i]->library);
        assert_int_equal(kernels.kernels[i]->side, i % 2);
        assert_string_equal(kernels.kernels[i]->name, kernels.kernels[i / 2 * 2]->name);
    }
    catalogue_free(&one);
    catalogue_free(&none);
    catalogue_free(&kernels);
    catalogue_free(&support);
    const char *const lost[2] = {path, "/nowhere"};
    assert_false(read_two_sides(path, lost, &kernels, &support, &e));
    assert_non_null(strstr(e.text, "/nowhere"));
    error_clear(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_is_where_the_environment_says),
        cmocka_unit_test(kernels_and_configs_are_found),
        cmocka_unit_test(two_sides_have_the_kernels_of_both),
    };
    return cmocka_run_group_tests_name("folders", tests, set_up, tear_down);
}
