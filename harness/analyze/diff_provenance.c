/*
 * Finds how two runs differ apart from their results: the device, the driver, the compiler, the
 * program, the config, and the source of every kernel that both measured. If times differ, these
 * should be checked first.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/memory.h"
#include "base/statistics.h"

/* The members of the manifests to compare, and what to call them in the output. */
static const struct {
    const char *path, *name;
} facts[] = {
    {"provenance.device.name", "device"},
    {"provenance.device.backend", "backend"},
    {"provenance.device.uuid", "card (uuid)"},
    {"provenance.device.driver", "driver"},
    {"provenance.device.runtime", "CUDA runtime"},
    {"provenance.device.counter_library", "counter library"},
    {"provenance.device.sm_clock_khz", "highest SM clock (kHz)"},
    {"provenance.device.memory_clock_khz", "memory clock (kHz)"},
    {"provenance.device.l2_bytes", "L2 cache (bytes)"},
    {"provenance.compiler", "compiler"},
    {"provenance.host", "host"},
    {"provenance.redsweep", "redsweep"},
    {"status", "status of the run"},
};

static void compare_facts(const struct results *a, const struct results *b, struct text *out)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        char x[512], y[512];
        manifest_value(&a->manifest, facts[i].path, x, sizeof x);
        manifest_value(&b->manifest, facts[i].path, y, sizeof y);
        if (strcmp(x, y) != 0)
            text_append_safely(out, "%s: %s -> %s\n", facts[i].name, *x ? x : "unknown",
                               *y ? y : "unknown");
    }
}

static void compare_kernels(const struct results *a, const struct results *b, struct text *out)
{
    struct text names = {0};
    for (size_t i = 0; i < a->manifest.provenance.kernels.count; i++) {
        const struct manifest_kernel *k = &a->manifest.provenance.kernels.items[i];
        const struct manifest_kernel *other = manifest_kernel(&b->manifest, k->name);
        if (other && *k->source_hash && *other->source_hash &&
            strcmp(k->source_hash, other->source_hash) != 0)
            text_append(&names, "%s%s", names.length ? ", " : "", k->name);
    }
    if (names.length)
        text_append_safely(out, "source code of kernels: %s\n", names.bytes);
    text_free(&names);
}

/* Appends the names of the config keys that differ, without their values, which may be long. */
static void compare_configs(const struct results *a, const struct results *b, struct text *out)
{
    cJSON *configs[] = {cJSON_Parse(a->manifest.provenance.config),
                        cJSON_Parse(b->manifest.provenance.config)};
    struct text names = {0};
    for (int i = 0; i < 2; i++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, configs[i])
        {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(configs[1 - i], item->string);
            if (i == 1 && other)
                continue; /* compared in the first pass */
            if (!other || !cJSON_Compare(item, other, true))
                text_append(&names, "%s%s", names.length ? ", " : "", item->string);
        }
    }
    if (names.length)
        text_append_safely(out, "config: %s\n", names.bytes);
    text_free(&names);
    cJSON_Delete(configs[0]);
    cJSON_Delete(configs[1]);
}

/*
 * Appends the measurement conditions that differ between the runs. A condition is the median of a
 * column over the rows.
 */
static void compare_medians(const struct results *a, const struct results *b, struct text *out)
{
    const struct {
        const struct column *of[2];
        const char *name;
    } conditions[] = {
        {{a->known.sm_clock_mhz, b->known.sm_clock_mhz}, "SM clock while timing (MHz, median)"},
        {{a->known.mem_clock_mhz, b->known.mem_clock_mhz},
         "memory clock while timing (MHz, median)"},
        {{a->known.temperature_c, b->known.temperature_c}, "temperature (C, median)"}};
    const struct results *runs[] = {a, b};
    size_t max = a->rows.row_count > b->rows.row_count ? a->rows.row_count : b->rows.row_count;
    double *values = xcalloc(max + 1, sizeof *values);
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
        double medians[2];
        for (int i = 0; i < 2; i++) {
            size_t count = 0;
            for (size_t row = 0; row < runs[i]->rows.row_count; row++) {
                double value = column_number(conditions[c].of[i], row);
                if (!isnan(value))
                    values[count++] = value;
            }
            medians[i] = median_in_place(values, count);
        }
        if (fabs(medians[1] - medians[0]) > 0.01 * fabs(medians[0]))
            text_append_safely(out, "%s: %.5g -> %.5g\n", conditions[c].name, medians[0],
                               medians[1]);
    }
    free(values);
}

static size_t throttled(const struct results *r)
{
    size_t rows = 0;
    for (size_t i = 0; i < r->rows.row_count; i++)
        rows += *column_text(r->known.throttle, i) != 0;
    return rows;
}

/*
 * Returns the device's read bandwidth at the beginning of the run's last session, or NaN if it was
 * not measured.
 */
static double reading_ceiling(const struct results *r)
{
    size_t count = r->manifest.sessions.count;
    return count ? r->manifest.sessions.items[count - 1].start.read_gbs : NAN;
}

static void compare_conditions(const struct results *a, const struct results *b, struct text *out)
{
    double from = reading_ceiling(a), to = reading_ceiling(b);
    if (fabs(to - from) > 0.005 * fabs(from))
        text_append_safely(out, "achievable read bandwidth (GB/s): %.5g -> %.5g\n", from, to);
    if (throttled(a) != throttled(b))
        text_append_safely(out, "points measured while the clock was throttled: %zu -> %zu\n",
                           throttled(a), throttled(b));
    compare_medians(a, b, out);
}

void diff_provenance(const struct results *a, const struct results *b, struct text *out)
{
    if (!a->has_manifest || !b->has_manifest) {
        text_append_safely(
            out, "%s has no " MANIFEST_FILE ", so the conditions of the run are unknown\n",
            a->has_manifest ? b->path : a->path);
        if (strcmp(results_device(a), results_device(b)) != 0)
            text_append_safely(out, "device: %s -> %s\n", results_device(a), results_device(b));
        return;
    }
    compare_facts(a, b, out);
    compare_kernels(a, b, out);
    compare_configs(a, b, out);
    compare_conditions(a, b, out);
}
