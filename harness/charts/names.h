/*
 * Gives names and colors to the series in a chart. A series is a line or the points of one kernel.
 *
 * If a chart has too many series to tell apart, only the fastest series, and those of kernels that
 * others are compared with, get a color and a name. All other series are grey and come first in the
 * list, so that the colored ones are drawn over them.
 */
#ifndef REDSWEEP_CHARTS_NAMES_H
#define REDSWEEP_CHARTS_NAMES_H

#include "charts/fastest.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct named {
    const char *label; /* borrowed from the caller */
    size_t index;      /* the position in the caller's list */
    double score;      /* the series with the smallest scores get names */
    bool always;       /* the series gets a name, whatever its score */
    int color;         /* a color from 1 on, or 0 for grey; names_choose() sets it */
};

/* Sets the colors and moves the grey series to the front. Returns the number of grey series. */
size_t names_choose(struct named *list, size_t count);

/*
 * Returns whether other kernels are compared with this one, because it is a peer or the first
 * kernel of the ladder.
 */
bool names_stand_out(const struct chart_rows *rows, const char *kernel);

/*
 * Returns the kernels of a chart in the order in which they are drawn. The caller frees the list.
 */
struct named *names_of_kernels(const struct chart_rows *rows, const struct fastest *f);

/*
 * Writes the variables SERIES, GREYS, NAME, COLOUR and LABELS. In a narrow chart, which has no
 * names beside the lines, also writes a key.
 */
void names_write(const struct chart_rows *rows, const struct named *list, size_t count,
                 struct picture *p);

/*
 * Writes the key of a chart in which the colors stand for families of kernels (ladder_rgb()): the
 * families of these kernels, in the order of the ladder. `mark` is gnuplot's number of the mark.
 */
void names_families(const struct chart_rows *rows, const char *const *kernels, size_t count,
                    int mark, struct picture *p);

/* Returns the height of the plot in pixels, which is large enough for the names beside it. */
double names_height(const struct chart_rows *rows, const struct named *list, size_t count);

/*
 * Writes the variables LAST_X and LAST, the coordinates of the ends of the lines, and PLACE, the
 * positions of the names to their right. `at` has the vertical positions of the ends on an axis
 * from 0 to 1, or NaN for a line without an end.
 */
void names_place(const struct chart_rows *rows, const struct named *list, size_t count,
                 const double *x, const double *y, const double *at, struct picture *p);

#endif
