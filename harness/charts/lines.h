/*
 * Makes line charts. Each line joins, for one kernel (or one value of --by), the fastest row at
 * each n (or at each value of --x). The vertical axis shows the time, the bandwidth, or any other
 * column (--y). Charts of several runs contain one line per run.
 */
#ifndef REDSWEEP_CHARTS_LINES_H
#define REDSWEEP_CHARTS_LINES_H

#include "charts/names.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct line {
    const char *name; /* the name of the kernel, of the value of --by, or of the run */
    char *label;      /* the name as the chart shows it */
    uint32_t *rows;   /* the row at each place on the x axis, or ROW_NONE */
    uint32_t last;    /* the row with the largest x */
    int color;        /* a color from 1 on, or 0 for grey */
};

struct line_chart {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel, by_run;
    /*
     * In a chart of shares, this contains, for each run, the bandwidth in GB/s that corresponds to
     * 100 %. In other charts, it is NULL.
     */
    double *reached;
    VEC(double) places; /* the values on the x axis, ascending */
    VEC(struct line) lines;
    struct named *named; /* the names in the order of the lines, once the lines are colored */
    const char *base;    /* the kernel of --relative-to, or NULL */
    uint32_t *base_rows; /* the fastest row of `base` in each run and at each place, or ROW_NONE */
    double low, high;    /* the range of the shown values, including their intervals */
};

/*
 * Finds the lines that the options ask for. `y` is the column that is shown without --y. Returns
 * false and writes the reason to `why` if a column cannot be shown, or if no row has a value. The
 * caller must call lines_free() in any case.
 */
bool lines_find(struct line_chart *l, const char *y, char why[256]);
void lines_free(struct line_chart *l);

/*
 * Finds the rows of the kernel that --relative-to names. Returns false and writes the reason to
 * `why` if the chart shows none of them.
 */
bool lines_find_base(struct line_chart *l, char why[256]);

double lines_x(const struct line_chart *l, uint32_t row);
/*
 * Returns the value of a row. With --relative-to, the value is divided by that of the reference
 * kernel at the same place in the same run.
 */
double lines_y(const struct line_chart *l, uint32_t row);
/*
 * In a chart of times, returns one end of the row's interval. The column `end` contains this end.
 * In other charts, and for rows without an interval, returns the row's value.
 */
double lines_end(const struct line_chart *l, uint32_t row, const struct column *end);
/* Returns the position of a value of x on the axis. */
size_t lines_place(const struct line_chart *l, double x);

/*
 * Returns the label of a line, which the caller frees. The label contains the line's scope only if
 * this differs from the scope of the slice.
 */
char *lines_label(const struct line_chart *l, const struct line *line);

/*
 * Sets `low` and `high` to the ends of a range that contains the colored lines completely. The
 * range extends down to the lowest grey line, but not up to the highest one.
 */
void lines_range(struct line_chart *l);

/* Returns the label of the vertical axis, which the caller frees. */
char *lines_axis(const struct line_chart *l);
/* Returns the words of the heading that say what the chart shows, such as "Time per launch". */
const char *lines_what(const struct line_chart *l);
/* Returns what corresponds to 100 % in a chart of shares, or "" for other charts. */
const char *lines_whole(const struct line_chart *l);

/*
 * These functions fill the picture. lines_draw() draws lines, and lines_draw_bars() draws bars.
 * Bars are for charts with only one place on the x axis, because there a line would be a single
 * point.
 */
void lines_draw(struct line_chart *l, struct picture *p);
void lines_draw_bars(struct line_chart *l, struct picture *p);

#endif
