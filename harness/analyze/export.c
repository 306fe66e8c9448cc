/*
 * Writing the formats of other autotuners: see export.h.
 */
#include "analyze/export.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "analyze/match.h"
#include "table/numbering.h"

const char *const export_format_names[EXPORT_FORMATS] = {"kernel-tuner", "t4", "t1"};

/* The rows of one problem, and which of the run's columns are its parameters. */
struct exported {
    const struct results *r;
    VEC(size_t) rows;
    VEC(int) parameters; /* columns; the kernel's is the first */
};

static bool is_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end;
}

/* A parameter's value at a row; −1 where the kernel does not have it. */
static cJSON *parameter_value(const struct exported *x, size_t row, int column)
{
    double value;
    const char *cell = table_cell(&x->r->rows, row, column);
    if (!*cell)
        return cJSON_CreateNumber(-1);
    return is_number(cell, &value) ? cJSON_CreateNumber(value) : cJSON_CreateString(cell);
}

static const char *parameter_name(const struct exported *x, int column)
{
    return x->r->rows.columns[column];
}

/* The different values of a parameter, in the order of their first rows. */
static cJSON *parameter_values(const struct exported *x, int column)
{
    cJSON *values = cJSON_CreateArray();
    struct numbering known = {0};
    for (size_t i = 0; i < x->rows.count; i++) {
        size_t before = known.texts.count;
        if (numbering_add(&known, table_cell(&x->r->rows, x->rows.items[i], column)) == before)
            cJSON_AddItemToArray(values, parameter_value(x, x->rows.items[i], column));
    }
    numbering_free(&known);
    return values;
}

static cJSON *configuration(const struct exported *x, size_t row)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < x->parameters.count; i++)
        cJSON_AddItemToObject(object, parameter_name(x, x->parameters.items[i]),
                              parameter_value(x, row, x->parameters.items[i]));
    return object;
}

/* Kernel, block, unroll and the tunables that some row of the problem has. */
static void find_parameters(struct exported *x)
{
    const struct table *t = &x->r->rows;
    vec_push(&x->parameters, table_column(t, axis_table[AXIS_kernel].name));
    for (int c = 0; c < (int)t->column_count; c++) {
        bool axis = strcmp(t->columns[c], axis_table[AXIS_block].name) == 0 ||
                    strcmp(t->columns[c], axis_table[AXIS_unroll].name) == 0;
        bool used = axis;
        for (size_t i = 0; x->r->columns[c].role == ROLE_TUNABLE && !used && i < x->rows.count; i++)
            used = *table_cell(t, x->rows.items[i], c) != '\0';
        if (used)
            vec_push(&x->parameters, c);
    }
}

static double milliseconds(const struct exported *x, size_t row)
{
    return results_number(x->r, row, "time_us_median") / 1e3;
}

static double known_or_0(double value)
{
    return isnan(value) ? 0 : value;
}

/* In the order taken; the median alone where the run has no samples. */
static cJSON *sample_times(const struct exported *x, size_t row)
{
    size_t count;
    const double *samples = results_samples(x->r, row, &count);
    cJSON *times = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(times, cJSON_CreateNumber(samples[i] / 1e3));
    if (count == 0 && !isnan(milliseconds(x, row)))
        cJSON_AddItemToArray(times, cJSON_CreateNumber(milliseconds(x, row)));
    return times;
}

/* What measuring the samples took at least, ms. */
static double benchmark_ms(const struct exported *x, size_t row)
{
    return known_or_0(results_number(x->r, row, "samples") *
                      results_number(x->r, row, "time_us_mean") / 1e3);
}

static bool has_time(const struct exported *x, size_t row)
{
    return results_ok(x->r, row) && !isnan(milliseconds(x, row));
}

/* Kernel Tuner's word for a row without a time. */
static const char *cache_error(const char *status)
{
    if (strcmp(status, "compile_error") == 0)
        return "CompilationFailedConfig";
    if (strcmp(status, "skipped") == 0 || strcmp(status, "unsupported") == 0)
        return "InvalidConfig";
    return "RuntimeFailedConfig";
}

static void add_cache_entry(const struct exported *x, size_t row, cJSON *cache)
{
    cJSON *entry = configuration(x, row);
    struct text key = {0};
    for (const cJSON *value = entry->child; value; value = value->next) {
        if (cJSON_IsString(value))
            text_append(&key, "%s%s", key.length ? "," : "", value->valuestring);
        else
            text_append(&key, "%s%.17g", key.length ? "," : "", value->valuedouble);
    }
    if (has_time(x, row))
        cJSON_AddNumberToObject(entry, "time", milliseconds(x, row));
    else
        cJSON_AddStringToObject(entry, "time", cache_error(results_text(x->r, row, "status")));
    cJSON_AddItemToObject(entry, "times", sample_times(x, row));
    cJSON_AddNumberToObject(entry, "compile_time",
                            known_or_0(results_number(x->r, row, "compile_ms")));
    cJSON_AddNumberToObject(entry, "verification_time", 0);
    cJSON_AddNumberToObject(entry, "benchmark_time", benchmark_ms(x, row));
    cJSON_AddNumberToObject(entry, "strategy_time", 0);
    cJSON_AddNumberToObject(entry, "framework_time", 0);
    cJSON_AddStringToObject(entry, "timestamp", results_text(x->r, row, "measured_at"));
    cJSON_AddItemToObject(cache, key.bytes, entry);
    text_free(&key);
}

