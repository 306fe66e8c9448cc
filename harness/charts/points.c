/*
 * Charts whose points are the rows themselves: all rows that have a time, with all their columns,
 * from which the script takes what it draws. Colors are families of kernels.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "charts/charts.h"
#include "charts/names.h"

CHART(190, spread, ONE, 0, "time_us_stdev", make_points,
      "Spread of the samples: their standard deviation over their median, against n.")

enum { MARK = 7 };

static void write_points(const struct chart_rows *r, const row_list *timed, struct picture *p)
{
    struct table t = {.row_count = timed->count};
    struct text setting = {0};
    const char **kernels = xcalloc(t.row_count + 1, sizeof *kernels);
    for (size_t i = 0; i < r->run->rows.columns.count; i++) {
        const struct column *c = r->run->rows.columns.items[i];
        table_show(&t, (struct column){.name = c->name, .kind = c->kind}, c, timed->items);
    }
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < t.row_count; i++) {
        kernels[i] = column_text(r->kernel, timed->items[i]);
        setting.length = 0;
        chart_setting(r, timed->items[i], &setting);
        column_set_text(settings, i, setting.bytes);
    }
    table_add_numbers(&t, i, ladder_rgb(&r->ladder, kernels[i]), "rgb", .kind = COLUMN_COUNT);
    picture_number(p, "POINTS", (double)t.row_count);
    picture_number(p, "LABELS", 16);
    picture_number(p, "LINES_H", names_height(r, NULL, 0));
    names_families(r, kernels, t.row_count, MARK, p);
    picture_block(p, &t);
    free(kernels);
    text_free(&setting);
    table_free(&t);
}

bool make_points(const struct chart_rows *r, struct picture *p, char why[256])
{
    row_list timed = {0};
    for (size_t i = 0; i < r->shown.count; i++)
        if (!isnan(chart_time(r, r->shown.items[i])))
            vec_push(&timed, r->shown.items[i]);
    bool any = timed.count > 0;
    if (any)
        write_points(r, &timed, p);
    else
        snprintf(why, 256, "%s", chart_no_times(r));
    vec_free(&timed);
    return any;
}
