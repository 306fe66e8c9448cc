/* Reads and writes run.json with tables of its members. */
#include "record/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/role.h"
#include "record/replace.h"

/* The maximum size of run.json, which contains a config, kernels and columns, but no rows. */
enum { MANIFEST_MOST_BYTES = 16 << 20 };

#define CONVERT_FIRST "Use redsweep 0.2.0 to convert the run to version 2 (`redsweep convert RUN`)"

static const struct member device_members[] = {
    TEXT_AS("backend", struct manifest_device, backend),
    TEXT_AS("name", struct manifest_device, name),
    TEXT_AS("chip", struct manifest_device, chip),
    TEXT_AS("uuid", struct manifest_device, uuid),
    TEXT_AS("compute_capability", struct manifest_device, compute_capability),
    COUNT_AS("multiprocessors", struct manifest_device, multiprocessors),
    COUNT_AS("warp_size", struct manifest_device, warp_size),
    COUNT_AS("memory_bytes", struct manifest_device, memory_bytes),
    COUNT_AS("l2_bytes", struct manifest_device, l2_bytes),
    COUNT_AS("memory_clock_khz", struct manifest_device, memory_clock_khz),
    COUNT_AS("memory_bus_bits", struct manifest_device, memory_bus_bits),
    COUNT_AS("sm_clock_khz", struct manifest_device, sm_clock_khz),
    NUMBER_AS("peak_gbs", struct manifest_device, peak_gbs),
    TEXT_AS("driver", struct manifest_device, driver),
    TEXT_AS("runtime", struct manifest_device, runtime),
    TEXT_AS("counter_library", struct manifest_device, counter_library),
    TEXT_AS("counters_missing", struct manifest_device, counters_missing),
    TEXT_AS("health_missing", struct manifest_device, health_missing),
    BOOL_AS("can_time", struct manifest_device, can_time),
    BOOL_AS("can_count", struct manifest_device, can_count),
    BOOL_AS("exact_counts", struct manifest_device, exact_counts),
    {0},
};

static const struct member kernel_members[] = {
    STRING_AS("name", struct manifest_kernel, name),
    STRING_AS("file", struct manifest_kernel, file),
    TEXT_AS("source_hash", struct manifest_kernel, source_hash),
    STRING_AS("workload", struct manifest_kernel, workload),
    STRING_AS("role", struct manifest_kernel, role),
    STRING_AS("racy", struct manifest_kernel, racy),
    STRING_AS("counts", struct manifest_kernel, counts),
    {0},
};

static const struct member string_itself[] = {{"", MEMBER_STRING, 0, 0, NULL, NULL}, {0}};

static const struct member provenance_members[] = {
    STRING_AS("run", struct provenance, run),
    STRING_AS("title", struct provenance, title),
    TEXT_AS("started", struct provenance, started),
    TEXT_AS("ended", struct provenance, ended),
    STRING_AS("command", struct provenance, command),
    STRING_AS("redsweep", struct provenance, redsweep),
    STRING_AS("compiler", struct provenance, compiler),
    STRING_AS("host", struct provenance, host),
    STRING_AS("tool", struct provenance, tool),
    STRING_AS("source", struct provenance, source),
    LIST_AS("notes", struct provenance, notes, string_itself),
    OBJECT_AS("device", struct provenance, device, device_members),
    OPTIONAL_AS("cpu", struct provenance, cpu, device_members),
    TEXT_AS("shard", struct provenance, shard),
    COUNT_AS("points", struct provenance, points),
    COUNT_AS("excluded", struct provenance, excluded),
    COUNT_AS("left_out", struct provenance, left_out),
    LIST_AS("kernels", struct provenance, kernels, kernel_members),
    JSON_AS("config", struct provenance, config),
    STRING_AS("config_text", struct provenance, config_text),
    JSON_AS("config_overrides", struct provenance, config_overrides),
    STRING_AS("config_path", struct provenance, config_path),
    STRING_AS("device_option", struct provenance, device_option),
    STRING_AS("passed_over", struct provenance, passed_over),
    STRING_AS("more_kernels", struct provenance, more_kernels),
    TEXT_AS("sources_hash", struct provenance, sources_hash),
    STRING_AS("process", struct provenance, process),
    {0},
};

