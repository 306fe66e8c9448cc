/* Implements lines_draw(). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/layout.h"
#include "charts/lines.h"

/*
 * Ranks and colors the lines. Lines are ranked by their times at the largest size. If a line ends
 * before, the time at its end is used, doubled for each place after it.
 */
static void color_lines(struct line_chart *l)
{
    size_t count = l->lines.count;
    struct line *sorted = xcalloc(count + 1, sizeof *sorted);
    l->named = xcalloc(count + 1, sizeof *l->named);
    for (size_t i = 0; i < count; i++) {
        struct line *line = &l->lines.items[i];
        double time = chart_time(l->rows, line->last);
        size_t place = lines_place(l, lines_x(l, line->last));
        line->label = lines_label(l, line);
        l->named[i] =
            (struct named){.label = line->label,
                           .index = i,
                           .score = ldexp(isnan(time) ? lines_y(l, line->last) : time,
                                          (int)(l->places.count - 1 - place)),
                           .always = l->by_kernel && names_stand_out(l->rows, line->name)};
    }
    names_choose(l->named, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = l->lines.items[l->named[i].index];
        sorted[i].color = l->named[i].color;
    }
    memcpy(l->lines.items, sorted, count * sizeof *sorted);
    free(sorted);
}

/*
 * Extends the vertical range to the grey lines. Grey lines that are more than four times as high as
 * all colored ones would compress these, so they leave the chart at the top, and their names are
 * written above it.
 */
static void find_above(struct line_chart *l, struct picture *p)
{
    enum { LONGEST = 70 };
    struct text names = {0};
    size_t more = 0;
    double high = l->high;
    for (size_t i = 0; i < l->lines.count; i++) {
        double most = 0;
        for (size_t k = 0; k < l->places.count; k++)
            if (l->lines.items[i].rows[k] != ROW_NONE)
                most = fmax(most, lines_end(l, l->lines.items[i].rows[k], l->rows->high));
        if (most <= 4 * l->high)
            high = fmax(high, most);
        else if (names.length + strlen(l->lines.items[i].name) > LONGEST)
            more++;
        else
            text_append(&names, "%s%s",
                        names.length ? ", " : "above the chart: ", l->lines.items[i].name);
    }
    if (more)
        text_append(&names, " and %zu more", more);
    picture_text(p, "ABOVE", names.bytes ? names.bytes : "");
    text_free(&names);
    l->high = high;
}

/* Writes the data of a line: the value, its interval and the row's setting at each place. */
static void write_line(const struct line_chart *l, const struct line *line, struct picture *p)
{
    VEC(uint32_t) rows = {0};
    for (size_t k = 0; k < l->places.count; k++)
        if (line->rows[k] != ROW_NONE)
            vec_push(&rows, line->rows[k]);
    struct table t = {.row_count = rows.count};
    table_add_texts(&t, i, line->name, l->by->name);
    table_add_numbers(&t, i, lines_x(l, rows.items[i]), l->x->name, .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, lines_y(l, rows.items[i]), "y", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, lines_end(l, rows.items[i], l->rows->low), "low",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, lines_end(l, rows.items[i], l->rows->high), "high",
                      .kind = COLUMN_NUMBER);
    chart_add_settings(l->rows, rows.items, &t);
    if (!l->by_kernel)
        table_add_texts(&t, i, column_text(l->rows->kernel, rows.items[i]), "kernel");
    picture_block(p, &t);
    table_free(&t);
    vec_free(&rows);
}

/* Returns the largest value of all lines at a place, or 0 if no line has a value there. */
static double fastest_at(const struct line_chart *l, size_t place)
{
    double most = 0;
    for (size_t i = 0; i < l->lines.count; i++)
        if (l->lines.items[i].rows[place] != ROW_NONE)
            most = fmax(most, lines_y(l, l->lines.items[i].rows[place]));
    return most;
}

/*
 * Writes the limit at each n, and returns the number of places that have a limit. It is the
 * bandwidth of the fastest kernel that reads the same bytes, with its interval. The chart need not
 * show that kernel.
 */
