/* Implements pairs.h. */
#include "charts/pairs.h"

#include <stdio.h>

bool pairs_find(const struct chart_rows *r, struct run_pairs *out, char why[256])
{
    const struct results *run = r->run;
    const struct numbering *runs = r->run_column->texts;
    *out = (struct run_pairs){0};
    /* The strings of the column include "", which is not the name of a run. */
    size_t given = runs->texts.count - 1;
    if (given != 2) {
        snprintf(why, 256, "this chart shows two runs, but %zu are named", given);
        return false;
    }
    VEC(struct key_column) by = {0};
    VEC(uint32_t) first = {0};
    for (size_t i = 0; i < run->rows.columns.count; i++)
        if (run->columns[i].role == ROLE_AXIS || run->columns[i].role == ROLE_TUNABLE)
            vec_push(&by, (struct key_column){.column = run->rows.columns.items[i]});
    struct row_keys keys = {.column_count = by.count};
    for (uint32_t row = 0; row < run->rows.row_count; row++) {
        if (!r->asked_rows[row])
            continue;
        uint32_t key = row_keys_number(&keys, by.items, row);
        if (key == first.count)
            vec_push(&first, row);
        else if (r->run_column->codes[first.items[key]] != r->run_column->codes[row])
            vec_push(&out->list, (struct run_pair){first.items[key], row});
    }
    row_keys_free(&keys);
    vec_free(&by);
    vec_free(&first);
    for (size_t i = 0; i < 2; i++)
        out->names[i] = runs->texts.items[i + 1];
    if (!out->list.count)
        snprintf(why, 256, "the runs have no point in common");
    return out->list.count > 0;
}

void pairs_free(struct run_pairs *p)
{
    vec_free(&p->list);
}
