/*
 * The chart `best` is a table of the winners (the fastest rows) of each run at each n. A cell's
 * color stands for the kernel, and its text gives the block size and the unroll factor. If one
 * kernel wins everywhere, the colors stand for its settings instead.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/across.h"
#include "charts/charts.h"
#include "charts/layout.h"

CHART(230, best, SEVERAL, 0, "", make_best, "The winning kernel and setting of each run at each n.")

enum { CELL_WIDTH = 54, MOST_COLORS = 6, GREY = 0x8B8B8B };

struct best_cell {
    size_t across, run; /* the cell's column and row, from 0 */
    uint32_t row;
    size_t color; /* the index in `names` of what the color stands for */
};

struct best {
    const struct across *across;
    bool settings; /* whether colors identify settings instead of kernels */
    VEC(struct best_cell) cells;
    struct numbering names;
};

static void append_name(const struct best *b, uint32_t row, struct text *out)
{
    const struct chart_rows *r = b->across->rows;
    if (b->settings)
        chart_setting(r, row, out);
    else
        text_append(out, "%s", column_text(r->kernel, row));
}

static bool one_kernel(const struct across *a)
{
    uint32_t first = ROW_NONE;
    for (size_t i = 0; i < a->runs.count * a->sizes.count; i++) {
        if (a->best[i] == ROW_NONE)
            continue;
        first = first == ROW_NONE ? a->best[i] : first;
        if (!column_same(a->rows->kernel, first, a->best[i]))
            return false;
    }
    return true;
}

static void find_cells(struct best *b, size_t every)
{
    const struct across *a = b->across;
    struct text name = {0};
    for (size_t run = 0; run < a->runs.count; run++)
        for (size_t k = (a->sizes.count - 1) % every, at = 0; k < a->sizes.count;
             k += every, at++) {
            uint32_t row = across_best(a, run, k);
            if (row == ROW_NONE)
                continue;
            name.length = 0;
            append_name(b, row, &name);
            size_t color = numbering_add(&b->names, name.bytes);
            vec_push(&b->cells, (struct best_cell){at, run, row, color});
        }
    text_free(&name);
}

static int color_of(size_t name)
{
    return name < MOST_COLORS ? layout_rgb((int)name + 1) : GREY;
}

static void write_cells(const struct best *b, struct picture *p)
{
    const struct chart_rows *r = b->across->rows;
    struct table t = {.row_count = b->cells.count};
    struct text setting = {0};
#define CELL(i) b->cells.items[i]
    table_add_texts(&t, i, b->across->names.items[CELL(i).run], "run");
    table_add_numbers(&t, i, column_number(r->n, CELL(i).row), "n", .kind = COLUMN_COUNT);
    table_add_texts(&t, i, column_text(r->kernel, CELL(i).row), "kernel");
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < t.row_count; i++) {
        char text[48];
        double block = column_number(r->block, CELL(i).row),
               unroll = column_number(r->unroll, CELL(i).row);
        setting.length = 0;
        chart_setting(r, CELL(i).row, &setting);
        column_set_text(settings, i, setting.bytes);
        snprintf(text, sizeof text, unroll > 1 ? "%.0f×%.0f" : "%.0f", block, unroll);
        column_set_text(texts, i, text);
    }
    table_add_numbers(&t, i, (double)CELL(i).across + 1, "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)CELL(i).run + 1, "down", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, color_of(CELL(i).color), "rgb", .kind = COLUMN_COUNT);
#undef CELL
    picture_block(p, &t);
    table_free(&t);
    text_free(&setting);
}

static void write_picture(struct best *b, struct picture *p)
{
    const struct across *a = b->across;
    const struct chart_rows *r = a->rows;
    size_t sizes = a->sizes.count, shown = 0;
    double widest = across_widest(a), room = fmax(r->options->width - widest - 36, 60);
    size_t every = (size_t)(CELL_WIDTH * (double)sizes / room) + 1;
    find_cells(b, every);
    struct layout_key keys[MOST_COLORS];
    size_t named = b->names.texts.count < MOST_COLORS ? b->names.texts.count : MOST_COLORS;
    for (size_t i = 0; i < named; i++)
        keys[i] = (struct layout_key){b->names.texts.items[i], color_of(i), 5};
    struct size_name {
        char text[48];
    } *names = xcalloc(sizes + 1, sizeof *names);
    const char **labels = xcalloc(sizes + 1, sizeof *labels);
    for (size_t k = (sizes - 1) % every; k < sizes; k += every) {
        layout_size(a->sizes.items[k], names[shown].text);
        labels[shown] = names[shown].text;
        shown++;
    }
    struct text words = {0};
    text_append(&words, "%s; %s", r->slice,
                b->settings ? "color: the setting; text: its block size × unroll factor"
                            : "color: the kernel; text: its block size × unroll factor");
    if (b->settings)
        text_append(&words, "; the kernel is %s", column_text(r->kernel, b->cells.items[0].row));
    if (b->names.texts.count > MOST_COLORS)
        text_append(&words, "; grey: the other %s", b->settings ? "settings" : "kernels");
    if (every > 1)
        text_append(&words, every == 2 ? "; every second n" : "; every %zuth n", every);
    picture_text(p, "SHOWN", words.bytes);
    picture_number(p, "BEST_ROWS", (double)a->runs.count);
    picture_number(p, "BEST_COLUMNS", (double)shown);
    picture_number(p, "CELL_LABELS", widest + 20);
    picture_text(p, "HEADING", "Winner by run and n");
    picture_texts(p, "DOWN_NAME", a->names.items, a->names.count);
    picture_texts(p, "ACROSS_NAME", labels, shown);
    layout_keys(p, keys, named, r->options->width - 32);
    write_cells(b, p);
    text_free(&words);
    free(labels);
    free(names);
}

bool make_best(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct across a;
    struct best b = {.across = &a};
    bool ok = across_find(r, &a, why);
    if (ok) {
        b.settings = one_kernel(&a);
        write_picture(&b, p);
    }
    vec_free(&b.cells);
    numbering_free(&b.names);
    across_free(&a);
    return ok;
}
