/*
 * Chooses the names and colors of the series (lines or clouds of points) in a chart.
 *
 * If a chart contains more series than a reader can distinguish, only the fastest series, and the
 * series with which others are compared, get a color and a name. All other series are grey. The
 * grey series come first in the list, because series that are drawn first lie below those that are
 * drawn later.
 */
#ifndef REDSWEEP_CHARTS_NAMES_H
#define REDSWEEP_CHARTS_NAMES_H

#include "charts/fastest.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct named {
    const char *label; /* The label is borrowed from the caller. */
    size_t index;      /* the index in the caller's list */
    double score;      /* A smaller score makes it more likely that this one gets a name. */
    bool always;       /* This is true if it gets a name whatever its score is. */
    int color;         /* names_choose() sets this to a color from 1 on, or to 0 for grey. */
};

/* Sets the colors, and moves the grey series to the front. Returns the number of grey series. */
size_t names_choose(struct named *list, size_t count);

/*
 * Returns whether charts compare other kernels with this one. They do so for peers and for the
 * first kernel of the ladder.
 */
bool names_stand_out(const struct chart_rows *rows, const char *kernel);

/* Returns the kernels of a chart in the order in which the chart draws them. The caller frees the
 * list. */
struct named *names_of_kernels(const struct chart_rows *rows, const struct fastest *f);

/* Writes the variables SERIES, GREYS, NAME, COLOUR and LABELS, and the key of a narrow chart. */
void names_write(const struct chart_rows *rows, const struct named *list, size_t count,
                 struct picture *p);

/*
 * Writes the key of a chart whose colors are those of families (ladder_rgb()). It lists the
 * families of these kernels in the order of the ladder. `mark` is the number by which gnuplot
 * refers to the mark.
 */
void names_families(const struct chart_rows *rows, const char *const *kernels, size_t count,
                    int mark, struct picture *p);

/* Returns the height of the plot in pixels. It is large enough for the names beside the plot. */
double names_height(const struct chart_rows *rows, const struct named *list, size_t count);

/*
 * Writes the variables LAST_X and LAST, which contain the coordinates of the ends of the lines, and
 * PLACE, which contains the positions of the names to their right. `at` contains the vertical
 * positions of the ends on an axis from 0 to 1, or NaN for a line without an end.
 */
void names_place(const struct chart_rows *rows, const struct named *list, size_t count,
                 const double *x, const double *y, const double *at, struct picture *p);

#endif
