/*
 * Charts of lines, a line per kernel (or per value of --by) through its fastest row at each n (or
 * --x): time and bandwidth, or any other column (--y). With one place on the axis they are bars.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/bars.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"

struct line {
    const char *name; /* the series' */
    char *label;      /* as the chart shows it */
    uint32_t *rows;   /* of each place on the x axis; ROW_NONE: none */
    uint32_t last;    /* the row with the largest x */
    int color;        /* from 1 on; 0: grey */
};

struct lines {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel;
    VEC(double) places; /* on the x axis, ascending */
    VEC(struct line) lines;
    struct named *named; /* as the lines are, when these have colors */
    struct line base;    /* of --relative-to; its name is NULL without */
    double low, high;    /* of what is shown, intervals included */
};

/* ---- Which rows ------------------------------------------------------------------------------ */

static double x_of(const struct lines *l, uint32_t row)
{
    return column_number(l->x, row);
}

static double plain_y(const struct lines *l, uint32_t row)
{
    return l->is_time                                           ? chart_time(l->rows, row)
           : isnan(chart_time(l->rows, row)) && l->is_bandwidth ? NAN
                                                                : column_number(l->y, row);
}

static size_t place_of(const struct lines *l, double x)
{
    size_t i = 0;
    while (i < l->places.count && l->places.items[i] != x)
        i++;
    return i;
}

/* A row's value over that of --relative-to at the same place. */
static double y_of(const struct lines *l, uint32_t row)
{
    if (!l->base.name)
        return plain_y(l, row);
    uint32_t base = l->base.rows[place_of(l, x_of(l, row))];
    return base == ROW_NONE ? NAN : plain_y(l, row) / plain_y(l, base);
}

/* Columns by the names of the options; `why` says which cannot be shown. */
static bool find_columns(struct lines *l, const char *default_y, char why[256])
{
    const struct chart_options *o = l->rows->options;
    const struct results *run = l->rows->run;
    const struct {
        const char *option, *name;
        const struct column **to;
    } wanted[] = {{"--x", o->x ? o->x : "n", &l->x},
                  {"--y", o->y ? o->y : default_y, &l->y},
                  {"--by", o->by ? o->by : "kernel", &l->by}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int column = table_column_named(&run->rows, wanted[i].name);
        if (column < 0 || (*wanted[i].to = run->rows.columns.items[column],
                           wanted[i].to != &l->by && (*wanted[i].to)->kind == COLUMN_TEXT)) {
            snprintf(why, 256, column < 0 ? "the run has no column %s (%s)" : "%s holds texts (%s)",
                     wanted[i].name, wanted[i].option);
            return false;
        }
    }
    l->is_time = l->y == l->rows->time;
    l->is_bandwidth = l->y == l->rows->gbs;
    l->by_kernel = l->by == l->rows->kernel;
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether a row is on the chart. Of a race's losers the median is no verdict. */
static bool counts(const struct lines *l, uint32_t row)
{
    bool timed = l->is_time || l->is_bandwidth;
    return !isnan(x_of(l, row)) &&
           (timed ? !isnan(chart_time(l->rows, row)) && !results_raced(l->rows->run, row)
                  : !isnan(plain_y(l, row)));
}

static void find_places(struct lines *l)
{
    for (size_t i = 0; i < l->rows->shown.count; i++)
        if (counts(l, l->rows->shown.items[i]))
            vec_push(&l->places, x_of(l, l->rows->shown.items[i]));
    if (l->places.count)
        qsort(l->places.items, l->places.count, sizeof(double), compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < l->places.count; i++)
        if (!kept || l->places.items[i] != l->places.items[kept - 1])
            l->places.items[kept++] = l->places.items[i];
    l->places.count = kept;
}

/* The faster of two rows; without times the one with the smaller value. */
static bool is_better(const struct lines *l, uint32_t row, uint32_t than)
{
    double a = chart_time(l->rows, row), b = chart_time(l->rows, than);
    return isnan(a) || isnan(b) ? plain_y(l, row) < plain_y(l, than) : a < b;
}

static int compare_names(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b); /* 8 before 16 */
}

