/*
 * Charts of lines: a line per kernel (or per value of --by) through its fastest row at each n (or
 * --x), of the time, the bandwidth, or any other column (--y). Of several runs it is a line per run.
 */
#ifndef REDSWEEP_CHARTS_LINES_H
#define REDSWEEP_CHARTS_LINES_H

#include "charts/names.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct line {
    const char *name; /* the series' */
    char *label;      /* as the chart shows it */
    uint32_t *rows;   /* of each place on the x axis; ROW_NONE: none */
    uint32_t last;    /* the row with the largest x */
    int color;        /* from 1 on; 0: grey */
};

struct line_chart {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel, by_run;
    double *reached;    /* of a chart of shares: GB/s that are 100 %, of each run; else NULL */
    VEC(double) places; /* on the x axis, ascending */
    VEC(struct line) lines;
    struct named *named; /* as the lines are, when these have colors */
    const char *base;    /* the kernel of --relative-to; NULL */
    uint32_t
        *base_rows;   /* its fastest row of each run, and of that at each place; ROW_NONE: none */
    double low, high; /* of what is shown, intervals included */
};

/*
 * The lines of a chart: those of the options, `y` without --y. False with `why` where a column cannot
 * be shown, or no row has a value. lines_free() in any case.
 */
bool lines_find(struct line_chart *l, const char *y, char why[256]);
void lines_free(struct line_chart *l);

/* Finds the rows of --relative-to; false with `why`: no row of it is shown. */
bool lines_find_base(struct line_chart *l, char why[256]);

double lines_x(const struct line_chart *l, uint32_t row);
/* A row's value, with --relative-to over that of the kernel's row at the same place of the same run. */
double lines_y(const struct line_chart *l, uint32_t row);
/* An end of its interval, from the time's; the value itself where there is none. */
double lines_end(const struct line_chart *l, uint32_t row, const struct column *end);
/* Where on the axis a value of x is. */
size_t lines_place(const struct line_chart *l, double x);

/* A kernel that has the other scope only says so. The caller's. */
char *lines_label(const struct line_chart *l, const struct line *line);

/* Sets `low` and `high`: of what is in color the whole, of the grey the lower end. */
void lines_range(struct line_chart *l);

/* What the vertical axis says; the caller's. */
char *lines_axis(const struct line_chart *l);
/* "Time", … of the heading. */
const char *lines_what(const struct line_chart *l);

/* Fills the picture: lines, or with one place on the axis of x bars, as lines of one point say nothing. */
void lines_draw(struct line_chart *l, struct picture *p);
void lines_draw_bars(struct line_chart *l, struct picture *p);

#endif
