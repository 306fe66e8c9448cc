/* Implements names.h. */
#include "charts/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/steps.h"
#include "base/memory.h"
#include "charts/layout.h"
#include "table/numbering.h"

enum { MOST_NAMED = 14, FASTEST_NAMED = 10, LINE_HEIGHT = 17 };

struct rank {
    double score;
    size_t index;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

size_t names_choose(struct named *list, size_t count)
{
    struct rank *ranks = xcalloc(count + 1, sizeof *ranks);
    struct named *sorted = xcalloc(count + 1, sizeof *sorted);
    bool *named = xcalloc(count + 1, sizeof *named);
    size_t used = 0, greys = 0;
    for (size_t i = 0; i < count; i++)
        ranks[i] = (struct rank){list[i].score, i};
    qsort(ranks, count, sizeof *ranks, compare_ranks);
    for (size_t i = 0; i < count; i++)
        named[ranks[i].index] =
            count <= MOST_NAMED || i < FASTEST_NAMED || list[ranks[i].index].always;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0, color = 0; i < count; i++) {
            if (named[i] != (pass == 1))
                continue;
            greys += pass == 0;
            list[i].color = pass == 0 ? 0 : (int)++color;
            sorted[used++] = list[i];
        }
    memcpy(list, sorted, count * sizeof *list);
    free(ranks);
    free(sorted);
    free(named);
    return greys;
}

bool names_stand_out(const struct chart_rows *rows, const char *kernel)
{
    return step_rung(&rows->ladder, kernel) == 0 ||
           results_role(rows->run, kernel).kind == ROLE_PEER;
}

/*
 * Kernels are ranked by their times at the largest size. If a kernel was not timed there, its time
 * at its own largest size is used, doubled for each larger size.
 */
struct named *names_of_kernels(const struct chart_rows *rows, const struct fastest *f)
{
    struct named *list = xcalloc(f->kernels.count + 1, sizeof *list);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct fastest_kernel *k = &f->kernels.items[i];
        size_t last = f->sizes.count;
        while (k->rows[last - 1] == ROW_NONE)
            last--;
        list[i] = (struct named){
            .label = k->label,
            .index = i,
            .score = ldexp(chart_time(rows, k->rows[last - 1]), (int)(f->sizes.count - last)),
            .always = names_stand_out(rows, k->name)};
    }
    names_choose(list, f->kernels.count);
    return list;
}

static size_t count_named(const struct named *list, size_t count)
{
    size_t named = 0;
    for (size_t i = 0; i < count; i++)
        named += list[i].color > 0;
    return named;
}

void names_write(const struct chart_rows *rows, const struct named *list, size_t count,
                 struct picture *p)
{
    bool narrow = rows->options->width == CANVAS_COLUMN;
    const char **names = xcalloc(count + 1, sizeof *names);
    double *colors = xcalloc(count + 1, sizeof *colors);
    struct layout_key *keys = xcalloc(count + 1, sizeof *keys);
    size_t named = 0, widest = 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].color ? list[i].label : "";
        colors[i] = list[i].color;
        size_t length = layout_length(names[i]);
        widest = length > widest ? length : widest;
        if (list[i].color)
            keys[named++] = (struct layout_key){list[i].label, layout_rgb(list[i].color),
                                                layout_mark(list[i].color)};
    }
    picture_number(p, "SERIES", (double)count);
    picture_number(p, "GREYS", (double)(count - named));
    picture_texts(p, "NAME", names, count);
    picture_numbers(p, "COLOUR", colors, count);
    picture_number(p, "LABELS", narrow ? 16 : fmax(90, 7.6 * (double)widest + 45));
    layout_keys(p, keys, narrow ? named : 0, rows->options->width - 32);
    free(names);
    free(colors);
    free(keys);
}

void names_families(const struct chart_rows *rows, const char *const *kernels, size_t count,
                    int mark, struct picture *p)
{
    struct numbering seen = {0};
    struct layout_key *keys = xcalloc(count + 1, sizeof *keys);
    const char **sorted = xcalloc(count + 1, sizeof *sorted);
    memcpy(sorted, kernels, count * sizeof *sorted);
    ladder_sort(&rows->ladder, sorted, count);
    for (size_t i = 0; i < count; i++) {
        const char *family = ladder_family(&rows->ladder, sorted[i]);
        size_t known = seen.texts.count;
        if (numbering_add(&seen, family) == known)
            keys[known] = (struct layout_key){family, ladder_rgb(&rows->ladder, sorted[i]), mark};
    }
    layout_keys(p, keys, seen.texts.count, rows->options->width - 32);
    numbering_free(&seen);
    free(sorted);
    free(keys);
}

double names_height(const struct chart_rows *rows, const struct named *list, size_t count)
{
    int width = rows->options->width;
    double plot = width == CANVAS_COLUMN ? 250 : width == CANVAS_PAGE ? 330 : 390;
    return width == CANVAS_COLUMN ? plot
                                  : fmax(plot, LINE_HEIGHT * (double)count_named(list, count));
}

void names_place(const struct chart_rows *rows, const struct named *list, size_t count,
                 const double *x, const double *y, const double *at, struct picture *p)
{
    double *wanted = xcalloc(3 * count + 1, sizeof *wanted);
    double *spread = wanted + count, *places = spread + count;
    size_t named = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].color)
            wanted[named++] = isnan(at[i]) ? 0 : at[i];
    layout_spread(wanted, named, LINE_HEIGHT / names_height(rows, list, count), spread);
    for (size_t i = 0, k = 0; i < count; i++)
        places[i] = list[i].color ? spread[k++] : 0;
    picture_numbers(p, "LAST", y, count);
    picture_numbers(p, "LAST_X", x, count);
    picture_numbers(p, "PLACE", places, count);
    free(wanted);
}
