/*
 * Checks PTX in rare but valid forms, and requests that the simulator refuses. Its messages about
 * unsupported PTX are in tests/texts/simulator.txt.
 */
#include "fixture.h"
#include "../../texts/expected.h"

#define MODULE ".version 8.0\n.target sm_90\n.address_size 64\n"

/* The simulator accepts multi-line comments, binary numbers, attributes, and vectors in memory. */
static void rare_forms_are_read(void **state)
{
    static const char text[] =
        MODULE "/* two\nlines */\n.global .attribute(.managed) .align 8 .v2 .u32 pair;\n"
               ".global .f32 four[4] = {1.0, -2, 0f40400000, 0b101U};\n"
               ".visible .entry k(.param .u64 data)\n.maxntid 64, 2, 1\n{\n.reg .b64 %d<3>;\n"
               ".reg .b32 %r<3>;\n.loc 1 2 3, function_name $L__info+4, inlined_at 1 9 9\n"
               "ld.param.u64 %d1, [data];\nmov.u32 %r1, 0b101;\nst.global.u32 [%d1], %r1;\n"
               "ret;\n}\n.file 1 \"a.cu\", 5, 6\n/* without an end";
    struct fixture *f = *state;
    struct module *m;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    uint32_t word = 0;
    must(load_text(f, text, "k", &m, &e), &e);
    struct launch l = make_launch(m, 1, 32);
    add_argument(&l, data.address, 8);
    if (!launch(f, &l, &e) || !sim_driver.read(f->device, data, 0, &word, sizeof word, &e))
        fail_msg("%s", e.text);
    assert_int_equal(word, 5);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
}

/* These calls pass wrong arguments to the simulator. */
static void wrong_requests(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    char bytes[16];
    assert_false(sim_driver.read(f->device, data, 250, bytes, 16, &e));
    texts_expect("a read beyond the buffer", e.text);
    sim_driver.free(f->device, data);
    struct module *m;
    struct module_info info;
    struct image cubin = {.kind = IMAGE_CUBIN, .bytes = bytes, .length = sizeof bytes};
    error_clear(&e);
    assert_false(sim_driver.load(f->device, &cubin, &m, &info, &e));
    texts_expect("a cubin", e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_forms_are_read),
        cmocka_unit_test(wrong_requests),
    };
    return cmocka_run_group_tests(tests, open_device, close_all);
}
