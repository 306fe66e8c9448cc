/* Implements charts.h. */
#include "charts/charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * charts.def has the CHART() rows of all files in this folder. It is included twice: first for the
 * declarations, then for the table.
 */
#include "charts.def"
#undef CHART
static const struct chart charts[] = {
#define ONE false
#define SEVERAL true
#define CHART(place, name, of, takes, needs, make, sentence)                                       \
    {#name, sentence, needs, of, takes, make},
#include "charts.def"
#undef CHART
};

const struct chart *chart_at(size_t i)
{
    return i < sizeof charts / sizeof *charts ? &charts[i] : NULL;
}

const struct chart *chart_find(const char *name, bool several)
{
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
        if (charts[i].several == several && strcmp(charts[i].name, name) == 0)
            return &charts[i];
    return NULL;
}

/* Writes the variables that all scripts need: those about the run and the canvas. */
static void begin_picture(const struct chart_rows *rows, struct picture *p)
{
    const struct chart_options *o = rows->options;
    char *folder = realpath(rows->run->folder, NULL);
    const char *slash = folder ? strrchr(folder, '/') : NULL;
    picture_text(p, "RUN", rows->run_column ? "" : slash ? slash + 1 : rows->run->folder);
    picture_text(p, "DEVICE", rows->device);
    picture_text(p, "TIMED_DEVICE", rows->timed_device);
    picture_text(p, "SLICE", rows->slice);
    picture_number(p, "CANVAS", o->width);
    picture_number(p, "NARROW", o->width == CANVAS_COLUMN);
    picture_number(p, "TITLED", !o->no_title);
    free(folder);
}

/*
 * Returns whether the column has a value above 0 in any shown row, or whether the chart needs no
 * column. Otherwise there is nothing to draw, and `why` says so.
 */
static bool has_needed(const struct chart_rows *rows, const char *column, char why[256])
{
    const struct column *c = *column ? table_find(&rows->run->rows, column) : NULL;
    for (size_t i = 0; i < rows->shown.count; i++)
        if (!*column || column_number(c, rows->shown.items[i]) > 0)
            return true;
    snprintf(why, 256, "no row that is shown has a value above 0 in the column %s", column);
    return !*column;
}

bool chart_make(const struct chart *chart, const struct chart_rows *rows, struct picture *p,
                char why[256])
{
    p->name = chart->name;
    *why = '\0';
    begin_picture(rows, p);
    return chart->make(rows, p, why) && has_needed(rows, chart->needs, why);
}

bool chart_draw(const struct chart *chart, const struct chart_rows *rows, int folder,
                const char *folder_name, bool *drawn, char why[256], struct error *e)
{
    const struct chart_options *o = rows->options;
    const struct picture_output to = {o->data, o->font, o->formats, o->suffix, folder, folder_name};
    struct picture p = {0};
    *drawn = chart_make(chart, rows, &p, why);
    bool ok = !*drawn || picture_draw(&p, &to, e);
    picture_free(&p);
    return ok;
}
