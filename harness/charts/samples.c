/*
 * The chart `samples` shows every sample of each kernel's fastest setting at one n, divided by the
 * setting's median, in the order in which they were taken. It also shows their quartiles.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/fastest.h"
#include "charts/layout.h"

CHART(180, samples, ONE, 0, "", make_samples,
      "All samples of each kernel's fastest setting at one n, divided by their median.")

/*
 * Up to BEYOND percent of all samples, the slowest ones, may be beyond the range of the chart and
 * are drawn at its edge.
 */
enum { MOST_KERNELS = 16, BEYOND = 1 };

struct sampled_kernel {
    const char *label, *name;
    uint32_t row;
    /* in µs, in the order they were taken; owned by the run */
    const double *samples;
    size_t count;
    double quartiles[3];
};

struct samples {
    const struct chart_rows *rows;
    VEC(struct sampled_kernel) kernels;
    double n, low, high, highest; /* `n`, and the rest in % of the median */
    size_t count, beyond;
};

static int compare_samples(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_kernels(const void *a, const void *b)
{
    const struct sampled_kernel *x = a, *y = b;
    return compare_samples(&x->quartiles[1], &y->quartiles[1]);
}

/*
 * Returns a quantile of sorted samples. Interpolates linearly between two samples, as for all
 * medians in redsweep.
 */
static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    double above = below + 1 < count ? sorted[below + 1] : sorted[below];
    return sorted[below] + (at - (double)below) * (above - sorted[below]);
}

static void find_quartiles(struct sampled_kernel *k)
{
    double *sorted = xmalloc(k->count * sizeof *sorted);
    memcpy(sorted, k->samples, k->count * sizeof *sorted);
    qsort(sorted, k->count, sizeof *sorted, compare_samples);
    for (int i = 0; i < 3; i++)
        k->quartiles[i] = quantile(sorted, k->count, 0.25 * (i + 1));
    free(sorted);
}

/*
 * Finds the largest n at which any kernel has samples, and lists the kernels that have samples
 * there, the fastest first.
 */
static void find_kernels(struct samples *s, const struct fastest *f)
{
    const struct results *run = s->rows->run;
    for (size_t size = f->sizes.count; size-- > 0 && !s->kernels.count;)
        for (size_t i = 0; i < f->kernels.count; i++) {
            uint32_t row = f->kernels.items[i].rows[size];
            if (row == ROW_NONE || fastest_is_cpu(s->rows, row))
                continue;
            size_t first = run->first_sample[row], count = run->first_sample[row + 1] - first;
            struct sampled_kernel k = {.label = f->kernels.items[i].label,
                                       .name = f->kernels.items[i].name,
                                       .row = row,
                                       .samples = run->samples + first,
                                       .count = count};
            s->n = f->sizes.items[size];
            if (count < 2)
                continue;
            find_quartiles(&k);
            vec_push(&s->kernels, k);
        }
    if (s->kernels.count)
        qsort(s->kernels.items, s->kernels.count, sizeof *s->kernels.items, compare_kernels);
    if (s->kernels.count > MOST_KERNELS)
        s->kernels.count = MOST_KERNELS;
}

static double percent(const struct sampled_kernel *k, double us)
{
    return 100 * us / k->quartiles[1];
}

/*
 * Chooses the range of the axis. A few samples that are much larger than all others are outside of
 * it, because they would compress the others.
 */
static void find_range(struct samples *s)
{
    for (size_t i = 0; i < s->kernels.count; i++)
        s->count += s->kernels.items[i].count;
    double *all = xmalloc(s->count * sizeof *all);
    size_t used = 0;
    for (size_t i = 0; i < s->kernels.count; i++)
        for (size_t k = 0; k < s->kernels.items[i].count; k++)
            all[used++] = percent(&s->kernels.items[i], s->kernels.items[i].samples[k]);
    qsort(all, used, sizeof *all, compare_samples);
    s->low = all[0];
    s->highest = all[used - 1];
    s->high = fmin(s->highest, quantile(all, used, 1 - BEYOND / 100.0) * 1.01);
    while (s->beyond < used && all[used - 1 - s->beyond] > s->high)
        s->beyond++;
    double margin = fmax(0.05 * (s->high - s->low), 0.1);
    s->low -= margin;
    s->high += margin;
    free(all);
}

