/* Implements bars.h. */
#include "charts/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/layout.h"
#include "charts/names.h"

static const char *bar_text(const struct bar *b, char number[48])
{
    if (!b->text)
        layout_short_about(b->value, b->varies, number);
    return b->text ? b->text : number;
}

static void write_data(const struct chart_rows *rows, const bar_list *list, struct picture *p)
{
    struct table t = {.row_count = list->count};
#define VALUE(member) list->items[row].member
    table_add_texts(&t, row, list->items[row].name, "name");
    table_add_texts(&t, row, list->items[row].kernel, "kernel");
    table_add_numbers(&t, row, (double)row + 1, "place", .kind = COLUMN_COUNT);
    table_add_numbers(&t, row, list->items[row].value, "value", .kind = COLUMN_NUMBER);
    /*
     * If a bar has no interval, the value is written for both ends, because gnuplot 5.4 crashes if
     * all ends are NaN.
     */
    table_add_numbers(&t, row, isnan(VALUE(low)) ? VALUE(value) : VALUE(low), "low",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, row, isnan(VALUE(high)) ? VALUE(value) : VALUE(high), "high",
                      .kind = COLUMN_NUMBER);
    table_add_numbers(&t, row, ladder_rgb(&rows->ladder, list->items[row].kernel), "rgb",
                      .kind = COLUMN_COUNT);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t row = 0; row < t.row_count; row++) {
        char number[48];
        column_set_text(texts, row, bar_text(&list->items[row], number));
    }
    picture_block(p, &t);
    table_free(&t);
#undef VALUE
}

static void take_widest(const char *text, size_t *widest)
{
    size_t length = text ? layout_length(text) : 0;
    *widest = length > *widest ? length : *widest;
}

/* Writes the two columns to the right of the bars and their widths. */
static void write_columns(const struct bars *bars, struct picture *p)
{
    size_t count = bars->list.count, widest[2] = {0};
    const char **texts = xcalloc(2 * count + 1, sizeof *texts), **whys = texts + count;
    for (size_t i = 0; i < count; i++) {
        const struct bar *b = &bars->list.items[i];
        texts[i] = b->gain ? b->gain : "";
        whys[i] = b->why ? b->why : "";
        take_widest(texts[i], &widest[0]);
        take_widest(whys[i], &widest[1]);
    }
    take_widest(bars->gains, &widest[0]);
    take_widest(bars->whys, &widest[1]);
    picture_number(p, "BAR_GAINS", bars->gains ? 7.3 * (double)widest[0] + 24 : 0);
    picture_number(p, "BAR_WHYS", bars->whys ? 7.3 * (double)widest[1] + 24 : 0);
    if (bars->gains && count) {
        picture_text(p, "GAINS", bars->gains);
        picture_text(p, "WHYS", bars->whys ? bars->whys : "");
        picture_texts(p, "BAR_GAIN", texts, count);
        picture_texts(p, "BAR_WHY", whys, count);
    }
    free(texts);
}

void bars_make(const struct chart_rows *rows, const struct bars *bars, struct picture *p)
{
    const bar_list *list = &bars->list;
    size_t count = list->count;
    const char **names = xcalloc(2 * count + 1, sizeof *names), **kernels = names + count;
    double low = INFINITY, high = 0;
    size_t widest = 0, text_widest = 0;
    for (size_t i = 0; i < count; i++) {
        const struct bar *b = &list->items[i];
        char number[48];
        names[i] = b->name;
        kernels[i] = b->kernel;
        low = fmin(low, b->value);
        high = fmax(fmax(high, b->value), b->high);
        take_widest(b->name, &widest);
        take_widest(bar_text(b, number), &text_widest);
    }
    p->script = "bars";
    picture_text(p, "HEADING", bars->heading);
    picture_text(p, "SHOWN", bars->shown);
    picture_text(p, "BAR_AXIS", bars->axis);
    picture_text(p, "BAR_NOTE", bars->note ? bars->note : "");
    picture_number(p, "BARS", (double)count);
    picture_number(p, "BAR_DOTS", low > 0 && high > 30 * low);
    /*
     * The axis extends to the vertical line, even if the line is beyond all bars. fmax() ignores a
     * NaN.
     */
    high = fmax(high, bars->line);
    picture_number(p, "BAR_LOW", low);
    picture_number(p, "BAR_HIGH", high);
    picture_number(p, "BAR_LINE", bars->line);
    picture_number(p, "BAR_LABELS", 7.4 * (double)widest + 20);
    picture_number(p, "BAR_TEXTS", 7.3 * (double)text_widest + 16);
    write_columns(bars, p);
    if (count)
        picture_texts(p, "BAR_NAME", names, count);
    names_families(rows, kernels, count, 5, p);
    write_data(rows, list, p);
    free(names);
}

void bars_free(bar_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].text);
        free(list->items[i].gain);
        free(list->items[i].why);
    }
    vec_free(list);
}
