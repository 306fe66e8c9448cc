/*
 * Checks the cache of images: when it returns an image, which changes lead to a new compilation,
 * and what happens if its files are damaged or attacked.
 */
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "compile/cache.h"
#include "compile/sources.h"
#include "compile/compile.h"
#include "plan/plan.h"
#include "fixture.h"

static void the_cache_serves_what_is_unchanged(void **state)
{
    struct place *p = *state;
    struct image first = compile(p, &plain, &ptx90), second = compile(p, &plain, &ptx90);
    assert_false(first.from_cache);
    assert_true(second.from_cache);
    assert_true(first.key == second.key);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.bytes, second.bytes, first.length + 1);
    image_free(&first);
    image_free(&second);

    /* a second compiler for the same folder, as if in another process */
    struct compiler *other;
    struct error e;
    assert_true(compiler_open(p->cache, "kernels", &other, &e));
    compiler_close(p->compiler);
    p->compiler = other;
    assert_true(served(p, &plain));
}

static void each_change_is_compiled_anew(void **state)
{
    struct place *p = *state;
    assert_false(served(p, &plain));
    struct variant changed[] = {plain, plain, plain, plain};
    changed[0].unroll = 8;
    changed[1].type = TYPE_FLOAT32;
    changed[2].op = OP_MIN;
    changed[3].wide = true;
    for (int i = 0; i < 4; i++) {
        assert_false(served(p, &changed[i]));
        assert_true(served(p, &changed[i]));
    }
    struct compile_target others[] = {{IMAGE_PTX, 100}, {IMAGE_CUBIN, 90}};
    for (int i = 0; i < 2; i++) {
        struct image image = compile(p, &plain, &others[i]);
        assert_false(image.from_cache);
        image_free(&image);
    }
    set_code(&p->kernel, probe_code);
    assert_true(served(p, &plain));
    char *edited = strdup(probe_code);
    strstr(edited, "2000000")[0] = '8';
    set_code(&p->kernel, edited);
    free(edited);
    struct image image = compile(p, &plain, &ptx90);
    assert_false(image.from_cache);
    assert_holds(image.bytes, "8000004");
    image_free(&image);
}

static void changed_includes_are_seen_however_deep(void **state)
{
    struct place *p = *state;
    char deep[PATH_MAX];
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    write_text(p->header, "#define MINE 7000002\n");
    assert_false(served(p, &plain));
    /* When the header is changed back, the old entry is valid again. */
    write_text(p->header, "#define MINE 7000001\n");
    assert_true(served(p, &plain));

    /* The #include directive continues on a second line. */
    write_text(p->header, "#  include \\\n \"deep.h\"\n");
    snprintf(deep, sizeof deep, "%s/deep.h", p->folder);
    write_text(deep, "#define MINE 7000003\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    write_text(deep, "#define MINE 7000004\n");
    struct image image = compile(p, &plain, &ptx90);
    assert_false(image.from_cache);
    assert_holds(image.bytes, "7000004");
    image_free(&image);

    /* From now on, the compiler finds this copy of common.cuh before the one in kernels/. */
    char own[PATH_MAX];
    snprintf(own, sizeof own, "cp kernels/lib/common.cuh %s/common.cuh", p->folder);
    assert_int_equal(system(own), 0);
    assert_false(served(p, &plain));
}

static void an_include_that_cannot_be_read_off_is_never_cached(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, "#define WHICH \"mine.h\"\n#include WHICH\n"
                         "extern \"C\" __global__ void probe(int *a) { a[0] = MINE; }\n");
    assert_false(served(p, &plain));
    assert_false(served(p, &plain));
}

static void includes_that_go_round_in_circles_end(void **state)
{
    struct place *p = *state;
    write_text(p->header, "#pragma once\n#include \"mine.h\"\n#define MINE 7000005\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
}

static void words_that_only_look_like_includes_do_no_harm(void **state)
{
    (void)state;
    static const char *const harmless[] = {"// include the first\n",
                                           "int included = 1;\n",
                                           "/* #include \"nowhere.h\" */\n",
                                           "#define A include_b\n",
                                           "#include",
                                           "#include \"",
                                           "include\n"};
    static const char *const hidden[] = {"#include X\n", "# include/**/\"x\"\n", "%:include X\n",
                                         "#/**/include X\n", "#inc\\\nlude X\n"};
    struct error e = {0};
    bool scannable;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        uint64_t hash = 0;
        assert_true(sources_hash(SOURCES_EXACT, harmless[i], strlen(harmless[i]), ".", NULL, 0,
                                 &hash, &scannable, &e));
        if (strchr(harmless[i], '#') != harmless[i] || i == 3)
            assert_true(scannable);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        uint64_t hash = 0;
        assert_true(sources_hash(SOURCES_EXACT, hidden[i], strlen(hidden[i]), ".", NULL, 0, &hash,
                                 &scannable, &e));
        assert_false(scannable);
    }
}

