/*
 * Reading a run back: see results.h for the rule.
 */
#include "compare/results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "record/record.h"

/* What this version records, from the one list of columns. */
struct known_column {
    const char *name;
    enum cell_kind kind;
};
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define COLUMN(name, kind, unit, meaning, expression) {#name, CELL_##kind},
static const struct known_column known_columns[] = {
#include "record/columns.def"
};
#undef COLUMN
#undef TUNABLE_COLUMNS
#undef METRIC_COLUMNS

static const char *const axes[] = {"kernel", "type",   "op",    "n",
                                   "block",  "unroll", "cache", "scope"};

static const struct known_column *find_known(const char *name)
{
    for (size_t i = 0; i < sizeof known_columns / sizeof *known_columns; i++)
        if (strcmp(known_columns[i].name, name) == 0)
            return &known_columns[i];
    return NULL;
}

static bool is_axis(const char *name)
{
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (strcmp(axes[i], name) == 0)
            return true;
    return false;
}

static char *join(const char *folder, const char *file)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, file) < 0 ? NULL : path;
}

/* Where results.csv is, from what the user gave; fills path and folder. */
static bool locate(const char *given, struct results *r, char **csv, struct error *e)
{
    struct stat st;
    if (stat(given, &st) != 0)
        return FAIL(e, ERROR_CONFIG, "%s: %s; give a run's folder, such as results/latest", given,
                    strerror(errno));
    r->path = strdup(given);
    size_t length = r->path ? strlen(r->path) : 0;
    while (length > 1 && r->path[length - 1] == '/')
        r->path[--length] = '\0';
    if (S_ISDIR(st.st_mode)) {
        r->folder = r->path ? strdup(r->path) : NULL;
        *csv = join(given, "results.csv");
    } else {
        const char *slash = strrchr(given, '/');
        r->folder =
            slash ? strndup(given, (size_t)(slash - given) + (slash == given)) : strdup(".");
        *csv = strdup(given);
    }
    return (r->path && r->folder && *csv) || FAIL(e, ERROR_MEMORY, "%s: out of memory", given);
}

/* The whole text of a file up to its rows, closed so that it parses; NULL when there is no file. */
static bool read_head(const char *path, struct text *t, struct error *e)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return errno == ENOENT ||
               FAIL(e, ERROR_SYSTEM, "%s: cannot open: %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, f)) > 0) {
        /* No text in JSON holds a line end, so this line is the member itself. */
        if (strncmp(line, "\"rows\": [", 9) == 0) {
            text_append(t, "\"rows\": []}");
            break;
        }
        text_append_bytes(t, line, (size_t)length);
    }
    bool read = !ferror(f);
    free(line);
    fclose(f);
    if (!read)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot read", path);
    return !t->failed || FAIL(e, ERROR_MEMORY, "%s: out of memory", path);
}

static bool check_schema(const char *path, const cJSON *document, struct error *e)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(document, "schema");
    if (!cJSON_IsNumber(schema) || schema->valuedouble < 1)
        return FAIL(e, ERROR_CONFIG,
                    "%s: it does not say which version of the format it has (\"schema\"); is it a "
                    "run's results.json?",
                    path);
    if (schema->valuedouble > RECORD_SCHEMA)
        return FAIL(e, ERROR_CONFIG,
                    "%s: written in version %g of the format; this redsweep reads up to version "
                    "%d. Take the redsweep that wrote it, or a newer one",
                    path, schema->valuedouble, RECORD_SCHEMA);
    return true;
}

static bool read_document(struct results *r, struct error *e)
{
    char *path = join(r->folder, "results.json");
    struct text t = {0};
    bool ok = path ? read_head(path, &t, e) : FAIL(e, ERROR_MEMORY, "%s: out of memory", r->path);
    if (ok && t.bytes) {
        r->document = cJSON_Parse(t.bytes);
        ok = r->document
                 ? check_schema(path, r->document, e)
                 : FAIL(e, ERROR_CONFIG,
                        "%s: this is no JSON; without the file the run can still be read", path);
    }
    text_free(&t);
    free(path);
    return ok;
}

static char *copy_member(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return strdup(value ? value : "");
}

static const cJSON *told_column(const struct results *r, const char *name)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r->document, "columns"), *column;
    cJSON_ArrayForEach(column, list)
    {
        const char *told = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(column, "name"));
        if (told && strcmp(told, name) == 0)
            return column;
    }
    return NULL;
}

