/*
 * Writes the library's sources: the code, tables and functions for tuned/redsweep_tuned.c, and the
 * human-readable table. See tuned.h.
 */
#include "tuned/writing.h"

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
#include "tuned/pack.h"

/* Up to this many elements, kernels count elements with 32 bits. */
static const uint64_t NARROW_MOST = (uint64_t)1 << 31;

struct writing {
    const struct tuned *targets;
    size_t target_count;
    const char *prefix, *packer;
    struct images *compiled;
    struct text table;  /* entries, sites and functions */
    struct text images; /* the arrays of code */
    struct text shapes; /* the functions that compute launches */
    size_t shape_count;
    struct text csv;
    /* The stored images, in the order of their numbers, borrowed from `compiled`. */
    const struct image **stored;
    size_t stored_count;
    struct error *e;
};

/* Writes code as an array of 64-bit numbers, which takes half as much C text as an array of
 * bytes. */
static void append_code(struct text *t, size_t number, const char *bytes, size_t length)
{
    size_t words = length / 8 + 1; /* PTX ends with a NUL */
    text_append(t, "static const uint64_t image_%zu[%zu] = {", number, words);
    for (size_t i = 0; i < words; i++) {
        uint64_t word = 0;
        size_t left = length - 8 * i;
        if (left)
            memcpy(&word, bytes + 8 * i, left < 8 ? left : 8);
        text_append(t, "%s0x%" PRIx64 ",", i % 5 ? " " : "\n    ", word);
    }
    text_append(t, "\n};\n\n");
}

static bool append_image(struct writing *w, const struct image *image, int cc)
{
    struct text packed = {0};
    bool ok = !*w->packer || pack_image(w->packer, image, cc, &packed, w->e);
    if (ok && packed.length)
        append_code(&w->images, w->stored_count, packed.bytes, packed.length);
    else if (ok)
        append_code(&w->images, w->stored_count, image->bytes, image->length);
    text_free(&packed);
    return ok;
}

