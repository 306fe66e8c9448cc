/*
 * results.json: see json.h for the rule.
 */
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "record/csv.h"

#define PART "results.json.part"

/* JSON is UTF-8; a host's name or a config may be anything. NULL when memory ran out. */
static char *clean_utf8(const char *s)
{
    struct text t = {0};
    for (size_t left = strlen(s); left > 0;) {
        size_t length = utf8_length(s, left);
        if (length)
            text_append_bytes(&t, s, length);
        else
            text_append_bytes(&t, "\xef\xbf\xbd", 3);
        s += length ? length : 1;
        left -= length ? length : 1;
    }
    text_append(&t, "%s", "");
    if (t.failed)
        text_free(&t);
    return t.bytes;
}

/* Adds a member, null for an unknown text (NULL or ""). Without memory cJSON leaves it out. */
static void add_text(cJSON *object, const char *name, const char *value)
{
    char *clean = value && *value ? clean_utf8(value) : NULL;
    cJSON_AddItemToObject(object, name, clean ? cJSON_CreateString(clean) : cJSON_CreateNull());
    free(clean);
}

/* Adds a member, null for an unknown number (0 or less). */
static void add_known(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, value > 0 ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void add_version(cJSON *object, const char *name, int version)
{
    char text[32] = "";
    if (version > 0)
        snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    add_text(object, name, text);
}

static cJSON *device_json(const struct device_info *d)
{
    char capability[16] = "";
    if (d->limits.cc > 0)
        snprintf(capability, sizeof capability, "%d.%d", d->limits.cc / 10, d->limits.cc % 10);
    cJSON *o = cJSON_CreateObject();
    add_text(o, "backend", d->backend);
    add_text(o, "name", d->name);
    add_text(o, "chip", d->chip);
    add_text(o, "uuid", d->uuid);
    add_text(o, "compute_capability", capability);
    add_known(o, "multiprocessors", d->limits.sms);
    add_known(o, "warp_size", d->warp_size);
    add_known(o, "memory_bytes", (double)d->memory_bytes);
    add_known(o, "l2_bytes", (double)d->l2_bytes);
    add_known(o, "memory_clock_khz", d->memory_clock_khz);
    add_known(o, "memory_bus_bits", d->memory_bus_bits);
    add_known(o, "sm_clock_khz", d->sm_clock_khz);
    add_known(o, "peak_gbs", d->peak_gbs);
    add_version(o, "driver", d->driver_version);
    add_version(o, "runtime", d->runtime_version);
    add_text(o, "counter_library", d->counter_library);
    add_text(o, "counters_missing", d->counters_missing);
    add_text(o, "health_missing", d->health_missing);
    cJSON_AddBoolToObject(o, "can_time", d->can_time);
    cJSON_AddBoolToObject(o, "can_count", d->can_count);
    cJSON_AddBoolToObject(o, "exact_counts", d->exact_counts);
    return o;
}

/* The kernels that the plan uses, with a hash of the source that was measured. */
static cJSON *kernels_json(const struct plan *plan)
{
    cJSON *list = cJSON_CreateArray();
    int count = plan->catalogue ? plan->catalogue->count : 0;
    bool *used = calloc((size_t)count + 1, sizeof *used);
    for (uint32_t i = 0; used && i < plan->point_count; i++)
        used[plan->points[i].kernel] = true;
    for (int i = 0; used && i < count; i++) {
        if (!used[i])
            continue;
        const struct kernel *k = plan->catalogue->kernels[i];
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, k->code_hash);
        cJSON *o = cJSON_CreateObject();
        add_text(o, "name", k->name);
        add_text(o, "file", k->path);
        add_text(o, "source_hash", hash);
        add_text(o, "workload", k->workload->name);
        add_text(o, "racy", k->racy);
        cJSON_AddItemToArray(list, o);
    }
    free(used);
    return list;
}

static cJSON *provenance_json(const struct json_document *d)
{
    const struct provenance *p = d->provenance;
    cJSON *o = cJSON_CreateObject();
    add_text(o, "run", p->run_name);
    add_text(o, "started", p->started);
    add_text(o, "ended", d->ended);
    add_text(o, "command", p->command);
    add_text(o, "redsweep", p->redsweep);
    add_text(o, "compiler", p->compiler);
    add_text(o, "host", p->host);
    cJSON_AddItemToObject(o, "device", device_json(&p->device));
    if (p->cpu.backend[0])
        cJSON_AddItemToObject(o, "cpu", device_json(&p->cpu));
    cJSON_AddNumberToObject(o, "points", d->plan->point_count);
    cJSON_AddNumberToObject(o, "excluded", d->plan->excluded);
    cJSON_AddItemToObject(o, "kernels", kernels_json(d->plan));
    const char *text = p->config_text ? p->config_text : "";
    char *clean = clean_utf8(text);
    cJSON *config = clean ? cJSON_Parse(clean) : NULL;
    cJSON_AddItemToObject(o, "config", config ? config : cJSON_CreateNull());
    add_text(o, "config_text", text);
    add_text(o, "config_path", p->config_path);
    add_text(o, "device_option", p->device_option);
    add_text(o, "more_kernels", p->more_kernels);
    add_text(o, "sources_hash", p->sources);
    cJSON *sessions = cJSON_AddArrayToObject(o, "resumed");
    for (int i = 0; i < p->session_count; i++) {
        cJSON *session = cJSON_CreateObject();
        add_text(session, "at", p->sessions[i].at);
        add_text(session, "changes", p->sessions[i].changes);
        cJSON_AddItemToArray(sessions, session);
    }
    free(clean);
    return o;
}

