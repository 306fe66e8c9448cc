/*
 * The chart `half` shows the n at which each kernel reaches half of the highest bandwidth of any
 * kernel, Hockney's n½. It is interpolated between the two measured sizes around it, linearly in
 * the logarithm of n. A kernel with a smaller n½ is better for small inputs, whatever its bandwidth
 * for large inputs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "charts/bars.h"
#include "charts/charts.h"
#include "charts/fastest.h"
#include "charts/layout.h"

CHART(75, half, ONE, 0, "bandwidth_gbs", make_half,
      "The n at which each kernel reaches half of the highest bandwidth of all kernels.")

enum { MOST_MISSED = 4 }; /* how many kernels the line below the chart names at most */

static double bandwidth(const struct chart_rows *r, uint32_t row)
{
    return row == ROW_NONE || !r->gbs ? NAN : column_number(r->gbs, row);
}

static double highest(const struct chart_rows *r, const struct fastest *f)
{
    double high = 0;
    for (size_t i = 0; i < f->kernels.count; i++)
        for (size_t k = 0; k < f->sizes.count; k++)
            high = fmax(high, bandwidth(r, f->kernels.items[i].rows[k]));
    return high;
}

/*
 * Returns the smallest n at which the kernel reaches the bandwidth `half`, or NaN if it never does.
 * If the kernel's bandwidth is at least that high at its smallest n already, returns this n and
 * sets *above.
 */
static double size_of_half(const struct chart_rows *r, const struct fastest *f,
                           const struct fastest_kernel *kernel, double half, bool *above)
{
    double last_n = NAN, last = NAN;
    for (size_t k = 0; k < f->sizes.count; k++) {
        const double n = f->sizes.items[k], gbs = bandwidth(r, kernel->rows[k]);
        if (isnan(gbs))
            continue;
        *above = isnan(last);
        if (gbs >= half)
            return *above ? n : last_n * pow(n / last_n, (half - last) / (gbs - last));
        last_n = n;
        last = gbs;
    }
    return NAN;
}

static int compare_bars(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void make(const struct chart_rows *r, const struct fastest *f, double high, bar_list *list,
                 struct picture *p)
{
    struct text never = {0};
    size_t missed = 0;
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct fastest_kernel *kernel = &f->kernels.items[i];
        bool above = false;
        char n[48];
        const double at = size_of_half(r, f, kernel, high / 2, &above);
        if (isnan(at)) {
            if (++missed <= MOST_MISSED)
                text_append(&never, "%s%s", missed > 1 ? ", " : "not reached: ", kernel->label);
            continue;
        }
        layout_short(at, n);
        vec_push(list, (struct bar){.name = xstrdup(kernel->label),
                                    .kernel = kernel->name,
                                    .value = at,
                                    .low = NAN,
                                    .high = NAN,
                                    .text = xasprintf("%s%s", above ? "at most " : "", n)});
    }
    if (missed > MOST_MISSED)
        text_append(&never, " and %zu others", missed - MOST_MISSED);
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_bars);
    char *heading =
        xasprintf("Where kernels reach half of the highest bandwidth, %.0f GB/s", high / 2);
    char *shown = xasprintf("%s; the fastest setting of each kernel at each n", r->slice);
    const struct bars bars = {.list = *list,
                              .heading = heading,
                              .shown = shown,
                              .axis = "n (elements)",
                              .note = never.bytes,
                              .line = NAN};
    bars_make(r, &bars, p);
    text_free(&never);
    free(heading);
    free(shown);
}

bool make_half(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct fastest f;
    bar_list list = {0};
    fastest_find(r, &f);
    const double high = highest(r, &f);
    bool ok = f.sizes.count > 1 && high > 0;
    if (ok)
        make(r, &f, high, &list, p);
    else
        snprintf(why, 256, "%s", high > 0 ? "there is only one n" : "the run has no bandwidths");
    bars_free(&list);
    fastest_free(&f);
    return ok;
}