struct sample_mark {
    size_t kernel, sample;
};

static void write_samples(const struct samples *s, struct picture *p)
{
    struct sample_mark *marks = xmalloc(s->count * sizeof *marks);
    size_t used = 0;
    for (size_t i = 0; i < s->kernels.count; i++)
        for (size_t k = 0; k < s->kernels.items[i].count; k++)
            marks[used++] = (struct sample_mark){i, k};
    struct table t = {.row_count = used};
#define KERNEL(i) (&s->kernels.items[marks[i].kernel])
#define SAMPLE(i) KERNEL(i)->samples[marks[i].sample]
    table_add_texts(&t, i, KERNEL(i)->name, "kernel");
    table_add_numbers(&t, i, (double)marks[i].sample + 1, "sample", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, SAMPLE(i), "time_us", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, fmin(percent(KERNEL(i), SAMPLE(i)), s->high), "percent",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i,
                      (double)marks[i].kernel + 0.65 +
                          0.7 * (double)(marks[i].sample + 1) / (double)(KERNEL(i)->count + 1),
                      "at", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, ladder_rgb(&s->rows->ladder, KERNEL(i)->name), "rgb",
                      .kind = COLUMN_COUNT);
#undef KERNEL
#undef SAMPLE
    picture_block(p, &t);
    table_free(&t);
    free(marks);
}

static void write_quartiles(const struct samples *s, struct picture *p)
{
    struct table t = {.row_count = s->kernels.count};
    struct text setting = {0};
#define KERNEL(i) (&s->kernels.items[i])
    table_add_texts(&t, i, KERNEL(i)->name, "kernel");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < t.row_count; i++) {
        setting.length = 0;
        chart_setting(s->rows, KERNEL(i)->row, &setting);
        column_set_text(settings, i, setting.bytes);
    }
    table_add_numbers(&t, i, (double)i + 1, "place", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)KERNEL(i)->count, "samples", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, KERNEL(i)->quartiles[1], "time_us_median", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, percent(KERNEL(i), KERNEL(i)->quartiles[0]), "quarter",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, percent(KERNEL(i), KERNEL(i)->quartiles[2]), "three_quarters",
                      .kind = COLUMN_NUMBER);
#undef KERNEL
    picture_block(p, &t);
    table_free(&t);
    text_free(&setting);
}

static void write_words(const struct samples *s, struct picture *p)
{
    const char **names = xcalloc(s->kernels.count + 1, sizeof *names);
    size_t widest = 0;
    char n[48];
    for (size_t i = 0; i < s->kernels.count; i++) {
        names[i] = s->kernels.items[i].label;
        widest = layout_length(names[i]) > widest ? layout_length(names[i]) : widest;
    }
    layout_size(s->n, n);
    char *heading = xasprintf("Samples at n = %s", n);
    struct text shown = {0};
    text_append(&shown,
                "%s; the samples of each kernel's fastest setting, from top to bottom in the order "
                "taken; black: the quartiles",
                s->rows->slice);
    if (s->beyond)
        text_append(&shown, "; %zu of %zu are at the right edge or beyond, up to %.4g %%",
                    s->beyond, s->count, s->highest);
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", shown.bytes);
    picture_text(p, "ALONG_X", "time of a sample (% of the setting's median)");
    picture_number(p, "SAMPLED", (double)s->kernels.count);
    picture_number(p, "SAMPLES_X0", s->low);
    picture_number(p, "SAMPLES_X1", s->high);
    picture_number(p, "BAR_LABELS", 7.4 * (double)widest + 20);
    picture_texts(p, "DOWN_NAME", names, s->kernels.count);
    text_free(&shown);
    free(heading);
    free(names);
}

bool make_samples(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct samples s = {.rows = r};
    struct fastest f;
    fastest_find(r, &f);
    if (r->run->samples && !r->clockless)
        find_kernels(&s, &f);
    bool ok = s.kernels.count > 0;
    if (!f.sizes.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!ok)
        snprintf(why, 256, "the run has no samples.csv (a samples.csv.gz must be unpacked first)");
    if (ok) {
        find_range(&s);
        write_words(&s, p);
        write_samples(&s, p);
        write_quartiles(&s, p);
    }
    vec_free(&s.kernels);
    fastest_free(&f);
    return ok;
}
