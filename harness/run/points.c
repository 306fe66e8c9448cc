/*
 * Finds the points of a plan that CSV lines name; see points.h.
 *
 * The key of a point is a hash of its values in the given columns. The key of a line is the same
 * hash of the line's cells, so a line has the same key as the point that it names.
 */
#include "run/points.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "base/text.h"
#include "spec/config.h"
#include "spec/config_options.h"
#include "spec/json.h"
#include "spec/more_kernels.h"
#include "table/numbering.h"

/*
 * The smallest block size that a config accepts. Rows of CPU functions have a block size of 1,
 * which is not added to the config, because the axis `block` does not apply to CPU functions.
 */
enum { MIN_BLOCK = 32 };
enum { FILE_MOST_BYTES = 64 << 20 };
enum { ID_BYTES = 19 }; /* length of an id in a JSON list: 16 digits, two quotes and a comma */

static bool has_tunable(const struct kernel *k, const char *name)
{
    for (int i = 0; i < k->tunable_count; i++)
        if (strcasecmp(k->tunables[i].name, name) == 0)
            return true;
    return false;
}

static bool is_tunable(const struct catalogue *kernels, const char *name)
{
    for (int i = 0; i < kernels->count; i++)
        if (has_tunable(kernels->kernels[i], name))
            return true;
    return false;
}

bool point_columns_read(const char *path, const struct csv_row *header,
                        const struct catalogue *kernels, struct point_columns *out, struct error *e)
{
    const size_t prefix = strlen(TUNABLE_PREFIX);
    *out = (struct point_columns){.kernel = header->count};
    for (size_t i = 0; i < header->count; i++) {
        const char *name = header->cells[i];
        enum axis_index axis = axis_find(name);
        bool prefixed = strncmp(name, TUNABLE_PREFIX, prefix) == 0;
        name += prefixed ? prefix : 0;
        if (axis == AXIS_COUNT && !is_tunable(kernels, name))
            continue;
        if (axis == AXIS_kernel)
            out->kernel = i;
        array_push(out->items, out->count,
                   (struct point_column){i, axis, axis == AXIS_COUNT ? xstrdup(name) : NULL});
    }
    if (out->kernel < header->count)
        return true;
    point_columns_free(out);
    return FAIL(e, ERROR_CONFIG,
                "%s:1: the header has no column `kernel`; write the columns of results.csv that "
                "identify a point, such as kernel,n,block,t_loads",
                path);
}

void point_columns_free(struct point_columns *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->items[i].tunable);
    free(c->items);
    *c = (struct point_columns){0};
}

static uint64_t add_number(uint64_t key, size_t column, uint64_t value)
{
    key = hash_bytes(key, &column, sizeof column);
    return hash_bytes(key, &value, sizeof value);
}

static uint64_t add_name(uint64_t key, size_t column, const char *value)
{
    return hash_text(hash_bytes(key, &column, sizeof column), value);
}

static uint64_t key_of_point(const struct point_columns *columns, const struct plan *plan,
                             const struct point *p)
{
    uint64_t key = HASH_START;
    for (size_t i = 0; i < columns->count; i++) {
        const struct point_column *c = &columns->items[i];
        int tunable;
        if (c->axis == AXIS_COUNT) {
            if (plan_tunable(plan, p, c->tunable, &tunable))
                key = add_number(key, i, (uint64_t)tunable);
            continue;
        }
        struct expr_value v = plan_axis_value(plan, p, c->axis);
        key = v.text ? add_name(key, i, v.text) : add_number(key, i, (uint64_t)v.number);
    }
    return key;
}

static const char *cell_of(const struct csv_row *line, size_t column)
{
    return column < line->count ? line->cells[column] : "";
}

