/*
 * Makes charts with one horizontal bar per line. plots/bars.gp draws them. The bars start at zero.
 * If the values differ by more than a factor of thirty, the chart shows dots on a logarithmic axis
 * instead.
 */
#ifndef REDSWEEP_CHARTS_BARS_H
#define REDSWEEP_CHARTS_BARS_H

#include "charts/picture.h"
#include "charts/rows.h"

struct bar {
    char *name;         /* the text at the left, which bars_free() frees */
    const char *kernel; /* the kernel whose family gives the bar its color */
    bool varies; /* This is true if the value is a count that varies from launch to launch. */
    /* `low` and `high` are the ends of the 95 % interval, or NaN if there is none. */
    double value, low, high;
    /*
     * This string is written beside the bar, and bars_free() frees it. If it is NULL, the value is
     * written instead.
     */
    char *text;
    /*
     * These strings are written in the two columns to the right of the bar, and bars_free() frees
     * them. If one is NULL, its cell is empty.
     */
    char *gain, *why;
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note; /* the text below the chart, or NULL */
    double line;      /* the position of a vertical line, or NaN */
    /*
     * These are the headings of the two columns to the right of the bars. If both are NULL, the
     * chart does not have these columns.
     */
    const char *gains, *whys;
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
