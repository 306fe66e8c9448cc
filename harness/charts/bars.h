/*
 * Makes charts with one horizontal bar per line, which plots/bars.gp draws. Bars start at zero. If
 * the values span more than a factor of thirty, the chart has dots on a logarithmic axis instead.
 */
#ifndef REDSWEEP_CHARTS_BARS_H
#define REDSWEEP_CHARTS_BARS_H

#include "charts/picture.h"
#include "charts/rows.h"

struct bar {
    char *name;         /* the text at the left, owned */
    const char *kernel; /* its family gives the bar its color */
    bool varies;        /* whether the value is a count that varies from launch to launch */
    /* with the 95 % interval, or NaN if there is none */
    double value, low, high;
    /* the text beside the bar, owned, or NULL for the value */
    char *text;
    /* the cells of the two columns to the right of the bar, owned, or NULL */
    char *gain, *why;
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note; /* the text below the chart, or NULL */
    double line;      /* the position of a vertical line, or NaN */
    /* the headings of the two columns to the right, both NULL if there are no such columns */
    const char *gains, *whys;
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