/* --- the cache's files ------------------------------------------------------------------------ */

static void entry_file(struct place *p, uint64_t key, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%016llx.image", p->cache, (unsigned long long)key);
}

static size_t read_entry(const char *path, char **bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    *bytes = malloc(length);
    assert_non_null(*bytes);
    assert_int_equal(fread(*bytes, 1, length, file), length);
    fclose(file);
    return length;
}

static void write_entry(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void no_flipped_bit_and_no_cut_is_served(void **state)
{
    struct place *p = *state;
    static const char recipe[] = "kernel k\n", image[] = "the image's bytes";
    char path[PATH_MAX], *whole, *bytes;
    size_t got;
    assert_true(cache_write(p->cache, 0x1234, recipe, image, sizeof image - 1, 12.5));
    entry_file(p, 0x1234, path);
    size_t length = read_entry(path, &whole);
    double ms = 0;
    assert_true(cache_read(p->cache, 0x1234, recipe, &bytes, &got, &ms));
    assert_true(ms == 12.5);
    assert_int_equal(got, sizeof image - 1);
    assert_string_equal(bytes, image);
    free(bytes);

    for (size_t bit = 0; bit < length * 8; bit++) {
        whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
        write_entry(path, whole, length);
        whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
        if (cache_read(p->cache, 0x1234, recipe, &bytes, &got, NULL))
            fail_msg("the cache returned an entry whose bit %zu was flipped", bit);
    }
    for (size_t cut = 0; cut < length; cut++) {
        write_entry(path, whole, cut);
        if (cache_read(p->cache, 0x1234, recipe, &bytes, &got, NULL))
            fail_msg("the cache returned an entry that was cut to %zu bytes", cut);
    }
    char *longer = calloc(1, length + 1);
    memcpy(longer, whole, length);
    write_entry(path, longer, length + 1);
    assert_false(cache_read(p->cache, 0x1234, recipe, &bytes, &got, NULL));
    write_entry(path, whole, length);
    assert_false(
        /* The entry was written for another recipe (the description of the compilation). */
        cache_read(p->cache, 0x1234, "kernel j\n", &bytes, &got, NULL));
    assert_true(cache_read(p->cache, 0x1234, recipe, &bytes, &got, NULL));
    free(bytes);
    char other[PATH_MAX]; /* path of a complete entry under another name */
    entry_file(p, 0x1235, other);
    assert_int_equal(rename(path, other), 0);
    assert_false(cache_read(p->cache, 0x1235, recipe, &bytes, &got, NULL));
    free(longer);
    free(whole);
}

static void a_broken_entry_is_replaced(void **state)
{
    struct place *p = *state;
    struct image first = compile(p, &plain, &ptx90);
    char path[PATH_MAX], *whole;
    entry_file(p, first.key, path);
    size_t length = read_entry(path, &whole);
    whole[length / 2] ^= 1;
    write_entry(path, whole, length);
    struct image second = compile(p, &plain, &ptx90);
    assert_false(second.from_cache);
    assert_memory_equal(first.bytes, second.bytes, first.length);
    assert_true(served(p, &plain)); /* The compiler has rewritten the entry. */
    image_free(&first);
    image_free(&second);

    /* Replaces the entry's file with a folder, and then with a pipe. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(served(p, &plain));
    char command[PATH_MAX + 64]; /* The cache has removed the unfinished file. */
    snprintf(command, sizeof command, "test -z \"$(find '%s' -name '.unfinished-*')\"", p->cache);
    assert_int_equal(system(command), 0);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    free(whole);
}

static void unfinished_files_are_removed_when_old(void **state)
{
    struct place *p = *state;
    char old[PATH_MAX], fresh[PATH_MAX], command[PATH_MAX + 32];
    snprintf(old, sizeof old, "%s/.unfinished-a", p->cache);
    snprintf(fresh, sizeof fresh, "%s/.unfinished-b", p->cache);
    write_text(old, "x");
    write_text(fresh, "x");
    snprintf(command, sizeof command, "touch -d '2 hours ago' %s", old);
    assert_int_equal(system(command), 0);
    struct error e;
    assert_true(cache_prepare(p->cache, &e));
    assert_int_not_equal(access(old, F_OK), 0);
    assert_int_equal(access(fresh, F_OK), 0);
}

static void a_folder_that_cannot_be_made_is_told(void **state)
{
    struct place *p = *state;
    char path[PATH_MAX];
    struct compiler *c;
    struct error e = {0};
    snprintf(path, sizeof path, "%s/mine.h/cache", p->folder);
    assert_false(compiler_open(path, "kernels", &c, &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    assert_holds(e.text, "mine.h");
    assert_null(c);
    /* The cache's path is a file instead of a folder. */
    assert_false(compiler_open(p->header, "kernels", &c, &e));
    assert_false(compiler_open("", "kernels", &c, &e));
}

static bool prepared(const char *folder)
{
    struct error e = {0};
    bool ok = cache_prepare(folder, &e);
    assert_true(ok || e.kind == ERROR_SYSTEM);
    return ok;
}

/* The cache refuses a folder that other users may write to. A folder that it creates is
 * accessible only to the user. */
static void a_cache_is_its_users_alone(void **state)
{
    struct place *p = *state;
    char folder[PATH_MAX], other[PATH_MAX];
    struct stat status;
    snprintf(folder, sizeof folder, "%s/own", p->folder);
    snprintf(other, sizeof other, "%s/link", p->folder);
    mode_t mask = umask(0);
    assert_true(prepared(folder));
    umask(mask);
    assert_int_equal(lstat(folder, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_true(prepared(folder));
    assert_int_equal(chmod(folder, 0770), 0);
    assert_false(prepared(folder));
    assert_int_equal(chmod(folder, 0702), 0);
    assert_false(prepared(folder));
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(symlink(folder, other), 0);
    assert_false(prepared(other));
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(folder, 65534, 65534), 0);
    assert_false(prepared(folder));
}

/* The compiler ignores an entry that another user could have written, and compiles the kernel
 * again. */
static void entries_of_others_are_not_served(void **state)
{
    struct place *p = *state;
    static const char recipe[] = "a recipe", image[] = "an image";
    char path[PATH_MAX], moved[PATH_MAX + 8], *bytes;
    size_t length;
    struct stat status;
    assert_true(cache_write(p->cache, 7, recipe, image, sizeof image, 12.5));
    snprintf(path, sizeof path, "%s/%016x.image", p->cache, 7);
    snprintf(moved, sizeof moved, "%s.moved", path);
    assert_true(cache_read(p->cache, 7, recipe, &bytes, &length, NULL));
    free(bytes);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(cache_read(p->cache, 7, recipe, &bytes, &length, NULL));
    assert_int_equal(chmod(path, 0644), 0); /* Older versions left entries with this mode. */
    assert_true(cache_read(p->cache, 7, recipe, &bytes, &length, NULL));
    free(bytes);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(cache_read(p->cache, 7, recipe, &bytes, &length, NULL));
    if (geteuid() != 0)
        return;
    assert_int_equal(rename(moved, path), 0);
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_false(cache_read(p->cache, 7, recipe, &bytes, &length, NULL));
}

static void a_vanished_cache_costs_nothing_but_time(void **state)
{
    struct place *p = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", p->cache);
    assert_int_equal(system(command), 0);
    assert_false(served(p, &plain));
    assert_false(served(p, &plain));
}

static void processes_may_race(void **state)
{
    struct place *p = *state;
    enum { PROCESSES = 4, ROUNDS = 200 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0)
            continue;
        /* All processes keep writing the same few entries, and read every entry there is. */
        int wrong = 0, hits = 0;
        for (int round = 0; round < ROUNDS; round++)
            for (uint64_t key = 0; key < 4; key++) {
                char body[5000], *bytes;
                size_t length;
                memset(body, 'a' + (int)key, sizeof body);
                if (!cache_write(p->cache, key, "race", body, sizeof body, 12.5))
                    wrong++;
                if (cache_read(p->cache, (key + 1) % 4, "race", &bytes, &length, NULL)) {
                    hits++;
                    wrong += length != sizeof body || bytes[0] != 'a' + (int)((key + 1) % 4) ||
                             bytes[4999] != bytes[0];
                    free(bytes);
                }
            }
        _exit(wrong ? 1 : hits < ROUNDS * 4 - 8 ? 2 : 0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    char command[128];
    snprintf(command, sizeof command, "test -z \"$(ls -A %s | grep unfinished)\"", p->cache);
    assert_int_equal(system(command), 0);
}

static void two_processes_compile_the_same(void **state)
{
    struct place *p = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    struct image image;
    if (child == 0) {
        struct error e;
        bool ok = compile_variant(p->compiler, &p->kernel, &plain, &ptx90, &image, &e);
        _exit(ok && strstr(image.bytes, "2000004") ? 0 : 1);
    }
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, "2000004");
    image_free(&image);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(served(p, &plain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_cache_serves_what_is_unchanged),
        TEST(each_change_is_compiled_anew),
        TEST(changed_includes_are_seen_however_deep),
        TEST(an_include_that_cannot_be_read_off_is_never_cached),
        TEST(includes_that_go_round_in_circles_end),
        TEST(words_that_only_look_like_includes_do_no_harm),
        TEST(no_flipped_bit_and_no_cut_is_served),
        TEST(a_broken_entry_is_replaced),
        TEST(unfinished_files_are_removed_when_old),
        TEST(a_folder_that_cannot_be_made_is_told),
        TEST(a_cache_is_its_users_alone),
        TEST(entries_of_others_are_not_served),
        TEST(a_vanished_cache_costs_nothing_but_time),
        TEST(processes_may_race),
        TEST(two_processes_compile_the_same),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
