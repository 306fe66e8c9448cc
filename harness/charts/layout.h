/*
 * Computes what a chart needs before gnuplot draws it: colors, numbers as text, and positions at
 * which names do not overlap. Lengths are in pixels of the canvas (plots/canvas.gp). A character is
 * about 7.3 pixels wide, and a line 17 pixels high.
 */
#ifndef REDSWEEP_CHARTS_LAYOUT_H
#define REDSWEEP_CHARTS_LAYOUT_H

#include <stddef.h>

#include "charts/picture.h"

/*
 * Returns color i as 0xRRGGBB: 0 is grey, 1 to 7 are the colors of plots/style.gp, which repeat
 * from 8 on.
 */
int layout_rgb(int i);
/*
 * Returns color i (from 0) of `count` colors that get darker with i. They are those colors of
 * plots/palette.gp that have a contrast of at least 3 with white.
 */
int layout_ramp(size_t i, size_t count);
/* Returns gnuplot's number for the shape of the marks that have color i. */
int layout_mark(int i);

/* Returns the number of characters in a UTF-8 string. */
size_t layout_length(const char *text);

/*
 * Moves the places wanted[0 … count − 1], which lie between 0 and 1, as little as possible so that
 * neighbors are at least `gap` apart. Places that are too close become a group that is centered at
 * their mean. Stores the results in `places`, in the order of `wanted`.
 */
void layout_spread(const double *wanted, size_t count, double gap, double *places);

/*
 * An entry of a key, which explains the colors of a chart. layout_keys() writes the key that
 * plots/key.gp draws; its lines are no wider than `width`.
 */
struct layout_key {
    const char *name;
    int rgb, mark;
};
void layout_keys(struct picture *p, const struct layout_key *keys, size_t count, double width);

/* Writes a size, such as "2²⁴" for 16777216 and "1000" for 1000. */
void layout_size(double n, char out[48]);
/*
 * Writes a number with four significant digits. Numbers from 1000 to 99999 are rounded to integers;
 * larger ones get the suffix k, M, G or T.
 */
void layout_short(double x, char out[48]);
/*
 * Returns a number with exactly four significant digits, such as "20.90", so that the numbers in a
 * column have the same length. The caller frees the string.
 */
char *layout_figures_text(double x);
/*
 * Like layout_short(), but with "≈" before the number if `varies` is true (a count that varies from
 * launch to launch), as in "≈1.2M".
 */
void layout_short_about(double x, bool varies, char out[48]);
/*
 * Like layout_short(), but keeps trailing zeros, so that all numbers in a column have four digits.
 */
void layout_figures(double x, char out[48]);

#endif
