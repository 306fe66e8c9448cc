/*
 * A comparison for programs: one CSV row for every point of either run, or one JSON document with
 * everything that diff_print() prints and every point.
 *
 * CSV: the point's names (tunables of both runs by name), verdict, both statuses, times with
 * intervals, the ratio, p and q, launches timed together, shares of the ceilings, and METRIC_a,
 * METRIC_b of each common metric. Rows of one run only have the verdict ONLY_A or ONLY_B.
 */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "record/csv.h"

static const char *const name_columns[] = {"kernel", "type",   "op",    "n",
                                           "block",  "unroll", "cache", "scope"};
enum { NAME_COLUMNS = 8 };

static bool is_tunable(const struct results *r, int column)
{
    return column >= 0 && r->columns[column].role == ROLE_TUNABLE;
}

/* Calls for every tunable of either run: a's columns first, then those that only b has. */
static const char *next_tunable(const struct diff *d, size_t *at)
{
    size_t count_a = d->a->rows.column_count, count_b = d->b->rows.column_count;
    for (; *at < count_a; (*at)++)
        if (is_tunable(d->a, (int)*at))
            return d->a->rows.columns[(*at)++];
    for (; *at < count_a + count_b; (*at)++) {
        const char *name = d->b->rows.columns[*at - count_a];
        if (is_tunable(d->b, (int)(*at - count_a)) &&
            !is_tunable(d->a, table_column(&d->a->rows, name))) {
            (*at)++;
            return name;
        }
    }
    return NULL;
}

static void append_header(const struct diff *d, struct text *t)
{
    for (int i = 0; i < NAME_COLUMNS; i++)
        text_append(t, "%s,", name_columns[i]);
    const char *name;
    for (size_t at = 0; (name = next_tunable(d, &at));) {
        csv_append_text(t, name);
        text_append(t, ",");
    }
    text_append(t, "verdict,status_a,status_b,time_us_a,time_us_a_lo,time_us_a_hi,time_us_b,"
                   "time_us_b_lo,time_us_b_hi,ratio,ratio_lo,ratio_hi,p,q,repeat_a,"
                   "repeat_b,share_a_pct,share_b_pct");
    for (size_t i = 0; i < d->metric_count; i++) {
        const char *metric = d->a->rows.columns[d->metrics[i].column_a];
        text_append(t, ",%s_a,%s_b", metric, metric);
    }
    text_append(t, "\n");
}

static void append_estimate(struct text *t, struct estimate x)
{
    const double numbers[] = {x.value, x.low, x.high};
    for (int i = 0; i < 3; i++) {
        text_append(t, ",");
        csv_append_number(t, numbers[i]);
    }
}

static void append_metrics(const struct diff *d, size_t a, size_t b, struct text *t)
{
    for (size_t i = 0; i < d->metric_count; i++) {
        const struct metric_diff *m = &d->metrics[i];
        text_append(t, ",%s", a == LOOKUP_NONE ? "" : table_cell(&d->a->rows, a, m->column_a));
        text_append(t, ",%s", b == LOOKUP_NONE ? "" : table_cell(&d->b->rows, b, m->column_b));
    }
}

/* One row; `p` NULL: it is in one run only, and the other's row is LOOKUP_NONE. */
static void append_row(const struct diff *d, size_t a, size_t b, const struct point_diff *p,
                       struct text *t)
{
    const struct results *r = a == LOOKUP_NONE ? d->b : d->a;
    size_t row = a == LOOKUP_NONE ? b : a;
    for (int i = 0; i < NAME_COLUMNS; i++) {
        csv_append_text(t, results_text(r, row, name_columns[i]));
        text_append(t, ",");
    }
    const char *name;
    for (size_t at = 0; (name = next_tunable(d, &at));) {
        csv_append_text(t, results_text(r, row, name));
        text_append(t, ",");
    }
    text_append(t, "%s,", p ? verdict_name(p->verdict) : a == LOOKUP_NONE ? "ONLY_B" : "ONLY_A");
    csv_append_text(t, a == LOOKUP_NONE ? "" : results_text(d->a, a, "status"));
    text_append(t, ",");
    csv_append_text(t, b == LOOKUP_NONE ? "" : results_text(d->b, b, "status"));
    const struct estimate none = {NAN, NAN, NAN};
    append_estimate(t, p ? p->a : none);
    append_estimate(t, p ? p->b : none);
    append_estimate(t, p ? p->ratio : none);
    const struct point_diff *timed = p && !isnan(p->ratio.value) ? p : NULL;
    const double rest[] = {p ? p->p : NAN,
                           p ? p->q : NAN,
                           timed ? timed->repeat_a : NAN,
                           timed ? timed->repeat_b : NAN,
                           p ? p->share_a : NAN,
                           p ? p->share_b : NAN};
    for (int i = 0; i < 6; i++) {
        text_append(t, ",");
        csv_append_number(t, rest[i]);
    }
    append_metrics(d, a, b, t);
    text_append(t, "\n");
}

