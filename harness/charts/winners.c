/*
 * The chart `winners` is a table. It shows how much slower the fastest setting of each kernel is at
 * each n than the fastest setting of all kernels. If there is only one kernel, it compares the
 * settings that are the fastest at some n instead.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/fastest.h"
#include "charts/layout.h"
#include "table/numbering.h"

CHART(30, winners, ONE, 0, "", make_winners,
      "How much slower each kernel is than the fastest kernel at the same n, in percent.")

enum { MOST_KERNELS = 14, MOST_SETTINGS = 10, CELL_WIDTH = 28 };

struct contender {
    char *name;
    uint32_t *rows; /* the contender's fastest row at each size, or ROW_NONE */
    size_t first;   /* the first size at which the contender wins, or SIZE_MAX */
    double loss;    /* the mean logarithm of the contender's times divided by the winners' times */
    size_t order;
};

struct winners {
    const struct chart_rows *rows;
    const struct fastest *fastest; /* the sizes, and the kernels */
    uint32_t *best;                /* the winner at each size: the fastest row of all contenders */
    VEC(struct contender) list;
};

static size_t size_of(const struct winners *w, uint32_t row)
{
    size_t i = 0;
    while (w->fastest->sizes.items[i] != column_number(w->rows->n, row))
        i++;
    return i;
}

static void take(const struct winners *w, uint32_t *at, uint32_t row)
{
    if (*at == ROW_NONE || chart_time(w->rows, row) < chart_time(w->rows, *at))
        *at = row;
}

static uint32_t *no_rows(size_t count)
{
    uint32_t *rows = xcalloc(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = ROW_NONE;
    return rows;
}

/* Finds the contenders: the kernels or, if there is only one kernel, its settings. */
static void find_contenders(struct winners *w)
{
    const struct chart_rows *r = w->rows;
    struct numbering names = {0};
    struct text name = {0};
    bool one = w->fastest->kernels.count < 2;
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (isnan(chart_time(r, row)) || results_raced(r->run, row) || fastest_is_cpu(r, row))
            continue;
        const char *kernel = column_text(r->kernel, row);
        name.length = 0;
        text_append(&name, "%s", one ? kernel : fastest_kernel(w->fastest, kernel)->label);
        if (one) {
            text_append(&name, "  ");
            chart_setting(r, row, &name);
        }
        size_t known = names.texts.count, at = numbering_add(&names, name.bytes);
        if (at == known)
            vec_push(&w->list, (struct contender){.name = xstrdup(name.bytes),
                                                  .rows = no_rows(w->fastest->sizes.count),
                                                  .first = w->fastest->sizes.count,
                                                  .order = known});
        size_t size = size_of(w, row);
        take(w, &w->list.items[at].rows[size], row);
        take(w, &w->best[size], row);
    }
    text_free(&name);
    numbering_free(&names);
}

static double loss_at(const struct winners *w, const struct contender *c, size_t size)
{
    return c->rows[size] == ROW_NONE
               ? NAN
               : chart_time(w->rows, c->rows[size]) / chart_time(w->rows, w->best[size]);
}

/*
 * Sorts contenders. Those that win at some n come first, in the order of the first n at which they
 * win. The others follow, in the order of `loss`.
 */
static int compare_contenders(const void *a, const void *b)
{
    const struct contender *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->loss != y->loss && x->first == SIZE_MAX)
        return x->loss < y->loss ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void sort_contenders(struct winners *w)
{
    size_t sizes = w->fastest->sizes.count;
    for (size_t i = 0; i < w->list.count; i++) {
        struct contender *c = &w->list.items[i];
        c->first = SIZE_MAX;
        for (size_t k = 0; k < sizes; k++) {
            double loss = loss_at(w, c, k);
            if (isnan(loss))
                continue;
            c->loss += log(loss) / (double)sizes;
            if (loss <= 1 && c->first == SIZE_MAX)
                c->first = k;
        }
    }
    if (w->list.count) /* qsort() does not accept NULL */
        qsort(w->list.items, w->list.count, sizeof *w->list.items, compare_contenders);
}