static const struct member column_members[] = {
    STRING_AS("name", struct manifest_column, name),
    TEXT_AS("type", struct manifest_column, type),
    STRING_AS("unit", struct manifest_column, unit),
    STRING_AS("meaning", struct manifest_column, meaning),
    STRING_AS("missing", struct manifest_column, missing),
    {0},
};

const struct member manifest_members[] = {
    COUNT_AS("schema", struct manifest, schema),
    TEXT_AS("status", struct manifest, status),
    OBJECT_AS("provenance", struct manifest, provenance, provenance_members),
    LIST_AS("sessions", struct manifest, sessions, conditions_members),
    LIST_AS("columns", struct manifest, columns, column_members),
    {0},
};

void manifest_clear(struct manifest *m)
{
    members_clear(manifest_members, m);
}

void manifest_free(struct manifest *m)
{
    members_free(manifest_members, m);
}

struct conditions *manifest_add_session(struct manifest *m, const char *since)
{
    struct conditions session;
    conditions_clear(&session);
    snprintf(session.since, sizeof session.since, "%s", since);
    session.phases = (struct phase_times){0};
    vec_push(&m->sessions, session);
    return &m->sessions.items[m->sessions.count - 1];
}

void manifest_drop_lists(struct manifest *m)
{
    for (size_t i = 0; i < m->provenance.kernels.count; i++)
        members_free(kernel_members, &m->provenance.kernels.items[i]);
    vec_free(&m->provenance.kernels);
    for (size_t i = 0; i < m->columns.count; i++)
        members_free(column_members, &m->columns.items[i]);
    vec_free(&m->columns);
}

struct manifest_column *manifest_add_column(struct manifest *m, const char *name)
{
    struct manifest_column column;
    members_clear(column_members, &column);
    member_set(&column.name, name);
    vec_push(&m->columns, column);
    return &m->columns.items[m->columns.count - 1];
}

const struct manifest_column *manifest_column(const struct manifest *m, const char *name)
{
    for (size_t i = 0; i < m->columns.count; i++)
        if (strcmp(m->columns.items[i].name, name) == 0)
            return &m->columns.items[i];
    return NULL;
}

void manifest_order_columns(struct manifest *m, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        while (j < m->columns.count && strcmp(m->columns.items[j].name, names[i]) != 0)
            j++;
        if (j == m->columns.count)
            manifest_add_column(m, names[i]);
        struct manifest_column found = m->columns.items[j];
        m->columns.items[j] = m->columns.items[i];
        m->columns.items[i] = found;
    }
    while (m->columns.count > count)
        members_free(column_members, &m->columns.items[--m->columns.count]);
}

struct manifest_kernel *manifest_add_kernel(struct manifest *m, const char *name)
{
    struct manifest_kernel kernel;
    members_clear(kernel_members, &kernel);
    member_set(&kernel.name, name);
    vec_push(&m->provenance.kernels, kernel);
    return &m->provenance.kernels.items[m->provenance.kernels.count - 1];
}

static bool check_schema(const struct manifest *m, const char *path, struct error *e)
{
    if (m->schema < 1)
        return FAIL(e, ERROR_CONFIG, "%s has no format version (\"schema\"); is it a run's file?",
                    path);
    if (m->schema > MANIFEST_SCHEMA)
        return FAIL(e, ERROR_CONFIG,
                    "%s has format version %lld, but this redsweep reads only versions up to %d; "
                    "use the redsweep that wrote it, or a newer one",
                    path, (long long)m->schema, MANIFEST_SCHEMA);
    return m->schema == MANIFEST_SCHEMA || FAIL(e, ERROR_CONFIG,
                                                "%s has format version %lld, which this redsweep "
                                                "cannot read. " CONVERT_FIRST,
                                                path, (long long)m->schema);
}

/*
 * Adds the kernels' roles to a run of redsweep 0.2.0, which did not store them. A role follows from
 * the kernel's name and workload.
 */
static bool complete_roles(struct manifest *m, struct error *e)
{
    for (size_t i = 0; i < m->provenance.kernels.count; i++) {
        struct manifest_kernel *k = &m->provenance.kernels.items[i];
        struct role role;
        if (!*k->role)
            member_set(&k->role, role_of_older(k->name, k->workload));
        if (!role_parse(k->role, &role))
            return FAIL(e, ERROR_CONFIG,
                        "the member provenance.kernels.%zu.role is '%s', which is not a kernel "
                        "role; was it written by a newer redsweep?",
                        i, k->role);
    }
    return true;
}

