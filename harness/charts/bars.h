/*
 * Charts of bars, one bar a line from the top (plots/bars.gp): from zero, or dots on a logarithmic
 * axis where values differ thirtyfold.
 */
#ifndef REDSWEEP_CHARTS_BARS_H
#define REDSWEEP_CHARTS_BARS_H

#include "charts/picture.h"
#include "charts/rows.h"

struct bar {
    char *name;              /* owned: bars_free() */
    const char *kernel;      /* whose family colors it */
    bool varies;             /* the value is a count that varies from launch to launch */
    double value, low, high; /* the 95 % interval; NaN: none */
    char *text;              /* beside the bar; owned; NULL: the value */
    char *gain, *why;        /* in two columns at the right; owned; NULL: empty */
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note;         /* at the foot; NULL: none */
    double line;              /* where a line is drawn; NaN: nowhere */
    const char *gains, *whys; /* head the columns at the right; NULL: there are none */
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
