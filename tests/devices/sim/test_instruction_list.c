/*
 * Compares harness/devices/sim/instructions.md with the table of instruction families.
 *
 * With UPDATE=1 in the environment, rewrites the page instead.
 */
#include "fixture.h"

#include "base/text.h"
#include "devices/sim/program/decode.h"

static const char path[] = "harness/devices/sim/instructions.md";

static void generate(struct text *t)
{
    text_append(
        t, "# The PTX instructions that the simulator knows\n\n"
           "This page is made from the table in `harness/devices/sim/program/families.c`, and "
           "`tests/devices/sim/` has a case for each row. "
           "`UPDATE=1 build/tests/devices/sim/test_instruction_list` writes this page anew.\n\n"
           "`d` is the result, and `a`, `b` and `c` are the operands. An opcode consists of the "
           "words of the first column, any of the further words, and one of the types if there "
           "are any. Every instruction may be guarded (`@p`, `@!p`). If the simulator does not "
           "support an instruction or a word of its opcode, the kernel ends with a message that "
           "names the instruction, the source line and the PTX line; nothing is skipped.\n\n"
           "| instruction | types | further words | what it does |\n"
           "| --- | --- | --- | --- |\n");
    for (const struct opcode_family *f = families; f->name; f++) {
        text_append(t, "| `%s` | %s | %s | ", f->name, f->types ? f->types : "",
                    f->modifiers ? f->modifiers : "");
        for (const char *at = f->meaning; *at; at++) /* an unescaped bar would end the cell */
            text_append(t, *at == '|' ? "\\|" : "%c", *at);
        text_append(t, " |\n");
    }
    text_append(t, "\nSpecial registers:");
    for (int s = 0; s < SPECIAL_COUNT; s++)
        text_append(t, "%s `%s%s`", s ? "," : "", s == SPECIAL_WARP_SIZE ? "" : "%",
                    special_names[s]);
    text_append(t, ".\n");
    text_append(t, "\n"
                   "## What is refused\n"
                   "\n"
                   "The simulator does not run a kernel that contains one of these. The message "
                   "names the PTX instruction and the CUDA feature that it belongs to.\n"
                   "\n"
                   "| in CUDA | in PTX |\n"
                   "| --- | --- |\n");
    for (const struct opcode_refusal *r = refusals; r->opcode; r++)
        text_append(t, "| %s | `%s` |\n", r->meaning, r->opcode);
    text_append(
        t,
        "| `clock()`, `clock64()` | `%%clock`, `%%clock64`: the simulator has no clock; "
        "`%%globaltimer` increases, but measures no time |\n"
        "| function pointers, virtual functions | `call` through a register |\n"
        "| recursion | `call` of a function that is running |\n"
        "| `malloc()`, `new`, `memcpy()` of unknown length as a call | `call` of a function that "
        "is not in the module |\n"
        "| FP8, FP6, FP4 and TF32 conversions | `cvt` to or from `e4m3x2`, `e5m2x2`, `tf32` … |\n"
        "| atomics of 128 bits (`cuda::atomic_ref` of 16 bytes) | `atom` with `.b128` |\n"
        "| clusters with more than one block in y or z, barriers in another block's shared memory "
        "| `%%cluster_ctaid.y`, `mbarrier` with `.shared::cluster` |\n"
        "\n"
        "The simulator counts the following in a different way than the hardware, so it leaves "
        "these counts empty: sectors and lines of atomics in which several lanes access the same "
        "32-byte sector. An H200 counts more sectors and lines; the counts of requests are equal. "
        "If all lanes of a warp add to the same address, the assembler turns a `red` into a sum "
        "over the warp and one `atom`. The PTX does not show this. The [simulator's "
        "README](README.md) lists all counts that are left empty.\n"
        "\n"
        "Counts of instructions, branches and active lanes (such as `inst_per_warp` and "
        "`inst_executed`) are those of the PTX: a statement counts once for each warp in which at "
        "least one lane executes it. Machine code consists of other instructions, so these counts "
        "equal those of a GPU only by chance. Use them to compare kernels on the simulator.\n");
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
        fail_msg("%s differs from the table; UPDATE=1 "
                 "build/tests/devices/sim/test_instruction_list writes it again",
                 path);
    text_free(&wanted);
}

/* The decoder must refuse each row's instruction with a message that contains the row's words. */
static void test_refusals_are_refused(void **state)
{
    for (const struct opcode_refusal *r = refusals; r->opcode; r++) {
        char text[512];
        struct module *m;
        struct error e = {0};
        snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                 ".reg .b32 %%r<4>;\n%s.b32 %%r1, %%r2, %%r3;\nret;\n}\n",
                 r->opcode);
        assert_false(load_text(*state, text, "k", &m, &e));
        assert_int_equal(e.kind, ERROR_UNSUPPORTED);
        if (!strstr(e.text, r->meaning))
            fail_msg("'%s' is not in: %s", r->meaning, e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test_setup_teardown(test_refusals_are_refused, open_device, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
