/*
 * Layout of a chart, computed before gnuplot draws: colors, places of names that do not overlap.
 * Lengths are pixels of the canvas (plots/canvas.gp); a character is about 7.3 wide, a line 17 high.
 */
#ifndef REDSWEEP_CHARTS_LAYOUT_H
#define REDSWEEP_CHARTS_LAYOUT_H

#include <stddef.h>

#include "charts/picture.h"

/* Color i from 1 on, as 0xRRGGBB (those of plots/style.gp, again from the first); 0: the grey. */
int layout_rgb(int i);
/* Light to dark for numbers that grow, i from 0: of plots/palette.gp what has a contrast of 3 with white. */
int layout_ramp(size_t i, size_t count);
/* gnuplot's number of the mark that goes with it. */
int layout_mark(int i);

/* Characters of a text in UTF-8. */
size_t layout_length(const char *text);

/*
 * Moves the places wanted[0 … count − 1] (0 … 1) apart by at least `gap`, as little as possible:
 * those that collide become one pile around their mean. All in order of what is wanted, in `places`.
 */
void layout_spread(const double *wanted, size_t count, double gap, double *places);

/* Names of colors for plots/key.gp: rows of samples with names, within `width`. */
struct layout_key {
    const char *name;
    int rgb, mark;
};
void layout_keys(struct picture *p, const struct layout_key *keys, size_t count, double width);

/* 16777216 as "2²⁴", 1000 as "1000". */
void layout_size(double n, char out[48]);
/* Four digits; whole up to 99999, then with k, M, G, T for thousands and so on. */
void layout_short(double x, char out[48]);
/* A text of its own with four figures, "20.90", so that times below each other have as many. The caller's. */
char *layout_figures_text(double x);
/* The same, "≈1.2M" for a count that varies from launch to launch. */
void layout_short_about(double x, bool varies, char out[48]);
/* The same with all four digits, also where they end in zeros, so that columns of them are even. */
void layout_figures(double x, char out[48]);

#endif
