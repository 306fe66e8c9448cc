/*
 * Reads catalogues of kernels: from several folders, with kernels that are refused, and from the
 * folders of this repository.
 */
#include "../fixture_kernels.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec/kernel_index.h"

static char folder[64], other[64];

static void put(const char *where, const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", where, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_kernel(const char *where, const char *name)
{
    char code[1024], file[64];
    snprintf(code, sizeof code,
             "// kernel: %s\n// idea: none\n// source: a test\n// result: partial\n"
             "// input: untouched\n// covers: BLOCK\n// blocks: power of two\n// uniform: yes\n"
             "extern \"C\" __global__ void %s(int *x) {}\n",
             name, name);
    snprintf(file, sizeof file, "%s.cu", name);
    put(where, file, code);
}

static int make_folders(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/redsweep kernels' XXXXXX");
    strcpy(other, "/tmp/redsweep-kernels-XXXXXX");
    return mkdtemp(folder) && mkdtemp(other) ? 0 : -1;
}

static int remove_folders(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf \"%s\" \"%s\"", folder, other);
    return system(command);
}

/* The messages are in tests/texts/catalogue.txt. */
static void refused_folders_as(enum error_kind kind, const char *const *folders, int count)
{
    struct catalogue c;
    struct error e = {0};
    assert_false(catalogue_read(folders, count, &c, &e));
    assert_int_equal(c.count, 0);
    assert_int_equal(e.kind, kind);
    error_clear(&e);
}

static void refused_folders(const char *const *folders, int count)
{
    refused_folders_as(ERROR_CONFIG, folders, count);
}

static void catalogues_are_read(void **state)
{
    (void)state;
    const char *const both[] = {folder, other, folder};
    struct catalogue c;
    struct error e = {0};
    char path[160];
    refused_folders(both, 1);
    put_kernel(folder, "zebra");
    put_kernel(folder, "ant");
    put_kernel(other, "mole");
    put(folder, ".#ant.cu", "an editor's");
    put(folder, "notes.txt", "not a kernel");
    put(folder, ".cu", "not a kernel");
    snprintf(path, sizeof path, "%s/support", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    put(path, "broken.cu", "sub-folders are not read without an index");
    assert_true(catalogue_read(both, 3, &c, &e));
    assert_int_equal(c.count, 3);
    assert_string_equal(c.kernels[0]->name, "ant");
    assert_string_equal(c.kernels[1]->name, "mole");
    assert_string_equal(c.kernels[2]->name, "zebra");
    assert_ptr_equal(catalogue_find(&c, "mole"), c.kernels[1]);
    assert_null(catalogue_find(&c, "mol"));
    catalogue_free(&c);

    put_kernel(other, "ant");
    refused_folders(both, 2);
    put(other, "ant.cu", "// kernel: ant\n");
    refused_folders(both, 2);
    snprintf(path, sizeof path, "%s/ant.cu", other);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    refused_folders_as(ERROR_SYSTEM, both, 2);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("nowhere", path), 0);
    refused_folders_as(ERROR_SYSTEM, both, 2);
    assert_int_equal(unlink(path), 0);
    int large = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(large >= 0);
    assert_int_equal(ftruncate(large, (off_t)1 << 40), 0);
    close(large);
    refused_folders(both, 2);
    assert_int_equal(unlink(path), 0);
    const char *const missing[] = {"/nowhere/at all"};
    refused_folders(missing, 1);
}

static void make_sub_folder(const char *name, char path[160])
{
    snprintf(path, 160, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void an_index_names_folders_and_an_order(void **state)
{
    (void)state;
    const char *const folders[] = {folder};
    struct catalogue c;
    struct error e = {0};
    char path[160];
    make_sub_folder("far", path);
    put_kernel(path, "bee");
    put_kernel(path, "ant");
    make_sub_folder("support", path);
    put(path, "broken.cu", "in no folder of the index");
    put_kernel(folder, "zebra");
    put(folder, "index.txt", "# a comment\n\nfolder far\nfamily 2: with wings\nbee\nmoth\n");
    if (!catalogue_read(folders, 1, &c, &e))
        fail_msg("%s", e.text);
    assert_int_equal(c.count, 3);
    assert_string_equal(c.kernels[0]->name, "ant");
    assert_string_equal(c.kernels[0]->family, "");
    assert_int_equal(c.kernels[0]->place, INT_MAX);
    assert_string_equal(c.kernels[1]->name, "bee");
    assert_string_equal(c.kernels[1]->family, "with wings");
    assert_int_equal(c.kernels[1]->place, 0);
    assert_string_equal(c.kernels[2]->name, "zebra");
    catalogue_free(&c);
}

static void a_file_alone_is_in_no_family(void **state)
{
    (void)state;
    char path[160];
    snprintf(path, sizeof path, "%s/alone.cu", other);
    put_kernel(other, "alone");
    const char *const files[] = {path};
    struct catalogue c;
    assert_true(catalogue_read(files, 1, &c, NULL));
    assert_int_equal(c.count, 1);
    assert_string_equal(c.kernels[0]->family, "");
    assert_int_equal(c.kernels[0]->place, INT_MAX);
    catalogue_free(&c);
}

/* A header is looked up first in the folder of the kernel's file, then in the folder whose index
 * lists the file, and then in redsweep's folder. */
static void includes_are_looked_for_in_order(void **state)
{
    (void)state;
    struct include_folders f;
    char path[160], expected[200];
    kernel_include_folders("a.cu", "/own", &f);
    assert_int_equal(f.count, 3);
    assert_string_equal(f.paths[0], ".");
    assert_string_equal(f.paths[1], "/own/lib");
    assert_string_equal(f.paths[2], "/own");
    include_folders_free(&f);
    put(folder, "index.txt", "");
    snprintf(path, sizeof path, "%s/far/a.cu", folder);
    kernel_include_folders(path, "/own", &f); /* no such folder, so .. leads nowhere */
    assert_int_equal(f.count, 3);
    include_folders_free(&f);
    snprintf(path, sizeof path, "%s/far", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/far/a.cu", folder);
    kernel_include_folders(path, "/own", &f);
    assert_int_equal(f.count, 5);
    snprintf(expected, sizeof expected, "%s/far/../lib", folder);
    assert_string_equal(f.paths[1], expected);
    snprintf(expected, sizeof expected, "%s/far/..", folder);
    assert_string_equal(f.paths[2], expected);
    include_folders_free(&f);
}

static void our_own_kernels_are_right(void **state)
{
    (void)state;
    const char *const ours[] = {"kernels"};
    struct catalogue c;
    struct error e = {0};
    if (!catalogue_read(ours, 1, &c, &e))
        fail_msg("%s", e.text);
    static const char *const first[] = {"interleaved", "neighbored", "neighbored_less",
                                        "smem_unroll", "unroll"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_non_null(catalogue_find(&c, first[i]));
    for (int i = 1; i < c.count; i++)
        assert_true(strcmp(c.kernels[i - 1]->name, c.kernels[i]->name) < 0);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(catalogues_are_read, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(an_index_names_folders_and_an_order, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(a_file_alone_is_in_no_family, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(includes_are_looked_for_in_order, make_folders,
                                        remove_folders),
        cmocka_unit_test(our_own_kernels_are_right),
    };
    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