static bool same_image(const struct image *a, const struct image *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/*
 * Stores one of a range's images and sets *number to the image's number. If an earlier image has
 * the same bytes, its number is used; this happens if two configurations differ only in a tunable
 * that the kernel's code does not use. Before the images are compiled, this function only requests
 * the image.
 */
static bool store_image(struct writing *w, const struct compile_target *target,
                        const struct tuned_range *range, bool wide, bool any_offset, size_t *number)
{
    struct variant v = range->variant;
    v.wide = wide;
    v.any_offset = any_offset;
    v.without_lines = true;
    const struct image *image;
    *number = 0;
    if (!images_get(w->compiled, range->kernel, &v, target, &image, w->e))
        return false;
    if (!image)
        return true;
    while (*number < w->stored_count && !same_image(w->stored[*number], image))
        (*number)++;
    if (*number < w->stored_count)
        return true;
    if (!append_image(w, image, target->cc))
        return false;
    array_push(w->stored, w->stored_count, image);
    return true;
}

static void append_us(struct text *t, double us)
{
    if (isnan(us))
        text_append(t, ",");
    else
        text_append(t, ",%.15g", us);
}

static void append_csv(struct writing *w, const struct tuned *t, const struct signature *s,
                       const struct tuned_range *range)
{
    struct text *csv = &w->csv;
    text_append(csv, "%s_", w->prefix);
    append_name(csv, s);
    text_append(csv, ",%" PRIu64 ",%" PRIu64 ",", range->first, range->last);
    if (range->at.row_length)
        text_append(csv, "%" PRIu64, range->at.row_length);
    text_append(csv, ",");
    if (range->at.row_length)
        text_append(csv, "%" PRIu64, range->at.inner);
    text_append(csv, ",%s,", range->kernel->name);
    append_setting(csv, range);
    for (int i = 0; i < 2; i++) {
        if (range->fallback || isnan(range->us[i]))
            text_append(csv, ",");
        else
            text_append(csv, ",%" PRIu64, range->sizes[i]);
        append_us(csv, range->us[i]);
        append_us(csv, range->reference_us[i]);
    }
    text_append(csv, ",%d.%d\r\n", t->cc / 10, t->cc % 10);
}

/*
 * Whether an entry needs code for at most NARROW_MOST elements, for more, or for both. A fallback
 * needs both.
 */
struct widths {
    bool narrow, wide;
};

/* Returns whether this range has the largest n that was measured at its row length. Such a range is
 * also used for more than 2^31 elements. */
static bool is_largest(const struct tuned_function *f, const struct tuned_range *range)
{
    for (size_t i = 0; i < f->range_count; i++)
        if (f->ranges[i].at.row_length == range->at.row_length &&
            f->ranges[i].sizes[0] > range->sizes[0])
            return false;
    return true;
}

static struct widths widths_of(const struct tuned_function *f, const struct tuned_range *entry)
{
    /* Kernels for an axis do not count all elements, so the same code works for any number of
     * them. */
    struct widths widths = {entry->fallback || f->over,
                            entry->fallback || f->invariant || f->over == OVER_AXES};
    for (size_t i = 0; i < f->range_count; i++) {
        const struct tuned_range *range = &f->ranges[i];
        if (!tuned_same_code(range, entry))
            continue;
        widths.narrow = widths.narrow || range->first <= NARROW_MOST;
        widths.wide = widths.wide || (f->over ? is_largest(f, range) : range->last > NARROW_MOST);
    }
    return widths;
}

/* Writes the numbers of an entry's images as an array with the indices [wide][PTX][any offset]. */
static bool append_codes(struct writing *w, const struct tuned *t, const struct tuned_range *range,
                         struct widths widths)
{
    const enum image_kind kinds[2] = {IMAGE_CUBIN, IMAGE_PTX};
    const bool by_rows = range->kernel->workload->by_rows, alike = by_rows || range->fallback;
    /* Row-wise kernels check the offset of the first vector, which does not determine that of a
     * second vector. */
    const bool aligned_only = !range->fallback && !range->kernel->invariant &&
                              !range->kernel->workload->any_axis &&
                              operation_inputs((enum operation)range->variant.op) == 2;
    text_append(&w->table, "{");
    for (int wide = 0; wide < 2; wide++) {
        if (!(wide ? widths.wide : widths.narrow)) {
            text_append(&w->table, "%s{{NONE, NONE}, {NONE, NONE}}", wide ? ", " : "");
            continue;
        }
        size_t images[2][2];
        for (int kind = 0; kind < 2; kind++)
            for (int any_offset = 0; any_offset < 2; any_offset++) {
                struct compile_target target = {kinds[kind], t->cc};
                if (!store_image(w, &target, range, wide, any_offset && !alike,
                                 &images[kind][any_offset]))
                    return false;
            }
        const char *before = wide ? ", " : "";
        if (aligned_only)
            text_append(&w->table, "%s{{%zu, NONE}, {%zu, NONE}}", before, images[0][0],
                        images[1][0]);
        else
            text_append(&w->table, "%s{{%zu, %zu}, {%zu, %zu}}", before, images[0][0], images[0][1],
                        images[1][0], images[1][1]);
    }
    text_append(&w->table, "}");
    return true;
}

static bool append_entry(struct writing *w, const struct tuned *t, const struct tuned_function *f,
                         const struct tuned_range *range)
{
    if (!append_shape(&w->shapes, w->shape_count, range, w->e))
        return false;
    append_residuals(&w->shapes, w->shape_count, range);
    text_append(&w->table, "    {\"%s\", %d, \"", range->kernel->name, range->variant.block);
    append_parameter_letters(&w->table, range->kernel);
    text_append(&w->table, "\", shape_%zu, %s, %.17g, %.17g,\n     ", w->shape_count,
                range->fallback ? "true" : "false", (double)range->shortest,
                (double)range->longest);
    if (range->residuals.step > 0)
        text_append(&w->table, "off_%zu, %.17g, %.17g, ", w->shape_count, range->residuals.first,
                    range->residuals.step);
    else
        text_append(&w->table, "NULL, 0, 0, ");
    w->shape_count++;
    if (!append_codes(w, t, range, widths_of(f, range)))
        return false;
    text_append(&w->table, "}, /* ");
    append_setting(&w->table, range);
    text_append(&w->table, " */\n");
    return true;
}

static void append_sites(struct writing *w, const struct tuned *t, const struct signature *s,
                         const struct tuned_function *f, const size_t *entries)
{
    text_append(&w->table, "static const struct site ");
    append_name(&w->table, s);
    text_append(&w->table, "_%d_sites[] = {\n", t->cc);
    for (size_t i = 0; i < f->range_count; i++) {
        const struct tuned_range *range = &f->ranges[i];
        if (range->last == 0)
            /* not the fastest at any shape */
            continue;
        if (!range->fallback)
            text_append(&w->table,
                        "    {UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64
                        "), %zu},\n",
                        range->last, range->at.row_length, range->at.inner, entries[i]);
        append_csv(w, t, s, range);
    }
    text_append(&w->table, "};\n\n");
}

/* Writes a function's entries on one target, and the sites (ranges of n or shapes) where each entry
 * is used. Equal entries are written once. */
static bool append_entries(struct writing *w, const struct tuned *t, const struct tuned_function *f)
{
    const struct signature s = {f->type, f->op, f->over, f->exact};
    size_t *entries = xcalloc(f->range_count, sizeof *entries), count = 0;
    text_append(&w->table, "static const struct entry ");
    append_name(&w->table, &s);
    text_append(&w->table, "_%d[] = {\n", t->cc);
    bool ok = true;
    for (size_t i = 0; ok && i < f->range_count; i++) {
        const struct tuned_range *range = &f->ranges[i];
        size_t earlier = 0;
        while (earlier < i && (f->ranges[earlier].fallback != range->fallback ||
                               !tuned_same_code(&f->ranges[earlier], range)))
            earlier++;
        entries[i] = earlier < i ? entries[earlier] : count++;
        ok = earlier < i || append_entry(w, t, f, range);
    }
    text_append(&w->table, "};\n");
    append_sites(w, t, &s, f, entries);
    free(entries);
    return ok;
}

/* Returns whether every target that has this function over an axis has it along rows too. */
static bool has_rows(const struct writing *w, const struct signature *s)
{
    const struct signature rows = {s->type, s->op, OVER_ROWS, s->exact};
    bool all = s->over == OVER_AXES;
    for (size_t i = 0; all && i < w->target_count; i++)
        all = !tuned_serves(&w->targets[i], s) || tuned_serves(&w->targets[i], &rows);
    return all;
}

/* Writes a function's body. It makes a request, or calls the function along rows if the elements
 * are adjacent. */
static void append_call(struct writing *w, const struct signature *s)
{
    static const char *const shape[OVERS] = {".outer = 1, .length = n, .inner = 1",
                                             ".outer = rows, .length = row_length, .inner = 1",
                                             ".outer = outer, .length = length, .inner = inner"};
    struct text *t = &w->table;
    const bool pair = operation_inputs(s->op) == 2,
               two = operation_accumulator(s->op) == ACCUMULATES_MOMENTS;
    text_append(t, "\n{\n");
    if (has_rows(w, s)) {
        const struct signature rows = {s->type, s->op, OVER_ROWS, s->exact};
        text_append(t, "    if (inner == 1)\n        return %s_", w->prefix);
        append_name(t, &rows);
        text_append(t, "(input, %souter, length, output, stream);\n", pair ? "second, " : "");
    }
    text_append(t,
                "    const struct request request = {\n"
                "        .input = input, .second = %s, .output = output, .stream = stream,\n"
                "        %s, .vectors = %d,\n"
                "        .element = sizeof *input, .result = sizeof *output, .results = %d};\n"
                "    return (%s_status)reduce(",
                pair ? "second" : "NULL", shape[s->over], pair ? 2 : 1, two ? 2 : 1, w->prefix);
    append_name(t, s);
    text_append(t, ", sizeof ");
    append_name(t, s);
    text_append(t, " / sizeof(struct table), &request);\n}\n\n");
}

/*
 * Writes the table of a function's entries for each compute capability, and the function that
 * programs call.
 */
static void append_function(struct writing *w, const struct signature *s)
{
    struct text *t = &w->table;
    text_append(t, "static const struct table ");
    append_name(t, s);
    text_append(t, "[] = {\n");
    for (size_t i = 0; i < w->target_count; i++) {
        const struct tuned_function *f = tuned_serves(&w->targets[i], s);
        if (!f)
            continue;
        const struct signature found = {f->type, f->op, f->over, f->exact};
        text_append(t, "    {%d, TABLE(", w->targets[i].cc);
        append_name(t, &found);
        text_append(t, "_%d), %s, %s, %d},\n", w->targets[i].cc, f->over ? "true" : "false",
                    f->exact ? "true" : "false", f->invariant ? w->targets[i].sms : 0);
    }
    text_append(t, "};\n\n");
    append_declaration(t, w->prefix, s);
    append_call(w, s);
}

static bool save(const char *folder, const char *name, const struct text *const *parts, int count,
                 struct error *e)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return FAIL(e, ERROR_SYSTEM, "the path %s is too long; choose a shorter --out", folder);
    FILE *f;
    if (!output_create(path, &f, e))
        return false;
    for (int i = 0; i < count; i++)
        if (parts[i]->length)
            fwrite(parts[i]->bytes, 1, parts[i]->length, f);
    return output_close(f, path, e);
}

