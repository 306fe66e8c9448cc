/*
 * Names and colors of the lines or clouds of points in a chart.
 *
 * If there are more than a reader can distinguish, the fastest, and those with which others are
 * compared, are shown in color with their names. The others are grey and come first, because they
 * are drawn first.
 */
#ifndef REDSWEEP_CHARTS_NAMES_H
#define REDSWEEP_CHARTS_NAMES_H

#include "charts/fastest.h"
#include "charts/picture.h"
#include "charts/rows.h"

struct named {
    const char *label; /* borrowed */
    size_t index;      /* among the caller's */
    double score;      /* the smaller, the more likely it gets a name */
    bool always;       /* it has a name in any case */
    int color;         /* from 1 on; 0: grey; names_choose() sets it */
};

/* Sets colors, and moves the grey ones to the front. Returns how many are grey. */
size_t names_choose(struct named *list, size_t count);

/* Whether others are compared with the kernel: the ladder's first, and peers. */
bool names_stand_out(const struct chart_rows *rows, const char *kernel);

/* The kernels of a chart in the order in which it draws them; the caller's. */
struct named *names_of_kernels(const struct chart_rows *rows, const struct fastest *f);

/* SERIES, GREYS, NAME, COLOUR, LABELS and the key of a narrow chart. */
void names_write(const struct chart_rows *rows, const struct named *list, size_t count,
                 struct picture *p);

/*
 * The key of a chart whose colors are families (ladder_rgb()): those of the kernels, in the ladder's
 * order, with gnuplot's `mark`.
 */
void names_families(const struct chart_rows *rows, const char *const *kernels, size_t count,
                    int mark, struct picture *p);

/* The height of the plot in pixels: names are placed beside it. */
double names_height(const struct chart_rows *rows, const struct named *list, size_t count);

/*
 * Columns LAST_X and LAST, the end of a named line, and PLACE, the position of its name at the right:
 * `at` has these ends on an axis from 0 to 1, NaN if there is none.
 */
void names_place(const struct chart_rows *rows, const struct named *list, size_t count,
                 const double *x, const double *y, const double *at, struct picture *p);

#endif
