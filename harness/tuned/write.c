/*
 * Writing the library's sources: the table as C, compiled kernels included, and as CSV.
 *
 * A range has up to eight images: 32-bit and 64-bit element counts (where the range goes beyond
 * 2^31), each for aligned input and for input that begins anywhere, as machine code and as PTX.
 * Equal images are stored once.
 */
#include "tuned/tuned.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/output.h"

static const uint64_t NARROW_MOST = (uint64_t)1 << 31; /* elements that 32-bit counts reach */

struct writing {
    const struct tuned *targets;
    size_t target_count;
    struct compiler *compiler;
    struct text table;  /* entries */
    struct text images; /* arrays of code */
    struct text shapes; /* functions */
    struct text csv;
    uint64_t *keys; /* the compiler's, of the images that are stored: equal keys, equal images */
    size_t key_count;
    struct error *e;
};

/* The image as an array of 64-bit numbers: half as long in C as one of bytes. */
static void append_image(struct text *t, size_t number, const struct image *image)
{
    size_t words = image->length / 8 + 1; /* PTX ends in a NUL */
    text_append(t, "static const uint64_t image_%zu[%zu] = {", number, words);
    for (size_t i = 0; i < words; i++) {
        uint64_t word = 0;
        size_t left = image->length - 8 * i;
        if (left)
            memcpy(&word, image->bytes + 8 * i, left < 8 ? left : 8);
        text_append(t, "%s0x%" PRIx64 ",", i % 5 ? " " : "\n    ", word);
    }
    text_append(t, "\n};\n\n");
}

/* Compiles one image of a range and stores it unless it is there; *number says which it is. */
static bool store_image(struct writing *w, const struct compile_target *target,
                        const struct tuned_range *range, bool wide, bool any_offset, size_t *number)
{
    struct variant v = range->variant;
    v.wide = wide;
    v.any_offset = any_offset;
    v.without_lines = true;
    struct image image;
    if (!compile_variant(w->compiler, range->kernel, &v, target, &image, w->e))
        return false;
    *number = 0;
    while (*number < w->key_count && w->keys[*number] != image.key)
        (*number)++;
    if (*number == w->key_count) {
        array_push(w->keys, w->key_count, image.key);
        append_image(&w->images, *number, &image);
    }
    image_free(&image);
    return true;
}

static bool append_value(struct writing *w, const char *left, const struct expr *x,
                         const char *otherwise)
{
    text_append(&w->shapes, "    %s = ", left);
    if (!x)
        text_append(&w->shapes, "%s", otherwise);
    else if (!expr_write_c(x, &w->shapes))
        return FAIL(w->e, ERROR_CONFIG, "cannot write \"%s\" as C", expr_source(x));
    text_append(&w->shapes, ";\n");
    return true;
}

/* The facts' expressions as a C function of n and the number of multiprocessors. */
static bool append_shape(struct writing *w, size_t number, const struct tuned_range *range)
{
    const struct kernel *k = range->kernel;
    const struct variant *v = &range->variant;
    struct text *t = &w->shapes;
    text_append(t,
                "static void shape_%zu(double N, double SMS, struct shape *shape)\n"
                "{\n    const double BLOCK = %d, UNROLL = %d, SIZEOF = %zu",
                number, v->block, v->unroll, element_size((enum element_type)v->type));
    for (int i = 0; i < k->tunable_count; i++)
        text_append(t, ", %s = %d", k->tunables[i].name, (int)v->tunables[i]);
    text_append(t, ";\n    double COVERS, GRID;\n");
    bool ok = append_value(w, "COVERS", k->covers, "") &&
              append_value(w, "GRID", k->grid[0], "ceil_div(N, COVERS)") &&
              append_value(w, "shape->shared", k->shared, "0") &&
              append_value(w, "shape->workspace", k->workspace, "0") &&
              append_value(w, "shape->cluster", k->cluster, "1");
    text_append(t, "    shape->grid = GRID;\n    (void)SMS, (void)BLOCK, (void)UNROLL, "
                   "(void)SIZEOF");
    for (int i = 0; i < k->tunable_count; i++)
        text_append(t, ", (void)%s", k->tunables[i].name);
    text_append(t, ";\n}\n\n");
    return ok;
}

static void append_setting(struct text *t, const struct tuned_range *range)
{
    text_append(t, "block %d", range->variant.block);
    for (int i = 0; i < range->kernel->tunable_count; i++)
        text_append(t, " %s %d", range->kernel->tunables[i].name, (int)range->variant.tunables[i]);
}

static void append_us(struct text *t, double us)
{
    if (isnan(us))
        text_append(t, ",");
    else
        text_append(t, ",%.15g", us);
}