static size_t write_limits(struct line_chart *l, struct picture *p, double *highest)
{
    size_t count = l->places.count, used = 0, apart = 0;
    uint32_t *best = xcalloc(count + 1, sizeof *best);
    for (size_t k = 0; k < count; k++)
        best[k] = ROW_NONE;
    for (size_t i = 0; i < l->rows->limits.count; i++) {
        uint32_t row = l->rows->limits.items[i];
        size_t k = lines_place(l, lines_x(l, row));
        double gbs = column_number(l->rows->gbs, row);
        if (k < count && !isnan(gbs) && !isnan(chart_time(l->rows, row)) &&
            (best[k] == ROW_NONE || gbs > column_number(l->rows->gbs, best[k])))
            best[k] = row;
    }
    for (size_t k = 0; k < count; k++) {
        apart +=
            best[k] != ROW_NONE && column_number(l->rows->gbs, best[k]) > 1.02 * fastest_at(l, k);
        if (best[k] != ROW_NONE)
            best[used++] = best[k];
    }
    /*
     * The kernel with the highest bandwidth is usually in the chart, and the limit would coincide
     * with its line. So the limit is shown only if it is above all lines at a third or more of the
     * places that have a limit.
     */
    picture_number(p, "LIMITS_SHOWN", used && 3 * apart >= used);
    struct table t = {.row_count = used};
    const struct chart_rows *r = l->rows;
#define GBS(i) column_number(r->gbs, best[i])
#define SCALED(i, end)                                                                             \
    (column_number(end, best[i]) > 0                                                               \
         ? GBS(i) * column_number(r->time, best[i]) / column_number(end, best[i])                  \
         : GBS(i))
    table_add_texts(&t, i, column_text(r->kernel, best[i]), "kernel");
    table_add_numbers(&t, i, lines_x(l, best[i]), l->x->name, .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, GBS(i), "y", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, SCALED(i, r->high), "low", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, SCALED(i, r->low), "high", .kind = COLUMN_NUMBER);
    for (size_t i = 0; i < used; i++)
        *highest = fmax(*highest, GBS(i));
    if (used)
        picture_block(p, &t);
#undef GBS
#undef SCALED
    table_free(&t);
    free(best);
    return used;
}

/*
 * In a run on several cards, each size of a slice was measured on one card. Writes where the card
 * changes along the x axis.
 */
static void write_cards(const struct line_chart *l, struct picture *p)
{
    struct text places = {0};
    const char *before = "";
    double last = 0;
    for (size_t k = 0; k < l->places.count && !l->rows->run_column; k++) {
        uint32_t row = l->lines.items[0].rows[k];
        const char *card = row == ROW_NONE ? "" : column_text(l->rows->card, row);
        if (!*card || strcmp(column_text(l->rows->backend, row), "cpu") == 0)
            continue;
        if (*before && strcmp(card, before) != 0)
            text_append(&places, "%s%.9g", places.length ? " " : "",
                        sqrt(last * l->places.items[k]));
        before = card;
        last = l->places.items[k];
    }
    picture_text(p, "CARD_CHANGES", places.bytes ? places.bytes : "");
    text_free(&places);
}

static void write_places(const struct line_chart *l, bool log_y, double low, double high,
                         struct picture *p)
{
    size_t count = l->lines.count;
    double *y = xcalloc(3 * count + 1, sizeof *y), *x = y + count, *at = x + count;
    for (size_t i = 0; i < count; i++) {
        y[i] = lines_y(l, l->lines.items[i].last);
        x[i] = lines_x(l, l->lines.items[i].last);
        at[i] =
            log_y ? (log(y[i]) - log(low)) / (log(high) - log(low)) : (y[i] - low) / (high - low);
    }
    names_place(l->rows, l->named, count, x, y, at, p);
    free(y);
}

static bool is_power_of_two(double x)
{
    int exponent;
    return x > 0 && frexp(x, &exponent) == 0.5;
}

/*
 * Writes the range of the x axis, which is logarithmic if the column is n or all places are powers
 * of two. With --log x, it is the other way round.
 */
static void write_across(const struct line_chart *l, struct picture *p)
{
    bool powers = true;
    size_t count = l->places.count;
    for (size_t k = 0; k < count; k++)
        powers = powers && is_power_of_two(l->places.items[k]);
    bool log_x = (powers || strcmp(l->x->name, "n") == 0) != l->rows->options->log_x;
    double low = l->places.items[0], high = l->places.items[count - 1];
    if (log_x && low > 0)
        low = exp2(floor(log2(low) + 1e-9));
    if (log_x && high <= low) {
        low /= 2;
        high = low * 4;
    }
    picture_number(p, "X_LOG", log_x && low > 0);
    picture_number(p, "X0", low);
    picture_number(p, "X1", high);
    char *along = strcmp(l->x->name, "n") == 0 ? xstrdup("n (elements)")
                  : l->x->unit && *l->x->unit  ? xasprintf("%s (%s)", l->x->name, l->x->unit)
                                               : xstrdup(l->x->name);
    picture_text(p, "ALONG", along);
    free(along);
}

const char *lines_whole(const struct line_chart *l)
{
    return l->reached
               ? "; 100 %: the bandwidth of the run's fastest kernel or, if higher, the ceiling"
               : "";
}

