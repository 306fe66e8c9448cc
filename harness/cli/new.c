/*
 * `redsweep new` writes a simple kernel, which is correct as it is and which users can change into
 * their own.
 */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/program.h"
#include "base/transfer.h"
#include "base/text.h"
#include "spec/kernel.h"

struct new_arguments {
    const char *idea;
};

static const struct field options[] = {
    {"--idea", "say in one sentence what distinguishes this kernel", field_argument,
     .offset = offsetof(struct new_arguments, idea),
     HELP("TEXT", "the fact `idea`, which says what distinguishes the kernel")},
    {0}};

/*
 * The text of the new kernel, which is right for every n, type and block size. %1$s is the kernel's
 * name, and %2$s is its idea.
 */
static const char code[] =
    "// kernel:   %1$s\n"
    "// idea:     %2$s\n"
    "// source:   my own\n"
    "// result:   partial\n"
    "// input:    untouched\n"
    "// covers:   BLOCK * UNROLL\n"
    "// shared:   BLOCK * SIZEOF\n"
    "// blocks:   power of two\n"
    "// unroll:   1 2 4 8\n"
    "// uniform:  yes\n"
    "#include \"common.cuh\"\n\n"
    "/* Each thread adds up UNROLL elements, and a tree in shared memory adds up the block's "
    "threads.\n"
    " * The sweep defines element (the type), index_t, and combine() with IDENTITY (the "
    "operation).\n"
    " */\n"
    "extern \"C\" __global__ void %1$s(element *input, element *output, index_t n)\n"
    "{\n"
    "    extern __shared__ unsigned char memory[];\n"
    "    element *tile = (element *)memory;\n"
    "    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL + threadIdx.x;\n"
    "    element sum = IDENTITY;\n"
    "#pragma unroll\n"
    "    for (unsigned k = 0; k < UNROLL; k++)\n"
    "        if (first + k * blockDim.x < n)\n"
    "            sum = combine(sum, input[first + k * blockDim.x]);\n"
    "    tile[threadIdx.x] = sum;\n"
    "    __syncthreads();\n"
    "    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {\n"
    "        if (threadIdx.x < stride)\n"
    "            tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + stride]);\n"
    "        __syncthreads();\n"
    "    }\n"
    "    if (threadIdx.x == 0)\n"
    "        output[blockIdx.x] = tile[0];\n"
    "}\n";

void help_new(void)
{
    printf(
        "Writes NAME.cu into this folder. The file contains a kernel and its facts. The\n"
        "kernel is correct for every size. Change it, then use\n"
        "\n"
        "  redsweep run --kernels NAME                       to sweep it (without a GPU, on the "
        "simulator)\n"
        "  redsweep racecheck NAME --kernel-folder NAME.cu   to check it for data races\n"
        "\n"
        "NAME consists of lower-case letters, digits and _. docs/kernels.md explains the facts.\n"
        "\n");
    options_print(options);
}

/* Writes `text` to a new file. Fails if the file exists already. */
static bool write_kernel(const char *path, const struct text *text, struct error *e)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return FAIL(e, errno == EEXIST ? ERROR_USAGE : ERROR_SYSTEM, "%s: %s%s", path,
                    strerror(errno), errno == EEXIST ? "; remove it, or choose another name" : "");
    bool ok = write_exactly(file, text->bytes, text->length, NO_DEADLINE);
    ok = close(file) == 0 && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
}

int command_new(int count, char **arguments, struct error *e)
{
    const char *name = NULL;
    struct operands operands = {.items = &name, .max = 1};
    struct new_arguments a = {0};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (!name) {
        FAIL(e, ERROR_USAGE,
             "new needs the name of the kernel; write, for example, redsweep new my_sum");
        return EXIT_REFUSED;
    }
    struct text text = {0};
    struct kernel *parsed = NULL;
    text_append(&text, code, name, a.idea);
    char *path = xasprintf("%s.cu", name);
    bool ok =
        kernel_parse(path, text.bytes, text.length, &parsed, e) && write_kernel(path, &text, e);
    if (ok)
        printf("redsweep has written %s. To sweep the kernel, run\n\n  %s run --kernels %s\n", path,
               program_name, name);
    kernel_free(parsed);
    free(path);
    text_free(&text);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