static enum cell_kind told_kind(const cJSON *column, enum cell_kind otherwise)
{
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(column, "type"));
    if (!type)
        return otherwise;
    return strcmp(type, "text") == 0    ? CELL_TEXT
           : strcmp(type, "count") == 0 ? CELL_COUNT
                                        : CELL_NUMBER;
}

static bool describe_columns(struct results *r, struct error *e)
{
    r->columns = calloc(r->rows.column_count, sizeof *r->columns);
    int grid = table_column(&r->rows, "grid");
    bool ok = r->columns != NULL;
    for (size_t i = 0; ok && i < r->rows.column_count; i++) {
        const char *name = r->rows.columns[i];
        const struct known_column *known = find_known(name);
        const cJSON *told = told_column(r, name);
        struct results_column *c = &r->columns[i];
        c->role = is_axis(name)   ? ROLE_AXIS
                  : known         ? ROLE_FACT
                  : (int)i < grid ? ROLE_TUNABLE
                                  : ROLE_METRIC;
        c->kind = told_kind(told, known                     ? known->kind
                                  : c->role == ROLE_TUNABLE ? CELL_COUNT
                                                            : CELL_NUMBER);
        c->unit = copy_member(told, "unit");
        c->meaning = copy_member(told, "meaning");
        c->missing = copy_member(told, "missing");
        ok = c->unit && c->meaning && c->missing;
    }
    return ok || FAIL(e, ERROR_MEMORY, "%s: out of memory for the columns", r->path);
}

static bool check_columns(const struct results *r, const char *csv, struct error *e)
{
    struct text missing = {0};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (table_column(&r->rows, axes[i]) < 0)
            text_append(&missing, " %s", axes[i]);
    if (table_column(&r->rows, "status") < 0)
        text_append(&missing, " status");
    bool ok = !missing.bytes ||
              FAIL(e, ERROR_CONFIG, "%s: it lacks the columns%s; is it a run's results.csv?", csv,
                   missing.bytes);
    text_free(&missing);
    return ok;
}

/* Which row each sample belongs to, by the point's id; then the samples in the rows' order. */
static bool sort_samples(struct results *r, const struct table *t, const char *path,
                         struct error *e)
{
    struct lookup ids = {0};
    size_t rows = r->rows.row_count;
    int id = table_column(&r->rows, "id"), of = table_column(t, "id"),
        time = table_column(t, "time_us");
    if (of < 0 || time < 0)
        return FAIL(e, ERROR_CONFIG, "%s: it lacks the columns id and time_us", path);
    r->first_sample = calloc(rows + 2, sizeof *r->first_sample);
    r->samples = malloc((t->row_count + 1) * sizeof *r->samples);
    size_t *row_of = malloc((t->row_count + 1) * sizeof *row_of);
    bool ok = r->first_sample && r->samples && row_of;
    for (size_t i = 0; ok && i < rows; i++) {
        const char *name = table_cell(&r->rows, i, id);
        if (*name && lookup_find(&ids, name) == LOOKUP_NONE)
            ok = lookup_add(&ids, name, i);
    }
    for (size_t i = 0; ok && i < t->row_count; i++) {
        row_of[i] = lookup_find(&ids, table_cell(t, i, of));
        if (row_of[i] != LOOKUP_NONE && !isnan(table_number(t, i, time)))
            r->first_sample[row_of[i] + 2]++;
        else
            row_of[i] = LOOKUP_NONE;
    }
    /* first_sample[i + 1] moves from where row i begins to where it ends, as samples are put. */
    for (size_t i = 2; ok && i < rows + 2; i++)
        r->first_sample[i] += r->first_sample[i - 1];
    for (size_t i = 0; ok && i < t->row_count; i++)
        if (row_of[i] != LOOKUP_NONE)
            r->samples[r->first_sample[row_of[i] + 1]++] = table_number(t, i, time);
    free(row_of);
    lookup_free(&ids);
    return ok || FAIL(e, ERROR_MEMORY, "%s: out of memory for %zu samples", path, t->row_count);
}