const char *lines_what(const struct line_chart *l)
{
    return l->reached        ? "Share of the highest bandwidth"
           : l->is_time      ? "Time per launch"
           : l->is_bandwidth ? "Bandwidth"
                             : l->y->name;
}

char *lines_axis(const struct line_chart *l)
{
    if (l->base)
        return xasprintf("%s over that of %s",
                         l->is_time        ? "time"
                         : l->is_bandwidth ? "bandwidth"
                                           : l->y->name,
                         l->base);
    return l->reached                  ? xstrdup("% of the run's highest bandwidth")
           : l->is_time                ? xstrdup("time, median (µs)")
           : l->is_bandwidth           ? xstrdup("bandwidth (GB/s)")
           : l->y->unit && *l->y->unit ? xasprintf("%s (%s)", l->y->name, l->y->unit)
                                       : xstrdup(l->y->name);
}

/*
 * Writes the range of the y axis and the labels beside the lines. The line of the peak bandwidth is
 * left out if it would compress all other lines into the lowest tenth of the chart.
 */
static void write_upwards(struct line_chart *l, struct picture *p)
{
    const struct chart_rows *r = l->rows;
    bool log_y = (l->is_time && !l->base) != r->options->log_y;
    bool band = l->is_bandwidth && !l->base && !l->reached && l->x == r->n;
    double low = 0, high, highest_limit = 0, fastest = l->high;
    find_above(l, p);
    size_t limits = band ? write_limits(l, p, &highest_limit) : 0;
    if (!band)
        picture_number(p, "LIMITS_SHOWN", 0);
    bool has_peak = l->is_bandwidth && !l->base;
    double peak = !has_peak ? 0 : l->reached ? 100 : r->peak;
    bool peak_shown = peak > 0 && fastest > peak / 10;
    high = fmax(fmax(l->high, highest_limit), peak_shown ? peak : 0);
    log_y = log_y && l->low > 0;
    /*
     * In HTML reports, users can switch to a logarithmic axis, which makes the bandwidths at small
     * n distinguishable.
     */
    picture_number(p, "Y_LOW", l->low > 0 ? l->low / 1.15 : 0);
    if (log_y) {
        low = l->low / 1.15;
        /* room for the name of the peak above its line */
        high *= peak_shown && peak > l->high / 1.15 ? 1.4 : 1.15;
        /* extends the range if its ends differ by less than a factor of 3 */
        if (high < 3 * low) {
            low /= 1.4;
            high *= 1.4;
        }
    } else {
        high = high > 0 ? 1.08 * high : 1;
    }
    char *axis = lines_axis(l);
    picture_text(p, "UPWARDS", axis);
    free(axis);
    picture_number(p, "Y_LOG", log_y);
    picture_number(p, "Y0", low);
    picture_number(p, "Y1", high);
    picture_number(p, "LINES_H", names_height(r, l->named, l->lines.count));
    picture_number(p, "INTERVALS", l->is_time && !l->base);
    picture_number(p, "LIMITS", (double)limits);
    char *text = l->reached ? xstrdup("") : xasprintf("DRAM peak %.0f GB/s", peak);
    picture_number(p, "PEAK", peak);
    picture_text(p, "PEAK_TEXT", text);
    free(text);
    picture_number(p, "PEAK_SHOWN", peak_shown);
    write_places(l, log_y, low, high, p);
}

static char *heading_of(const struct line_chart *l)
{
    const char *what = lines_what(l);
    char *against = strcmp(l->x->name, "n") == 0 ? xstrdup("input size") : xstrdup(l->x->name);
    char *heading = l->base ? xasprintf("%s relative to %s vs. %s", what, l->base, against)
                            : xasprintf("%s vs. %s", what, against);
    free(against);
    return heading;
}

void lines_draw(struct line_chart *l, struct picture *p)
{
    char *heading = heading_of(l);
    const char *across = strcmp(l->x->name, "n") == 0 ? "size" : l->x->name;
    char *shown = l->by_run ? xasprintf("%s; the fastest kernel of each run at each %s%s",
                                        l->rows->slice, across, lines_whole(l))
                            : xasprintf("%s; the fastest setting of each %s at each %s",
                                        l->rows->slice, l->by->name, across);
    color_lines(l);
    lines_range(l);
    p->script = "lines";
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown);
    picture_text(p, "X", l->x->name);
    names_write(l->rows, l->named, l->lines.count, p);
    picture_text(p, "GREY_WHAT", l->is_time || l->is_bandwidth ? "slower" : "further");
    write_cards(l, p);
    write_across(l, p);
    for (size_t i = 0; i < l->lines.count; i++)
        write_line(l, &l->lines.items[i], p);
    write_upwards(l, p);
    free(heading);
    free(shown);
}
