/* Runs another program. Checks the program's output, how it ends, and what happens if it is
 * missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/program.h"

static bool run(const char *script, struct text *printed, struct error *e)
{
    return program_run((const char *const[]){"sh", "-c", script, NULL}, printed, e);
}

static void what_it_prints_is_appended(void **state)
{
    (void)state;
    struct text printed = {0};
    struct error e = {0};
    text_append(&printed, "before ");
    assert_true(run("printf one; sleep 0.05; printf ' two'; echo said >&2", &printed, &e));
    assert_string_equal(printed.bytes, "before one two");
    text_free(&printed);
    assert_true(run(":", &printed, &e));
    assert_int_equal(printed.length, 0);
}

static void much_is_read_to_its_end(void **state)
{
    (void)state;
    struct text printed = {0};
    struct error e = {0};
    assert_true(run("i=0; while [ $i -lt 3000 ]; do echo 'a line of thirty characters, so'; "
                    "i=$((i + 1)); done",
                    &printed, &e));
    assert_int_equal(printed.length, 3000 * 32);
    assert_memory_equal(printed.bytes + printed.length - 4, " so\n", 4);
    text_free(&printed);
}

static void refused(const char *const *arguments, const char *name)
{
    struct text printed = {0};
    struct error e = {0};
    assert_false(program_run(arguments, &printed, &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    texts_expect(name, e.text);
    text_free(&printed);
}

static void how_it_failed_is_said(void **state)
{
    (void)state;
    refused((const char *const[]){"sh", "-c", "exit 3", NULL}, "exit 3");
    refused((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, "kill -9");
    refused((const char *const[]){"/no/such/program", NULL}, "/no/such/program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints_is_appended),
        cmocka_unit_test(much_is_read_to_its_end),
        cmocka_unit_test(how_it_failed_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
