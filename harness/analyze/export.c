/*
 * Implements redsweep export, which writes a run in the T4 schema (odgaard/TuningSchema, version
 * 1.0.0) that autotuners use to exchange results, one file per problem.
 *
 * Kernel names become values of a parameter `kernel`. The schema has no missing values, so a
 * parameter that a kernel lacks is −1. Times are in milliseconds.
 */
#include "analyze/commands.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "analyze/match.h"
#include "analyze/results.h"
#include "base/folder.h"
#include "base/options.h"

/* The rows of one problem, and the run's columns that become parameters. */
struct exported {
    const struct results *r;
    VEC(size_t) rows;
    VEC(const struct column *) parameters; /* The first parameter is the kernel. */
};

static bool is_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end;
}

/* Returns a parameter's value in a row, or −1 if the kernel lacks it. */
static cJSON *parameter_value(const struct column *c, size_t row)
{
    double number = column_number(c, row);
    if (column_is_missing(c, row))
        return cJSON_CreateNumber(-1);
    return isnan(number) ? cJSON_CreateString(column_text(c, row)) : cJSON_CreateNumber(number);
}

static cJSON *configuration(const struct exported *x, size_t row)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < x->parameters.count; i++)
        cJSON_AddItemToObject(object, x->parameters.items[i]->name,
                              parameter_value(x->parameters.items[i], row));
    return object;
}

/*
 * Collects the columns for the kernel, the block, the unroll factor, and the tunables that any row
 * of the problem has.
 */
static void find_parameters(struct exported *x)
{
    const struct results *r = x->r;
    vec_push(&x->parameters, r->known.axes[AXIS_kernel]);
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct column *c = r->rows.columns.items[i];
        bool used = c == r->known.axes[AXIS_block] || c == r->known.axes[AXIS_unroll];
        for (size_t k = 0; r->columns[i].role == ROLE_TUNABLE && !used && k < x->rows.count; k++)
            used = !column_is_missing(c, x->rows.items[k]);
        if (used)
            vec_push(&x->parameters, c);
    }
}

static double milliseconds(const struct exported *x, size_t row)
{
    return column_number(x->r->known.time_us_median, row) / 1e3;
}

static double known_or_0(double value)
{
    return isnan(value) ? 0 : value;
}

/*
 * Returns the samples in the order they were taken, or just the median if the run has no samples.
 */
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

static bool has_time(const struct exported *x, size_t row)
{
    return results_ok(x->r, row) && !isnan(milliseconds(x, row));
}

/* Returns the word of the T4 schema for a status. */
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
    double compile = known_or_0(column_number(r->known.compile_ms, row));
    cJSON_AddStringToObject(result, "timestamp", column_text(r->known.measured_at, row));
    cJSON_AddItemToObject(result, "configuration", configuration(x, row));
    cJSON_AddItemToArray(objectives, cJSON_CreateString("time"));
    cJSON_AddItemToObject(result, "objectives", objectives);
    cJSON_AddNumberToObject(times, "compilation_time", compile); /* as in the schema */
    cJSON_AddNumberToObject(times, "compilation", compile);      /* as in existing files */
    cJSON_AddItemToObject(times, "runtimes", sample_times(x, row));
    cJSON_AddNumberToObject(times, "framework", 0);
    cJSON_AddNumberToObject(times, "search_algorithm", 0);
    cJSON_AddNumberToObject(times, "validation", 0);
    cJSON_AddItemToObject(result, "times", times);
    cJSON_AddStringToObject(result, "invalidity", invalidity(column_text(r->known.status, row)));
    cJSON_AddNumberToObject(result, "correctness", results_good(r, row) ? 1 : 0);
    add_measurement(measurements, "time", has_time(x, row) ? milliseconds(x, row) : NAN, "ms");
    add_measurement(measurements, "registers", column_number(r->known.registers, row), "");
    add_measurement(measurements, "sm_clock", column_number(r->known.sm_clock_mhz, row), "MHz");
    add_measurement(measurements, "power", column_number(r->known.power_w, row), "W");
    add_measurement(measurements, "temperature", column_number(r->known.temperature_c, row), "C");
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
    cJSON_AddStringToObject(metadata, "device", column_text(x->r->known.device, x->rows.items[0]));
    cJSON_AddStringToObject(metadata, "timeunit",
                            "miliseconds"); /* existing files have this spelling */
    cJSON_AddItemToObject(file, "results", list);
    for (size_t i = 0; i < x->rows.count; i++)
        cJSON_AddItemToArray(list, result_of(x, x->rows.items[i]));
    return file;
}

