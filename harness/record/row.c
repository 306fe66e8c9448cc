/* Makes the list of a run's columns from columns.def, and formats a row as a line of CSV. */
#include "record/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/axes.h"
#include "base/memory.h"
#include "table/csv.h"

static void value_TUNABLE(const struct row *row, int index, struct cell *out)
{
    int value;
    const char *name = row->plan->tunable_names[index];
    out->count = plan_tunable(row->plan, row->point, name, &value) ? value : -1;
}

static void value_AXIS(const struct row *row, int index, struct cell *out)
{
    struct expr_value value = plan_axis_value(row->plan, row->point, (enum axis_index)index);
    if (value.text)
        out->text = value.text;
    else
        out->count = (int64_t)value.number;
}

static void value_METRIC(const struct row *row, int index, struct cell *out)
{
    out->number = row->outcome->metrics ? row->outcome->metrics[index] : NAN;
}

/* Returns `value`, which is part of the device's state, or NaN if the state was not read. */
static double seen(const struct row *row, double value)
{
    return row->outcome->health.known ? value : NAN;
}

/* Defines one function per column. */
#define MEMBER_TEXT text
#define MEMBER_NUMBER number
#define MEMBER_COUNT count
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define AXIS_COLUMNS(first, end)
#define COLUMN(name, kind, range, audience, rank, unit, meaning, expression)                       \
    static void value_##name(const struct row *row, int index, struct cell *out)                   \
    {                                                                                              \
        (void)index;                                                                               \
        out->MEMBER_##kind = (expression);                                                         \
    }
#include "record/columns.def"
#undef COLUMN
#undef TUNABLE_COLUMNS
#undef METRIC_COLUMNS
#undef AXIS_COLUMNS

/* One entry of columns.def. */
struct entry {
    /* The column. It has no name if the entry stands for several columns. */
    struct run_column column;
    int first, end; /* the range of axes */
};

#define TUNABLE_COLUMNS {{.kind = COLUMN_COUNT, .value = value_TUNABLE}, 0, 0},
#define METRIC_COLUMNS {{.kind = COLUMN_NUMBER, .value = value_METRIC}, 0, 0},
#define AXIS_COLUMNS(first, end) {{.value = value_AXIS}, first, end},
#define COLUMN(name, kind, range, audience, rank, unit, meaning, expression)                       \
    {{#name, COLUMN_##kind, unit, meaning, "", value_##name, 0, NULL}, 0, 0},
static const struct entry entries[] = {
#include "record/columns.def"
};

static void add(struct columns *c, const struct run_column *entry, int index, const char *name)
{
    struct run_column *column = &c->list[c->count++];
    *column = *entry;
    column->index = index;
    column->name = name;
    if (!column->unit)
        column->unit = column->meaning = column->missing = "";
}

static void add_tunable(struct columns *c, const struct run_column *entry, int index,
                        const char *name)
{
    char *column = xasprintf(TUNABLE_PREFIX "%s", name);
    add(c, entry, index, column);
    c->list[c->count - 1].made = column;
}

static void add_metric(struct columns *c, const struct run_column *entry, int index,
                       const struct metric_choice *choice)
{
    add(c, entry, index, choice->column);
    struct run_column *column = &c->list[c->count - 1];
    column->unit = choice->unit;
    column->meaning = choice->metric ? choice->metric->meaning : choice->name;
    column->missing = choice->formula < 0 ? choice->reason : "";
}

static void add_axis(struct columns *c, const struct run_column *entry, enum axis_index axis)
{
    const struct known_column *known = known_column(axis_table[axis].name);
    struct run_column column = *entry;
    column.kind = known->kind;
    column.unit = known->unit;
    column.meaning = known->meaning;
    column.missing = "";
    add(c, &column, (int)axis, known->name);
}

static bool names_differ(const struct columns *c, struct error *e)
{
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(c->list[i].name, c->list[j].name) == 0)
                return FAIL(e, ERROR_CONFIG,
                            "two result columns would be called '%s'; name the metric only once",
                            c->list[i].name);
    return true;
}

bool columns_make(const struct plan *plan, const struct metric_plan *metrics, struct columns *out,
                  struct error *e)
{
    size_t entry_count = sizeof entries / sizeof *entries;
    int metric_count = metrics ? metrics->count : 0;
    size_t most =
        entry_count + AXIS_COUNT + (size_t)plan->tunable_name_count + (size_t)metric_count;
    *out = (struct columns){.list = xcalloc(most, sizeof *out->list)};
    for (size_t i = 0; i < entry_count; i++) {
        const struct run_column *entry = &entries[i].column;
        if (entry->value == value_TUNABLE)
            for (int j = 0; j < plan->tunable_name_count; j++)
                add_tunable(out, entry, j, plan->tunable_names[j]);
        else if (entry->value == value_METRIC)
            for (int j = 0; j < metric_count; j++)
                add_metric(out, entry, j, &metrics->choices[j]);
        else if (entry->value == value_AXIS) {
            for (int j = entries[i].first; j < entries[i].end; j++)
                if (plan_has_axis(plan, (enum axis_index)j))
                    add_axis(out, entry, (enum axis_index)j);
        } else
            add(out, entry, 0, entry->name);
    }
    if (names_differ(out, e))
        return true;
    columns_free(out);
    return false;
}

void columns_free(struct columns *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->list[i].made);
    free(c->list);
    memset(c, 0, sizeof *c);
}

