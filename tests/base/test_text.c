/*
 * Checks strings that grow, the search for the nearest name, globs and hashes (base/text.h), and
 * errors with and without a caret (base/error.h, base/caret.h).
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/caret.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"

static void text_grows(void **state)
{
    (void)state;
    struct text t = {0};
    assert_null(t.bytes);
    text_append(&t, "%s", "");
    assert_string_equal(t.bytes, "");
    char expected[4001] = "";
    for (int i = 0; i < 1000; i++) {
        text_append(&t, "%03d,", i);
        snprintf(expected + 4 * i, 5, "%03d,", i);
    }
    assert_int_equal(t.length, 4000);
    assert_string_equal(t.bytes, expected);
    text_append_bytes(&t, "a\0b", 3);
    assert_int_equal(t.length, 4003);
    assert_memory_equal(t.bytes + 4000, "a\0b", 4); /* including the NUL */
    text_append_bytes(&t, NULL, 0);
    assert_int_equal(t.length, 4003);
    text_free(&t);
    assert_null(t.bytes);
    assert_int_equal(t.length, 0);
    text_append(&t, "%d", 5); /* a freed text may be used again */
    assert_string_equal(t.bytes, "5");
    text_free(&t);
}

/* The appended text is longer than the space reserved for many short ones. */
static void long_pieces(void **state)
{
    (void)state;
    struct text t = {0};
    char *piece = malloc(100001);
    assert_non_null(piece);
    memset(piece, 'x', 100000);
    piece[100000] = '\0';
    text_append(&t, "%s%s", piece, piece);
    assert_int_equal(t.length, 200000);
    assert_int_equal(strlen(t.bytes), 200000);
    text_free(&t);
    free(piece);
}

__attribute__((format(printf, 2, 3))) static void append_check(const char *expected,
                                                               const char *format, ...)
{
    struct text t = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_list_safely(&t, format, arguments);
    va_end(arguments);
    assert_string_equal(t.bytes, expected);
    text_free(&t);
}

static void arguments_begin_no_line(void **state)
{
    (void)state;
    append_check("", "%s", "");
    append_check("plain ä", "plain %s", "ä");
    append_check("one\n\ttwo\n", "one\n\t%s\n", "two");
    append_check("a\\nb:\n\\n\\n\n", "%s:\n%s\n", "a\nb", "\n\n");
    append_check("a\\tb\\rc\\x1b[2J\\x7f\\x01\\x02 7\n", "%s %d\n", "a\tb\rc\x1b[2J\x7f\x01\x02",
                 7);
    append_check("\\n\n  %\n\\n", "%s\n  %%\n%c", "\n", '\n');
    append_check("  ab\n", "%4.2s\n", "ab\n"); /* the precision cuts the line end off */
}

static void errors_have_their_own_lines_only(void **state)
{
    (void)state;
    struct error e = {0};
    FAIL(&e, ERROR_CONFIG, "unknown kernel '%s'\n  see %s", "x\nredsweep: ok\x1b", "list");
    assert_string_equal(e.text, "unknown kernel 'x\\nredsweep: ok\\x1b'\n  see list");
    error_prefix(&e, "a\rb");
    assert_string_equal(e.text, "a\rb: unknown kernel 'x\\nredsweep: ok\\x1b'\n  see list");
    error_prefix(&e, "%s", "c\nd");
    assert_memory_equal(e.text, "c\\nd: a", 7);
    FAIL_LINES(&e, ERROR_COMPILE, "does not compile:\n%s", "line 1\nline 2");
    assert_string_equal(e.text, "does not compile:\nline 1\nline 2");
    FAIL_AT(&e, ERROR_CONFIG, "a\x1bnb", 2, "key %s", "x\ny");
    assert_string_equal(e.text, "key x\\ny\n    a nb\n      ^");
}

static void nearest_names(void **state)
{
    (void)state;
    static const char *const names[] = {"neighbored", "neighbored_less", "interleaved", "unroll",
                                        "min"};
    assert_string_equal(text_nearest("neighbourd", names, 5), "neighbored");
    assert_string_equal(text_nearest("unrol", names, 5), "unroll");
    assert_string_equal(text_nearest("interleaved", names, 5), "interleaved");
    assert_string_equal(text_nearest("mni", names, 5), "min"); /* 2 changes are few enough */
    assert_null(text_nearest("intreleavde", names, 5)); /* 4 changes in 11 letters are too many */
    assert_null(text_nearest("quicksort", names, 5));
    assert_null(text_nearest("unroll", names, 0));
    char longer[1001]; /* A name too long for comparison has no nearest name. */
    memset(longer, 'n', 1000);
    longer[1000] = '\0';
    assert_null(text_nearest(longer, names, 5));
}

