/*
 * Makes the line charts: `time` and `bandwidth` (or any other column that --y names), `relative`,
 * and `share`, which shows the bandwidth as a percentage of each run's maximum.
 */
#include "charts/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"

CHART(10, time, ONE, TAKES_ANY, "", make_time,
      "Time against n. Each line shows a kernel's fastest setting at each size, with the 95 % "
      "interval of the median.")
CHART(20, bandwidth, ONE, TAKES_ANY, "", make_bandwidth,
      "Bandwidth against n: the minimum number of bytes divided by the median time.")
CHART(50, relative, ONE, TAKES_X | TAKES_LOG | TAKES_RELATIVE, "", make_relative,
      "Time relative to a peer (CUB), or to the kernel that --relative-to names, against n.")
CHART(200, time, SEVERAL, TAKES_ANY, "", make_time, "Time against n, with a line per run.")
CHART(210, bandwidth, SEVERAL, TAKES_ANY, "", make_bandwidth,
      "Bandwidth against n, with a line per run.")
CHART(220, share, SEVERAL, TAKES_LOG, "", make_share,
      "Bandwidth as a percentage of each run's highest bandwidth, which is that of the fastest "
      "kernel or, if higher, the ceiling.")

/* Returns whether any value exceeds 0. */
static bool has_bandwidth(struct line_chart *l)
{
    double high = 0;
    for (size_t i = 0; i < l->lines.count; i++)
        for (size_t k = 0; k < l->places.count; k++)
            if (l->lines.items[i].rows[k] != ROW_NONE)
                high = fmax(high, lines_y(l, l->lines.items[i].rows[k]));
    return high > 0;
}

/*
 * Returns whether a chart of several runs has at least two lines, without which it would compare
 * nothing. Always true for a chart of one run.
 */
static bool has_runs(const struct line_chart *l, char why[256])
{
    bool ok = !l->by_run || l->lines.count > 1;
    if (!ok)
        snprintf(why, 256, "fewer than two of the runs have times to show");
    return ok;
}

static bool make(struct line_chart *l, const char *y, struct picture *p, char why[256])
{
    bool ok = lines_find(l, y, why) && has_runs(l, why) && lines_find_base(l, why);
    if (ok && l->is_bandwidth && !has_bandwidth(l)) {
        ok = false;
        snprintf(why, 256, "the run has no bandwidths");
    }
    if (ok && l->rows->are_others && l->places.count == 1 && l->lines.count == 1) {
        char size[48], *axis = lines_axis(l);
        layout_size(l->places.items[0], size);
        snprintf(why, 256, "one bar: %.60s at %.40s = %.20s, %.60s: %.4g", l->lines.items[0].name,
                 l->x->name, size, axis, lines_y(l, l->lines.items[0].last));
        free(axis);
        ok = false;
    } else if (ok && l->places.count == 1)
        lines_draw_bars(l, p);
    else if (ok)
        lines_draw(l, p);
    lines_free(l);
    return ok;
}

bool make_time(const struct chart_rows *rows, struct picture *p, char why[256])
{
    struct line_chart l = {.rows = rows};
    return make(&l, "time_us_median", p, why);
}

bool make_bandwidth(const struct chart_rows *rows, struct picture *p, char why[256])
{
    struct line_chart l = {.rows = rows};
    return make(&l, "bandwidth_gbs", p, why);
}

/*
 * Returns the kernel by whose times all times are divided: the peer that is shown at the most sizes
 * or, if no peer is shown, the first kernel of the ladder.
 */
static const char *relative_base(const struct chart_rows *r)
{
    const struct column *kernels = r->kernel;
    if (!kernels->codes) /* no rows */
        return NULL;
    size_t *timed = xcalloc(kernels->texts->texts.count + 1, sizeof *timed), most = 0;
    const char *best = NULL;
    for (size_t i = 0; i < r->shown.count; i++)
        timed[kernels->codes[r->shown.items[i]]] += !isnan(chart_time(r, r->shown.items[i]));
    for (size_t i = 0; i < r->shown.count; i++) {
        const uint32_t row = r->shown.items[i], code = kernels->codes[row];
        const char *kernel = column_text(kernels, row);
        size_t rows = timed[code];
        timed[code] = 0; /* so that each kernel is considered once */
        if (!rows || !names_stand_out(r, kernel))
            continue;
        if (results_kernel(r->run, row)->role.kind == ROLE_PEER)
            rows += r->shown.count;
        if (rows > most) {
            most = rows;
            best = kernel;
        }
    }
    free(timed);
    return best;
}

bool make_relative(const struct chart_rows *rows, struct picture *p, char why[256])
{
    struct chart_rows of = *rows;
    struct chart_options options = *rows->options;
    struct line_chart l = {.rows = &of};
    of.options = &options;
    if (!options.relative_to)
        options.relative_to = relative_base(rows);
    if (!options.relative_to) {
        snprintf(why, 256,
                 "neither a peer nor the first kernel of the ladder has times; name another kernel "
                 "with --relative-to");
        return false;
    }
    return make(&l, "time_us_median", p, why);
}

/*
 * Finds the bandwidth that is 100 % for each run: the highest of all its kernels and sizes or, if
 * higher, the run's ceiling (the streaming read on which ceiling_pct is based). The ceiling alone
 * would not be suitable, because a kernel can be faster.
 */
bool make_share(const struct chart_rows *r, struct picture *p, char why[256])
{
    const struct column *share = table_find(&r->run->rows, "ceiling_pct");
    size_t runs = r->run_column->texts->texts.count;
    struct line_chart l = {.rows = r};
    double *ceilings = xcalloc(runs + 1, sizeof *ceilings);
    l.reached = xcalloc(runs + 1, sizeof *l.reached);
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i], run = r->run_column->codes[row];
        if (!isnan(chart_time(r, row)) && strcmp(column_text(r->backend, row), "cpu") != 0 &&
            !results_raced(r->run, row))
            l.reached[run] = fmax(l.reached[run], column_number(r->gbs, row));
    }
    for (uint32_t row = 0; row < r->run->rows.row_count; row++) {
        double gbs = column_number(r->gbs, row), percent = column_number(share, row);
        if (results_good(r->run, row) && !isnan(chart_time(r, row)) && gbs > 0 && percent > 0)
            ceilings[r->run_column->codes[row]] = gbs / percent * 100;
    }
    for (size_t i = 0; i < runs; i++)
        l.reached[i] = fmax(l.reached[i], ceilings[i]);
    free(ceilings);
    return make(&l, "bandwidth_gbs", p, why);
}
