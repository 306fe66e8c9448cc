/*
 * The chart `bits` groups the configurations at one n into classes with bitwise equal results. For
 * each class, it shows the times of its configurations, the error of the result, and the cost: how
 * much slower the class's fastest configuration is than the fastest configuration of all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/tuning.h"
#include "record/outcome.h"

CHART(110, bits, ONE, OF_A_SIZE, "", make_bits,
      "Groups of bit-identical results at one n, with their times, errors and costs.")

enum { MOST_CLASSES = 20 };

struct bits_class {
    const char *bits;
    size_t number;    /* the number of the class's bits in `texts` */
    uint32_t fastest; /* the row of the class's fastest configuration */
    size_t count;
    double error; /* the largest error of a row in the class, or NaN if no error is known */
    size_t rank;  /* the rank of the error among those of the shown classes, from 0 */
};

struct bits {
    const struct chart_rows *rows;
    const struct column *error; /* NULL if the run lacks the column */
    double n;
    /* sorted by the times of their fastest configurations */
    VEC(struct bits_class) classes;
    struct numbering texts; /* the bits of each class */
    /* for each number in `texts`, the index of the class in `classes` */
    VEC(size_t) places;
    size_t unknown; /* configurations with unknown bits */
    size_t errors;  /* how many different errors the shown classes have */
};

static double error_of(const struct bits *b, uint32_t row)
{
    return b->error ? column_number(b->error, row) : NAN;
}

static size_t shown(const struct bits *b)
{
    return b->classes.count < MOST_CLASSES ? b->classes.count : MOST_CLASSES;
}

/* Returns the index of the class with these bits, or the number of classes if there is none. */
static size_t class_of(const struct bits *b, const char *bits)
{
    const size_t number = numbering_find(&b->texts, bits);
    return number == NUMBERING_NONE ? b->classes.count : b->places.items[number];
}

static void take(struct bits *b, uint32_t row)
{
    const char *bits = column_text(b->rows->run->known.bits, row);
    if (!*bits) {
        b->unknown++;
        return;
    }
    const size_t i = numbering_add(&b->texts, bits);
    if (i == b->classes.count) {
        vec_push(&b->classes, (struct bits_class){bits, i, row, 0, NAN, 0});
        vec_push(&b->places, i);
    }
    struct bits_class *c = &b->classes.items[i];
    c->count++;
    /* fmax() ignores NaN. */
    c->error = fmax(c->error, error_of(b, row));
    if (chart_time(b->rows, row) < chart_time(b->rows, c->fastest))
        c->fastest = row;
}

static int compare_classes(const void *a, const void *b, void *rows)
{
    const struct bits_class *x = a, *y = b;
    const double i = chart_time(rows, x->fastest), j = chart_time(rows, y->fastest);
    if (i != j)
        return i < j ? -1 : 1;
    return strcmp(x->bits, y->bits);
}

static void sort_classes(struct bits *b)
{
    qsort_r(b->classes.items, b->classes.count, sizeof *b->classes.items, compare_classes,
            (void *)b->rows);
    for (size_t i = 0; i < b->classes.count; i++)
        b->places.items[b->classes.items[i].number] = i;
}

/* Sorts classes by their errors, with unknown errors last. */
static int compare_errors(const void *a, const void *b)
{
    const double x = (*(struct bits_class *const *)a)->error;
    const double y = (*(struct bits_class *const *)b)->error;
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

/*
 * Ranks the shown classes by their errors. Classes with equal errors have the same rank and are
 * drawn in the same shade.
 */
static void rank_errors(struct bits *b)
{
    struct bits_class *by_error[MOST_CLASSES] = {0};
    for (size_t i = 0; i < shown(b); i++)
        by_error[i] = &b->classes.items[i];
    qsort(by_error, shown(b), sizeof(struct bits_class *), compare_errors);
    for (size_t i = 0; i < shown(b) && !isnan(by_error[i]->error); i++) {
        b->errors += i == 0 || by_error[i]->error > by_error[i - 1]->error;
        by_error[i]->rank = b->errors - 1;
    }
}

static void write_classes(const struct bits *b, struct picture *p)
{
    const size_t count = shown(b);
    char **names = xcalloc(count + 1, sizeof *names);
    char **errors = xcalloc(count + 1, sizeof *errors), **costs = xcalloc(count + 1, sizeof *costs);
    double widest = 0, of_all = chart_time(b->rows, b->classes.items[0].fastest);
    for (size_t i = 0; i < count; i++) {
        const struct bits_class *c = &b->classes.items[i];
        const char *kernel = column_text(b->rows->kernel, c->fastest);
        names[i] = c->count > 1 ? xasprintf("%s + %zu", kernel, c->count - 1) : xstrdup(kernel);
        errors[i] = isnan(c->error) ? xstrdup("–") : xasprintf("%.1e", c->error);
        costs[i] = xasprintf("%+.1f %%", 100 * (chart_time(b->rows, c->fastest) / of_all - 1));
        widest = fmax(widest, (double)layout_length(names[i]));
    }
    picture_texts(p, "BITS_NAME", (const char *const *)names, count);
    picture_texts(p, "BITS_ERROR", (const char *const *)errors, count);
    picture_texts(p, "BITS_COST", (const char *const *)costs, count);
    picture_number(p, "BITS_CLASSES", (double)count);
    picture_number(p, "BITS_WIDEST", 7.3 * widest);
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
        free(errors[i]);
        free(costs[i]);
    }
    free(names);
    free(errors);
    free(costs);
}

