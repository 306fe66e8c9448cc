/*
 * The chart `speedup` shows the speedup of each kernel's fastest setting over a reference kernel,
 * at the largest n at which the reference was timed. The reference is the kernel that --relative-to
 * names or, by default, the first kernel of the ladder. Kernels that are more than ten times slower
 * than the reference, such as CPU functions and kernels that launch kernels, have no bar; a line
 * below the chart names them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/bars.h"
#include "charts/charts.h"
#include "charts/fastest.h"
#include "charts/layout.h"

CHART(70, speedup, ONE, TAKES_RELATIVE | OF_A_SIZE, "", make_speedup,
      "Speedup over the ladder's first kernel, or over the kernel that --relative-to names.")

struct speed {
    double time;
    uint32_t row;
    const char *label;
    size_t rung; /* the position in the ladder, by which kernels with equal times are sorted */
};

/* Sorts kernels by time, the slowest first. */
static int compare_speeds(const void *a, const void *b)
{
    const struct speed *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return (x->rung > y->rung) - (x->rung < y->rung);
}

static const char *base_name(const struct chart_rows *r)
{
    if (r->options->relative_to)
        return r->options->relative_to;
    for (size_t i = 0; i < r->ladder.places.count; i++)
        if (r->ladder.places.items[i].color)
            return r->ladder.places.items[i].kernel;
    return "";
}

static void append_ratio(double ratio, struct text *to)
{
    text_append(to, ratio < 1 ? "%.3g ×" : ratio < 10 ? "%.2f ×" : "%.1f ×", ratio);
}

static char *name_of(const struct chart_rows *r, const struct speed *s)
{
    struct text t = {0};
    text_append(&t, "%s  %.0f", s->label, column_number(r->block, s->row));
    if (column_number(r->unroll, s->row) > 1)
        text_append(&t, " × %.0f", column_number(r->unroll, s->row));
    return t.bytes;
}

static void make(const struct chart_rows *r, const struct fastest *f, size_t size,
                 const struct fastest_kernel *base, struct picture *p)
{
    VEC(struct speed) speeds = {0};
    bar_list list = {0};
    struct text note = {0};
    bool intervals = false;
    char n[48];
    for (size_t i = 0; i < f->kernels.count; i++) {
        uint32_t row = f->kernels.items[i].rows[size];
        if (row == ROW_NONE)
            continue;
        vec_push(&speeds, (struct speed){chart_time(r, row), row, f->kernels.items[i].label, i});
    }
    qsort(speeds.items, speeds.count, sizeof *speeds.items, compare_speeds);
    for (size_t i = 0; i < speeds.count; i++) {
        const struct speed *s = &speeds.items[i];
        double ratio = chart_time(r, base->rows[size]) / s->time;
        if (ratio < 0.1) {
            text_append(&note, "%s%s ", note.length ? ", " : "not drawn: ", s->label);
            append_ratio(ratio, &note);
            continue;
        }
        struct text text = {0};
        append_ratio(ratio, &text);
        struct bar bar = {.name = name_of(r, s),
                          .kernel = column_text(r->kernel, s->row),
                          .value = ratio,
                          .text = text.bytes};
        chart_ratio_ends(r, base->rows[size], s->row, &bar.low, &bar.high);
        intervals = intervals || !isnan(bar.low);
        vec_push(&list, bar);
    }
    layout_size(f->sizes.items[size], n);
    char *heading = xasprintf("Speedup over %s at n = %s", base->name, n);
    char *shown = xasprintf("%s; the fastest setting of each kernel%s", r->slice,
                            intervals ? "; error bars: 95 % intervals" : "");
    char *axis = xasprintf("times as fast as %s", base->name);
    const struct bars bars = {.list = list,
                              .heading = heading,
                              .shown = shown,
                              .axis = axis,
                              .note = note.bytes,
                              .line = 1};
    bars_make(r, &bars, p);
    text_free(&note);
    free(heading);
    free(shown);
    free(axis);
    bars_free(&list);
    vec_free(&speeds);
}

bool make_speedup(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct fastest f;
    fastest_find(r, &f);
    const char *name = base_name(r);
    const struct fastest_kernel *base = fastest_kernel(&f, name);
    size_t size = f.sizes.count;
    while (base && size > 0 && base->rows[size - 1] == ROW_NONE)
        size--;
    if (!f.kernels.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!base)
        snprintf(why, 256, "the kernel %.100s, with which the others are compared, has no time",
                 name);
    else
        make(r, &f, size - 1, base, p);
    bool ok = base != NULL;
    fastest_free(&f);
    return ok;
}