static void add_lines(struct lines *l, const struct numbering *names)
{
    const char **sorted = xcalloc(names->texts.count + 1, sizeof *sorted);
    for (size_t i = 0; i < names->texts.count; i++)
        sorted[i] = names->texts.items[i];
    if (l->by_kernel)
        ladder_sort(&l->rows->ladder, sorted, names->texts.count);
    else if (names->texts.count)
        qsort(sorted, names->texts.count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < names->texts.count; i++) {
        struct line line = {.name = xstrdup(sorted[i]), .last = ROW_NONE};
        line.rows = xcalloc(l->places.count, sizeof *line.rows);
        for (size_t k = 0; k < l->places.count; k++)
            line.rows[k] = ROW_NONE;
        vec_push(&l->lines, line);
    }
    free(sorted);
}

static struct line *line_of(struct lines *l, const char *name)
{
    size_t i = 0;
    while (i < l->lines.count && strcmp(l->lines.items[i].name, name) != 0)
        i++;
    return i < l->lines.count ? &l->lines.items[i] : NULL;
}

static void find_lines(struct lines *l)
{
    struct numbering names = {0};
    struct text name = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->rows->shown.count; i++) {
            uint32_t row = l->rows->shown.items[i];
            if (!counts(l, row))
                continue;
            name.length = 0;
            column_append(l->by, row, &name);
            text_append(&name, "%s", "");
            if (pass == 0) {
                numbering_add(&names, name.bytes);
                continue;
            }
            struct line *line = line_of(l, name.bytes);
            uint32_t *at = &line->rows[place_of(l, x_of(l, row))];
            if (*at == ROW_NONE || is_better(l, row, *at))
                *at = row;
        }
        if (pass == 0)
            add_lines(l, &names);
    }
    for (size_t i = 0; i < l->lines.count; i++)
        for (size_t k = 0; k < l->places.count; k++)
            if (l->lines.items[i].rows[k] != ROW_NONE)
                l->lines.items[i].last = l->lines.items[i].rows[k];
    text_free(&name);
    numbering_free(&names);
}

/* ---- Names and colors ------------------------------------------------------------------------ */

/* A kernel that has the other scope only says so. */
static char *label_of(const struct lines *l, const struct line *line)
{
    const char *scope = results_axis(l->rows->run, line->last, AXIS_scope);
    return !l->by_kernel                        ? xasprintf("%s %s", l->by->name, line->name)
           : strcmp(scope, l->rows->scope) != 0 ? xasprintf("%s (%s)", line->name, scope)
                                                : xstrdup(line->name);
}