static void globs(void **state)
{
    (void)state;
    assert_true(text_glob_match("smem_*", "smem_unroll"));
    assert_true(text_glob_match("*", "anything/at all"));
    assert_true(text_glob_match("*", ".hidden"));
    assert_true(text_glob_match("u?roll", "unroll"));
    assert_true(text_glob_match("[a-u]nroll", "unroll"));
    assert_false(text_glob_match("[!a-u]nroll", "unroll"));
    assert_false(text_glob_match("smem", "smem_unroll"));
    assert_true(text_is_glob("smem_*") && text_is_glob("a?") && text_is_glob("[a]"));
    assert_false(text_is_glob("smem_unroll"));
}

/* the published test vectors of FNV-1a (Fowler, Noll, Vo) for "", "a" and "foobar" */
static void hashes(void **state)
{
    (void)state;
    assert_true(hash_bytes(HASH_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(hash_bytes(HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_bytes(HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
    assert_true(hash_text(hash_text(HASH_START, "a"), "b") !=
                hash_text(hash_text(HASH_START, "ab"), ""));
}

static void errors(void **state)
{
    (void)state;
    struct error e = {.device_lost = true};
    assert_false(FAIL(&e, ERROR_LAUNCH, "block %d of %s", 3, "unroll"));
    assert_int_equal(e.kind, ERROR_LAUNCH);
    assert_string_equal(e.text, "block 3 of unroll");
    assert_false(e.device_lost);
    assert_string_equal(e.file, __FILE__);
    assert_in_range(e.line, __LINE__ - 6, __LINE__ - 4);
    assert_false(error_prefix(&e, "point %d", 7));
    assert_string_equal(e.text, "point 7: block 3 of unroll");
    assert_int_equal(e.kind, ERROR_LAUNCH);
    error_clear(&e);
    assert_int_equal(e.kind, ERROR_NONE);
    assert_string_equal(e.text, "");
    assert_false(FAIL(NULL, ERROR_LAUNCH, "nobody asks"));
    assert_false(error_prefix(NULL, "nobody"));
    error_clear(NULL);
}

static void long_errors_are_cut(void **state)
{
    (void)state;
    struct error e = {0};
    char *longer = malloc(10001);
    assert_non_null(longer);
    memset(longer, 'x', 10000);
    longer[10000] = '\0';
    FAIL(&e, ERROR_CONFIG, "%s", longer);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    assert_string_equal(e.text + sizeof e.text - 1 - strlen("…"), "…");
    error_prefix(&e, "here");
    assert_int_equal(strncmp(e.text, "here: xxx", 9), 0);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    error_prefix(&e, "%s", longer);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    free(longer);
}

static void texts_are_cut_between_characters(void **state)
{
    (void)state;
    char buffer[8];
    text_fit(buffer, sizeof buffer, "%s", "1234567");
    assert_string_equal(buffer, "1234567");
    text_fit(buffer, sizeof buffer, "%s", "12345678");
    assert_string_equal(buffer, "1234…");
    text_fit(buffer, sizeof buffer, "%s", "123µ5678");
    assert_string_equal(buffer, "123…");
    text_fit(buffer, sizeof buffer, "%s", "12µ45678");
    assert_string_equal(buffer, "12µ…");
}

static void every_kind_has_a_name(void **state)
{
    (void)state;
    static const char *const names[] = {"none",   "usage",   "config",      "system",  "compile",
                                        "launch", "memory",  "unsupported", "timeout", "skipped",
                                        "device", "process", "busy",        "internal"};
    for (int i = ERROR_NONE; i <= ERROR_INTERNAL; i++)
        assert_string_equal(error_kind_name((enum error_kind)i), names[i]);
}

static void carets(void **state)
{
    (void)state;
    struct error e = {0};
    static const char source[] = "first\nsecond é line\nthird";
    size_t at = (size_t)(strstr(source, "line") - source), line, column;
    caret_position(source, at, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 10); /* "é" is one column wide. */
    assert_false(FAIL_AT(&e, ERROR_CONFIG, source, at, "bad %s", "word"));
    assert_string_equal(e.text, "bad word\n    second é line\n             ^");
    FAIL_AT(&e, ERROR_CONFIG, source, strlen(source), "more"); /* at the end */
    assert_string_equal(e.text, "more\n    third\n         ^");
    FAIL_AT(&e, ERROR_CONFIG, "", 0, "nothing");
    assert_string_equal(e.text, "nothing\n    \n    ^");
    FAIL_AT(&e, ERROR_CONFIG, "a\033[2Jb", 5, "terminal"); /* escapes do not reach a terminal */
    assert_string_equal(e.text, "terminal\n    a [2Jb\n         ^");
    assert_false(FAIL_AT(NULL, ERROR_CONFIG, source, 0, "nobody asks"));
}

static void expect_number(double number, const char *written)
{
    struct text t = {0};
    text_number(&t, number);
    text_append(&t, "%s", "");
    assert_string_equal(t.bytes, written);
    text_free(&t);
}

static void numbers_are_the_shortest_that_read_back(void **state)
{
    (void)state;
    expect_number(NAN, "");
    expect_number(0, "0");
    expect_number(-1, "-1");
    expect_number(0.1, "0.1");
    expect_number(0.1 + 0.2, "0.30000000000000004"); /* 17 digits */
    expect_number(1.0 / 3, "0.3333333333333333");    /* 16 digits */
    expect_number(70, "70");
    expect_number(16777216, "16777216");
    expect_number(1099511627776.0, "1099511627776"); /* 2^40 */
    expect_number(9007199254740992.0, "9007199254740992");
    expect_number(1e300, "1e+300");
    expect_number(-2.5e-7, "-2.5e-07");
    expect_number(DBL_MAX, "1.7976931348623157e+308");
    expect_number(INFINITY, "inf");
    expect_number(-INFINITY, "-inf");
}

static void random_numbers_survive(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (int i = 0; i < 50000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isnan(number))
            continue;
        struct text t = {0};
        text_number(&t, number);
        assert_true(strtod(t.bytes, NULL) == number);
        text_free(&t);
    }
}

/* The examples are from RFC 4648, section 10. */
static void base64(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct text t = {0};
        text_append_base64(&t, pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(t.bytes, pairs[i][1]);
        text_free(&t);
    }
}

static void expect_digest(const char *bytes, size_t length, const char *hex)
{
    uint8_t digest[SHA256_BYTES];
    char shown[2 * SHA256_BYTES + 1];
    sha256(bytes, length, digest);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(shown + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(shown, hex);
}

/* Some cases are the standard's examples. The others are close to multiples of the block size,
 * with hashes from sha256sum. */
static void sha256_digests(void **state)
{
    (void)state;
    static char a[1000000];
    memset(a, 'a', sizeof a);
    expect_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_digest(a, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    expect_digest(a, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_digest(a, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect_digest(a, 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    expect_digest(a, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    expect_digest(a, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    expect_digest(a, 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    expect_digest(a, 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c");
}

static void words_are_wrapped(const char *words, size_t indent, size_t width, const char *expected)
{
    struct text t = {0};
    text_append_wrapped(&t, words, indent, width);
    assert_string_equal(text_shown(&t), expected);
    text_free(&t);
}

static void lines_are_as_long_as_they_may_be(void **state)
{
    (void)state;
    words_are_wrapped("one two three four five six", 0, 9, "one two\nthree\nfour five\nsix");
    words_are_wrapped("one two three four five six", 2, 11, "one two\n  three\n  four five\n  six");
    words_are_wrapped("one  two", 0, 7, "one two");
    words_are_wrapped("longer than it a", 0, 4, "longer\nthan\nit a");
    words_are_wrapped("", 3, 9, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_shortest_that_read_back),
        cmocka_unit_test(random_numbers_survive),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(lines_are_as_long_as_they_may_be),
        cmocka_unit_test(long_pieces),
        cmocka_unit_test(arguments_begin_no_line),
        cmocka_unit_test(errors_have_their_own_lines_only),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(globs),
        cmocka_unit_test(hashes),
        cmocka_unit_test(base64),
        cmocka_unit_test(sha256_digests),
        cmocka_unit_test(errors),
        cmocka_unit_test(long_errors_are_cut),
        cmocka_unit_test(texts_are_cut_between_characters),
        cmocka_unit_test(every_kind_has_a_name),
        cmocka_unit_test(carets),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
