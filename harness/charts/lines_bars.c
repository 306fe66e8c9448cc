/* Implements lines_draw_bars(). */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "charts/bars.h"
#include "charts/layout.h"
#include "charts/lines.h"

void lines_draw_bars(struct line_chart *l, struct picture *p)
{
    bar_list list = {0};
    char size[48];
    layout_size(l->places.items[0], size);
    const struct chart_rows *r = l->rows;
    for (size_t i = 0; i < l->lines.count; i++) {
        const struct line *line = &l->lines.items[i];
        uint32_t row = line->last;
        double low = column_number(r->low, row), high = column_number(r->high, row);
        struct text name = {0};
        char *label = lines_label(l, line);
        text_append(&name, "%s  %.0f", label, column_number(r->block, row));
        if (column_number(r->unroll, row) > 1)
            text_append(&name, " × %.0f", column_number(r->unroll, row));
        free(label);
        struct bar bar = {.name = name.bytes,
                          .kernel = column_text(r->kernel, row),
                          .value = lines_y(l, row),
                          .text =
                              l->is_time && !l->base ? layout_figures_text(lines_y(l, row)) : NULL,
                          .low = NAN,
                          .high = NAN};
        bool interval = (l->is_time || l->is_bandwidth) && !l->base && !l->reached && low > 0;
        double time = column_number(r->time, row);
        if (interval) {
            bar.low = l->is_time ? low : bar.value * time / high;
            bar.high = l->is_time ? high : bar.value * time / low;
        }
        if (isnan(bar.value)) {
            free(bar.name);
            free(bar.text);
        } else
            vec_push(&list, bar);
    }
    double fastest = 0;
    for (size_t i = 0; i < list.count; i++)
        fastest = fmax(fastest, list.items[i].value);
    char *heading = xasprintf("%s at %s = %s", lines_what(l), l->x->name, size);
    bool peak = l->is_bandwidth && !l->base && !l->reached && r->peak > 0 && fastest > r->peak / 10;
    char *line = peak ? xasprintf("; dashed: the DRAM peak, %.0f GB/s", r->peak) : xstrdup("");
    char *shown = xasprintf("%s; the fastest setting of each %s%s%s", r->slice, l->by->name,
                            lines_whole(l), line);
    char *axis = lines_axis(l);
    const struct bars bars = {.list = list,
                              .heading = heading,
                              .shown = shown,
                              .axis = axis,
                              .line = peak ? r->peak : NAN};
    picture_text(p, "CARD_CHANGES", "");
    bars_make(r, &bars, p);
    free(heading);
    free(shown);
    free(line);
    free(axis);
    bars_free(&list);
}
