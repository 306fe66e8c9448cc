/*
 * Names and colors the series (lines or clouds of points) in a chart.
 *
 * If a chart has too many series to tell apart, only the fastest ones, and those that others are
 * compared with, get a color and a name. The rest are grey and come first in the list, so that the
 * others are drawn over them.
 */
#ifndef REDSWEEP_CHARTS_NAMES_H
#define REDSWEEP_CHARTS_NAMES_H

#include "charts/fastest.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct named {
    const char *label; /* borrowed from the caller */
    size_t index;      /* in the caller's list */
    double score;      /* the smallest scores get names */
    bool always;       /* gets a name whatever its score */
    int color;         /* set by names_choose(): from 1 on, or 0 for grey */
};

/* Sets the colors and moves the grey series to the front. Returns the number of grey series. */
size_t names_choose(struct named *list, size_t count);

/*
 * Returns whether charts compare other kernels with this one: a peer, or the first kernel of the
 * ladder.
 */
bool names_stand_out(const struct chart_rows *rows, const char *kernel);

/* Returns the kernels of a chart in drawing order. The caller frees the list. */
struct named *names_of_kernels(const struct chart_rows *rows, const struct fastest *f);

/* Writes the variables SERIES, GREYS, NAME, COLOUR and LABELS, and the key of a narrow chart. */
void names_write(const struct chart_rows *rows, const struct named *list, size_t count,
                 struct picture *p);

/*
 * Writes the key of a chart colored by family (ladder_rgb()): the families of these kernels, in the
 * order of the ladder. `mark` is gnuplot's number of the mark.
 */
void names_families(const struct chart_rows *rows, const char *const *kernels, size_t count,
                    int mark, struct picture *p);

/* Returns the height of the plot in pixels, large enough for the names beside it. */
double names_height(const struct chart_rows *rows, const struct named *list, size_t count);

/*
 * Writes the variables LAST_X and LAST, the coordinates of the ends of the lines, and PLACE, the
 * positions of the names to their right. `at` has the vertical positions of the ends on an axis
 * from 0 to 1, or NaN for a line without an end.
 */
void names_place(const struct chart_rows *rows, const struct named *list, size_t count,
                 const double *x, const double *y, const double *at, struct picture *p);

#endif
