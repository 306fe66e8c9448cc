/*
 * docs/simulator-instructions.md says what the table of instruction families says.
 *
 * With UPDATE=1 in the environment the page is written anew instead of compared.
 */
#include "fixture.h"

#include "base/text.h"
#include "devices/sim/decode.h"

static const char path[] = "docs/simulator-instructions.md";

static void generate(struct text *t)
{
    text_append(t, "# The PTX instructions that the simulator knows\n\n"
                   "Made from the table in `harness/devices/sim/families.c`; `tests/sim/` holds "
                   "a case for each row. `UPDATE=1 build/tests/sim/test_instruction_list` writes "
                   "this page anew.\n\n"
                   "`d` is the result, `a`, `b`, `c` are the operands. Every instruction may be "
                   "guarded (`@p`, `@!p`). An instruction that is not here, or a word of one that "
                   "the simulator does not know, ends its kernel with a message that names the "
                   "instruction, the source line and the PTX line; nothing is skipped.\n\n"
                   "| instruction | what it does |\n| --- | --- |\n");
    for (const struct family *f = families; f->name; f++) {
        text_append(t, "| `%s` | ", f->name);
        for (const char *at = f->meaning; *at; at++) /* a bar would end the cell */
            text_append(t, *at == '|' ? "\\|" : "%c", *at);
        text_append(t, " |\n");
    }
    text_append(t, "\nSpecial registers:");
    for (int s = 0; s < SPECIAL_COUNT; s++)
        text_append(t, "%s `%s%s`", s ? "," : "", s == SPECIAL_WARP_SIZE ? "" : "%",
                    special_names[s]);
    text_append(t, ".\n");
    assert_false(t->failed);
}

static void test_page(void **state)
{
    (void)state;
    struct text wanted = {0};
    generate(&wanted);
    if (getenv("UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(wanted.bytes, 1, wanted.length, file), wanted.length);
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read; run the tests in the project's folder", path);
    static char found[65536];
    size_t length = fread(found, 1, sizeof found - 1, file);
    found[length] = '\0';
    fclose(file);
    if (strcmp(found, wanted.bytes) != 0)
        fail_msg("%s is not what the table says: UPDATE=1 build/tests/sim/test_instruction_list "
                 "writes it anew",
                 path);
    text_free(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
