/* Implements match.h, which states the rule. */
#include "analyze/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/results_columns.h"
#include "table/numbering.h"

unsigned key_configuration(void)
{
    unsigned parts = KEY_TUNABLES;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        parts |= axis_is_configuration(i) ? KEY_AXIS(i) : 0;
    return parts;
}

unsigned key_problem(void)
{
    return KEY_POINT & ~key_configuration();
}

void match_columns(const struct results *r, unsigned parts, const struct numbering *tunables,
                   key_columns *out)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        const struct axis *axis = &axis_table[i];
        bool text = axis->kind == AXIS_TEXT;
        if (parts & KEY_AXIS(i))
            vec_push(out, (struct key_column){.column = r->known.axes[i],
                                              .text = text ? axis->fallback : NULL,
                                              .number = text ? NAN : axis->fallback_value});
    }
    for (size_t i = 0; parts & KEY_TUNABLES && i < tunables->texts.count; i++)
        vec_push(out, (struct key_column){.column = table_find(&r->rows, tunables->texts.items[i]),
                                          .number = NAN});
}

/* Returns the axes for which no row of a run has a value. */
static unsigned unknown_axes(const struct results *r)
{
    unsigned unknown = 0;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        bool any = false;
        for (size_t row = 0; !any && row < r->rows.row_count; row++)
            any = *results_axis(r, row, i);
        unknown |= any || !r->rows.row_count ? 0 : KEY_AXIS(i);
    }
    return unknown;
}

/* The rows of a run and the numbers of their keys. Rows of the same point have the same key. */
struct keyed {
    const struct results *r;
    key_columns columns;
    uint32_t *number;   /* the number of the key of each row */
    VEC(size_t) row_of; /* the row to use for each key, or NUMBERING_NONE */
    size_t duplicates;
};

/*
 * Lists the tunables that must be equal in both rows: all except those that a published table
 * lacks.
 */
static void find_tunables(const struct results *a, const struct results *b, struct numbering *out)
{
    struct numbering all = {0};
    results_tunables(a, &all);
    results_tunables(b, &all);
    for (size_t i = 0; i < all.texts.count; i++) {
        const char *name = all.texts.items[i];
        if ((!results_published(a) || table_find(&a->rows, name)) &&
            (!results_published(b) || table_find(&b->rows, name)))
            numbering_add(out, name);
    }
    numbering_free(&all);
}

static void number_keys(struct row_keys *keys, struct keyed *run)
{
    const struct results *r = run->r;
    run->number = xcalloc(r->rows.row_count + 1, sizeof *run->number);
    vec_reserve(&keys->first, keys->first.count + r->rows.row_count);
    vec_reserve(&run->row_of, keys->first.count + r->rows.row_count);
    for (size_t row = 0; row < r->rows.row_count; row++) {
        size_t number = run->number[row] = row_keys_number(keys, run->columns.items, row);
        while (run->row_of.count <= number)
            vec_push(&run->row_of, NUMBERING_NONE);
        size_t *counts = &run->row_of.items[number];
        run->duplicates += *counts != NUMBERING_NONE;
        if (*counts == NUMBERING_NONE || (!results_good(r, *counts) && results_good(r, row)))
            *counts = row;
    }
}

/* Returns the other run's row with the same key, or NUMBERING_NONE. */
static size_t counterpart(const struct keyed *mine, size_t row, const struct keyed *other)
{
    size_t number = mine->number[row];
    return number < other->row_of.count ? other->row_of.items[number] : NUMBERING_NONE;
}

void match_runs(const struct results *a, const struct results *b, struct match *out)
{
    *out = (struct match){.ignored = unknown_axes(a) | unknown_axes(b)};
    struct keyed in_a = {.r = a}, in_b = {.r = b};
    struct numbering tunables = {0};
    find_tunables(a, b, &tunables);
    match_columns(a, KEY_POINT & ~out->ignored, &tunables, &in_a.columns);
    match_columns(b, KEY_POINT & ~out->ignored, &tunables, &in_b.columns);
    struct row_keys keys = {.column_count = in_a.columns.count};
    number_keys(&keys, &in_a);
    number_keys(&keys, &in_b);
    for (size_t row = 0; row < a->rows.row_count; row++) {
        size_t other = counterpart(&in_a, row, &in_b);
        if (in_a.row_of.items[in_a.number[row]] != row)
            continue;
        if (other == NUMBERING_NONE)
            vec_push(&out->only_a, row);
        else
            vec_push(&out->pairs, (struct pair){(uint32_t)row, (uint32_t)other});
    }
    for (size_t row = 0; row < b->rows.row_count; row++)
        if (in_b.row_of.items[in_b.number[row]] == row &&
            counterpart(&in_b, row, &in_a) == NUMBERING_NONE)
            vec_push(&out->only_b, row);
    out->duplicates_a = in_a.duplicates;
    out->duplicates_b = in_b.duplicates;
    free(in_a.number);
    free(in_b.number);
    vec_free(&in_a.row_of);
    vec_free(&in_b.row_of);
    vec_free(&in_a.columns);
    vec_free(&in_b.columns);
    row_keys_free(&keys);
    numbering_free(&tunables);
}

void match_free(struct match *m)
{
    vec_free(&m->pairs);
    vec_free(&m->only_a);
    vec_free(&m->only_b);
    memset(m, 0, sizeof *m);
}