static void append_csv(struct writing *w, const struct tuned *t, const struct tuned_function *f,
                       const struct tuned_range *range)
{
    struct text *csv = &w->csv;
    text_append(csv, "reduce_%s_%s,%" PRIu64 ",%" PRIu64 ",%s,", operation_name(f->op),
                element_suffix(f->type), range->first, range->last, range->kernel->name);
    append_setting(csv, range);
    for (int i = 0; i < 2; i++) {
        text_append(csv, ",%" PRIu64, range->sizes[i]);
        append_us(csv, range->us[i]);
        append_us(csv, range->reference_us[i]);
    }
    text_append(csv, ",%d.%d\r\n", t->cc / 10, t->cc % 10);
}

/* One entry for [first, last], of which all element counts have the same width. */
static bool append_entry(struct writing *w, const struct tuned *t, const struct tuned_range *range,
                         uint64_t last, size_t shape)
{
    const enum image_kind kinds[2] = {IMAGE_CUBIN, IMAGE_PTX};
    size_t images[2][2];
    bool wide = last > NARROW_MOST;
    for (int kind = 0; kind < 2; kind++)
        for (int any_offset = 0; any_offset < 2; any_offset++) {
            struct compile_target target = {kinds[kind], t->cc};
            if (!store_image(w, &target, range, wide, any_offset, &images[kind][any_offset]))
                return false;
        }
    text_append(&w->table,
                "    {UINT64_C(%" PRIu64 "), \"%s\", %d, %d, shape_%zu, {{%zu, %zu}, {%zu, %zu}}},"
                " /* ",
                last, range->kernel->name, range->variant.block, wide ? 8 : 4, shape, images[0][0],
                images[0][1], images[1][0], images[1][1]);
    append_setting(&w->table, range);
    text_append(&w->table, " */\n");
    return true;
}

/* The entries of a function on one target. */
static bool append_entries(struct writing *w, const struct tuned *t, const struct tuned_function *f,
                           size_t *shape)
{
    text_append(&w->table, "static const struct entry %s_%s_%d[] = {\n", operation_name(f->op),
                element_suffix(f->type), t->cc);
    for (size_t i = 0; i < f->range_count; i++, (*shape)++) {
        const struct tuned_range *range = &f->ranges[i];
        if (!append_shape(w, *shape, range))
            return false;
        bool narrow = range->first <= NARROW_MOST, wide = range->last > NARROW_MOST;
        if (narrow && !append_entry(w, t, range, wide ? NARROW_MOST : range->last, *shape))
            return false;
        if (wide && !append_entry(w, t, range, range->last, *shape))
            return false;
        append_csv(w, t, f, range);
    }
    text_append(&w->table, "};\n\n");
    return true;
}

static bool has_function(const struct tuned *t, const struct tuned_function *f)
{
    for (size_t i = 0; i < t->function_count; i++)
        if (t->functions[i].type == f->type && t->functions[i].op == f->op)
            return true;
    return false;
}

/* The functions that the targets have, each once, in the order of the first that has it. */
struct functions {
    VEC(const struct tuned_function *) list;
};

static void find_functions(const struct tuned *targets, size_t count, struct functions *out)
{
    *out = (struct functions){0};
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < targets[t].function_count; i++) {
            bool earlier = false;
            for (size_t k = 0; k < t; k++)
                earlier = earlier || has_function(&targets[k], &targets[t].functions[i]);
            if (!earlier)
                vec_push(&out->list, &targets[t].functions[i]);
        }
}

/* Which entries serve which capability, and the function that is called. */
static void append_function(struct writing *w, const struct tuned_function *f)
{
    const char *op = operation_name(f->op), *type = element_suffix(f->type);
    text_append(&w->table, "static const struct table %s_%s[] = {\n", op, type);
    for (size_t i = 0; i < w->target_count; i++) {
        int cc = w->targets[i].cc;
        if (has_function(&w->targets[i], f))
            text_append(&w->table, "    {%d, %s_%s_%d, sizeof %s_%s_%d / sizeof(struct entry)},\n",
                        cc, op, type, cc, op, type, cc);
    }
    text_append(&w->table,
                "};\n\ncudaError_t reduce_%s_%s(const %s *d_in, size_t n, %s *d_out,\n"
                "                           cudaStream_t stream)\n{\n"
                "    return reduce(%s_%s, d_in, n, sizeof *d_in, d_out, stream);\n}\n\n",
                op, type, element_c_type(f->type), element_c_type(f->type), op, type);
}

static void append_heading(const struct tuned *targets, size_t count, const char *what,
                           struct text *out)
{
    text_append(out, "/*\n * %s\n *\n * Written by `redsweep tuned`; do not edit. Measured by\n",
                what);
    for (size_t i = 0; i < count; i++)
        text_append(out, " * the run %s of %s on %s (compute capability %d.%d)\n", targets[i].run,
                    targets[i].started, targets[i].device, targets[i].cc / 10, targets[i].cc % 10);
    text_append(out, " */\n");
}