static int compare_keys(const void *a, const void *b)
{
    const struct point_key *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

void point_index_make(const struct plan *plan, const struct point_columns *columns,
                      struct point_index *out)
{
    *out = (struct point_index){.plan = plan, .columns = columns};
    out->keys = xcalloc((size_t)plan->point_count + 1, sizeof *out->keys);
    for (uint32_t i = 0; i < plan->point_count; i++)
        out->keys[i] = (struct point_key){key_of_point(columns, plan, &plan->points[i]), i};
    qsort(out->keys, plan->point_count, sizeof *out->keys, compare_keys);
}

void point_index_free(struct point_index *index)
{
    free(index->keys);
    *index = (struct point_index){0};
}

static bool is_number(const char *cell)
{
    return *cell && cell[strspn(cell, "0123456789")] == '\0';
}

/*
 * Computes the key of a line. Returns false if the line names no kernel, or if it has something
 * else where a number is expected.
 */
static bool key_of_line(const struct point_columns *columns, const struct catalogue *kernels,
                        const struct csv_row *line, uint64_t *key)
{
    const struct kernel *k = catalogue_find(kernels, cell_of(line, columns->kernel));
    *key = HASH_START;
    for (size_t i = 0; k && i < columns->count; i++) {
        const struct point_column *c = &columns->items[i];
        const char *cell = cell_of(line, c->column);
        bool tunable = c->axis == AXIS_COUNT;
        if (tunable && !has_tunable(k, c->tunable))
            continue;
        bool number = tunable || axis_table[c->axis].kind == AXIS_NUMBER;
        if (number && !is_number(cell))
            return false;
        *key = number ? add_number(*key, i, strtoull(cell, NULL, 10)) : add_name(*key, i, cell);
    }
    return k;
}

size_t point_index_find(const struct point_index *x, const struct csv_row *line, size_t *first)
{
    uint64_t key;
    bool named = key_of_line(x->columns, x->plan->catalogue, line, &key);
    size_t low = 0, high = named ? x->plan->point_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x->keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (named && high < x->plan->point_count && x->keys[high].key == key)
        high++;
    return high - low;
}

/* ---- A file of points ------------------------------------------------------------------------ */

/*
 * Notes in `seen` that `value` is in the list of the config key `key`. Returns false if this was
 * noted before.
 */
static bool note_value(struct numbering *seen, const char *key, const char *value)
{
    char *text = xasprintf("%s=%s", key, value);
    size_t before = seen->texts.count;
    (void)numbering_add(seen, text);
    free(text);
    return seen->texts.count > before;
}

struct points_file {
    const char *path;
    char *bytes;
    size_t length;
    struct csv_row row;
    struct point_columns columns;
    struct numbering seen; /* "key=value" for each value in the overrides */
    VEC(uint64_t) keys;    /* the keys of the lines, in ascending order */
};

/*
 * Starts a reader at the beginning of the file and reads the header. The following calls of
 * next_line() read the points. The reader changes the text while it removes quotes, so it works on
 * a copy of the file.
 */
static bool begin_lines(struct points_file *f, char **copy, struct csv_reader *reader,
                        struct error *e)
{
    *copy = xmalloc(f->length + 1);
    memcpy(*copy, f->bytes, f->length + 1);
    *reader = (struct csv_reader){f->path, *copy, *copy + f->length, 1};
    enum csv_found found = csv_next(reader, &f->row, e);
    return found == CSV_ROW ||
           (found != CSV_BAD &&
            FAIL(e, ERROR_CONFIG,
                 "%s has no header; write the names of the columns on its first line", f->path));
}

/* Reads the next line. Sets *more to false at the end of the file. */
static bool next_line(struct points_file *f, struct csv_reader *reader, bool *more, struct error *e)
{
    enum csv_found found = csv_next(reader, &f->row, e);
    *more = found == CSV_ROW;
    if (found == CSV_TORN)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the last line does not end with a newline; is the file complete?",
                    f->path);
    return found != CSV_BAD;
}

/* Notes a value that is already in the list of the config key `key`. */
static void note_given(struct numbering *seen, const char *key, const cJSON *item)
{
    char number[32];
    snprintf(number, sizeof number, "%.0f", item->valuedouble);
    (void)note_value(seen, key, cJSON_IsString(item) ? item->valuestring : number);
}

/*
 * Adds a cell to the list of the config key `key` in `object`, unless the list contains its value
 * already. Numbers are added as JSON numbers.
 */
static void add_value(struct numbering *seen, cJSON *object, const char *key, const char *cell,
                      bool number)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
    if (!list)
        list = cJSON_AddArrayToObject(object, key);
    /* At the first cell for this key, note the values that the command line gave. */
    if (note_value(seen, key, "")) {
        cJSON_ArrayForEach(item, list)
        {
            note_given(seen, key, item);
        }
    }
    if (number) /* skip leading zeros: "064" equals 64 */
        cell += strspn(cell, "0") - (cell[strspn(cell, "0")] == '\0');
    if (note_value(seen, key, cell))
        cJSON_AddItemToArray(list, number ? cJSON_CreateNumber(strtod(cell, NULL))
                                          : cJSON_CreateString(cell));
}

/*
 * Returns the line's value of a numeric axis, or the axis's fallback value if the file has no
 * column for the axis.
 */
