/*
 * The chart `choice` is a table of the fastest kernel at each n of each requested slice (rows.h).
 * Columns are values of n; rows are types, operations and row lengths. A cell's color stands for
 * the fastest kernel, and its text says how much slower the second fastest kernel is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "table/numbering.h"

CHART(40, choice, ONE, SHOWS_ALL, "", make_choice,
      "The fastest kernel at each n, for each type, operation and row length.")

enum { MOST_ROWS = 28, MOST_COLORS = 7, GREY = 0x6B6B6B };

/*
 * The colors of style.gp. Some are darker than there, because white text on them needs a contrast
 * of 4.5.
 */
static const int colors[MOST_COLORS] = {0x00508C, 0xB34E00, 0x00785A, 0x9C4F7C,
                                        0x1F6F9F, 0x7D3C0F, 0x000000};

struct choice_cell {
    size_t across, down; /* the cell's column and row, from 0 */
    /* the fastest row, and the fastest row of any other kernel (ROW_NONE if there is none) */
    uint32_t best, next;
};

struct choice {
    const struct chart_rows *rows;
    slice_list slices;
    size_t more; /* the number of slices that are not shown */
    VEC(double) sizes;
    VEC(struct choice_cell) cells;
    struct numbering winners; /* kernels that win at least one cell */
    size_t *won;
};

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool takes_part(const struct chart_rows *r, uint32_t row)
{
    return !isnan(chart_time(r, row)) && !results_raced(r->run, row) &&
           strcmp(column_text(r->backend, row), "cpu") != 0;
}

static void find_sizes(struct choice *c, const struct chart_rows *slices)
{
    for (size_t k = 0; k < c->slices.count; k++)
        for (size_t i = 0; i < slices[k].shown.count; i++)
            if (takes_part(c->rows, slices[k].shown.items[i]))
                vec_push(&c->sizes, column_number(c->rows->n, slices[k].shown.items[i]));
    if (c->sizes.count)
        qsort(c->sizes.items, c->sizes.count, sizeof(double), compare_sizes);
    size_t kept = 0;
    for (size_t i = 0; i < c->sizes.count; i++)
        if (!kept || c->sizes.items[i] != c->sizes.items[kept - 1])
            c->sizes.items[kept++] = c->sizes.items[i];
    c->sizes.count = kept;
}

/* Finds the fastest and the second fastest kernel at each n of a slice. */
static void find_cells(struct choice *c, const struct chart_rows *slice, size_t down)
{
    const struct chart_rows *r = c->rows;
    for (size_t k = 0; k < c->sizes.count; k++) {
        struct choice_cell cell = {k, down, ROW_NONE, ROW_NONE};
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < slice->shown.count; i++) {
                uint32_t row = slice->shown.items[i], *to = pass ? &cell.next : &cell.best;
                bool other = pass == 0 || cell.best == ROW_NONE ||
                             r->kernel->codes[row] != r->kernel->codes[cell.best];
                if (column_number(r->n, row) == c->sizes.items[k] && takes_part(r, row) && other &&
                    (*to == ROW_NONE || chart_time(r, row) < chart_time(r, *to)))
                    *to = row;
            }
        if (cell.best != ROW_NONE)
            vec_push(&c->cells, cell);
    }
}

/*
 * Returns the color of a kernel. Each of the kernels that win the most cells has its own color; all
 * other kernels are grey.
 */
static int color_of(const struct choice *c, const char *kernel)
{
    size_t at = numbering_find(&c->winners, kernel), rank = 0;
    for (size_t i = 0; i < c->winners.texts.count; i++)
        rank += c->won[i] > c->won[at] || (i < at && c->won[i] == c->won[at]);
    return rank < MOST_COLORS ? colors[rank] : GREY;
}

static void find_winners(struct choice *c)
{
    c->won = xcalloc(c->cells.count + 1, sizeof *c->won);
    for (size_t i = 0; i < c->cells.count; i++)
        c->won[numbering_add(&c->winners, column_text(c->rows->kernel, c->cells.items[i].best))]++;
}

static void write_cells(const struct choice *c, struct picture *p)
{
    const struct chart_rows *r = c->rows;
    struct table t = {.row_count = c->cells.count};
    struct text setting = {0};
#define CELL(i) (&c->cells.items[i])
#define RATIO(i)                                                                                   \
    (CELL(i)->next == ROW_NONE ? NAN : chart_time(r, CELL(i)->next) / chart_time(r, CELL(i)->best))
    table_add_texts(&t, i, column_text(r->kernel, CELL(i)->best), "kernel");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < t.row_count; i++) {
        char text[48] = "";
        setting.length = 0;
        chart_setting(r, CELL(i)->best, &setting);
        column_set_text(settings, i, setting.bytes);
        double more = 100 * (RATIO(i) - 1);
        if (!isnan(more))
            snprintf(text, sizeof text, more < 9.95 ? "%.1f" : more < 1000 ? "%.0f" : "≫", more);
        column_set_text(texts, i, text);
    }
    table_add_texts(&t, i, c->slices.items[CELL(i)->down], "slice");
    table_add_numbers(&t, i, c->sizes.items[CELL(i)->across], "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, chart_time(r, CELL(i)->best), "time_us_median", .kind = COLUMN_NUMBER);
    table_add_texts(&t, i, CELL(i)->next == ROW_NONE ? "" : column_text(r->kernel, CELL(i)->next),
                    "next");
    table_add_numbers(&t, i, RATIO(i), "ratio", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, (double)CELL(i)->across + 1, "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)CELL(i)->down + 1, "down", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, color_of(c, column_text(r->kernel, CELL(i)->best)), "rgb",
                      .kind = COLUMN_COUNT);
#undef CELL
#undef RATIO
    picture_block(p, &t);
    text_free(&setting);
    table_free(&t);
}

