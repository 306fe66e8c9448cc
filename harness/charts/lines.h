/*
 * Line charts: a line per kernel (or per value of --by) through its fastest row at each n (or --x),
 * of the time, the bandwidth, or any other column (--y). With several runs there is a line per run.
 */
#ifndef REDSWEEP_CHARTS_LINES_H
#define REDSWEEP_CHARTS_LINES_H

#include "charts/names.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct line {
    const char *name; /* the series' */
    char *label;      /* as the chart shows it */
    uint32_t *rows;   /* for each place on the x axis; ROW_NONE: none */
    uint32_t last;    /* the row with the largest x */
    int color;        /* from 1 on; 0: grey */
};

struct line_chart {
    const struct chart_rows *rows;
    const struct column *x, *y, *by;
    bool is_time, is_bandwidth, by_kernel, by_run;
    double *reached;    /* in a chart of shares: the GB/s that are 100 %, for each run; else NULL */
    VEC(double) places; /* on the x axis, ascending */
    VEC(struct line) lines;
    struct named *named; /* ordered as the lines, if these have colors */
    const char *base;    /* the kernel of --relative-to; NULL */
    uint32_t *base_rows; /* its fastest row of each run, and at each place; ROW_NONE: none */
    double low, high;    /* range of the shown values, including intervals */
};

/*
 * The lines of a chart: those of the options; `y` without --y. Returns false with `why` if a column
 * cannot be shown, or no row has a value. Call lines_free() in any case.
 */
bool lines_find(struct line_chart *l, const char *y, char why[256]);
void lines_free(struct line_chart *l);

/* Finds the rows of --relative-to; returns false with `why` if none of them is shown. */
bool lines_find_base(struct line_chart *l, char why[256]);

double lines_x(const struct line_chart *l, uint32_t row);
/* A row's value; with --relative-to, divided by that of the kernel's row at the same place of the same
 * run. */
double lines_y(const struct line_chart *l, uint32_t row);
/* An end of its interval, from the time's; the value itself if there is none. */
double lines_end(const struct line_chart *l, uint32_t row, const struct column *end);
/* The position of a value of x on the axis. */
size_t lines_place(const struct line_chart *l, double x);

/* Only a kernel that has the other scope states its scope. The caller's. */
char *lines_label(const struct line_chart *l, const struct line *line);

/* Sets `low` and `high`: the whole range of the colored lines, and the lower end of the grey
 * ones. */
void lines_range(struct line_chart *l);

/* The label of the vertical axis; the caller's. */
char *lines_axis(const struct line_chart *l);
/* "Time", … for the heading. */
const char *lines_what(const struct line_chart *l);

/* Fills the picture: lines, or bars if the x axis has only one place, because lines of one point show
 * nothing. */
void lines_draw(struct line_chart *l, struct picture *p);
void lines_draw_bars(struct line_chart *l, struct picture *p);

#endif
