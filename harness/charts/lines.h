/*
 * Makes line charts. There is a line for each kernel (or value of --by) through its fastest row at
 * each n (or value of --x). The vertical axis shows the time, the bandwidth, or any other column
 * (--y). Charts of several runs have one line per run.
 */
#ifndef REDSWEEP_CHARTS_LINES_H
#define REDSWEEP_CHARTS_LINES_H

#include "charts/names.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct line {
    const char *name; /* of the kernel, the value of --by, or the run */
    char *label;      /* the name in the chart */
    uint32_t *rows;   /* the row at each place on the x axis, or ROW_NONE */
    uint32_t last;    /* the row with the largest x */
    int color;        /* a color from 1 on, or 0 for grey */
};

struct line_chart {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel, by_run;
    /* in a chart of shares, each run's 100 % in GB/s, otherwise NULL */
    double *reached;
    VEC(double) places; /* the values on the x axis, ascending */
    VEC(struct line) lines;
    struct named *named; /* in the order of the lines, once they are colored */
    const char *base;    /* the kernel of --relative-to, or NULL */
    uint32_t *base_rows; /* its fastest row in each run and at each place, or ROW_NONE */
    double low, high;    /* of the shown values and their intervals */
};

/*
 * Finds the lines that the options ask for. `y` is the column to show without --y. Returns false
 * with a reason in `why` if a column cannot be shown, or if no row has a value. The caller must
 * call lines_free() in any case.
 */
bool lines_find(struct line_chart *l, const char *y, char why[256]);
void lines_free(struct line_chart *l);

/*
 * Finds the rows of the kernel that --relative-to names. Returns false with a reason in `why` if
 * the chart shows none of them.
 */
bool lines_find_base(struct line_chart *l, char why[256]);

double lines_x(const struct line_chart *l, uint32_t row);
/*
 * Returns the value of a row, with --relative-to divided by that of the reference kernel at the
 * same place in the same run.
 */
double lines_y(const struct line_chart *l, uint32_t row);
/*
 * In a chart of times, returns the end of the row's interval from the column `end`. In other
 * charts, and without an interval, returns the row's value.
 */
double lines_end(const struct line_chart *l, uint32_t row, const struct column *end);
/* Returns the position of x on the axis. */
size_t lines_place(const struct line_chart *l, double x);

/*
 * Returns the label of a line, with its scope if that differs from the slice's. The caller frees
 * it.
 */
char *lines_label(const struct line_chart *l, const struct line *line);

/*
 * Sets `low` and `high` to the range of the colored lines, extended down to the lowest grey line,
 * but not up to the highest one.
 */
void lines_range(struct line_chart *l);

/* Returns the label of the vertical axis, which the caller frees. */
char *lines_axis(const struct line_chart *l);
/* Returns what the chart shows, such as "Time per launch", for its heading. */
const char *lines_what(const struct line_chart *l);
/* Returns what corresponds to 100 % in a chart of shares, or "" for other charts. */
const char *lines_whole(const struct line_chart *l);

/*
 * Fill the picture with lines or, if the x axis has only one place, with bars, because a line there
 * would be a single point.
 */
void lines_draw(struct line_chart *l, struct picture *p);
void lines_draw_bars(struct line_chart *l, struct picture *p);

#endif
