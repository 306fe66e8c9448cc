/*
 * Checks which changes to a kernel's text alter its hash, and checks the hash against the code that
 * NVRTC generates from the text.
 *
 * Adds comments and white space at random places in every kernel of the catalogue. The result
 * must fold to the same text and compile to the same code, as must the folded text itself. If
 * one character of the code changes, the text must fold to a different text. The parts of an
 * image that image_code() leaves out must have no effect. Needs no GPU. */
#include "fixture.h"

#include <ctype.h>
#include <glob.h>

#include "base/code.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "compile/image_code.h"
#include "compile/sources.h"
#include "spec/kernel_facts.h"

/* Returns the offset of the code below a kernel's facts, which begins with the first line that
 * is not a // comment. */
static size_t code_begins(const char *text)
{
    const char *line = text;
    while (strncmp(line, "//", 2) == 0)
        line += strcspn(line, "\n") + 1;
    return (size_t)(line - text);
}

/* Returns a map with one character per byte of a text: '.' for code, ' ' for white space in
 * code, '#' for a preprocessor line, '"' for a literal, and '/' for a comment. Unlike
 * code_fold(), it goes line by line. It does not know raw strings, which no kernel contains. */
static char *map_text(const char *text)
{
    char *map = strdup(text);
    char in = '.';
    for (size_t i = 0; text[i]; i++) {
        size_t line = i;
        while (line > 0 && (text[line - 1] != '\n' || (line > 1 && text[line - 2] == '\\')))
            line--;
        line += strspn(text + line, " \t");
        char old = in;
        if (in == '.' && text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
            in = text[i + 1];
        else if (in == '.' &&
                 (text[i] == '"' || (text[i] == '\'' && !isalnum((unsigned char)text[i - 1]))))
            in = text[i];
        else if ((in == '/' && text[i] == '\n') ||
                 (in == '"' && text[i] == '"' && text[i - 1] != '\\') ||
                 (in == '\'' && text[i] == '\'' && text[i - 1] != '\\'))
            in = '.';
        map[i] = in == '/' || in == '*' || old == '*' ? '/'
                 : in != '.' || old != '.'            ? '"'
                 : isspace((unsigned char)text[i])    ? ' '
                                                      : '.';
        if (old == '/' && in == '.')
            map[i] = ' ';
        if (in == '*' && text[i] == '*' && text[i + 1] == '/' && old == '*')
            map[++i] = '/', in = '.';
        if (text[line] == '#' && (map[i] == '.' || map[i] == ' '))
            map[i] = '#';
    }
    return map;
}

/* Returns a copy with white space or comments inserted at about one in `rarity` possible places. */
static char *decorate(const char *text, size_t begin, uint64_t *random, int rarity)
{
    static const char *const pieces[] = {
        " ", "\n\n", "\t", "/**/", "/* it's \"no\" // code */", "// \" ' /*\n", "\\\n", "\r\n"};
    char *map = map_text(text);
    struct text out = {0};
    for (size_t i = 0; text[i]; i++) {
        bool touches = i > begin && map[i] == '.' && strchr("(){};,[]", text[i]);
        bool space = i > begin && map[i] == ' ' && map[i - 1] == '.';
        if ((touches || space) && map[i - 1] != '"' && text[i - 1] != '/' &&
            random_next(random) % (unsigned)rarity == 0)
            text_append(&out, "%s", pieces[random_next(random) % (sizeof pieces / sizeof *pieces)]);
        if (i > begin && map[i] == '.' && map[i - 1] == '.' && isalnum((unsigned char)text[i]) &&
            random_next(random) % (unsigned)(8 * rarity) == 0)
            text_append(&out, "\\\n"); /* a continued line within a word */
        text_append_bytes(&out, text + i, 1);
    }
    free(map);
    return out.bytes;
}

/* Returns whether a character belongs to the folder in the path of an #include. The hash ignores
 * this folder. */
static bool is_of_a_folder(const char *text, size_t at)
{
    size_t begin = at, quote;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    if (strncmp(text + begin, "#include", 8) != 0)
        return false;
    quote = begin + strcspn(text + begin, "\"<\n");
    size_t rest = strcspn(text + at + 1, "\n");
    return at > quote && memchr(text + at + 1, '/', rest);
}

/* Removes a character of the code, or replaces it with another one. */
static void damage(char *text, size_t begin, uint64_t *random)
{
    char *map = map_text(text);
    size_t length = strlen(text), at;
    do
        at = begin + random_next(random) % (length - begin);
    while (isspace((unsigned char)text[at]) || map[at] == '/' || text[at] == '\\' ||
           is_of_a_folder(text, at) || (map[at] == '#' && strstr("/*", (char[2]){text[at], '\0'})));
    if (random_next(random) % 2)
        memmove(text + at, text + at + 1, length - at);
    else
        text[at] = text[at] == '@' ? '$' : '@';
    free(map);
}

static uint64_t hash_of(const char *path, const char *text)
{
    struct fact_list facts;
    struct error e = {0};
    if (!facts_split(path, text, strlen(text), &facts, &e))
        fail_msg("%s\n%s", e.text, text);
    uint64_t hash = kernel_hash(text, strlen(text), &facts);
    facts_free(&facts);
    return hash;
}

/* Prints 200 characters of each text, from where the folded texts begin to differ. */
static void show_difference(const char *what, const char *a, const char *b)
{
    struct text x = {0}, y = {0};
    code_fold(a, strlen(a), &x, NULL);
    code_fold(b, strlen(b), &y, NULL);
    size_t i = 0;
    while (x.bytes[i] && x.bytes[i] == y.bytes[i])
        i++;
    fail_msg("%s is folded to the wrong text: '%.200s' instead of '%.200s'", what, y.bytes + i,
             x.bytes + i);
}

/* Returns the hash of a whole text, which need not be a valid kernel, because most damaged texts
 * are not. */
static uint64_t fold_hash(const char *text)
{
    struct text out = {0};
    code_fold(text, strlen(text), &out, NULL);
    uint64_t hash = hash_bytes(HASH_START, out.bytes, out.length);
    text_free(&out);
    return hash;
}

/* Returns a variant with the first value of each axis and tunable. */
static struct variant first_variant(const struct kernel *k)
{
    struct variant v = {.block = k->block_rule == BLOCKS_LISTED ? k->blocks.values[0] : 128,
                        .unroll = k->unrolls.count ? k->unrolls.values[0] : 1};
    while (!k->types[v.type])
        v.type++;
    while (!kernel_supports(k, (enum element_type)v.type, (enum operation)v.op))
        v.op++;
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = k->tunables[i].otherwise;
    return v;
}

static uint64_t code_of(struct compiler *c, const struct kernel *k, const char *text,
                        const struct compile_target *target)
{
    struct kernel changed = *k;
    struct variant v = first_variant(k);
    struct image image;
    struct error e = {0};
    uint64_t hash;
    changed.code = (char *)text;
    changed.code_length = strlen(text);
    if (!compile_variant(c, &changed, &v, target, &image, &e))
        fail_msg("%s\n%s", e.text, text);
    assert_true(image_code(&image, &hash));
    image_free(&image);
    return hash;
}

static void comments_and_white_space_change_neither_hash_nor_code(void **state)
{
    const struct place *p = *state;
    static const struct compile_target targets[] = {{IMAGE_PTX, 90}, {IMAGE_CUBIN, 90}};
    const char *folder = "kernels";
    struct catalogue kernels;
    struct error e = {0};
    uint64_t random = 20250607;
    if (!catalogue_read(&folder, 1, &kernels, &e))
        fail_msg("%s", e.text);
    for (int i = 0; i < kernels.count; i++) {
        const struct kernel *k = kernels.kernels[i];
        size_t begin = code_begins(k->code);
        struct text folded = {0};
        char *decorated = NULL;
        for (int times = 0; times < 50; times++) {
            free(decorated);
            decorated = decorate(k->code, begin, &random, 1 + times % 5);
            if (hash_of(k->path, decorated) != k->code_hash)
                show_difference(k->name, k->code, decorated);
        }
        code_fold(k->code, k->code_length, &folded, NULL);
        /* Compiles each kernel to PTX, every eighth one to machine code, too, and the folded
         * text of every second one. */
        for (int t = 0; t < (i % 8 ? 1 : 2) && k->backend == BACKEND_GPU && !k->library; t++) {
            uint64_t code = code_of(p->compiler, k, k->code, &targets[t]);
            if (code_of(p->compiler, k, decorated, &targets[t]) != code)
                fail_msg("%s: comments and white space change the code:\n"
                         "%s",
                         k->name, decorated);
            if (i % 2 == 0 && code_of(p->compiler, k, folded.bytes, &targets[t]) != code)
                fail_msg("%s: other code when folded:\n%s", k->name, folded.bytes);
        }
        free(decorated);
        text_free(&folded);
    }
    catalogue_free(&kernels);
}

/* Added comments and white space do not change a header's or kernel's folded text. Every other
 * change does. */
static void any_other_change_counts(void **state)
{
    (void)state;
    glob_t files;
    uint64_t random = 8128;
    assert_int_equal(glob("kernels/*/*.[ch]*", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text;
        struct error e = {0};
        if (!file_read(files.gl_pathv[i], 1 << 20, &text, NULL, &e))
            fail_msg("%s", e.text);
        size_t begin = code_begins(text), length = strlen(text);
        uint64_t hash = fold_hash(text);
        for (int times = 0; times < 100; times++) {
            char *other = decorate(text, begin, &random, 3);
            if (fold_hash(other) != hash)
                show_difference(files.gl_pathv[i], text, other);
            memcpy(other, text, length + 1);
            damage(other, begin, &random);
            if (fold_hash(other) == hash)
                fail_msg("%s: the same hash:\n%s", files.gl_pathv[i], other);
            free(other);
        }
        free(text);
    }
    globfree(&files);
}

/* a kernel with a static function and an anonymous namespace, whose names NVVM derives from the
 * text */
static const char named_by_text[] =
    "namespace { __device__ int table[4] = {1, 2, 3, 4}; }\n"
    "static __device__ __noinline__ int take(int i) { __shared__ int s[32]; s[i] = i; return s[i ^ "
    "1] + table[i & 3]; }\n"
    "extern \"C\" __global__ void probe(int *out) { out[0] = take(out[1]); }\n";

static uint64_t code_of_probe(struct place *p, const char *code, const struct variant *v,
                              const struct compile_target *target)
{
    uint64_t hash;
    set_code(&p->kernel, code);
    struct image image = compile(p, v, target);
    assert_true(image_code(&image, &hash));
    image_free(&image);
    return hash;
}

static void lines_paths_and_names_are_no_code(void **state)
{
    struct place *p = *state;
    static const int architectures[] = {75, 80, 90, 100, 120};
    char *moved = xasprintf("\n\n/* moved */\n\n%s", named_by_text);
    char *path = p->kernel.path;
    for (size_t i = 0; i < 2 * sizeof architectures / sizeof *architectures; i++) {
        const struct compile_target target = {i % 2 ? IMAGE_PTX : IMAGE_CUBIN,
                                              architectures[i / 2]};
        struct variant without = plain;
        without.without_lines = true;
        uint64_t code = code_of_probe(p, named_by_text, &plain, &target);
        assert_true(code_of_probe(p, moved, &plain, &target) == code);
        assert_true(code_of_probe(p, named_by_text, &without, &target) == code);
        p->kernel.path = "/tmp/elsewhere/another.cu";
        bool same = code_of_probe(p, named_by_text, &plain, &target) == code;
        p->kernel.path = path;
        assert_true(same);
        /* Changing a constant, a value in memory, or the amount of shared memory changes the
         * hash of the image's code. */
        static const struct {
            const char *was, *is;
        } changes[] = {{"i ^ 1", "i ^ 2"}, {"{1, 2, 3, 4}", "{1, 2, 3, 5}"}, {"s[32]", "s[33]"}};
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            char *at = strstr(named_by_text, changes[k].was);
            char *changed = xasprintf("%.*s%s%s", (int)(at - named_by_text), named_by_text,
                                      changes[k].is, at + strlen(changes[k].was));
            if (code_of_probe(p, changed, &plain, &target) == code)
                fail_msg("sm_%d: '%s' is the code of '%s'", target.cc, changes[k].is,
                         changes[k].was);
            free(changed);
        }
    }
    free(moved);
}

static void an_image_without_code_has_no_hash(void **state)
{
    (void)state;
    uint64_t hash;
    char bytes[200] = "\177ELF\2\1\1";
    assert_false(image_code(&(struct image){.kind = IMAGE_NONE}, &hash));
    assert_false(image_code(&(struct image){IMAGE_CUBIN, .bytes = bytes, .length = 3}, &hash));
    memset(bytes + 16, 0xff, sizeof bytes - 16);
    for (size_t length = 0; length <= sizeof bytes; length++)
        assert_false(
            image_code(&(struct image){IMAGE_CUBIN, .bytes = bytes, .length = length}, &hash));
}

/* If a cubin is cut off or has a changed byte, the reader must stay within its bounds.
 * AddressSanitizer checks that when the test runs under it. */
static void torn_images_are_read_within_their_bounds(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, named_by_text);
    struct image image = compile(p, &plain, &(struct compile_target){IMAGE_CUBIN, 90});
    uint64_t hash, whole, random = 496;
    assert_true(image_code(&image, &whole));
    for (size_t length = 0; length < image.length; length += 7) {
        char *copy = xmalloc(length + 1);
        memcpy(copy, image.bytes, length);
        struct image torn = {.kind = IMAGE_CUBIN, .bytes = copy, .length = length};
        assert_true(!image_code(&torn, &hash) || hash == whole);
        free(copy);
    }
    for (int i = 0; i < 2000; i++) {
        size_t at = random_next(&random) % image.length;
        char was = image.bytes[at];
        image.bytes[at] = (char)random_next(&random);
        (void)image_code(&image, &hash);
        image.bytes[at] = was;
    }
    image_free(&image);
}

