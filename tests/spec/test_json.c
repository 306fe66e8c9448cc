/*
 * Config files that are no JSON, too large, too deep, damaged or not there: one clear refusal each.
 */
#include "fixture.h"

#include <unistd.h>

#include "spec/json.h"

static void json_errors(void **state)
{
    (void)state;
    refused("", "x.json: the config is empty; the shortest config is {}");
    refused(" \n\t", "x.json: the config is empty; the shortest config is {}");
    refused("{\n  \"seed\": 1,\n}", "x.json: line 3, column 1: '}' follows a comma; remove the "
                                    "comma\n    }\n    ^");
    refused("{\"sizes\": [1, 2,]}", "x.json: line 1, column 17: ']' follows a comma…");
    refused("{\"seed\": 1 \"name\": \"a\"}", "x.json: line 1, column 12: unexpected '\"'\n…");
    refused("{\"sizes\": [1 2]}", "x.json: line 1, column 14: unexpected '2'\n…");
    refused("{\"sizes\": [1, 2x]}", "x.json: line 1, column 16: unexpected 'x'\n…");
    refused("{\"seed\" 1}", "x.json: line 1, column 9: unexpected '1'\n…");
    refused("{seed: 1}", "x.json: line 1, column 2: unexpected 's'\n…");
    refused("{ seed: 1}", "x.json: line 1, column 3: unexpected 's'\n…");
    refused("{\"seed\": 1, name: 2}", "x.json: line 1, column 13: unexpected 'n'\n…");
    refused("{\"seed\": 1, , \"name\": 2}", "x.json: line 1, column 13: unexpected ','\n…");
    refused("{\"sizes\": [1, [, 2]]}", "x.json: line 1, column 16: unexpected ','\n…");
    refused("{'seed': 1}", "x.json: line 1, column 2: unexpected '; strings have double quotes in "
                           "JSON\n…");
    refused("{\"name\": 'a'}", "x.json: line 1, column 10: unexpected '; strings have double…");
    refused("{} // why", "x.json: line 1, column 4: JSON has no comments; there is a key \"comm…");
    refused("{} {}", "x.json: line 1, column 4: unexpected '{'\n…");
    refused("{\n// why\n}", "x.json: line 2, column 1: JSON has no comments…");
    refused("{\"seed\": 1", "x.json: line 1, column 11: unexpected end of the file…");
    refused("{\"name\": \"a", "x.json: line 1, column 10: this string is not closed on its line…");
    refused("{\"name\": \"a\nb\"}", "x.json: line 1, column 10: this string is not closed…");
    refused("{\"name\": \"a\\\"}", "x.json: line 1, column 10: this string is not closed…");
    refused("{\"name\": \"a\tb\"}", "x.json: name: \"a\\tb\" is not a part of a folder's name…");
    refused("{\"name\": \"\\x\"}", "x.json: line 1, column 11: invalid escape in a string…");
    refused("{\"name\": \"\\u12g4\"}", "x.json: line 1, column 11: invalid escape…");
    refused("{\"name\": \"a\\u0000b\"}", "x.json: line 1, column 12: invalid escape…");
    refused("{\"comment\": \"\\ud800\"}", "x.json: line 1, column 14: invalid escape…");
    refused("{\"comment\": \"a\\udc00\"}", "x.json: line 1, column 15: invalid escape…");
    refused("{\"seed\": +1}", "x.json: line 1, column 10: unexpected '+'\n…");
    refused("{\"seed\": -}", "x.json: line 1, column 10: unexpected '-'\n…");
    refused("{\"seed\": 0x10}", "x.json: line 1, column 11: unexpected 'x'\n…");
    refused("{\"seed\": NaN}", "x.json: line 1, column 10: NaN and Infinity are not valid JSON\n…");
    refused("{\"seed\": Infinity}", "x.json: line 1, column 10: NaN and Infinity…");
    refused("{\"ü\": 1, \"ä\" 2}", "x.json: line 1, column 14: unexpected '2'\n…");
    refused("{\"seed\": ü}", "x.json: line 1, column 10: unexpected 'ü'\n…");
    refused("{\"a\": \"\xff\"}",
            "x.json: line 1, column 8: the byte 0xff is not UTF-8; save the file as UTF-8\n…");
    refused("{\"a\": \"\xc0\xaf\"}", "x.json: line 1, column 8: the byte 0xc0…"); /* overlong */
    refused("{\"a\": \"\xed\xa0\x80\"}",
            "x.json: line 1, column 8: the byte 0xed…"); /* surrogate */
    refused("{\"a\": \"\xf4\x90\x80\x80\"}", "x.json: line 1, column 8: the byte 0xf4…");
    refused("{\"a\": \"\xe2\x82", "x.json: line 1, column 8: the byte 0xe2…"); /* cut off */
    refused("\xff\xfe{}", "x.json: line 1, column 1: the byte 0xff…");         /* UTF-16 */
    struct config *c;
    assert_true(config_parse("x.json", "\xef\xbb\xbf{}", &c, NULL)); /* the mark of UTF-8 */
    config_free(c);
}