static uint64_t number_of(const struct points_file *f, enum axis_index axis)
{
    for (size_t i = 0; i < f->columns.count; i++)
        if (f->columns.items[i].axis == axis)
            return strtoull(cell_of(&f->row, f->columns.items[i].column), NULL, 10);
    return (uint64_t)axis_table[axis].fallback_value;
}

/*
 * Adds the shape of a line for a reduction along rows. In the config, the list `shapes` keeps the
 * n, row_length and inner of each line together; separate lists of the three values would be
 * combined with those of other lines. Returns false if the line specifies no shape, in which case
 * add_line() adds the three values to separate lists.
 */
static bool add_shape(struct points_file *f, cJSON *overrides)
{
    char shape[SHAPE_TEXT];
    shape_text(number_of(f, AXIS_n), number_of(f, AXIS_row_length), number_of(f, AXIS_inner),
               shape);
    if (*shape)
        add_value(&f->seen, overrides, "shapes", shape, false);
    return *shape;
}

/* Adds the values of the current line to the overrides. */
static bool add_line(struct points_file *f, cJSON *overrides, struct error *e)
{
    bool shaped = add_shape(f, overrides);
    for (size_t i = 0; i < f->columns.count; i++) {
        const struct point_column *c = &f->columns.items[i];
        const char *cell = cell_of(&f->row, c->column);
        bool tunable = c->axis == AXIS_COUNT;
        bool number = tunable || axis_table[c->axis].kind == AXIS_NUMBER;
        if (tunable && !*cell)
            continue;
        if (!*cell || (number && !is_number(cell)))
            return FAIL(e, ERROR_CONFIG, "%s:%zu: the column %s contains \"%s\"; write %s", f->path,
                        f->row.line, tunable ? c->tunable : axis_table[c->axis].name, cell,
                        number ? "an integer" : "a name");
        if ((c->axis == AXIS_block && atoi(cell) < MIN_BLOCK) ||
            (shaped && axis_chosen_by_shapes(c->axis)))
            continue;
        if (!tunable) {
            add_value(&f->seen, overrides, axis_table[c->axis].key, cell, number);
            continue;
        }
        cJSON *tunables = cJSON_GetObjectItemCaseSensitive(overrides, "tunables");
        if (!cJSON_IsObject(tunables)) {
            cJSON_DeleteItemFromObjectCaseSensitive(overrides, "tunables");
            tunables = cJSON_AddObjectToObject(overrides, "tunables");
        }
        char *macro = xstrdup(c->tunable); /* configs write tunables in upper case */
        for (char *p = macro; *p; p++)
            *p = (char)toupper((unsigned char)*p);
        add_value(&f->seen, tunables, macro, cell, true);
        free(macro);
    }
    return true;
}

/*
 * Replaces the config's values of all axes that have a column with the values of the file's lines,
 * and collects the keys of the lines.
 */
static bool add_values(struct points_file *f, const struct catalogue *kernels, cJSON *overrides,
                       struct error *e)
{
    char *copy;
    struct csv_reader reader;
    size_t lines = 0;
    uint64_t key;
    bool more = true, ok = begin_lines(f, &copy, &reader, e);
    for (size_t i = 0; ok && i < f->columns.count; i++) {
        enum axis_index axis = f->columns.items[i].axis;
        if (axis < AXIS_COUNT && axis != AXIS_kernel)
            cJSON_DeleteItemFromObjectCaseSensitive(overrides, axis_table[axis].key);
        if (axis_chosen_by_shapes(axis))
            cJSON_DeleteItemFromObjectCaseSensitive(overrides, "shapes");
    }
    while (ok && (ok = next_line(f, &reader, &more, e)) && more) {
        ok = add_line(f, overrides, e);
        if (ok && key_of_line(&f->columns, kernels, &f->row, &key))
            vec_push(&f->keys, key);
        lines++;
    }
    sorted_make(f->keys.items, f->keys.count);
    free(copy);
    return ok &&
           (lines > 0 ||
            FAIL(e, ERROR_CONFIG,
                 "%s contains no points; write one point per line below the header", f->path));
}