static bool read_samples(struct results *r, struct error *e)
{
    char *path = join(r->folder, "samples.csv");
    struct stat st;
    bool ok = path || FAIL(e, ERROR_MEMORY, "%s: out of memory", r->path);
    if (ok && stat(path, &st) == 0) {
        struct table t;
        ok = table_read(path, &t, e);
        if (ok) {
            ok = sort_samples(r, &t, path, e);
            table_free(&t);
        }
    }
    free(path);
    return ok;
}

bool results_read(const char *path, struct results *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    char *csv = NULL;
    bool ok = locate(path, out, &csv, e) && read_document(out, e) &&
              table_read(csv, &out->rows, e) && check_columns(out, csv, e) &&
              describe_columns(out, e) && read_samples(out, e);
    free(csv);
    if (!ok)
        results_free(out);
    return ok;
}

void results_free(struct results *r)
{
    for (size_t i = 0; r->columns && i < r->rows.column_count; i++) {
        free(r->columns[i].unit);
        free(r->columns[i].meaning);
        free(r->columns[i].missing);
    }
    free(r->columns);
    table_free(&r->rows);
    cJSON_Delete(r->document);
    free(r->samples);
    free(r->first_sample);
    free(r->folder);
    free(r->path);
    memset(r, 0, sizeof *r);
}

const char *results_text(const struct results *r, size_t row, const char *column)
{
    return table_cell(&r->rows, row, table_column(&r->rows, column));
}

double results_number(const struct results *r, size_t row, const char *column)
{
    return table_number(&r->rows, row, table_column(&r->rows, column));
}

const double *results_samples(const struct results *r, size_t row, size_t *count)
{
    *count = r->first_sample ? r->first_sample[row + 1] - r->first_sample[row] : 0;
    return *count ? r->samples + r->first_sample[row] : NULL;
}

bool results_ok(const struct results *r, size_t row)
{
    return strcmp(results_text(r, row, "status"), "ok") == 0;
}

static const cJSON *told(const struct results *r, const char *path)
{
    const cJSON *at = r->document;
    while (at && *path) {
        char name[64];
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        at = cJSON_GetObjectItemCaseSensitive(at, name);
        path += length + (path[length] == '.');
    }
    return at;
}

const char *results_told(const struct results *r, const char *path, char *out, size_t size)
{
    const cJSON *value = told(r, path);
    out[0] = '\0';
    if (cJSON_IsString(value))
        snprintf(out, size, "%s", value->valuestring);
    else if (cJSON_IsNumber(value))
        snprintf(out, size, "%.15g", value->valuedouble);
    else if (cJSON_IsBool(value))
        snprintf(out, size, "%s", cJSON_IsTrue(value) ? "yes" : "no");
    return out;
}

double results_told_number(const struct results *r, const char *path)
{
    const cJSON *value = told(r, path);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

/* A word of results.json about a kernel; "" when there is none. */
static const char *told_of_kernel(const struct results *r, const char *kernel, const char *key)
{
    const cJSON *k;
    cJSON_ArrayForEach(k, told(r, "provenance.kernels"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(k, "name"));
        const char *word = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(k, key));
        if (name && word && strcmp(name, kernel) == 0)
            return word;
    }
    return "";
}

const char *results_racy(const struct results *r, const char *kernel)
{
    return told_of_kernel(r, kernel, "racy");
}

const char *results_workload(const struct results *r, const char *kernel)
{
    return told_of_kernel(r, kernel, "workload");
}

const char *results_device(const struct results *r)
{
    const char *name = cJSON_GetStringValue(told(r, "provenance.device.name"));
    return name ? name : r->rows.row_count ? results_text(r, 0, "device") : "";
}

const char *results_backend(const struct results *r)
{
    const char *name = cJSON_GetStringValue(told(r, "provenance.device.backend"));
    return name ? name : r->rows.row_count ? results_text(r, 0, "backend") : "";
}

void results_setting(const struct results *r, size_t row, struct text *out)
{
    text_append(out, "block %s", results_text(r, row, "block"));
    if (strcmp(results_text(r, row, "unroll"), "1") != 0)
        text_append(out, ", unroll %s", results_text(r, row, "unroll"));
    for (size_t i = 0; i < r->rows.column_count; i++) {
        const char *cell = table_cell(&r->rows, row, (int)i);
        if (r->columns[i].role == ROLE_TUNABLE && *cell)
            text_append(out, ", %s %s", r->rows.columns[i], cell);
    }
}