static char *repeated(const char *before, const char *part, int times, const char *after)
{
    struct text t = {0};
    text_append(&t, "%s", before);
    for (int i = 0; i < times; i++)
        text_append(&t, "%s", part);
    text_append(&t, "%s", after);
    return t.bytes;
}

static void sizes_of_configs(void **state)
{
    (void)state;
    char *deep = repeated("{\"comment\": ", "[", 2000, ""); /* cJSON follows 1000 levels */
    refused(deep, "x.json: line 1, column 1012: unexpected '['\n…");
    free(deep);
    deep = repeated("", "[", 1000000, "");
    refused(deep, "x.json: line 1, column 1001: unexpected '['\n…");
    free(deep);
    deep = repeated("{\"comment\": ", "[", 15, "]]]]]]]]]]]]]]]}");
    refused(deep, "x.json: comment[0]: [[[[[[[[[[[[[[]]]]]]]]]]]]]] is an array; expected a str…");
    free(deep);
    char *wide = repeated("{\"sizes\": [1", ",1", 70000, "]}");
    refused(wide, "x.json: sizes[65536]: more than 65536 values");
    free(wide);
    wide = repeated("{", "\"a\":1,", 5000, "\"b\":2}");
    refused(wide, "x.json: the object has more than 1000 keys");
    free(wide);
    wide = repeated("{\"kernels\": [\"a\"", ",\"a\"", 70000, "]}");
    refused(wide, "x.json: kernels: the list has more than 1000 entries");
    free(wide);
    wide = repeated("{\"exclude\": [\"1\"", ",\"1\"", 1000, "]}");
    refused(wide, "x.json: exclude: the list has more than 1000 entries");
    free(wide);
    wide = repeated("{\"comment\": \"", "a", JSON_MAX_BYTES, "\"}");
    refused(wide, "x.json: the text is longer than 8 MiB");
    free(wide);
    wide = repeated("{\"", "k", 1 << 19, "\": 1}"); /* a message shows 100 bytes of a key */
    char *message = repeated("x.json: unknown key \"", "k", 100, "…\"; expected one of …");
    refused(wide, message);
    free(message);
    free(wide);
}

/* ---- Files --------------------------------------------------------------------------------- */

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void assert_file_refused(const char *path, enum error_kind kind, const char *part)
{
    struct config *c = NULL;
    struct error e = {0};
    assert_false(config_read(path, &c, &e));
    assert_int_equal(e.kind, kind);
    assert_non_null(strstr(e.text, path));
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
}

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/redsweep config's \"XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
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
    assert_file_refused(path, ERROR_CONFIG, "empty");
    write_file(path, "{}\0{}", 5);
    assert_file_refused(path, ERROR_CONFIG, "byte 3 is 0x00");
    char *big = malloc(JSON_MAX_BYTES + 1);
    assert_non_null(big);
    memset(big, ' ', JSON_MAX_BYTES + 1);
    memcpy(big, "{}", 2);
    write_file(path, big, JSON_MAX_BYTES + 1);
    assert_file_refused(path, ERROR_CONFIG, "has 8388609 bytes; at most 8388608");
    write_file(path, big, JSON_MAX_BYTES); /* just not too long */
    assert_true(config_read(path, &c, &e));
    config_free(c);
    free(big);
    assert_int_equal(unlink(path), 0);
    assert_file_refused(path, ERROR_SYSTEM, "No such file");
    assert_file_refused("/tmp", ERROR_SYSTEM, "not a regular file");
    assert_file_refused("/dev/zero", ERROR_SYSTEM, "not a regular file");
}

/* Damaged configs (bytes changed, cut, doubled) give a config or an error, and nothing worse. */
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
        cmocka_unit_test(json_errors),
        cmocka_unit_test(sizes_of_configs),
        cmocka_unit_test(files),
        cmocka_unit_test(damaged_configs),
    };
    return cmocka_run_group_tests_name("config files", tests, NULL, NULL);
}
