/*
 * The chart `metrics` has a panel for each metric, with a bar for each kernel. All bars are for one
 * n: the one at which the most kernels have a count. Each bar is for the kernel's fastest setting.
 * In runs without times, it is for the setting with the largest block and unroll factor, as in the
 * ladder that such a run prints (analyze/conclusion_ladder.c).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"
#include "table/numbering.h"

CHART(140, metrics, ONE, TAKES_Y | OF_A_SIZE, "", make_metrics,
      "The counts of each kernel at one size.")

enum { MOST_ACROSS = 3, MOST_HEIGHT = 2500, BAR_HEIGHT = 20, PANEL_SPACE = 84 };

struct shown_bar {
    const char *kernel;
    uint32_t row;
    char *name; /* freed with the list */
};

struct metrics {
    const struct chart_rows *rows;
    VEC(const struct column *) columns; /* the requested metrics */
    VEC(struct shown_bar) bars;         /* in the order of the ladder */
    double n;
};

static void find_columns(struct metrics *m)
{
    const struct results *run = m->rows->run;
    for (size_t i = 0; i < run->rows.columns.count; i++)
        if (run->columns[i].role == ROLE_METRIC &&
            (!m->rows->options->y ||
             text_list_has(m->rows->options->y, run->rows.columns.items[i]->name)))
            vec_push(&m->columns, run->rows.columns.items[i]);
}

static bool has_value(const struct metrics *m, uint32_t row)
{
    for (size_t i = 0; i < m->columns.count; i++)
        if (!isnan(column_number(m->columns.items[i], row)))
            return true;
    return false;
}

static bool is_better(const struct chart_rows *r, uint32_t row, uint32_t than)
{
    double a = chart_time(r, row), b = chart_time(r, than);
    if (!isnan(a) || !isnan(b))
        return isnan(b) || a < b;
    return results_larger_setting(r->run, row, than);
}

/* Returns how many kernels have a count at n. */
static size_t count_kernels(const struct metrics *m, double n)
{
    struct numbering kernels = {0};
    for (size_t i = 0; i < m->rows->shown.count; i++)
        if (column_number(m->rows->n, m->rows->shown.items[i]) == n &&
            has_value(m, m->rows->shown.items[i]))
            numbering_add(&kernels, column_text(m->rows->kernel, m->rows->shown.items[i]));
    size_t count = kernels.texts.count;
    numbering_free(&kernels);
    return count;
}

/*
 * Sets `n` to the size at which the most kernels have a count, and to the largest such size if
 * there are several. Sets it to NaN if the run has no counts.
 */
static void choose_size(struct metrics *m)
{
    VEC(double) seen = {0};
    size_t most = 0;
    m->n = NAN;
    for (size_t i = 0; i < m->rows->shown.count; i++) {
        double n = column_number(m->rows->n, m->rows->shown.items[i]);
        size_t k = 0;
        while (k < seen.count && seen.items[k] != n)
            k++;
        if (k < seen.count)
            continue;
        vec_push(&seen, n);
        size_t count = count_kernels(m, n);
        if (count > most || (count == most && count > 0 && n > m->n)) {
            most = count;
            m->n = n;
        }
    }
    vec_free(&seen);
}

static char *name_of(const struct chart_rows *r, const char *kernel, uint32_t row)
{
    struct text t = {0};
    const char *scope = results_axis(r->run, row, AXIS_scope);
    text_append(&t, "%s", kernel);
    if (strcmp(scope, r->scope) != 0)
        text_append(&t, " (%s)", scope);
    text_append(&t, "  %.0f", column_number(r->block, row));
    if (column_number(r->unroll, row) > 1)
        text_append(&t, " × %.0f", column_number(r->unroll, row));
    return t.bytes;
}

static void find_bars(struct metrics *m)
{
    const struct chart_rows *r = m->rows;
    struct numbering kernels = {0};
    row_list chosen = {0};
    VEC(const char *) names = {0};
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (column_number(r->n, row) != m->n || !has_value(m, row))
            continue;
        const char *kernel = column_text(r->kernel, row);
        size_t known = kernels.texts.count, at = numbering_add(&kernels, kernel);
        if (at == known) {
            vec_push(&chosen, row);
            vec_push(&names, kernel);
        } else if (is_better(r, row, chosen.items[at])) {
            chosen.items[at] = row;
        }
    }
    ladder_sort(&r->ladder, names.items, names.count);
    for (size_t i = 0; i < names.count; i++) {
        uint32_t row = chosen.items[numbering_find(&kernels, names.items[i])];
        vec_push(&m->bars,
                 (struct shown_bar){names.items[i], row, name_of(r, names.items[i], row)});
    }
    vec_free(&names);
    vec_free(&chosen);
    numbering_free(&kernels);
}

/* Returns text that says which setting of each kernel the bars are for. */
static const char *choice_of_settings(const struct metrics *m)
{
    for (size_t i = 0; i < m->bars.count; i++)
        if (!isnan(chart_time(m->rows, m->bars.items[i].row)))
            return "the fastest setting of each kernel (block × unroll factor, beside its name)";
    return "the largest block and unroll factor of each kernel, beside its name";
}

