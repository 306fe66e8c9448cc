/*
 * Adds a table that compares a published table with a run. Each row has a figure (a printed cell),
 * the run's value, and whether the two agree (diff_published.c).
 */
#include <string.h>

#include "analyze/diff.h"
#include "analyze/results_columns.h"
#include "base/memory.h"

static const char *figure_word(const struct figure *f)
{
    static const char *const words[] = {"equal", "same order", "differs", "missing"};
    return words[f->verdict];
}

/*
 * Returns the name of the printed column and, if the run's column has another name, that name:
 * "gld_transactions as l1tex_…", for example. The table owns the string.
 */
static const char *quantity_as(const struct figure *f, struct table *t)
{
    const char *name = f->column->name, *here = f->column_b ? f->column_b : name;
    return strcmp(here, name) == 0 ? name : table_keep(t, xasprintf("%s as %s", name, here));
}

static const char *setting_of(const struct results *r, size_t row, struct table *t)
{
    struct text setting = {0};
    results_setting(r, row, &setting);
    return setting.bytes ? table_keep(t, setting.bytes) : "";
}

/* Adds the published cells as they were printed. */
static void add_published(const struct diff *d, struct table *t)
{
    const struct figure *of = d->figures.items;
    struct column *c = table_add(
        t, (struct column){.name = "published", .kind = COLUMN_NUMBER, .as_printed = true});
    for (size_t i = 0; i < t->row_count; i++) {
        c->numbers[i] = column_number(of[i].column, of[i].row);
        column_set_text(c, i, column_cell(of[i].column, of[i].row));
    }
}

static void add_figure_columns(const struct diff *d, struct table *t)
{
    const struct figure *of = d->figures.items;
    table_add_texts(t, i, of[i].column->name, "quantity", .audience = FOR_PROGRAMS);
    table_add_texts(t, i, of[i].column_b ? of[i].column_b : "", "counted_as",
                    .audience = FOR_PROGRAMS);
    table_add_texts(t, i, quantity_as(&of[i], t), "quantity_as", .heading = "quantity",
                    .audience = FOR_PEOPLE);
    table_add_texts(t, i, results_axis(d->a, of[i].row, AXIS_kernel), "kernel");
    table_add_texts(t, i, setting_of(d->a, of[i].row, t), "setting");
    add_published(d, t);
    table_add_numbers(t, i, of[i].value, "here", .kind = COLUMN_NUMBER, .digits = 6);
    table_add_texts(t, i, of[i].kind == FIGURE_COUNT ? "count" : "order", "kind",
                    .audience = FOR_PROGRAMS);
    table_add_texts(t, i, figure_word(&of[i]), "verdict", .audience = FOR_PROGRAMS);
    table_add_texts(t, i, of[i].why, "why", .audience = FOR_PROGRAMS);
    table_add_texts(t, i,
                    table_keep(t, xasprintf("%s%s%.300s", figure_word(&of[i]),
                                            *of[i].why ? ": " : "", of[i].why)),
                    "outcome", .heading = "verdict", .audience = FOR_PEOPLE);
}

/* Adds a line such as "counts: 20 equal, 0 differ, 15 missing; orders: …". */
static void add_figure_totals(const struct diff *d, struct view_table *t)
{
    size_t totals[2][FIGURE_VERDICTS] = {{0}};
    for (size_t i = 0; i < d->figures.count; i++)
        totals[d->figures.items[i].kind][d->figures.items[i].verdict]++;
    const size_t *counts = totals[FIGURE_COUNT], *orders = totals[FIGURE_ORDER];
    view_table_note(t,
                    "counts: %zu equal, %zu differ, %zu missing; orders: %zu the same, %zu differ, "
                    "%zu missing",
                    counts[FIGURE_EQUAL], counts[FIGURE_DIFFERS], counts[FIGURE_MISSING],
                    orders[FIGURE_SAME_ORDER], orders[FIGURE_DIFFERS], orders[FIGURE_MISSING]);
}

void diff_view_published(const struct diff *d, struct view *v)
{
    if (!d->figures.count)
        return;
    const struct provenance *made = &d->a->manifest.provenance;
    view_line(v, "%s", "");
    struct view_table *t = view_add_table(v, "published", FOR_ALL, d->figures.count);
    view_table_title(t, "%s\npublished: %s, %s, in %s\nhere:      %s, %s\n",
                     *made->title ? made->title : d->a->path, results_device(d->a),
                     *made->tool ? made->tool : "tool unknown",
                     *made->source ? made->source : "source unknown", results_device(d->b),
                     d->b->path);
    add_figure_columns(d, &t->cells);
    t->bad = view_marks(t);
    for (size_t i = 0; i < d->figures.count; i++) {
        const struct figure *f = &d->figures.items[i];
        t->bad[i] = f->kind == FIGURE_COUNT && f->verdict != FIGURE_EQUAL;
    }
    add_figure_totals(d, t);
}
