/*
 * Makes charts with one horizontal bar per line, which plots/bars.gp draws. Bars start at zero. If
 * the largest value is more than thirty times the smallest, the chart has dots on a logarithmic
 * axis instead of bars.
 */
#ifndef REDSWEEP_CHARTS_BARS_H
#define REDSWEEP_CHARTS_BARS_H

#include "charts/picture.h"
#include "charts/rows.h"

struct bar {
    char *name;         /* the text to the left of the bar, owned */
    const char *kernel; /* The bar has the color of this kernel's family. */
    bool varies;        /* whether the value is a count that varies from launch to launch */
    /* the value and the ends of its 95 % interval, which are NaN if there is none */
    double value, low, high;
    /* the text at the end of the bar, owned, or NULL to show the value there */
    char *text;
    /* the cells of the two columns to the right of the bar, owned, or NULL */
    char *gain, *why;
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note; /* the text below the chart, or NULL */
    double line;      /* the value at which a vertical line is drawn, or NaN for no line */
    /* the headings of the two columns to the right, both NULL if there are no such columns */
    const char *gains, *whys;
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