/* Writes the text and empties it, so that memory does not grow with the number of rows. */
static bool flush_text(struct text *t, FILE *to)
{
    bool ok = !t->failed && fwrite(t->bytes, 1, t->length, to) == t->length;
    t->length = 0;
    return ok;
}

bool diff_write_csv(const struct diff *d, FILE *to)
{
    struct text t = {0};
    append_header(d, &t);
    bool ok = flush_text(&t, to);
    const struct match *m = &d->match;
    for (size_t i = 0; ok && i < m->pair_count; i++) {
        append_row(d, m->pairs[i].a, m->pairs[i].b, &d->points[i], &t);
        ok = flush_text(&t, to);
    }
    for (size_t i = 0; ok && i < m->only_a_count; i++) {
        append_row(d, m->only_a[i], LOOKUP_NONE, NULL, &t);
        ok = flush_text(&t, to);
    }
    for (size_t i = 0; ok && i < m->only_b_count; i++) {
        append_row(d, LOOKUP_NONE, m->only_b[i], NULL, &t);
        ok = flush_text(&t, to);
    }
    text_free(&t);
    return ok;
}

/* JSON has no NaN: a missing number is null. */
static void add_number(cJSON *o, const char *name, double number)
{
    cJSON_AddItemToObject(o, name,
                          isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

static void add_estimate(cJSON *o, const char *name, struct estimate x)
{
    cJSON *list = cJSON_AddObjectToObject(o, name);
    add_number(list, "value", x.value);
    add_number(list, "low", x.low);
    add_number(list, "high", x.high);
}

static cJSON *run_json(const struct results *r)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "path", r->path);
    cJSON_AddStringToObject(o, "device", results_device(r));
    cJSON_AddStringToObject(o, "backend", results_backend(r));
    cJSON_AddNumberToObject(o, "rows", (double)r->rows.row_count);
    return o;
}

static cJSON *names_json(const struct results *r, size_t row)
{
    cJSON *o = cJSON_CreateObject();
    for (size_t i = 0; i < r->rows.column_count; i++) {
        enum column_role role = r->columns[i].role;
        const char *cell = table_cell(&r->rows, row, (int)i);
        if ((role != ROLE_AXIS && role != ROLE_TUNABLE) || !*cell)
            continue;
        if (r->columns[i].kind == CELL_TEXT)
            cJSON_AddStringToObject(o, r->rows.columns[i], cell);
        else
            add_number(o, r->rows.columns[i], table_number(&r->rows, row, (int)i));
    }
    return o;
}

static cJSON *summary_json(const struct diff_summary *s)
{
    cJSON *o = cJSON_CreateObject();
    if (s->kernel)
        cJSON_AddStringToObject(o, "kernel", s->kernel);
    cJSON_AddNumberToObject(o, "timed", (double)s->timed);
    add_number(o, "geometric_mean", s->geometric_mean);
    add_number(o, "share_a_pct", s->share_a);
    add_number(o, "share_b_pct", s->share_b);
    for (int v = 1; v < VERDICT_COUNT; v++)
        cJSON_AddNumberToObject(o, verdict_name((enum verdict)v), (double)s->verdicts[v]);
    cJSON_AddNumberToObject(o, "too_noisy_to_see", (double)s->blind);
    cJSON_AddNumberToObject(o, "other_repeat", (double)s->other_repeat);
    cJSON_AddNumberToObject(o, "ambiguous_by_repeat", (double)s->by_repeat);
    return o;
}

static cJSON *metric_json(const struct diff *d, const struct metric_diff *m)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", d->a->rows.columns[m->column_a]);
    cJSON_AddBoolToObject(o, "deterministic", m->deterministic);
    cJSON_AddStringToObject(o, "rule_differs", m->rule);
    cJSON_AddNumberToObject(o, "points", (double)m->both);
    cJSON_AddNumberToObject(o, "equal", (double)m->equal);
    add_number(o, "geometric_mean", m->geometric_mean);
    add_number(o, "largest", m->largest);
    return o;
}

