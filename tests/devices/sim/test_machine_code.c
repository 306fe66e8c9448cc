/*
 * Checks that the simulator compares machine code with PTX for sm_90 only. For every other
 * architecture that the compiler supports, it reports that it compared nothing. It also refuses
 * cubins whose flags name the wrong architecture.
 */
#include "fixture.h"
#include "../../texts/expected.h"

#include <elf.h>

#include "devices/sim/program/sass.h"

enum { MOST = 64, OURS = 90 };

static struct image compile_for(struct fixture *f, const struct kernel *k, int cc)
{
    struct error e = {0};
    struct image image;
    struct variant v = {.block = (uint16_t)(k->block_constant ? 128 : 0), .unroll = 1};
    struct compile_target target = {IMAGE_PTX_AND_CUBIN, cc};
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = k->tunables[i].allowed.values[0];
    must(compile_variant(f->compiler, k, &v, &target, &image, &e), &e);
    assert_non_null(image.cubin);
    return image;
}

/* Loads an image, which must succeed, and returns the device's message about its machine code. */
static void load(struct fixture *f, const struct image *image, struct module_info *info)
{
    struct error e = {0};
    struct module *m;
    must(sim_driver.load(f->device, image, &m, info, &e), &e);
    sim_driver.unload(f->device, m);
}

static void test_only_one_architecture_is_read(void **state)
{
    struct fixture *f = *state;
    const struct kernel *k = catalogue_find(&f->kernels, "smem");
    int known[MOST], count = compiler_architectures(f->compiler, known, MOST), others = 0;
    assert_non_null(k);
    for (int i = 0; i < count && i < MOST; i++) {
        if (known[i] < 60) /* NVRTC 12 supports Maxwell, too */
            continue;
        struct image image = compile_for(f, k, known[i]);
        struct module_info info = {0};
        struct sass sass;
        bool read = sass_read(image.cubin, image.cubin_length, &sass);
        load(f, &image, &info);
        assert_int_equal(read, known[i] == OURS);
        if (read) {
            assert_true(sass.count > 0 && sass.has_flow);
            assert_string_equal(info.uncounted, "");
        } else {
            texts_expect("machine code of another architecture", sass.why);
            texts_expect("a count without machine code", info.uncounted);
            others++;
        }
        sass_free(&sass);
        image_free(&image);
    }
    assert_true(others >= 4);
}

/*
 * One byte of a cubin's flags is its architecture. Which byte this is depends on the ABI
 * version.
 */
static void test_flags_decide(void **state)
{
    struct fixture *f = *state;
    struct image image = compile_for(f, catalogue_find(&f->kernels, "smem"), OURS);
    for (int other = 0; other < 256; other++) {
        Elf64_Ehdr header;
        struct sass sass;
        memcpy(&header, image.cubin, sizeof header);
        int shift = header.e_ident[EI_ABIVERSION] >= 8 ? 8 : 0;
        assert_int_equal(header.e_flags >> shift & 0xff, OURS);
        header.e_flags = (header.e_flags & ~(0xffu << shift)) | (unsigned)other << shift;
        char *changed = malloc(image.cubin_length);
        assert_non_null(changed);
        memcpy(changed, image.cubin, image.cubin_length);
        memcpy(changed, &header, sizeof header);
        assert_int_equal(sass_read(changed, image.cubin_length, &sass), other == OURS);
        sass_free(&sass);
        free(changed);
    }
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_only_one_architecture_is_read, open_compiler,
                                        close_all),
        cmocka_unit_test_setup_teardown(test_flags_decide, open_compiler, close_all),
    };
    return cmocka_run_group_tests_name("devices/sim/machine_code", tests, NULL, NULL);
}