static uint64_t sources(enum sources_reading reading, const char *code, const char *folder)
{
    struct error e = {0};
    uint64_t hash = HASH_START;
    bool scannable;
    if (!sources_hash(reading, code, strlen(code), folder, &folder, 1, &hash, &scannable, &e))
        fail_msg("%s", e.text);
    return hash;
}

static void the_sources_are_what_is_included_wherever_it_lies(void **state)
{
    struct place *p = *state;
    char below[100], moved[120];
    static const char text[] = "#include \"mine.h\"\n#include <cuda_fp16.h>\nint a;\n";
    uint64_t exact = sources(SOURCES_EXACT, text, p->folder);
    uint64_t folded = sources(SOURCES_FOLDED, text, p->folder);

    write_text(p->header, "/* mine */\n#define  MINE 7000001 // mine\n");
    assert_true(sources(SOURCES_EXACT, text, p->folder) != exact);
    assert_true(sources(SOURCES_FOLDED, text, p->folder) == folded);
    static const char spaced[] =
        "#include \"mine.h\" // mine\n\n#include <cuda_fp16.h>\n int a ;\n";
    assert_true(sources(SOURCES_FOLDED, spaced, p->folder) == folded);
    snprintf(below, sizeof below, "%s/below", p->folder);
    snprintf(moved, sizeof moved, "%s/mine.h", below);
    assert_int_equal(mkdir(below, 0777), 0);
    assert_int_equal(rename(p->header, moved), 0);
    assert_true(sources(SOURCES_FOLDED, text, below) == folded);
    static const char path[] = "#include \"below/mine.h\"\n#include <cuda_fp16.h>\nint a;\n";
    assert_true(sources(SOURCES_FOLDED, path, p->folder) == folded);

    write_text(moved, "#define MINE 7000002\n");
    assert_true(sources(SOURCES_FOLDED, path, p->folder) != folded);
    write_text(moved, "#define MINE 7000001\n");
    assert_true(sources(SOURCES_FOLDED, path, p->folder) == folded);
    static const char other[] = "#include \"below/mine.h\"\n#include <cuda_bf16.h>\nint a;\n";
    assert_true(sources(SOURCES_FOLDED, other, p->folder) != folded);
    static const char commented[] = "// #include \"gone.h\"\n#include \"below/mine.h\"\n"
                                    "#include <cuda_fp16.h>\nint a;\n";
    assert_true(sources(SOURCES_FOLDED, commented, p->folder) == folded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(comments_and_white_space_change_neither_hash_nor_code,
                                        set_up, tear_down),
        cmocka_unit_test(any_other_change_counts),
        cmocka_unit_test_setup_teardown(lines_paths_and_names_are_no_code, set_up, tear_down),
        cmocka_unit_test(an_image_without_code_has_no_hash),
        cmocka_unit_test_setup_teardown(torn_images_are_read_within_their_bounds, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_sources_are_what_is_included_wherever_it_lies, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
