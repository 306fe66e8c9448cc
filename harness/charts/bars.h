/*
 * Bar charts, with one horizontal bar per line (plots/bars.gp): from zero, or dots on a logarithmic
 * axis if values differ by a factor of thirty.
 */
#ifndef REDSWEEP_CHARTS_BARS_H
#define REDSWEEP_CHARTS_BARS_H

#include "charts/picture.h"
#include "charts/rows.h"

struct bar {
    char *name;              /* owned: bars_free() */
    const char *kernel;      /* kernel whose family colors it */
    bool varies;             /* the value is a count that varies from launch to launch */
    double value, low, high; /* the 95 % interval; NaN: none */
    char *text;              /* text beside the bar; owned; NULL: the value */
    char *gain, *why;        /* texts of two columns at the right; owned; NULL: empty */
};
typedef VEC(struct bar) bar_list;

struct bars {
    bar_list list;
    const char *heading, *shown, *axis;
    const char *note;         /* text at the bottom; NULL: none */
    double line;              /* position of a vertical line; NaN: none */
    const char *gains, *whys; /* headings of the columns at the right; NULL: no columns */
};

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p);
void bars_free(bar_list *list);

#endif