static void write_key(const struct choice *c, struct picture *p)
{
    size_t count = c->winners.texts.count, used = 0;
    struct layout_key *keys = xcalloc(count + 2, sizeof *keys);
    for (size_t color = 0; color < MOST_COLORS; color++)
        for (size_t i = 0; i < count; i++)
            if (color_of(c, c->winners.texts.items[i]) == colors[color])
                keys[used++] = (struct layout_key){c->winners.texts.items[i], colors[color], 5};
    if (count > used)
        keys[used++] = (struct layout_key){"others", GREY, 5};
    layout_keys(p, keys, used, c->rows->options->width - 32);
    free(keys);
}

struct size_name {
    char text[48];
};

static void write_words(const struct choice *c, struct picture *p)
{
    struct size_name *names = xcalloc(c->sizes.count + 1, sizeof *names);
    const char **across = xcalloc(c->sizes.count + 1, sizeof *across);
    size_t widest = 0;
    for (size_t i = 0; i < c->sizes.count; i++) {
        layout_size(c->sizes.items[i], names[i].text);
        across[i] = names[i].text;
    }
    for (size_t i = 0; i < c->slices.count; i++) {
        size_t length = layout_length(c->slices.items[i]);
        widest = length > widest ? length : widest;
    }
    struct text shown = {0};
    text_append(&shown, "the fastest kernel of each row at each n; number: how much slower the "
                        "second-fastest kernel is, in percent");
    if (c->more)
        text_append(&shown, "; %zu more rows are not shown (--where)", c->more);
    picture_text(p, "HEADING", "Which kernel when");
    picture_text(p, "CELLS_SHOWN", shown.bytes);
    picture_number(p, "CELL_LABELS", 7.4 * (double)widest + 20);
    picture_number(p, "CHOICE_COLUMNS", (double)c->sizes.count);
    picture_number(p, "CHOICE_ROWS", (double)c->slices.count);
    picture_texts(p, "ACROSS_NAME", across, c->sizes.count);
    picture_texts(p, "DOWN_NAME", (const char *const *)c->slices.items, c->slices.count);
    text_free(&shown);
    free(across);
    free(names);
}

/*
 * Chooses the rows of each slice in the same way as charts of a single slice. The caller frees the
 * array and each of its elements.
 */
static struct chart_rows *choose_slices(struct choice *c)
{
    struct chart_rows *slices = xcalloc(c->slices.count + 1, sizeof *slices);
    struct chart_options *options = xcalloc(c->slices.count + 1, sizeof *options);
    for (size_t i = 0; i < c->slices.count; i++) {
        struct error none = {0};
        options[i] = *c->rows->options;
        options[i].slice = c->slices.items[i];
        if (!chart_rows_choose(c->rows->run, &options[i], false, &slices[i], &none))
            slices[i] = (struct chart_rows){0};
    }
    for (size_t i = 0; i < c->slices.count; i++)
        slices[i].options = c->rows->options;
    free(options);
    return slices;
}

bool make_choice(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct choice c = {.rows = r};
    chart_slices(r, &c.slices);
    for (; c.slices.count > MOST_ROWS; c.more++)
        free(c.slices.items[--c.slices.count]);
    struct chart_rows *slices = choose_slices(&c);
    find_sizes(&c, slices);
    for (size_t i = 0; i < c.slices.count; i++)
        find_cells(&c, &slices[i], i);
    bool ok = c.cells.count > 1;
    if (!c.cells.count)
        snprintf(why, 256, "%s", chart_no_times(r));
    else if (!ok)
        snprintf(why, 256, "the run has only one n, for one type and one operation");
    if (ok) {
        find_winners(&c);
        write_words(&c, p);
        write_key(&c, p);
        write_cells(&c, p);
    }
    for (size_t i = 0; i < c.slices.count; i++) {
        chart_rows_free(&slices[i]);
        free(c.slices.items[i]);
    }
    free(slices);
    vec_free(&c.slices);
    vec_free(&c.sizes);
    vec_free(&c.cells);
    numbering_free(&c.winners);
    free(c.won);
    return ok;
}