bool row_make(const struct plan *plan, const struct manifest_device *device,
              const struct point *point, const struct outcome *outcome, struct row *out)
{
    *out = (struct row){.point = point,
                        .outcome = outcome,
                        .plan = plan,
                        .kernel = plan_kernel(plan, point),
                        .device = device,
                        .uuid = device->uuid,
                        .device_index = -1,
                        .session = -1,
                        .shard = "",
                        .timed = outcome->sample_count > 0,
                        .bandwidth = NAN,
                        .ceiling = NAN,
                        .peak = device->peak_gbs > 0 ? device->peak_gbs : NAN};
    snprintf(out->id, sizeof out->id, "%016" PRIx64, point->id);
    if (outcome->code)
        snprintf(out->code, sizeof out->code, "%016" PRIx64, outcome->code);
    if (outcome->varies)
        snprintf(out->bits, sizeof out->bits, RECORD_VARIES);
    else if (outcome->bits)
        snprintf(out->bits, sizeof out->bits, "%016" PRIx64, outcome->bits);
    unsigned counted =
        out->kernel->counts_vary && status_is_good(outcome->status) ? FLAG_COUNTS_VARY : 0;
    unsigned sampled = outcome->status == STATUS_SAMPLED ? FLAG_SAMPLED : 0;
    flags_text(outcome->flags | sampled | counted, out->flags);
    shape_text(point->n, point->row_length, point->inner, out->shape);
    throttle_words(outcome->health.known ? outcome->health.throttle : 0, out->throttle);
    int placements = outcome->placements > 0 ? (int)outcome->placements : 1;
    if (!summarize(outcome->samples, outcome->sample_count, &out->times) ||
        !trim_mean(outcome->samples, outcome->sample_count, placements, &out->trimmed))
        return false;
    struct input input = plan_input(plan, point);
    uint64_t bytes = out->kernel->workload->min_bytes(&input);
    if (out->kernel->workload->by_rows && point->row_length)
        bytes += point->n / point->row_length * result_size(input.op, input.type);
    /* One byte per µs is 10^6 bytes per second. */
    if (out->timed && bytes > 0 && out->times.median > 0)
        out->bandwidth = (double)bytes / out->times.median / 1e3;
    return true;
}

void columns_describe(const struct columns *c, struct manifest *m)
{
    for (int i = 0; i < c->count; i++) {
        const struct run_column *from = &c->list[i];
        struct manifest_column *to = manifest_add_column(m, from->name);
        snprintf(to->type, sizeof to->type, "%s", column_kind_names[from->kind]);
        member_set(&to->unit, from->unit);
        member_set(&to->meaning, from->meaning);
        member_set(&to->missing, from->missing);
    }
}

void columns_append_header(const struct columns *c, struct text *line)
{
    for (int i = 0; i < c->count; i++) {
        if (i)
            text_append(line, ",");
        csv_append_text(line, c->list[i].name);
    }
    text_append(line, "\n");
}

/* Appends a string as one line, even if it contains line breaks. */
static void append_text(struct text *line, const char *cell)
{
    struct text clean = {0};
    csv_append_line(&clean, cell);
    if (clean.bytes)
        csv_append_text(line, clean.bytes);
    text_free(&clean);
}

void columns_append_row(const struct columns *c, const struct row *row, struct text *line)
{
    for (int i = 0; i < c->count; i++) {
        const struct run_column *column = &c->list[i];
        struct cell cell = {.text = "", .number = NAN, .count = -1};
        column->value(row, column->index, &cell);
        if (i)
            text_append(line, ",");
        if (column->kind == COLUMN_TEXT)
            append_text(line, cell.text);
        else if (column->kind == COLUMN_NUMBER)
            text_number(line, cell.number);
        else if (cell.count >= 0)
            text_append(line, "%" PRId64, cell.count);
    }
    text_append(line, "\n");
}