/* Returns how many contenders are shown. They are the first ones in the list. */
static size_t count_shown(const struct winners *w)
{
    bool one = w->fastest->kernels.count < 2;
    size_t most = one ? MOST_SETTINGS : MOST_KERNELS, count = 0;
    while (count < w->list.count && count < most &&
           (!one || w->list.items[count].first != SIZE_MAX))
        count++;
    return count;
}

/*
 * Writes in percent how much slower than the winner a contender is, whose time is `loss` times the
 * winner's: "0", "1.4", "51", "875", "1340", "135k". An asterisk says that it is tied with the
 * winner: "1.4*".
 */
static void loss_text(double loss, bool tied, char out[48])
{
    double percent = 100 * (loss - 1);
    if (loss <= 1)
        snprintf(out, 48, "0");
    else if (percent < 9999.5)
        snprintf(out, 48, percent < 9.95 ? "%.1f%s" : "%.0f%s", percent, tied ? "*" : "");
    else
        layout_short(round(percent / 1000) * 1000, out);
}

/* Returns whether the 95 % interval of a row overlaps the interval of the winner at this size. */
static bool is_tied(const struct winners *w, uint32_t row, size_t size)
{
    double low = column_number(w->rows->low, row);
    return low > 0 && low <= column_number(w->rows->high, w->best[size]);
}

struct winner_cell {
    size_t across, down; /* the cell's column and row, from 1 */
    size_t size;
};

static void write_cells(const struct winners *w, size_t count, size_t from, size_t every,
                        struct picture *p)
{
    VEC(struct winner_cell) cells = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = from, across = 1; k < w->fastest->sizes.count; k += every, across++)
            if (w->list.items[i].rows[k] != ROW_NONE)
                vec_push(&cells, (struct winner_cell){across, i + 1, k});
    struct table t = {.row_count = cells.count};
#define CONTENDER(i) (&w->list.items[cells.items[i].down - 1])
#define ROW(i) CONTENDER(i)->rows[cells.items[i].size]
#define LOSS(i) loss_at(w, CONTENDER(i), cells.items[i].size)
    table_add_texts(&t, i, CONTENDER(i)->name, "kernel");
    table_add_numbers(&t, i, w->fastest->sizes.items[cells.items[i].size], "n",
                      .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)cells.items[i].across, "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)cells.items[i].down, "down", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(w->rows, ROW(i)), "time_us_median", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, LOSS(i), "ratio", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, LOSS(i) <= 1 ? 2 : is_tied(w, ROW(i), cells.items[i].size), "wins",
                      .kind = COLUMN_COUNT);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < cells.count; i++) {
        char text[48];
        loss_text(LOSS(i), is_tied(w, ROW(i), cells.items[i].size), text);
        column_set_text(texts, i, text);
    }
#undef CONTENDER
#undef ROW
#undef LOSS
    picture_block(p, &t);
    table_free(&t);
    vec_free(&cells);
}

struct size_name {
    char text[48];
};

/*
 * Writes the name of a size, which is shown below its column. Powers of two are written as powers,
 * and other large numbers with three digits, such as "700k". Returns false if the name may be
 * rounded.
 */
static bool name_size(double n, struct size_name *out)
{
    layout_size(n, out->text);
    if (strlen(out->text) <= 5 || !isdigit((unsigned char)out->text[strlen(out->text) - 1]))
        return true;
    double unit = n >= 1e9 ? 1e9 : n >= 1e6 ? 1e6 : 1e3;
    snprintf(out->text, sizeof out->text, "%.3g%c", n / unit,
             unit == 1e9   ? 'G'
             : unit == 1e6 ? 'M'
                           : 'k');
    return false;
}

/*
 * Returns the heading, such as "smem_unroll is the fastest at every n". If several kernels win, the
 * heading says at how many sizes each of them does.
 */