/* Adds the ids of the points that the lines name to `ids`. Fails if a line names none. */
static bool add_ids(struct points_file *f, const struct plan *plan, cJSON *ids, struct error *e)
{
    char *copy, id[17];
    struct csv_reader reader;
    struct point_index index;
    bool more = true, ok = begin_lines(f, &copy, &reader, e);
    point_index_make(plan, &f->columns, &index);
    while (ok && (ok = next_line(f, &reader, &more, e)) && more) {
        size_t first, count = point_index_find(&index, &f->row, &first);
        for (size_t i = 0; i < count; i++) {
            snprintf(id, sizeof id, "%016" PRIx64, plan->points[index.keys[first + i].point].id);
            cJSON_AddItemToArray(ids, cJSON_CreateString(id));
        }
        ok = count > 0 || FAIL(e, ERROR_CONFIG,
                               "%s:%zu: there is no such point; the kernel %s does not allow these "
                               "values, or the config excludes them",
                               f->path, f->row.line, cell_of(&f->row, f->columns.kernel));
    }
    point_index_free(&index);
    free(copy);
    return ok;
}

/*
 * Checks that the config with the ids of all points is not too long. run.json stores it, and could
 * not be read again if it were longer than JSON_MAX_BYTES.
 */
static bool check_size(const struct points_file *f, const cJSON *overrides, size_t points,
                       struct error *e)
{
    char *text = cJSON_PrintUnformatted(overrides);
    size_t length = strlen(text);
    cJSON_free(text);
    return length <= JSON_MAX_BYTES ||
           FAIL(e, ERROR_CONFIG,
                "--points %s: the ids of %zu points make the stored config longer than %d MiB, but "
                "only about %d points fit; split the file, and measure one part after the other",
                f->path, points, JSON_MAX_BYTES >> 20, JSON_MAX_BYTES / ID_BYTES);
}

static bool names_point(const void *context, const struct plan *plan, const struct point *p)
{
    const struct points_file *f = context;
    return sorted_has(f->keys.items, f->keys.count, key_of_point(&f->columns, plan, p));
}

/*
 * Makes a plan of the combinations of the file's values that a line names, and adds the ids of the
 * plan's points to the overrides. The plan is not for a particular device.
 */
static bool plan_file(struct points_file *f, const char *path, const struct catalogue *kernels,
                      cJSON *overrides, struct error *e)
{
    struct config *config;
    struct plan *plan = NULL;
    if (!config_from_options("run", path, overrides, &config, e))
        return error_prefix(e, "--points %s", f->path);
    struct plan_filter named = {names_point, f};
    bool ok = plan_build_filtered(config, kernels, NULL, named, &plan, e);
    cJSON *ids = cJSON_CreateArray();
    ok = ok && add_ids(f, plan, ids, e);
    size_t points = (size_t)cJSON_GetArraySize(ids);
    cJSON_AddItemToObject(overrides, "points", ids);
    plan_free(plan);
    config_free(config);
    return ok && check_size(f, overrides, points, e);
}

/*
 * Replaces the list of kernels in the overrides. If the config has tunables, the list begins with
 * the config's kernels, because the tunables belong to them; otherwise it is empty. add_values()
 * then adds the kernels that the file names.
 */
static void keep_kernels(struct points_file *f, const struct config *config, cJSON *overrides)
{
    cJSON_DeleteItemFromObjectCaseSensitive(overrides, axis_table[AXIS_kernel].key);
    for (int i = 0; i < config->kernels.count && config->tunable_count > 0; i++)
        add_value(&f->seen, overrides, axis_table[AXIS_kernel].key, config->kernels.names[i],
                  false);
}

static bool read_columns(struct points_file *f, const struct catalogue *kernels, struct error *e)
{
    char *copy;
    struct csv_reader reader;
    bool ok = begin_lines(f, &copy, &reader, e) &&
              point_columns_read(f->path, &f->row, kernels, &f->columns, e);
    free(copy);
    return ok;
}

bool points_override(const char *file, const char *path, const char *more_kernels, cJSON *overrides,
                     struct error *e)
{
    struct points_file f = {.path = file};
    struct config *config;
    struct catalogue kernels, support;
    if (!config_from_options("run", path, overrides, &config, e))
        return false;
    bool ok = run_catalogues(config, more_kernels, &kernels, &support, e);
    if (ok) {
        ok = file_read(file, FILE_MOST_BYTES, &f.bytes, &f.length, e) ||
             error_prefix(e, "cannot read the points");
        if (ok && path)
            keep_kernels(&f, config, overrides);
        ok = ok && read_columns(&f, &kernels, e) && add_values(&f, &kernels, overrides, e) &&
             plan_file(&f, path, &kernels, overrides, e);
        catalogue_free(&kernels);
        catalogue_free(&support);
    }
    config_free(config);
    csv_row_free(&f.row);
    point_columns_free(&f.columns);
    numbering_free(&f.seen);
    vec_free(&f.keys);
    free(f.bytes);
    return ok;
}