static bool make_all(struct writing *w)
{
    text_append(
        &w->csv,
        "function,n_first,n_last,row_length,inner,kernel,setting,n_low,us_low,cub_us_low,n_high,"
        "us_high,cub_us_high,compute_capability\r\n");
    for (size_t t = 0; t < w->target_count; t++)
        for (size_t i = 0; i < w->targets[t].function_count; i++)
            if (!append_entries(w, &w->targets[t], &w->targets[t].functions[i]))
                return false;
    size_t functions;
    struct signature *list = tuned_signatures(w->targets, w->target_count, &functions);
    for (size_t i = 0; i < functions; i++)
        append_function(w, &list[i]);
    free(list);
    text_append(&w->images, "static const struct code codes[] = {\n");
    for (size_t i = 0; i < w->stored_count; i++)
        text_append(&w->images, "    {image_%zu},\n", i);
    text_append(&w->images, "};\n\n");
    return true;
}

/* Writes the macros that pass the prefix to the hand-written code. */
static void append_opening(struct writing *w, struct text *out)
{
    append_heading(out, w->targets, w->target_count,
                   "The configuration for each shape, and the code of the configurations: part of "
                   "redsweep_tuned.c.");
    append_prefixed(out, w->prefix,
                    "#include \"@_tuned.h\"\n\n"
                    "#define NAME(name) @_##name\n#define CODE(name) $_##name\n"
                    "#define FOR_ARRAYS $_TUNED_ARRAYS\n#define FOR_PAIRS $_TUNED_PAIRS\n"
                    "#define FOR_ROWS $_TUNED_ROWS\n#define FOR_ROW_PAIRS $_TUNED_ROW_PAIRS\n"
                    "#define FOR_AXES $_TUNED_AXES\n#define FOR_AXIS_PAIRS $_TUNED_AXIS_PAIRS\n\n");
    text_append(out, "#define NEAR %g\n#define FAR %g\n", TUNED_NEAR, TUNED_FAR);
    text_append(out, "#define OFF_ROWS %d\n#define OFF_ROWS_STEP %g\n", RESIDUAL_ROWS,
                RESIDUAL_ROWS_STEP);
    text_append(out, "#define OFF_LENGTHS %d\n#define OFF_UNIT %g\n", RESIDUAL_LENGTHS,
                RESIDUAL_UNIT);
    text_append(out, "#define BATCH_FIRST %d\n#define BATCH_LAST %d\n#define BATCH_STEP %d\n\n",
                TUNED_BATCH_FIRST, TUNED_BATCH_LAST, TUNED_BATCH_STEP);
}

