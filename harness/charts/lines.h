/*
 * Makes line charts. There is a line for each kernel (or each value of the column --by), which
 * connects its fastest rows at each n (or each value of the column --x). The vertical axis shows
 * the time, the bandwidth, or any other column (--y). Charts of several runs have one line per run.
 */
#ifndef REDSWEEP_CHARTS_LINES_H
#define REDSWEEP_CHARTS_LINES_H

#include "charts/names.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct line {
    const char *name; /* the kernel, the value of --by, or the run */
    char *label;      /* the name as the chart shows it */
    uint32_t *rows;   /* the row at each of `places` in struct line_chart, or ROW_NONE */
    uint32_t last;    /* the row with the largest x */
    int color;        /* a color from 1 on, or 0 for grey */
};

struct line_chart {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel, by_run;
    /*
     * in the chart `share`, the bandwidth in GB/s that is 100 % for each run; in other charts, NULL
     */
    double *reached;
    VEC(double) places; /* the values on the x axis, ascending */
    VEC(struct line) lines;
    /* the names of the lines, in the same order, after lines_draw() has colored them */
    struct named *named;
    const char *base;    /* the kernel of --relative-to, or NULL */
    uint32_t *base_rows; /* the fastest row of `base` in each run and at each place, or ROW_NONE */
    double low, high;    /* the range of the shown values and their intervals */
};

/*
 * Finds the lines that the options ask for. `y` is the column that is shown if --y is not given.
 * Returns false with a reason in `why` if a column cannot be shown, or if no row has a value. The
 * caller must call lines_free() in both cases.
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
 * Returns the value of a row. With --relative-to, it is divided by the value of the reference
 * kernel at the same place in the same run.
 */
double lines_y(const struct line_chart *l, uint32_t row);
/*
 * In a chart of times, returns the end of the row's interval that the column `end` contains. In
 * other charts, or if the row has no interval, returns the row's value.
 */
double lines_end(const struct line_chart *l, uint32_t row, const struct column *end);
/* Returns the index of x in `places`. */
size_t lines_place(const struct line_chart *l, double x);

/*
 * Returns the label of a line. It contains the line's scope if that differs from the scope of the
 * slice (rows.h). The caller frees it.
 */
char *lines_label(const struct line_chart *l, const struct line *line);

/*
 * Sets `low` to the lowest value of all lines, and `high` to the highest value of the colored
 * lines. Grey lines may be higher.
 */
void lines_range(struct line_chart *l);

/* Returns the label of the vertical axis, which the caller frees. */
char *lines_axis(const struct line_chart *l);
/* Returns what the chart shows, such as "Time per launch", for its heading. */
const char *lines_what(const struct line_chart *l);
/* Returns text that says what 100 % means in the chart `share`, or "" for other charts. */
const char *lines_whole(const struct line_chart *l);

/*
 * Fill the picture with lines or with bars. Bars are for charts whose x axis has only one place,
 * where each line would be a single point.
 */
void lines_draw(struct line_chart *l, struct picture *p);
void lines_draw_bars(struct line_chart *l, struct picture *p);

#endif
