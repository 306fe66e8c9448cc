/*
 * Makes charts with one horizontal bar per line, which plots/bars.gp draws. The bars start at zero.
 * If the values differ by more than a factor of thirty, dots on a logarithmic axis replace them.
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
    /* This text is beside the bar, and bars_free() frees it. NULL shows the value. */
    char *text;
    /* These texts are in the two columns at the right, and bars_free() frees them. NULL leaves the
     * cell empty. */
    char *gain, *why;
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note; /* the text below the chart, or NULL */
    double line;      /* the position of a vertical line, or NaN */
    /* These are the headings of the two columns at the right. Both are NULL without these columns. */
    const char *gains, *whys;
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