/*
 * Writes a mark for each configuration. Faster configurations come later, so that gnuplot draws
 * their marks over those of slower ones.
 */
static void write_marks(const struct bits *b, const row_list *all, struct picture *p)
{
    uint32_t *rows = xcalloc(all->count + 1, sizeof *rows);
    size_t count = 0;
    const struct bits_class **of =
        /* the class of each row */
        xcalloc(all->count + 1, sizeof(const struct bits_class *));
    double low = INFINITY, high = 0;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < all->count; i++) {
            const size_t at = class_of(b, column_text(b->rows->run->known.bits, all->items[i]));
            if (at < shown(b) && (b->classes.items[at].fastest == all->items[i]) == (k == 1)) {
                of[count] = &b->classes.items[at];
                rows[count++] = all->items[i];
            }
        }
    struct table t = {.row_count = count};
    table_add_numbers(&t, i, (double)(of[i] - b->classes.items) + 1, "down", .kind = COLUMN_COUNT);
    table_add_texts(&t, i, of[i]->bits, "bits");
    table_add_texts(&t, i, column_text(b->rows->kernel, rows[i]), "kernel");
    table_add_numbers(&t, i, chart_time(b->rows, rows[i]), "time_us_median", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, error_of(b, rows[i]), "rel_error", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, of[i]->fastest == rows[i], "fastest", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, layout_ramp(of[i]->rank, b->errors), "rgb", .kind = COLUMN_COUNT);
    chart_add_settings(b->rows, rows, &t);
    picture_block(p, &t);
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, chart_time(b->rows, rows[i]));
        high = fmax(high, chart_time(b->rows, rows[i]));
    }
    picture_number(p, "BITS_X0", low);
    picture_number(p, "BITS_X1", high);
    free(rows);
    free(of);
    table_free(&t);
}

static void write_words(const struct bits *b, size_t count, struct picture *p)
{
    char n[48];
    struct text words = {0};
    layout_size(b->n, n);
    char *heading = xasprintf("Results that are equal in every bit at n = %s", n);
    text_append(
        &words,
        "%s; %zu configurations; each line is one result, labeled with its fastest "
        "kernel and the number of other configurations that give it; darker: a larger error",
        b->rows->slice, count - b->unknown);
    if (class_of(b, RECORD_VARIES) < b->classes.count)
        text_append(&words, "; circles: launches disagree");
    if (b->unknown)
        text_append(&words, "; the bits of %zu more configuration%s are unknown", b->unknown,
                    b->unknown == 1 ? "" : "s");
    if (b->classes.count > shown(b))
        text_append(&words, "; %zu slower results are not shown", b->classes.count - shown(b));
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", words.bytes);
    free(heading);
    text_free(&words);
}

bool make_bits(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct tuning t;
    tuning_find(r, &t);
    struct bits b = {.rows = r, .error = table_find(&r->run->rows, "rel_error"), .n = t.n};
    row_list rows = {0};
    if (!isnan(t.n))
        tuning_rows(&t, NULL, t.n, &rows);
    for (size_t i = 0; i < rows.count && r->run->known.bits; i++)
        take(&b, rows.items[i]);
    if (!t.timed.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!b.classes.count)
        snprintf(why, 256, "no timed configuration has a value in the column bits");
    else if (rows.count - b.unknown < 2)
        snprintf(why, 256, "the bits of only one configuration are known at one n");
    const bool ok = rows.count - b.unknown >= 2 && b.classes.count;
    if (ok) {
        sort_classes(&b);
        rank_errors(&b);
        write_words(&b, rows.count, p);
        write_classes(&b, p);
        write_marks(&b, &rows, p);
        picture_number(p, "BITS_VARIES", (double)class_of(&b, RECORD_VARIES) + 1);
    }
    vec_free(&b.classes);
    vec_free(&b.places);
    numbering_free(&b.texts);
    vec_free(&rows);
    tuning_free(&t);
    return ok;
}