static cJSON *write_cache(const struct exported *x, const char *name)
{
    cJSON *file = cJSON_CreateObject();
    cJSON *keys = cJSON_CreateArray(), *values = cJSON_CreateObject(),
          *cache = cJSON_CreateObject();
    cJSON_AddStringToObject(file, "device_name", results_text(x->r, x->rows.items[0], "device"));
    cJSON_AddStringToObject(file, "kernel_name", name);
    cJSON_AddNumberToObject(file, "problem_size", results_number(x->r, x->rows.items[0], "n"));
    cJSON_AddItemToObject(file, "tune_params_keys", keys);
    cJSON_AddItemToObject(file, "tune_params", values);
    cJSON_AddStringToObject(file, "objective", "time");
    cJSON_AddItemToObject(file, "cache", cache);
    for (size_t i = 0; i < x->parameters.count; i++) {
        int column = x->parameters.items[i];
        cJSON_AddItemToArray(keys, cJSON_CreateString(parameter_name(x, column)));
        cJSON_AddItemToObject(values, parameter_name(x, column), parameter_values(x, column));
    }
    for (size_t i = 0; i < x->rows.count; i++)
        add_cache_entry(x, x->rows.items[i], cache);
    return file;
}

/* T4's word for a status. */
static const char *invalidity(const char *status)
{
    static const char *const words[][2] = {{"ok", "correct"},
                                           {"sampled", "correct"},
                                           {"wrong", "correctness"},
                                           {"timeout", "timeout"},
                                           {"compile_error", "compile"},
                                           {"skipped", "constraints"},
                                           {"unsupported", "constraints"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], status) == 0)
            return words[i][1];
    return "runtime";
}

static void add_measurement(cJSON *list, const char *name, double value, const char *unit)
{
    if (isnan(value))
        return;
    cJSON *m = cJSON_CreateObject();
    cJSON_AddStringToObject(m, "name", name);
    cJSON_AddNumberToObject(m, "value", value);
    cJSON_AddStringToObject(m, "unit", unit);
    cJSON_AddItemToArray(list, m);
}

static cJSON *result_of(const struct exported *x, size_t row)
{
    const struct results *r = x->r;
    cJSON *result = cJSON_CreateObject(), *times = cJSON_CreateObject(),
          *measurements = cJSON_CreateArray(), *objectives = cJSON_CreateArray();
    double compile = known_or_0(results_number(r, row, "compile_ms"));
    cJSON_AddStringToObject(result, "timestamp", results_text(r, row, "measured_at"));
    cJSON_AddItemToObject(result, "configuration", configuration(x, row));
    cJSON_AddItemToArray(objectives, cJSON_CreateString("time"));
    cJSON_AddItemToObject(result, "objectives", objectives);
    cJSON_AddNumberToObject(times, "compilation_time", compile); /* the schema's name */
    cJSON_AddNumberToObject(times, "compilation", compile);      /* that of files in use */
    cJSON_AddItemToObject(times, "runtimes", sample_times(x, row));
    cJSON_AddNumberToObject(times, "framework", 0);
    cJSON_AddNumberToObject(times, "search_algorithm", 0);
    cJSON_AddNumberToObject(times, "validation", 0);
    cJSON_AddItemToObject(result, "times", times);
    cJSON_AddStringToObject(result, "invalidity", invalidity(results_text(r, row, "status")));
    cJSON_AddNumberToObject(result, "correctness", results_good(r, row) ? 1 : 0);
    add_measurement(measurements, "time", has_time(x, row) ? milliseconds(x, row) : NAN, "ms");
    add_measurement(measurements, "registers", results_number(r, row, "registers"), "");
    add_measurement(measurements, "sm_clock", results_number(r, row, "sm_clock_mhz"), "MHz");
    add_measurement(measurements, "power", results_number(r, row, "power_w"), "W");
    add_measurement(measurements, "temperature", results_number(r, row, "temperature_c"), "C");
    cJSON_AddItemToObject(result, "measurements", measurements);
    return result;
}

static cJSON *write_t4(const struct exported *x, const char *name)
{
    cJSON *file = cJSON_CreateObject(), *metadata = cJSON_CreateObject(),
          *list = cJSON_CreateArray();
    cJSON_AddStringToObject(file, "schema_version", "1.0.0");
    cJSON_AddItemToObject(file, "metadata", metadata);
    cJSON_AddStringToObject(metadata, "problem", name);
    cJSON_AddStringToObject(metadata, "device", results_text(x->r, x->rows.items[0], "device"));
    cJSON_AddStringToObject(metadata, "timeunit", "miliseconds"); /* as files in use spell it */
    cJSON_AddItemToObject(file, "results", list);
    for (size_t i = 0; i < x->rows.count; i++)
        cJSON_AddItemToArray(list, result_of(x, x->rows.items[i]));
    return file;
}

