/*
 * Reads config files that are too large, damaged or missing. Each file is refused with one clear
 * message.
 */
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
#include "spec/config.h"
#include "spec/json.h"

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void assert_file_refused(const char *path, enum error_kind kind, const char *name)
{
    struct config *c = NULL;
    struct error e = {0};
    assert_false(config_read(path, &c, &e));
    assert_int_equal(e.kind, kind);
    assert_non_null(strstr(e.text, path));
    texts_expect(name, e.text);
}

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/redsweep config's \"XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    texts_rename(path, "$config");
    close(descriptor);

    struct config *c;
    struct error e = {0};
    write_file(path, "{\"seed\": 7}\n", 12);
    assert_true(config_read(path, &c, &e));
    assert_true(c->seed == 7);
    assert_string_equal(c->path, path);
    assert_string_equal(c->text, "{\"seed\": 7}\n");
    config_free(c);
    write_file(path, "", 0);
    assert_file_refused(path, ERROR_CONFIG, "an empty file");
    write_file(path, "{}\0{}", 5);
    assert_file_refused(path, ERROR_CONFIG, "a NUL in a file");
    char *big = malloc(JSON_MAX_BYTES + 1);
    assert_non_null(big);
    memset(big, ' ', JSON_MAX_BYTES + 1);
    memcpy(big, "{}", 2);
    write_file(path, big, JSON_MAX_BYTES + 1);
    assert_file_refused(path, ERROR_CONFIG, "a file that is too long");
    write_file(path, big, JSON_MAX_BYTES); /* the largest size that is allowed */
    assert_true(config_read(path, &c, &e));
    config_free(c);
    free(big);
    assert_int_equal(unlink(path), 0);
    assert_file_refused(path, ERROR_SYSTEM, "no file");
    assert_file_refused("/tmp", ERROR_SYSTEM, "a folder");
    assert_file_refused("/dev/zero", ERROR_SYSTEM, "a device");
}

/* Damages configs by changing, removing or doubling bytes. Each must be read or refused without
 * a crash. */
static void damaged_configs(void **state)
{
    (void)state;
    struct config *c;
    assert_true(config_read("configs/features.json", &c, NULL));
    char *whole = strdup(c->text), *damaged = malloc(strlen(whole) + 1);
    assert_non_null(whole);
    assert_non_null(damaged);
    config_free(c);
    size_t length = strlen(whole);
    srand(20240918);
    for (int i = 0; i < 5000; i++) {
        struct error e = {0};
        strcpy(damaged, whole);
        for (int j = rand() % 3; j >= 0; j--)
            damaged[(size_t)rand() % length] = (char)(rand() % 4 ? rand() % 96 + 32 : rand());
        if (rand() % 4 == 0)
            damaged[(size_t)rand() % length] = '\0';
        if (config_parse("x.json", damaged, &c, &e))
            config_free(c);
        else
            assert_int_equal(e.kind, ERROR_CONFIG);
    }
    free(whole);
    free(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(damaged_configs),
    };
    return cmocka_run_group_tests_name("config files", tests, NULL, NULL);
}