static void write_panel(const struct metrics *m, const struct column *c, struct picture *p)
{
    struct table t = {.row_count = m->bars.count};
#define VALUE(i) column_number(c, m->bars.items[i].row)
    table_add_texts(&t, i, m->bars.items[i].kernel, "kernel");
    table_add_numbers(&t, i, (double)i + 1, "place", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, VALUE(i), "value", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, ladder_rgb(&m->rows->ladder, m->bars.items[i].kernel), "rgb",
                      .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, isnan(VALUE(i)) ? 0 : VALUE(i), "end", .kind = COLUMN_NUMBER);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < t.row_count; i++) {
        char text[48] = "none";
        if (!isnan(VALUE(i)))
            layout_short_about(VALUE(i), column_varies(c, m->bars.items[i].row), text);
        column_set_text(texts, i, text);
    }
#undef VALUE
    picture_block(p, &t);
    table_free(&t);
}

/*
 * Returns a note that names the kernels that read their input with bulk copies, because counts of
 * loads do not include these. The note is empty if no panel counts loads.
 */
static char *bulk_note(const struct metrics *m)
{
    const struct column *loads = table_find(&m->rows->run->rows, "gld_transactions");
    struct text names = {0};
    bool counted = false;
    for (size_t i = 0; i < m->columns.count; i++)
        counted = counted || strncmp(m->columns.items[i]->name, "gld_", 4) == 0;
    for (size_t i = 0; counted && i < m->bars.count; i++)
        if (chart_reads_in_bulk(m->rows, m->bars.items[i].row,
                                column_number(loads, m->bars.items[i].row)))
            text_append(&names, "%s%s", names.length ? ", " : "", m->bars.items[i].kernel);
    char *note = names.length
                     ? xasprintf("; counts of loads do not include bulk copies (%s)", names.bytes)
                     : xstrdup("");
    text_free(&names);
    return note;
}

struct panels {
    const char **names, **units;
    double *highest;
    size_t count, more, widest;
};

/*
 * Writes the panels in the order of the run's columns. Panels that would make the picture higher
 * than MOST_HEIGHT are left out.
 */
static void write_panels(const struct metrics *m, struct panels *out, struct picture *p)
{
    size_t fit = MOST_ACROSS * (MOST_HEIGHT / (BAR_HEIGHT * m->bars.count + PANEL_SPACE));
    for (size_t i = 0; i < m->columns.count; i++) {
        const struct column *c = m->columns.items[i];
        double high = -INFINITY;
        for (size_t k = 0; k < m->bars.count; k++)
            high = fmax(high, column_number(c, m->bars.items[k].row));
        if (high == -INFINITY)
            continue;
        if (out->count >= fit && out->count > 0) {
            out->more++;
            continue;
        }
        const char *unit = c->unit ? c->unit : "";
        size_t length = layout_length(c->name) + layout_length(unit) + strlen(" ()");
        out->widest = length > out->widest ? length : out->widest;
        out->names[out->count] = c->name;
        out->units[out->count] = unit;
        out->highest[out->count++] = high > 0 ? high : 1;
        write_panel(m, c, p);
    }
}

static void write_picture(const struct metrics *m, struct picture *p)
{
    size_t columns = m->columns.count, bars = m->bars.count, widest = 0;
    const char **names = xcalloc(2 * bars + 1, sizeof *names), **kernels = names + bars;
    struct panels panels = {xcalloc(columns, sizeof *panels.names),
                            xcalloc(columns, sizeof *panels.units),
                            xcalloc(columns, sizeof *panels.highest),
                            0,
                            0,
                            0};
    char n[48], *more;
    for (size_t i = 0; i < bars; i++) {
        names[i] = m->bars.items[i].name;
        kernels[i] = m->bars.items[i].kernel;
        size_t length = layout_length(names[i]);
        widest = length > widest ? length : widest;
    }
    write_panels(m, &panels, p);
    layout_size(m->n, n);
    char *bulk = bulk_note(m);
    more = panels.more ? xasprintf("%s; %zu more metrics are in results.csv", bulk, panels.more)
                       : xstrdup(bulk);
    free(bulk);
    picture_number(p, "PANELS", (double)panels.count);
    picture_number(p, "BARS", (double)bars);
    picture_text(p, "METRICS_N", n);
    picture_text(p, "METRICS_OF", choice_of_settings(m));
    picture_text(p, "METRICS_MORE", more);
    picture_number(p, "BAR_LABELS", 7.6 * (double)widest + 20);
    picture_number(p, "PANEL_LABELS", 7.6 * (double)panels.widest + 20);
    picture_texts(p, "BAR_NAME", names, bars);
    picture_texts(p, "PANEL", panels.names, panels.count);
    picture_texts(p, "PANEL_UNIT", panels.units, panels.count);
    picture_numbers(p, "PANEL_HIGH", panels.highest, panels.count);
    names_families(m->rows, kernels, bars, 5, p);
    free(more);
    free(names);
    free(panels.names);
    free(panels.units);
    free(panels.highest);
}

bool make_metrics(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct metrics m = {.rows = r};
    find_columns(&m);
    choose_size(&m);
    bool ok = !isnan(m.n);
    if (!m.columns.count && r->options->y)
        snprintf(why, 256, "the run has no metric %.200s", r->options->y);
    else if (!ok)
        snprintf(why, 256, "%s", r->shown.count ? "the run has no metrics" : chart_no_times(r));
    if (ok) {
        find_bars(&m);
        write_picture(&m, p);
    }
    for (size_t i = 0; i < m.bars.count; i++)
        free(m.bars.items[i].name);
    vec_free(&m.bars);
    vec_free(&m.columns);
    return ok;
}