/* A kernel's rank is that at its largest size: of one that ends early no more is known. */
static void color_lines(struct lines *l)
{
    size_t count = l->lines.count;
    struct line *sorted = xcalloc(count + 1, sizeof *sorted);
    l->named = xcalloc(count + 1, sizeof *l->named);
    for (size_t i = 0; i < count; i++) {
        struct line *line = &l->lines.items[i];
        double time = chart_time(l->rows, line->last);
        size_t place = place_of(l, x_of(l, line->last));
        line->label = label_of(l, line);
        l->named[i] =
            (struct named){.label = line->label,
                           .index = i,
                           .score = ldexp(isnan(time) ? plain_y(l, line->last) : time,
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

/* ---- What is written ------------------------------------------------------------------------- */

static double end_of(const struct lines *l, uint32_t row, const struct column *end)
{
    double value = l->is_time && !l->base.name ? column_number(end, row) : NAN;
    return isnan(value) ? y_of(l, row) : value;
}

static void find_range(struct lines *l)
{
    l->low = INFINITY;
    l->high = 0;
    for (size_t i = 0; i < l->lines.count; i++)
        for (size_t k = 0; k < l->places.count; k++) {
            uint32_t row = l->lines.items[i].rows[k];
            if (row == ROW_NONE)
                continue;
            l->low = fmin(l->low, fmin(y_of(l, row), end_of(l, row, l->rows->low)));
            if (l->lines.items[i].color > 0)
                l->high = fmax(l->high, fmax(y_of(l, row), end_of(l, row, l->rows->high)));
        }
}

/*
 * Grey lines that are four times above all others would press those together: they leave the chart at
 * its top, and the chart says whose they are.
 */
static void find_above(struct lines *l, struct picture *p)
{
    enum { LONGEST = 70 };
    struct text names = {0};
    size_t more = 0;
    double high = l->high;
    for (size_t i = 0; i < l->lines.count; i++) {
        double most = 0;
        for (size_t k = 0; k < l->places.count; k++)
            if (l->lines.items[i].rows[k] != ROW_NONE)
                most = fmax(most, end_of(l, l->lines.items[i].rows[k], l->rows->high));
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

/* A block per line: the place, the value and its interval, and which row it is. */
static void write_line(const struct lines *l, const struct line *line, struct picture *p)
{
    VEC(uint32_t) rows = {0};
    for (size_t k = 0; k < l->places.count; k++)
        if (line->rows[k] != ROW_NONE)
            vec_push(&rows, line->rows[k]);
    struct table t = {.row_count = rows.count};
    struct text setting = {0};
    table_add_texts(&t, i, line->name, l->by->name);
    table_add_numbers(&t, i, x_of(l, rows.items[i]), l->x->name, .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, y_of(l, rows.items[i]), "y", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, end_of(l, rows.items[i], l->rows->low), "low", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, end_of(l, rows.items[i], l->rows->high), "high",
                      .kind = COLUMN_NUMBER);
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < rows.count; i++) {
        setting.length = 0;
        chart_setting(l->rows, rows.items[i], &setting);
        column_set_text(settings, i, setting.bytes);
    }
    picture_block(p, &t);
    table_free(&t);
    text_free(&setting);
    vec_free(&rows);
}

/*
 * What limits a kernel at n is what the fastest reader of the same bytes reached, whether or not it
 * is shown: no kernel is above it, and the interval is its own. The number of places that have one.
 */
static size_t write_limits(struct lines *l, struct picture *p, double *highest)
{
    size_t count = l->places.count, used = 0;
    uint32_t *best = xcalloc(count + 1, sizeof *best);
    for (size_t k = 0; k < count; k++)
        best[k] = ROW_NONE;
    for (size_t i = 0; i < l->rows->limits.count; i++) {
        uint32_t row = l->rows->limits.items[i];
        size_t k = place_of(l, x_of(l, row));
        double gbs = column_number(l->rows->gbs, row);
        if (k < count && !isnan(gbs) && !isnan(chart_time(l->rows, row)) &&
            (best[k] == ROW_NONE || gbs > column_number(l->rows->gbs, best[k])))
            best[k] = row;
    }
    for (size_t k = 0; k < count; k++)
        if (best[k] != ROW_NONE)
            best[used++] = best[k];
    struct table t = {.row_count = used};
    const struct chart_rows *r = l->rows;
#define GBS(i) column_number(r->gbs, best[i])
#define SCALED(i, end)                                                                             \
    (column_number(end, best[i]) > 0                                                               \
         ? GBS(i) * column_number(r->time, best[i]) / column_number(end, best[i])                  \
         : GBS(i))
    table_add_texts(&t, i, column_text(r->kernel, best[i]), "kernel");
    table_add_numbers(&t, i, x_of(l, best[i]), l->x->name, .kind = COLUMN_NUMBER);
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

/* Between which places the card changes: a size of a slice is measured by one. */
static void write_cards(const struct lines *l, struct picture *p)
{
    struct text places = {0};
    const char *before = "";
    double last = 0;
    for (size_t k = 0; k < l->places.count; k++) {
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

static void write_places(const struct lines *l, bool log_y, double low, double high,
                         struct picture *p)
{
    size_t count = l->lines.count;
    double *y = xcalloc(3 * count + 1, sizeof *y), *x = y + count, *at = x + count;
    for (size_t i = 0; i < count; i++) {
        y[i] = y_of(l, l->lines.items[i].last);
        x[i] = x_of(l, l->lines.items[i].last);
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

/* The axis of x: logarithmic where all places are powers of two, or with --log x the other way. */
static void write_across(const struct lines *l, struct picture *p)
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

static char *y_axis(const struct lines *l)
{
    char *plain = l->is_time                  ? xstrdup("time, median (µs)")
                  : l->is_bandwidth           ? xstrdup("bandwidth (GB/s)")
                  : l->y->unit && *l->y->unit ? xasprintf("%s (%s)", l->y->name, l->y->unit)
                                              : xstrdup(l->y->name);
    if (!l->base.name)
        return plain;
    char *relative = xasprintf("%s over that of %s",
                               l->is_time        ? "time"
                               : l->is_bandwidth ? "bandwidth"
                                                 : l->y->name,
                               l->base.name);
    free(plain);
    return relative;
}

/* The range of y and what is drawn beside the lines; a peak that would press all into the lowest
 * tenth is left out. */
static void write_upwards(struct lines *l, struct picture *p)
{
    const struct chart_rows *r = l->rows;
    bool log_y = (l->is_time && !l->base.name) != r->options->log_y;
    bool band = l->is_bandwidth && !l->base.name && l->x == r->n;
    double low = 0, high, highest_limit = 0, fastest = l->high;
    find_above(l, p);
    size_t limits = band ? write_limits(l, p, &highest_limit) : 0;
    bool has_peak = l->is_bandwidth && !l->base.name,
         peak_shown = has_peak && r->peak > 0 && fastest > r->peak / 10;
    high = fmax(fmax(l->high, highest_limit), peak_shown ? r->peak : 0);
    log_y = log_y && l->low > 0;
    if (log_y) {
        low = l->low / 1.15;
        high *= 1.15;
        if (high < 3 * low) { /* less than half a decade says little: show some more */
            low /= 1.4;
            high *= 1.4;
        }
    } else {
        high = high > 0 ? 1.08 * high : 1;
    }
    char *axis = y_axis(l);
    picture_text(p, "UPWARDS", axis);
    free(axis);
    picture_number(p, "Y_LOG", log_y);
    picture_number(p, "Y0", low);
    picture_number(p, "Y1", high);
    picture_number(p, "LINES_H", names_height(r, l->named, l->lines.count));
    picture_number(p, "INTERVALS", l->is_time && !l->base.name);
    picture_number(p, "LIMITS", (double)limits);
    picture_number(p, "PEAK", has_peak ? r->peak : 0);
    picture_number(p, "PEAK_SHOWN", peak_shown);
    write_places(l, log_y, low, high, p);
}

static char *heading_of(const struct lines *l)
{
    const char *what = l->is_time ? "Time per launch" : l->is_bandwidth ? "Bandwidth" : l->y->name;
    char *against = strcmp(l->x->name, "n") == 0 ? xstrdup("input size") : xstrdup(l->x->name);
    char *heading = l->base.name
                        ? xasprintf("%s relative to %s vs. %s", what, l->base.name, against)
                        : xasprintf("%s vs. %s", what, against);
    free(against);
    return heading;
}

static void make_lines(struct lines *l, struct picture *p)
{
    char *heading = heading_of(l);
    char *shown = xasprintf("%s; the fastest setting per %s and %s", l->rows->slice, l->by->name,
                            strcmp(l->x->name, "n") == 0 ? "size" : l->x->name);
    color_lines(l);
    find_range(l);
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

/* Lines of one point would say nothing: with one place there is a bar per line. */
static void make_bars(struct lines *l, struct picture *p)
{
    bar_list list = {0};
    char size[48];
    layout_size(l->places.items[0], size);
    const struct chart_rows *r = l->rows;
    for (size_t i = 0; i < l->lines.count; i++) {
        const struct line *line = &l->lines.items[i];
        uint32_t row = line->last;
        double low = column_number(r->low, row), high = column_number(r->high, row);
        struct text name = {0};
        char *label = label_of(l, line);
        text_append(&name, "%s  %.0f", label, column_number(r->block, row));
        if (column_number(r->unroll, row) > 1)
            text_append(&name, " × %.0f", column_number(r->unroll, row));
        free(label);
        struct bar bar = {
            name.bytes, column_text(r->kernel, row), y_of(l, row), NAN, NAN, NULL, NULL, NULL};
        bool interval = (l->is_time || l->is_bandwidth) && !l->base.name && low > 0;
        double time = column_number(r->time, row);
        if (interval) {
            bar.low = l->is_time ? low : bar.value * time / high;
            bar.high = l->is_time ? high : bar.value * time / low;
        }
        if (isnan(bar.value))
            free(bar.name);
        else
            vec_push(&list, bar);
    }
    double fastest = 0;
    for (size_t i = 0; i < list.count; i++)
        fastest = fmax(fastest, list.items[i].value);
    char *heading = xasprintf("%s at %s = %s",
                              l->is_time        ? "Time per launch"
                              : l->is_bandwidth ? "Bandwidth"
                                                : l->y->name,
                              l->x->name, size);
    char *shown = xasprintf("%s; the fastest setting of each %s", r->slice, l->by->name);
    char *axis = y_axis(l);
    bool peak = l->is_bandwidth && !l->base.name && r->peak > 0 && fastest > r->peak / 10;
    const struct bars bars = {.list = list,
                              .heading = heading,
                              .shown = shown,
                              .axis = axis,
                              .line = peak ? r->peak : NAN};
    picture_text(p, "CARD_CHANGES", "");
    bars_make(r, &bars, p);
    free(heading);
    free(shown);
    free(axis);
    bars_free(&list);
}

static void free_lines(struct lines *l)
{
    for (size_t i = 0; i < l->lines.count; i++) {
        free((char *)l->lines.items[i].name);
        free(l->lines.items[i].label);
        free(l->lines.items[i].rows);
    }
    free(l->named);
    vec_free(&l->lines);
    vec_free(&l->places);
}

static bool choose_base(struct lines *l, char why[256])
{
    const char *name = l->rows->options->relative_to;
    if (!name)
        return true;
    struct line *base = l->by_kernel ? line_of(l, name) : NULL;
    if (!base) {
        snprintf(why, 256, "no row of %.100s is shown (--relative-to)", name);
        return false;
    }
    l->base = *base; /* lines are sorted later: the rows stay where they are */
    return true;
}

static bool make(const struct chart_rows *rows, const char *y, struct picture *p, char why[256])
{
    struct lines l = {.rows = rows};
    if (!find_columns(&l, y, why))
        return false;
    find_places(&l);
    bool ok = l.places.count > 0;
    if (!ok)
        snprintf(why, 256, "%s",
                 l.is_time || l.is_bandwidth ? chart_no_times(rows) : "no row has a value");
    else {
        find_lines(&l);
        ok = choose_base(&l, why);
    }
    if (ok && l.is_bandwidth) {
        find_range(&l);
        for (size_t i = 0; i < l.lines.count; i++)
            l.lines.items[i].color = 1;
        find_range(&l);
        ok = l.high > 0;
        if (!ok)
            snprintf(why, 256, "the run has no bandwidths");
    }
    if (ok && l.places.count == 1)
        make_bars(&l, p);
    else if (ok)
        make_lines(&l, p);
    free_lines(&l);
    return ok;
}

bool make_time(const struct chart_rows *rows, struct picture *p, char why[256])
{
    return make(rows, "time_us_median", p, why);
}

bool make_bandwidth(const struct chart_rows *rows, struct picture *p, char why[256])
{
    return make(rows, "bandwidth_gbs", p, why);
}
