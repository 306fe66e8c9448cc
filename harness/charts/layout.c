/* Implements layout.h. */
#include "charts/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * The colors of Okabe and Ito. plots/style.gp contains the same colors, and the same marks as
 * layout_mark().
 */
int layout_rgb(int i)
{
    static const int colors[] = {0x00508C, 0xD55E00, 0x009E73, 0xCC79A7,
                                 0x2F9BDB, 0x7D3C0F, 0x000000};
    return i < 1 ? 0x8B8B8B : colors[(i - 1) % 7];
}

int layout_ramp(size_t i, size_t count)
{
    static const int shades[4][3] = {{85, 153, 160}, {47, 114, 149}, {35, 76, 120}, {20, 30, 64}};
    double share = count > 1 ? 3 * (double)i / (double)(count - 1) : 0;
    int from = share >= 2 ? 2 : (int)share, rgb = 0;
    for (int c = 0; c < 3; c++) {
        double change = shades[from + 1][c] - shades[from][c];
        rgb = rgb * 256 + (int)(shades[from][c] + (share - from) * change);
    }
    return rgb;
}

int layout_mark(int i)
{
    static const int marks[] = {7, 5, 9, 13, 11};
    /* In gnuplot, the number of an open mark is one less than that of the filled mark. */
    return i < 1 ? 7 : marks[(i - 1) % 5] - (i > 7);
}

size_t layout_length(const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        length += ((unsigned char)*text & 0xC0) != 0x80;
    return length;
}

struct wish {
    double place;
    size_t index;
};

static int compare_wishes(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

struct pile {
    size_t first, size;
    double mean;
};

/*
 * Returns the center of a group of `size` places, moved so that the whole group is between 0 and 1.
 */
static double inside(double mean, size_t size, double gap)
{
    double half = gap * ((double)size - 1) / 2;
    return fmin(fmax(mean, half), 1 - half);
}

static bool collide(const struct pile *p, double gap)
{
    return p[1].mean - p[0].mean < gap * (double)(p[0].size + p[1].size) / 2;
}

void layout_spread(const double *wanted, size_t count, double gap, double *places)
{
    struct wish *order = xcalloc(count + 1, sizeof *order);
    struct pile *piles = xcalloc(count + 1, sizeof *piles);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = (struct wish){wanted[i], i};
    qsort(order, count, sizeof *order, compare_wishes);
    if (count > 1 && gap * ((double)count - 1) > 1)
        gap = 1 / ((double)count - 1);
    for (size_t i = 0; i < count; i++) {
        piles[used++] = (struct pile){i, 1, inside(order[i].place, 1, gap)};
        while (used > 1 && collide(&piles[used - 2], gap)) {
            struct pile *low = &piles[used - 2], *high = &piles[used - 1];
            low->mean = (low->mean * (double)low->size + high->mean * (double)high->size) /
                        (double)(low->size + high->size);
            low->size += high->size;
            low->mean = inside(low->mean, low->size, gap);
            used--;
        }
    }
    for (size_t i = 0; i < used; i++) {
        double from = piles[i].mean - gap * ((double)piles[i].size - 1) / 2;
        for (size_t j = 0; j < piles[i].size; j++)
            places[order[piles[i].first + j].index] = from + gap * (double)j;
    }
    free(order);
    free(piles);
}

void layout_keys(struct picture *p, const struct layout_key *keys, size_t count, double width)
{
    const char **names = xcalloc(count + 1, sizeof *names);
    double *numbers = xcalloc(4 * count + 1, sizeof *numbers);
    double *rgb = numbers, *marks = rgb + count, *x = marks + count, *row = x + count;
    double at = 0, line = 0;
    for (size_t i = 0; i < count; i++) {
        double length = 7.3 * (double)layout_length(keys[i].name);
        if (at > 0 && at + length + 20 > width) {
            at = 0;
            line++;
        }
        names[i] = keys[i].name;
        rgb[i] = keys[i].rgb;
        marks[i] = keys[i].mark;
        x[i] = at;
        row[i] = line;
        at += length + 34;
    }
    picture_number(p, "KEYS", (double)count);
    picture_number(p, "KEY_ROWS", count ? line + 1 : 0);
    if (count) {
        picture_texts(p, "KEY_NAME", names, count);
        picture_numbers(p, "KEY_RGB", rgb, count);
        picture_numbers(p, "KEY_MARK", marks, count);
        picture_numbers(p, "KEY_X", x, count);
        picture_numbers(p, "KEY_ROW", row, count);
    }
    free(names);
    free(numbers);
}

void layout_size(double n, char out[48])
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int k = n > 0 && n < 0x1p63 ? (int)lround(log2(n)) : 0;
    if (k < 10 || ldexp(1, k) != n)
        snprintf(out, 48, "%.0f", n);
    else
        snprintf(out, 48, "2%s%s", raised[k / 10], raised[k % 10]);
}

void layout_short(double x, char out[48])
{
    static const struct {
        double from, unit;
        const char *letter;
    } units[] = {{1e12, 1e12, "T"}, {1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e5, 1e3, "k"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (x >= units[i].from) {
            snprintf(out, 48, "%.4g%s", x / units[i].unit, units[i].letter);
            return;
        }
    snprintf(out, 48, x >= 1000 ? "%.0f" : "%.4g", x);
}

void layout_short_about(double x, bool varies, char out[48])
{
    char number[48];
    layout_short(x, number);
    snprintf(out, 48, "%s%.40s", varies ? "≈" : "", number);
}

void layout_figures(double x, char out[48])
{
    if (x <= 0 || x >= 1000)
        layout_short(x, out);
    else
        snprintf(out, 48, "%#.4g", x);
}

char *layout_figures_text(double x)
{
    char text[48];
    layout_figures(x, text);
    return xstrdup(text);
}