static void forget(struct writing *w)
{
    text_free(&w->table);
    text_free(&w->images);
    text_free(&w->shapes);
    text_free(&w->csv);
    free(w->stored);
    w->stored = NULL;
    w->stored_count = w->shape_count = 0;
}

bool tuned_write(const struct tuned *targets, size_t count, const struct tuned_output *to,
                 struct compiler *compiler, struct error *e)
{
    if (!folder_create(to->folder, 0777, e))
        return false;
    struct writing w = {.targets = targets,
                        .target_count = count,
                        .prefix = to->prefix,
                        .packer = to->packer ? to->packer : "",
                        .compiled = images_new(compiler),
                        .e = e};
    struct text header = {0}, heading = {0};
    char name[TUNED_PREFIX_MOST + sizeof "_tuned.h"];
    snprintf(name, sizeof name, "%.*s_tuned.h", TUNED_PREFIX_MOST, to->prefix);
    append_header(&header, targets, count, to->prefix);
    append_opening(&w, &heading);
    const struct text *parts[] = {&heading, &w.images, &w.shapes, &w.table};
    const struct text *only_header[] = {&header}, *only_csv[] = {&w.csv};
    /* requests all images */
    bool ok = make_all(&w);
    forget(&w);
    if (ok)
        images_compile(w.compiled, to->progress, to->context);
    ok = ok && make_all(&w) && save(to->folder, "redsweep_tuned_table.h", parts, 4, e) &&
         save(to->folder, name, only_header, 1, e) && save(to->folder, "table.csv", only_csv, 1, e);
    text_free(&header);
    text_free(&heading);
    forget(&w);
    images_free(w.compiled);
    return ok;
}
