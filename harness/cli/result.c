/*
 * The end of a run: see result.h.
 */
#include "cli/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/best.h"
#include "analyze/results_columns.h"
#include "base/program.h"
#include "base/utf8.h"
#include "table/numbering.h"

enum { KERNELS_SHOWN = 40, METRICS_SHOWN = 5, SETTING_SHOWN = 36 };

/* Without a clock: each kernel's counts, side by side. */
struct counted {
    const struct results *results;
    VEC(size_t) rows;
    VEC(int) metrics; /* their columns */
};

static bool counts(const struct results *r, size_t row)
{
    return results_ok(r, row) && strcmp(results_text(r, row, "backend"), results_backend(r)) == 0;
}

/* The largest n that was counted. */
static double largest_n(const struct results *r)
{
    double n = 0;
    for (size_t row = 0; row < r->rows.row_count; row++)
        if (counts(r, row))
            n = fmax(n, results_number(r, row, axis_table[AXIS_n].name));
    return n;
}

/* Of each kernel the row with the largest block and unroll factor at the largest n. */
static void choose_largest(struct counted *s)
{
    const struct results *r = s->results;
    struct numbering kernels = {0};
    double n = largest_n(r);
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!counts(r, row) || results_number(r, row, axis_table[AXIS_n].name) != n)
            continue;
        size_t kernel = numbering_add(&kernels, results_axis(r, row, AXIS_kernel));
        if (kernel >= s->rows.count) { /* the next number: a kernel that has no row yet */
            vec_push(&s->rows, row);
            continue;
        }
        size_t *chosen = &s->rows.items[kernel];
        double block = results_number(r, row, "block"), other = results_number(r, *chosen, "block");
        if (block > other || (block == other && results_number(r, row, "unroll") >
                                                    results_number(r, *chosen, "unroll")))
            *chosen = row;
    }
    numbering_free(&kernels);
}

static void choose_counts(struct counted *s)
{
    for (size_t i = 0; i < s->results->rows.columns.count; i++)
        if (s->results->columns[i].role == ROLE_METRIC && !*s->results->columns[i].missing &&
            s->metrics.count < METRICS_SHOWN)
            vec_push(&s->metrics, (int)i);
}

/* A kernel's setting, cut, and kept by the table. */
static const char *setting_of(const struct results *r, size_t row, struct table *t)
{
    struct text setting = {0};
    results_setting(r, row, &setting);
    size_t shown = utf8_cut(text_shown(&setting), SETTING_SHOWN);
    if (shown < setting.length) {
        setting.length = shown;
        text_append(&setting, "…");
    }
    return setting.bytes ? table_keep(t, setting.bytes) : "";
}

static void add_count_columns(const struct counted *s, struct table *t)
{
    const struct results *r = s->results;
    const size_t *of = s->rows.items;
    uint32_t *rows = xmalloc((t->row_count + 1) * sizeof *rows);
    for (size_t i = 0; i < t->row_count; i++)
        rows[i] = (uint32_t)of[i];
    table_keep(t, rows);
    table_add_texts(t, i, results_axis(r, of[i], AXIS_kernel), "kernel");
    table_add_texts(t, i, setting_of(r, of[i], t), "setting");
    for (size_t i = 0; i < s->metrics.count; i++) {
        const struct column *c = r->rows.columns.items[s->metrics.items[i]];
        table_show(t, *c, c, rows);
    }
}

static void add_counts(struct counted *s, struct view *v)
{
    size_t shown = s->rows.count < KERNELS_SHOWN ? s->rows.count : KERNELS_SHOWN;
    char n[40];
    show_size(largest_n(s->results), n);
    struct view_table *t = view_add_table(v, "counts", FOR_ALL, shown);
    view_table_title(t,
                     "Counts on %s, n = %s (it has no clock, so there are no times and no winner)",
                     results_device(s->results), n);
    add_count_columns(s, &t->cells);
    if (shown < s->rows.count)
        view_table_note(t, "%zu more kernels: see redsweep show", s->rows.count - shown);
}

/* The winners on the run's device, or each kernel's counts where it has no clock. */
static void print_found(const struct results *r)
{
    const struct best_options how = {.metric = "time_us_median"};
    struct counted c = {.results = r};
    struct view v = {0};
    struct best b;
    struct error none = {0};
    bool timed = r->manifest.provenance.device.can_time;
    bool found = timed && best_find(r, 1, &how, &b, &none);
    if (found)
        best_add_brief(&b, &v);
    else if (!timed)
        choose_largest(&c);
    if (c.rows.count) {
        choose_counts(&c);
        add_counts(&c, &v);
    }
    if (v.items.count) {
        printf("\n");
        view_write_text(&v, NULL, stdout);
        struct text folder = {0};
        shell_word(&folder, r->folder);
        print_safely(stdout,
                     "\nnext: %s %s %s    %s\n"
                     "      %s plots %s    charts\n"
                     "      %s report %s    one HTML page\n\n",
                     program_name, timed ? "best" : "show", folder.bytes,
                     timed ? "winners and what is tied with them" : "every row", program_name,
                     folder.bytes, program_name, folder.bytes);
        text_free(&folder);
    }
    view_free(&v);
    if (found)
        best_free(&b);
    vec_free(&c.rows);
    vec_free(&c.metrics);
}

void show_result(const char *folder)
{
    struct results results;
    struct error unreadable = {0}; /* the run is recorded all the same; its readers will say */
    if (!results_read(folder, &results, &unreadable))
        return;
    print_found(&results);
    results_free(&results);
}
