/*
 * Computes the layout of a chart before gnuplot draws it: the colors, and positions at which names
 * do not overlap. Lengths are in pixels of the canvas (plots/canvas.gp). A character is about 7.3
 * pixels wide, and a line is 17 pixels high.
 */
#ifndef REDSWEEP_CHARTS_LAYOUT_H
#define REDSWEEP_CHARTS_LAYOUT_H

#include <stddef.h>

#include "charts/picture.h"

/* Returns color i as 0xRRGGBB. Colors 1 to 7 are those of plots/style.gp, and higher numbers repeat
 * them. Color 0 is grey. */
int layout_rgb(int i);
/*
 * Returns color i, counted from 0, of `count` colors that become darker with i. They are those
 * colors of plots/palette.gp whose contrast with white is at least 3.
 */
int layout_ramp(size_t i, size_t count);
/* Returns the number by which gnuplot refers to the mark of color i. */
int layout_mark(int i);

/* Returns the number of characters in a UTF-8 string. */
size_t layout_length(const char *text);

/*
 * Moves the places wanted[0 … count − 1], which lie between 0 and 1, so that neighbors are at least
 * `gap` apart. It moves them as little as possible. Places that collide form one group around their
 * mean. The results are stored in `places`, in the order of `wanted`.
 */
void layout_spread(const double *wanted, size_t count, double gap, double *places);

/*
 * Writes the key that plots/key.gp draws. It consists of lines that are no wider than `width` and
 * contain color samples with their names.
 */
struct layout_key {
    const char *name;
    int rgb, mark;
};
void layout_keys(struct picture *p, const struct layout_key *keys, size_t count, double width);

/* Writes a size, such as "2²⁴" for 16777216 and "1000" for 1000. */
void layout_size(double n, char out[48]);
/*
 * Writes a number with four significant digits. From 1000 to 99999, numbers are rounded to
 * integers. Larger numbers get the suffix k, M, G or T.
 */
void layout_short(double x, char out[48]);
/*
 * Returns a string with four significant digits, such as "20.90", so that all times in a column
 * have the same number of digits. The caller frees the string.
 */
char *layout_figures_text(double x);
/*
 * Writes a number as layout_short() does. If `varies` is true, the count varies from launch to
 * launch, and "≈" precedes it, as in "≈1.2M".
 */
void layout_short_about(double x, bool varies, char out[48]);
/*
 * Writes a number as layout_short() does, but keeps trailing zeros, so that all numbers in a column
 * have four digits.
 */
void layout_figures(double x, char out[48]);

#endif