/*
 * Appends a name such as "int32-sum-n16384-cold-complete-cuda". It is made of the problem's axes
 * and the backend, and is safe as a file name.
 */
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
    text_append(out, "-%s", column_text(r->known.backend, row));
    for (size_t i = 0; i < out->length; i++)
        if (!isalnum((unsigned char)out->bytes[i]) && !strchr("._-", out->bytes[i]))
            out->bytes[i] = '_';
}

static bool write_problem(const struct exported *x, const char *folder, struct error *e)
{
    struct text name = {0}, path = {0};
    problem_name(x->r, x->rows.items[0], &name);
    text_append(&path, "%s/%s.json", folder, name.bytes);
    cJSON *json = write_t4(x, name.bytes);
    char *text = cJSON_PrintUnformatted(json);
    FILE *f = fopen(path.bytes, "wx");
    bool ok = f && fputs(text, f) >= 0 && fputc('\n', f) != EOF;
    ok = (!f || fclose(f) == 0) && ok;
    if (!ok)
        FAIL(e, ERROR_SYSTEM, "cannot write to %s: %s", path.bytes, strerror(errno));
    cJSON_free(text);
    cJSON_Delete(json);
    text_free(&name);
    text_free(&path);
    return ok;
}

/*
 * Writes a file for each problem into an existing folder, and sets *count to the number of files.
 */
static bool export_run(const struct results *r, const char *folder, size_t *count, struct error *e)
{
    key_columns columns = {0};
    VEC(struct exported) list = {0};
    bool ok = true;
    match_columns(r, key_problem(), NULL, &columns);
    vec_push(&columns, (struct key_column){.column = r->known.backend, .number = NAN});
    struct row_keys problems = {.column_count = columns.count};
    for (size_t row = 0; row < r->rows.row_count; row++) {
        size_t number = row_keys_number(&problems, columns.items, row);
        while (list.count <= number)
            vec_push(&list, (struct exported){.r = r});
        vec_push(&list.items[number].rows, row);
    }
    for (size_t i = 0; i < list.count; i++) {
        struct exported *x = &list.items[i];
        find_parameters(x);
        ok = ok && write_problem(x, folder, e);
        vec_free(&x->rows);
        vec_free(&x->parameters);
    }
    *count = list.count;
    vec_free(&list);
    row_keys_free(&problems);
    vec_free(&columns);
    return ok;
}

struct export_arguments {
    const char *out;
};

static const struct field options[] = {
    {"--out", "export", field_argument, .offset = offsetof(struct export_arguments, out),
     HELP("DIR", "the folder for the files, which must be empty or absent")},
    {0}};

void help_export(void)
{
    printf(
        "Writes a run in the T4 schema of odgaard/TuningSchema, the exchange format of\n"
        "autotuners. For each problem (type, operation, n, cache state, scope) it writes one JSON\n"
        "file with every configuration, its times, and the reason why a configuration is invalid.\n"
        "\n");
    options_print(options);
}

int command_export(int count, char **arguments, struct error *e)
{
    struct export_arguments a = {0};
    const char *path = NULL;
    struct operands operands = {.items = &path, .max = 1};
    struct results r;
    size_t files;
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (!path) {
        FAIL(e, ERROR_USAGE,
             "export needs the folder of a run; write, for example, redsweep export "
             "results/latest");
        return EXIT_REFUSED;
    }
    if (!results_read(path, &r, e))
        return EXIT_REFUSED;
    bool ok = folder_create_empty(a.out, e) && export_run(&r, a.out, &files, e);
    results_free(&r);
    if (ok)
        print_safely(stdout, "%s: %zu file%s\n", a.out, files, files == 1 ? "" : "s");
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