static bool parse_manifest(const char *path, const char *bytes, size_t length, struct manifest *out,
                           struct error *e)
{
    cJSON *document = cJSON_ParseWithLength(bytes, length);
    if (!document)
        return FAIL(e, ERROR_CONFIG, "%s is not valid JSON; restore the file", path);
    /* The schema is read before the other members, because a newer one has unknown members. */
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(document, "schema");
    out->schema =
        cJSON_IsNumber(schema) && schema->valuedouble < 1e6 ? (int64_t)schema->valuedouble : -1;
    bool ok = check_schema(out, path, e);
    if (ok && (!members_read(manifest_members, out, document, "", e) || !complete_roles(out, e)))
        ok = error_prefix(e, "%s", path);
    cJSON_Delete(document);
    return ok;
}

/*
 * Explains why run.json is missing. Runs of redsweep 0.1.0 have only a results.json. In later runs,
 * results.json is a copy for other programs.
 */
static bool explain_missing(const char *folder, bool *found, struct error *e)
{
    char copy[4200];
    snprintf(copy, sizeof copy, "%.4000s/results.json", folder);
    *found = access(copy, F_OK) == 0;
    if (!*found)
        return FAIL(e, ERROR_CONFIG, "%.4000s/" MANIFEST_FILE ": %s", folder, strerror(ENOENT));
    return FAIL(e, ERROR_CONFIG,
                "%.4000s: " MANIFEST_FILE
                " is missing beside results.json, which is only a copy for other programs. Restore "
                "the file. A run of redsweep 0.1.0 has no " MANIFEST_FILE ". " CONVERT_FIRST,
                folder);
}

bool manifest_read(const char *folder, struct manifest *out, bool *found, struct error *e)
{
    manifest_clear(out);
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/" MANIFEST_FILE, folder);
    bool there = access(path, F_OK) == 0 || errno != ENOENT;
    bool ok = there || explain_missing(folder, &there, e);
    if (found)
        *found = there;
    char *bytes;
    size_t length;
    if (!ok || !file_read(path, MANIFEST_MOST_BYTES, &bytes, &length, e))
        return false;
    ok = parse_manifest(path, bytes, length, out, e);
    free(bytes);
    return ok;
}

void manifest_append_json(const struct manifest *m, struct text *out)
{
    struct manifest now = *m; /* `m` still owns what this copy points to */
    now.schema = MANIFEST_SCHEMA;
    members_write(manifest_members, &now, 0, out);
    out->length -= 2; /* removes "\n}" */
    out->bytes[out->length] = '\0';
}

static bool write_json(void *context, FILE *to, struct error *e)
{
    (void)e;
    struct text *json = context;
    fwrite(json->bytes, 1, json->length, to);
    return true;
}

bool manifest_write(int folder, const char *name, const struct manifest *m, struct error *e)
{
    struct text json = {0};
    manifest_append_json(m, &json);
    text_append(&json, "\n}\n");
    bool ok = file_replace(folder, name, MANIFEST_FILE, write_json, &json, e);
    text_free(&json);
    return ok;
}

void manifest_each(const struct manifest *m, member_visit *visit, void *context)
{
    members_each(manifest_members, m, visit, context);
}

struct wanted {
    const char *name;
    char *out;
    size_t size;
};

static void take_wanted(void *context, const char *name, const char *value)
{
    const struct wanted *w = context;
    if (strcmp(w->name, name) == 0)
        snprintf(w->out, w->size, "%s", value);
}

const char *manifest_value(const struct manifest *m, const char *name, char *out, size_t size)
{
    struct wanted wanted = {name, out, size};
    out[0] = '\0';
    manifest_each(m, take_wanted, &wanted);
    return out;
}

const struct manifest_kernel *manifest_kernel(const struct manifest *m, const char *name)
{
    for (size_t i = 0; i < m->provenance.kernels.count; i++)
        if (strcmp(m->provenance.kernels.items[i].name, name) == 0)
            return &m->provenance.kernels.items[i];
    return NULL;
}