static cJSON *write_t1(const struct exported *x, const char *name)
{
    cJSON *file = cJSON_CreateObject(), *space = cJSON_CreateObject(), *list = cJSON_CreateArray(),
          *general = cJSON_CreateObject(), *kernel = cJSON_CreateObject(),
          *global = cJSON_CreateObject(), *local = cJSON_CreateObject();
    cJSON_AddItemToObject(file, "ConfigurationSpace", space);
    cJSON_AddItemToObject(space, "TuningParameters", list);
    for (size_t i = 0; i < x->parameters.count; i++) {
        cJSON *p = cJSON_CreateObject(), *values = parameter_values(x, x->parameters.items[i]);
        bool words = values->child && cJSON_IsString(values->child);
        char *text = cJSON_PrintUnformatted(values);
        cJSON_AddStringToObject(p, "Name", parameter_name(x, x->parameters.items[i]));
        cJSON_AddStringToObject(p, "Type", words ? "string" : "int");
        cJSON_AddStringToObject(p, "Values", text);
        cJSON_AddItemToArray(list, p);
        cJSON_free(text);
        cJSON_Delete(values);
    }
    cJSON_AddNumberToObject(general, "FormatVersion", 1);
    cJSON_AddStringToObject(general, "TimeUnit", "Milliseconds");
    cJSON_AddStringToObject(general, "OutputFormat", "JSON");
    cJSON_AddItemToObject(file, "General", general);
    cJSON_AddStringToObject(kernel, "Language", "CUDA");
    cJSON_AddStringToObject(kernel, "KernelName", name);
    cJSON_AddStringToObject(kernel, "KernelFile", "kernels");
    cJSON_AddStringToObject(global, "X", "ProblemSize[0]");
    cJSON_AddStringToObject(local, "X", "block");
    cJSON_AddItemToObject(kernel, "GlobalSize", global);
    cJSON_AddItemToObject(kernel, "LocalSize", local);
    cJSON_AddItemToObject(file, "KernelSpecification", kernel);
    return file;
}

/* "int32-sum-n16384-cold-complete": the problem's axes, in the characters of a file's name. */
static void problem_name(const struct results *r, size_t row, struct text *out)
{
    out->length = 0;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        const char *value = results_axis(r, row, i);
        if (axis_is_configuration(i) || !*value)
            continue;
        double number;
        text_append(out, "%s%s%s", out->length ? "-" : "",
                    is_number(value, &number) ? axis_table[i].name : "", value);
    }
    text_append(out, "-%s", results_text(r, row, "backend"));
    for (size_t i = 0; i < out->length; i++)
        if (!isalnum((unsigned char)out->bytes[i]) && !strchr("._-", out->bytes[i]))
            out->bytes[i] = '_';
}

static bool write_problem(const struct exported *x, enum export_format format, const char *folder,
                          struct error *e)
{
    static cJSON *(*const writers[])(const struct exported *, const char *) = {write_cache,
                                                                               write_t4, write_t1};
    struct text name = {0}, path = {0};
    problem_name(x->r, x->rows.items[0], &name);
    text_append(&path, "%s/%s.json", folder, name.bytes);
    cJSON *json = writers[format](x, name.bytes);
    char *text = cJSON_PrintUnformatted(json);
    FILE *f = fopen(path.bytes, "wx");
    bool ok = f && fputs(text, f) >= 0 && fputc('\n', f) != EOF;
    ok = (!f || fclose(f) == 0) && ok;
    if (!ok)
        FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path.bytes, strerror(errno));
    cJSON_free(text);
    cJSON_Delete(json);
    text_free(&name);
    text_free(&path);
    return ok;
}

bool export_run(const struct results *r, enum export_format format, const char *folder,
                size_t *count, struct error *e)
{
    struct numbering problems = {0};
    VEC(struct exported) list = {0};
    bool ok = true;
    struct text name = {0};
    for (size_t row = 0; row < r->rows.row_count; row++) {
        problem_name(r, row, &name);
        size_t number = numbering_add(&problems, name.bytes);
        while (list.count <= number)
            vec_push(&list, (struct exported){.r = r});
        vec_push(&list.items[number].rows, row);
    }
    text_free(&name);
    for (size_t i = 0; i < list.count; i++) {
        struct exported *x = &list.items[i];
        find_parameters(x);
        ok = ok && write_problem(x, format, folder, e);
        vec_free(&x->rows);
        vec_free(&x->parameters);
    }
    *count = list.count;
    vec_free(&list);
    numbering_free(&problems);
    return ok;
}