static cJSON *transfer_json(const struct diff *d, const struct transfer *t)
{
    const struct match *m = &d->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "winner_a", names_json(d->a, m->pairs[t->winner_a].a));
    cJSON_AddItemToObject(o, "winner_b", names_json(d->a, m->pairs[t->winner_b].a));
    cJSON_AddNumberToObject(o, "configurations", (double)t->configurations);
    add_number(o, "rank_correlation", t->correlation);
    add_number(o, "cost_of_winner_a_on_b", t->cost);
    return o;
}

static cJSON *point_json(const struct diff *d, size_t pair)
{
    const struct point_diff *p = &d->points[pair];
    const struct pair *rows = &d->match.pairs[pair];
    cJSON *o = names_json(d->a, rows->a);
    cJSON_AddStringToObject(o, "verdict", verdict_name(p->verdict));
    cJSON_AddStringToObject(o, "status_a", results_text(d->a, rows->a, "status"));
    cJSON_AddStringToObject(o, "status_b", results_text(d->b, rows->b, "status"));
    add_estimate(o, "time_us_a", p->a);
    add_estimate(o, "time_us_b", p->b);
    add_estimate(o, "ratio", p->ratio);
    add_number(o, "p", p->p);
    add_number(o, "q", p->q);
    add_number(o, "share_a_pct", p->share_a);
    add_number(o, "share_b_pct", p->share_b);
    add_number(o, "repeat_a", p->repeat_a);
    add_number(o, "repeat_b", p->repeat_b);
    return o;
}

static void add_changes(const struct diff *d, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, "provenance_changes");
    for (const char *line = d->changes.bytes; line && *line;) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        cJSON_AddItemToArray(list, cJSON_CreateString(copy ? copy : ""));
        free(copy);
        line += length + (line[length] == '\n');
    }
}

static void add_unmatched(const struct results *r, const size_t *rows, size_t count,
                          const char *name, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, names_json(r, rows[i]));
}

static cJSON *document_of(const struct diff *d)
{
    const struct match *m = &d->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "schema", 1);
    cJSON_AddItemToObject(o, "a", run_json(d->a));
    cJSON_AddItemToObject(o, "b", run_json(d->b));
    cJSON_AddBoolToObject(o, "same_device", d->same_device);
    cJSON_AddNumberToObject(o, "least_effect", d->options.least_effect);
    cJSON_AddNumberToObject(o, "false_discovery_rate", d->options.rate);
    cJSON_AddNumberToObject(o, "clock_step_us", d->margin.step_us);
    cJSON_AddNumberToObject(o, "context_distance_us", d->margin.context_us);
    cJSON_AddStringToObject(o, "share_of", d->ceiling);
    add_changes(d, o);
    cJSON_AddNumberToObject(o, "matched", (double)m->pair_count);
    cJSON_AddNumberToObject(o, "repeated_a", (double)m->repeated_a);
    cJSON_AddNumberToObject(o, "repeated_b", (double)m->repeated_b);
    cJSON_AddItemToObject(o, "all", summary_json(&d->all));
    cJSON *list = cJSON_AddArrayToObject(o, "kernels");
    for (size_t i = 0; i < d->kernel_count; i++)
        cJSON_AddItemToArray(list, summary_json(&d->kernels[i]));
    list = cJSON_AddArrayToObject(o, "metrics");
    for (size_t i = 0; i < d->metric_count; i++)
        cJSON_AddItemToArray(list, metric_json(d, &d->metrics[i]));
    list = cJSON_AddArrayToObject(o, "transfers");
    for (size_t i = 0; i < d->transfer_count; i++)
        cJSON_AddItemToArray(list, transfer_json(d, &d->transfers[i]));
    list = cJSON_AddArrayToObject(o, "points");
    for (size_t i = 0; i < m->pair_count; i++)
        cJSON_AddItemToArray(list, point_json(d, i));
    add_unmatched(d->a, m->only_a, m->only_a_count, "only_a", o);
    add_unmatched(d->b, m->only_b, m->only_b_count, "only_b", o);
    return o;
}

bool diff_write_json(const struct diff *d, FILE *to)
{
    cJSON *o = document_of(d);
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    bool ok = text && fprintf(to, "%s\n", text) >= 0;
    cJSON_free(text);
    return ok;
}