static cJSON *column_json(const struct column *c)
{
    static const char *const types[] = {"text", "number", "count"};
    cJSON *o = cJSON_CreateObject();
    add_text(o, "name", c->name);
    add_text(o, "type", types[c->kind]);
    add_text(o, "unit", c->unit);
    add_text(o, "meaning", c->meaning);
    add_text(o, "missing", c->missing);
    return o;
}

/* Adds a member, null for NaN. */
static void add_number(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name,
                          isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static cJSON *ceilings_json(const struct ceilings *c)
{
    cJSON *o = cJSON_CreateObject();
    add_number(o, "empty_us", c->empty_us);
    add_number(o, "read_gbs", c->read_gbs);
    add_number(o, "copy_gbs", c->copy_gbs);
    add_number(o, "write_gbs", c->write_gbs);
    add_known(o, "bytes", (double)c->bytes);
    add_text(o, "missing", c->missing);
    return o;
}

static cJSON *phases_json(const struct phase_times *p)
{
    const struct {
        const char *name;
        double seconds;
    } phases[] = {
        {"compile", p->compile_s},     {"ceilings", p->ceilings_s}, {"prepare", p->prepare_s},
        {"reference", p->reference_s}, {"check", p->check_s},       {"time", p->time_s},
        {"count", p->count_s},         {"idle", p->idle_s},         {"record", p->record_s},
        {"measuring", p->measuring_s}, {"device_busy", p->busy_s}};
    cJSON *o = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        add_number(o, phases[i].name, phases[i].seconds);
    return o;
}

static cJSON *checks_json(const struct conditions *c)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < c->check_count; i++) {
        const struct self_check *check = &c->checks[i];
        cJSON *o = cJSON_CreateObject();
        add_text(o, "name", check->name);
        add_text(o, "meaning", check->meaning);
        add_number(o, "expected", check->expected);
        add_number(o, "found", check->found);
        add_number(o, "tolerance", check->tolerance);
        cJSON_AddBoolToObject(o, "ok", check->ok);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *launch_json(const struct launch_seen *l)
{
    cJSON *o = cJSON_CreateObject();
    add_known(o, "contexts", l->contexts);
    add_number(o, "step_us", l->step_us);
    add_number(o, "least_us", l->least_us);
    add_number(o, "most_us", l->most_us);
    add_number(o, "refused_us", l->refused_us);
    return o;
}

/* This session's conditions; those of earlier ones are texts already. */
static cJSON *conditions_json(const struct provenance *p)
{
    const struct conditions *c = p->conditions;
    cJSON *o = cJSON_CreateObject();
    const char *since = p->session_count ? p->sessions[p->session_count - 1].at : p->started;
    add_text(o, "since", since);
    cJSON_AddItemToObject(o, "ceilings_start", ceilings_json(&c->start));
    cJSON_AddItemToObject(o, "ceilings_end", ceilings_json(&c->end));
    add_number(o, "drift_pct", conditions_drift_pct(c));
    cJSON_AddItemToObject(o, "launch", launch_json(&c->launch));
    cJSON_AddItemToObject(o, "self_checks", checks_json(c));
    cJSON_AddItemToObject(o, "seconds", phases_json(&c->phases));
    return o;
}

/* Prints `o` (which it frees) with `before` and `after` around it. */
static bool print(FILE *file, const char *before, cJSON *o, bool formatted, const char *after)
{
    char *text = formatted ? cJSON_Print(o) : cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    if (!text) {
        errno = ENOMEM;
        return false;
    }
    bool ok = fprintf(file, "%s%s%s", before, text, after) >= 0;
    cJSON_free(text);
    return ok;
}

static void append_string(struct text *t, const char *s)
{
    text_append(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_append(t, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            text_append(t, "\\u%04x", (unsigned char)*s);
        else
            text_append_bytes(t, s, 1);
    }
    text_append(t, "\"");
}

/* The number's text in results.csv is JSON's as well, but for infinities, which JSON lacks. */
static void append_cell(struct text *t, const struct column *column, const char *cell)
{
    if (!*cell || (column->kind != CELL_TEXT && strstr(cell, "inf")))
        text_append(t, "null");
    else if (column->kind == CELL_TEXT)
        append_string(t, cell);
    else
        text_append(t, "%s", cell);
}

static bool write_row(FILE *to, const struct columns *c, const struct csv_row *row, bool first)
{
    struct text t = {0};
    text_append(&t, "%s\n{", first ? "" : ",");
    for (int i = 0; i < c->count; i++) {
        text_append(&t, "%s", i ? "," : "");
        append_string(&t, c->list[i].name);
        text_append(&t, ":");
        append_cell(&t, &c->list[i], row->cells[i]);
    }
    text_append(&t, "}");
    bool ok = !t.failed && fwrite(t.bytes, 1, t.length, to) == t.length;
    if (t.failed)
        errno = ENOMEM;
    text_free(&t);
    return ok;
}

/* Copies the rows of results.csv: a row is one line there, so lines can be taken one by one. */
static bool copy_rows(FILE *from, FILE *to, const char *name, const struct columns *c,
                      struct error *e)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/results.csv", name);
    char *line = NULL;
    size_t capacity = 0;
    struct csv_row row = {0};
    bool ok = true;
    ssize_t length;
    for (size_t number = 1; ok && (length = getline(&line, &capacity, from)) > 0; number++) {
        struct csv_reader reader = {path, line, line + length, number};
        enum csv_found found = csv_next(&reader, &row, e);
        if (found == CSV_TORN)
            break; /* a row that could not be written whole was never promised */
        if (found != CSV_ROW)
            ok = false;
        else if (row.count != (size_t)c->count)
            ok = FAIL(e, ERROR_SYSTEM, "%s: line %zu: somebody else changed this file", path,
                      number);
        else if (number > 1 && !write_row(to, c, &row, number == 2))
            ok = FAIL(e, ERROR_SYSTEM, "%s/" PART ": cannot write: %s", name, strerror(errno));
    }
    if (ok && ferror(from))
        ok = FAIL(e, ERROR_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
    csv_row_free(&row);
    free(line);
    return ok;
}

static bool rows_from_file(int folder, FILE *to, const char *name, const struct columns *c,
                           struct error *e)
{
    int file = openat(folder, "results.csv", O_RDONLY | O_CLOEXEC);
    FILE *from = file < 0 ? NULL : fdopen(file, "r");
    if (!from) {
        FAIL(e, ERROR_SYSTEM, "%s/results.csv: cannot open: %s", name, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    bool ok = copy_rows(from, to, name, c, e);
    fclose(from);
    return ok;
}

static bool write_document(int folder, FILE *to, const char *name, const struct json_document *d,
                           struct error *e)
{
    bool ok =
        fprintf(to, "{\n\"schema\": %d,\n\"status\": \"%s\",\n", RECORD_SCHEMA, d->status) > 0;
    ok = ok && print(to, "\"provenance\": ", provenance_json(d), true, ",\n");
    const struct conditions *c = d->provenance->conditions;
    const char *earlier = c && c->earlier ? c->earlier : "";
    ok = ok && fprintf(to, "\"conditions\": [\n%s%s", earlier, *earlier ? ",\n" : "") > 0;
    ok = ok && (!c || print(to, "", conditions_json(d->provenance), false, "\n"));
    ok = ok && fprintf(to, "],\n\"columns\": [") > 0;
    for (int i = 0; ok && i < d->columns->count; i++)
        ok = print(to, i ? ",\n" : "\n", column_json(&d->columns->list[i]), false, "");
    ok = ok && fprintf(to, "\n],\n\"rows\": [") > 0;
    if (ok && d->rows && !rows_from_file(folder, to, name, d->columns, e))
        return false;
    ok = ok && fprintf(to, "\n]\n}\n") > 0 && fflush(to) == 0 && fsync(fileno(to)) == 0;
    return ok || FAIL(e, ERROR_SYSTEM, "%s/" PART ": cannot write: %s; results.csv holds every row",
                      name, strerror(errno));
}

bool json_write(int folder, const char *name, const struct json_document *d, struct error *e)
{
    int file = openat(folder, PART, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *to = file < 0 ? NULL : fdopen(file, "w");
    if (!to) {
        FAIL(e, ERROR_SYSTEM, "%s/" PART ": cannot create: %s", name, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    bool ok = write_document(folder, to, name, d, e);
    fclose(to);
    if (ok && renameat(folder, PART, folder, "results.json") != 0)
        ok = FAIL(e, ERROR_SYSTEM, "%s/results.json: cannot put it in place: %s", name,
                  strerror(errno));
    if (!ok) {
        unlinkat(folder, PART, 0);
        return false;
    }
    return fsync(folder) == 0 ||
           FAIL(e, ERROR_SYSTEM, "%s: cannot sync the folder: %s", name, strerror(errno));
}