static void append_capabilities(const struct tuned *targets, size_t count, struct text *out)
{
    text_append(out, " * Measured on compute capability");
    for (size_t i = 0; i < count; i++)
        text_append(out, "%s %d.%d", i ? "," : "", targets[i].cc / 10, targets[i].cc % 10);
    text_append(out,
                ". A GPU gets what was measured on the newest of these\n"
                " * that is not newer than its own, as PTX where its major version differs; an\n"
                " * older one gets cudaErrorNoKernelImageForDevice.\n */\n");
}

static void append_header(const struct tuned *targets, size_t count, struct text *out)
{
    struct functions functions;
    find_functions(targets, count, &functions);
    append_heading(targets, count, "The fastest reductions that were measured.", out);
    text_append(
        out,
        "#ifndef REDSWEEP_TUNED_H\n#define REDSWEEP_TUNED_H\n\n#include <stddef.h>\n"
        "#include <stdint.h>\n\n#include <cuda_runtime_api.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "/*\n"
        " * Each queues the reduction of n elements at d_in into one value at d_out, both in the\n"
        " * device's memory, and returns at once; the input may begin at any element. 1 <= n <= "
        "2^%d.\n"
        " * Calls from several threads and into several streams may overlap. The first call in a\n"
        " * stream allocates a little memory, which redsweep_tuned_release() gives back. A stream\n"
        " * that is being captured into a graph is refused (cudaErrorStreamCaptureUnsupported):\n"
        " * launches of the graph could overlap, and would share that memory.\n",
        TUNED_MOST_LOG2);
    append_capabilities(targets, count, out);
    for (size_t i = 0; i < functions.list.count; i++) {
        const struct tuned_function *f = functions.list.items[i];
        text_append(out,
                    "cudaError_t reduce_%s_%s(const %s *d_in, size_t n, %s *d_out,\n"
                    "                           cudaStream_t stream);\n",
                    operation_name(f->op), element_suffix(f->type), element_c_type(f->type),
                    element_c_type(f->type));
    }
    text_append(out, "\n/* X(operation, type's suffix, C type) for each of them. */\n"
                     "#define REDSWEEP_TUNED_FUNCTIONS(X)");
    for (size_t i = 0; i < functions.list.count; i++) {
        const struct tuned_function *f = functions.list.items[i];
        text_append(out, " \\\n    X(%s, %s, %s)", operation_name(f->op), element_suffix(f->type),
                    element_c_type(f->type));
    }
    text_append(out, "\n\n/* Waits for all that was queued, and gives memory and code back. */\n"
                     "cudaError_t redsweep_tuned_release(void);\n\n"
                     "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    vec_free(&functions.list);
}

static bool save(const char *folder, const char *name, const struct text *const *parts, int count,
                 struct error *e)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return FAIL(e, ERROR_SYSTEM, "%s: the path is too long", folder);
    FILE *f;
    if (!output_open(path, &f, e))
        return false;
    for (int i = 0; i < count; i++)
        if (parts[i]->length)
            fwrite(parts[i]->bytes, 1, parts[i]->length, f);
    return output_close(f, path, e);
}

static bool make_all(struct writing *w)
{
    size_t shape = 0;
    struct functions functions;
    text_append(&w->csv, "function,n_first,n_last,kernel,setting,n_low,us_low,cub_us_low,n_high,"
                         "us_high,cub_us_high,compute_capability\r\n");
    for (size_t t = 0; t < w->target_count; t++)
        for (size_t i = 0; i < w->targets[t].function_count; i++)
            if (!append_entries(w, &w->targets[t], &w->targets[t].functions[i], &shape))
                return false;
    find_functions(w->targets, w->target_count, &functions);
    for (size_t i = 0; i < functions.list.count; i++)
        append_function(w, functions.list.items[i]);
    vec_free(&functions.list);
    text_append(&w->images, "static const struct code codes[] = {\n");
    for (size_t i = 0; i < w->key_count; i++)
        text_append(&w->images, "    {image_%zu},\n", i);
    text_append(&w->images, "};\n\n");
    return true;
}

bool tuned_write(const struct tuned *targets, size_t count, struct compiler *compiler,
                 const char *folder, struct error *e)
{
    if (!folder_create(folder, 0777, e))
        return false;
    struct writing w = {.targets = targets, .target_count = count, .compiler = compiler, .e = e};
    struct text header = {0}, heading = {0};
    append_header(targets, count, &header);
    append_heading(targets, count,
                   "Which configuration serves which n, and its code: part of redsweep_tuned.c.",
                   &heading);
    const struct text *parts[] = {&heading, &w.images, &w.shapes, &w.table};
    const struct text *only_header[] = {&header}, *only_csv[] = {&w.csv};
    bool ok = make_all(&w) && save(folder, "redsweep_tuned_table.h", parts, 4, e) &&
              save(folder, "redsweep_tuned.h", only_header, 1, e) &&
              save(folder, "table.csv", only_csv, 1, e);
    text_free(&header);
    text_free(&heading);
    text_free(&w.table);
    text_free(&w.images);
    text_free(&w.shapes);
    text_free(&w.csv);
    free(w.keys);
    return ok;
}