static char *heading_of(const struct winners *w)
{
    enum { MOST_NAMES = 3 };
    size_t sizes = w->fastest->sizes.count, named = 0, others = 0;
    struct text out = {0};
    for (size_t i = 0; i < w->list.count; i++) {
        size_t wins = 0;
        for (size_t k = 0; k < sizes; k++)
            wins += loss_at(w, &w->list.items[i], k) <= 1;
        if (wins == sizes) {
            text_free(&out);
            return xasprintf("%s is the fastest at every n", w->list.items[i].name);
        }
        if (wins && named < MOST_NAMES)
            text_append(&out, "%s%s at %zu",
                        named++ ? ", " : "The fastest: ", w->list.items[i].name, wins);
        else
            others += wins;
    }
    if (others)
        text_append(&out, ", others at %zu", others);
    text_append(&out, " of %zu n", sizes);
    return out.bytes;
}

static void write_picture(const struct winners *w, size_t count, struct picture *p)
{
    size_t sizes = w->fastest->sizes.count, widest = 0, shown = 0;
    const char **names = xcalloc(count + 1, sizeof *names),
               **labels = xcalloc(sizes + 1, sizeof *labels);
    for (size_t i = 0; i < count; i++) {
        names[i] = w->list.items[i].name;
        widest = layout_length(names[i]) > widest ? layout_length(names[i]) : widest;
    }
    /*
     * If the cells of all sizes do not fit, only every k-th size is shown, including the last one.
     */
    double room = w->rows->options->width - 7.4 * (double)widest - 36;
    size_t every = (size_t)(CELL_WIDTH * (double)sizes / fmax(room, CELL_WIDTH)) + 1;
    size_t from = (sizes - 1) % every;
    struct size_name *texts = xcalloc(sizes + 1, sizeof *texts);
    bool exact = true;
    for (size_t k = from; k < sizes; k += every) {
        exact = name_size(w->fastest->sizes.items[k], &texts[shown]) && exact;
        labels[shown] = texts[shown].text;
        shown++;
    }
    char *heading = heading_of(w);
    struct text cells = {0};
    text_append(&cells,
                "%s; percent slower than the fastest kernel, which has a frame; *: tied with the "
                "fastest (the intervals overlap)",
                w->rows->slice);
    if (every > 1)
        text_append(&cells, every == 2 ? "; every second n" : "; every %zuth n", every);
    if (w->list.count > count)
        text_append(&cells, "; %zu more are not shown", w->list.count - count);
    picture_text(p, "HEADING", heading);
    picture_text(p, "SHOWN", cells.bytes);
    picture_text(p, "WINNER_ALONG", exact ? "n (elements)" : "n (elements, rounded)");
    free(heading);
    text_free(&cells);
    picture_number(p, "WINNERS", (double)count);
    picture_number(p, "WINNER_SIZES", (double)shown);
    picture_number(p, "WINNER_LABELS", 7.4 * (double)widest + 20);
    picture_texts(p, "WINNER", names, count);
    picture_texts(p, "WINNER_N", labels, shown);
    write_cells(w, count, from, every, p);
    free(texts);
    free(names);
    free(labels);
}

bool make_winners(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct fastest f;
    fastest_find(r, &f);
    struct winners w = {.rows = r, .fastest = &f, .best = no_rows(f.sizes.count)};
    size_t count = 0;
    if (f.sizes.count < 2) {
        snprintf(why, 256, "%s", f.sizes.count ? "the run has only one n" : chart_no_times(r));
    } else {
        find_contenders(&w);
        sort_contenders(&w);
        count = count_shown(&w);
        if (count < 2)
            snprintf(why, 256, "one kernel with one setting is the fastest at every n");
        else
            write_picture(&w, count, p);
    }
    for (size_t i = 0; i < w.list.count; i++) {
        free(w.list.items[i].name);
        free(w.list.items[i].rows);
    }
    vec_free(&w.list);
    free(w.best);
    fastest_free(&f);
    return count >= 2;
}
