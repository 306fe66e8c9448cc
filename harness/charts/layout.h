/*
 * Layout of a chart, computed before gnuplot draws: colors, places of names that do not overlap.
 * Lengths are pixels of the canvas (plots/canvas.gp); a character is about 7.3 wide, a line 17 high.
 */
#ifndef REDSWEEP_CHARTS_LAYOUT_H
#define REDSWEEP_CHARTS_LAYOUT_H

#include <stddef.h>

#include "charts/picture.h"

/* Color i from 1 on, as 0xRRGGBB (those of plots/style.gp, cyclically); 0: grey. */
int layout_rgb(int i);
/* Colors from light to dark for growing numbers, i from 0: those of plots/palette.gp that have a contrast of
 * 3 with white. */
int layout_ramp(size_t i, size_t count);
/* gnuplot's number of the mark for it. */
int layout_mark(int i);

/* Characters of a text in UTF-8. */
size_t layout_length(const char *text);

/*
 * Moves the places wanted[0 … count − 1] (0 … 1) apart by at least `gap`, as little as possible:
 * places that collide form one group around their mean. The results are in `places`, in the order of
 * `wanted`.
 */
void layout_spread(const double *wanted, size_t count, double gap, double *places);

/* Names of colors for plots/key.gp: lines of samples with names, within `width`. */
struct layout_key {
    const char *name;
    int rgb, mark;
};
void layout_keys(struct picture *p, const struct layout_key *keys, size_t count, double width);

/* 16777216 as "2²⁴", 1000 as "1000". */
void layout_size(double n, char out[48]);
/* Four digits; whole up to 99999, then with k, M, G, T for thousands and so on. */
void layout_short(double x, char out[48]);
/* A text with four significant digits, "20.90", so that times in a column have equally many. The caller's. */
char *layout_figures_text(double x);
/* The same, "≈1.2M" for a count that varies from launch to launch. */
void layout_short_about(double x, bool varies, char out[48]);
/* The same with all four digits, also where they end in zeros, so that columns of them are even. */
void layout_figures(double x, char out[48]);

#endif
