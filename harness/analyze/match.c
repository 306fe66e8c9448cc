/*
 * Matching rows: see match.h for the rule.
 */
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

/* Tunables in the order of their names, so that all runs write them alike. */
static void append_tunables(const struct results *r, size_t row, struct text *t)
{
    const char *last = "";
    for (;;) {
        int next = -1;
        for (size_t i = 0; i < r->rows.columns.count; i++)
            if (r->columns[i].role == ROLE_TUNABLE &&
                strcmp(r->rows.columns.items[i]->name, last) > 0 &&
                (next < 0 ||
                 strcmp(r->rows.columns.items[i]->name, r->rows.columns.items[next]->name) < 0))
                next = (int)i;
        if (next < 0)
            return;
        last = r->rows.columns.items[next]->name;
        const char *cell = table_cell(&r->rows, row, next);
        if (*cell)
            text_append(t, "%s=%s\x1f", last, cell);
    }
}

char *match_key(const struct results *r, size_t row, unsigned parts)
{
    struct text t = {0};
    text_append(&t, "%s", "");
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (parts & KEY_AXIS(i))
            text_append(&t, "%s\x1f", results_axis(r, row, i));
    if (parts & KEY_TUNABLES)
        append_tunables(r, row, &t);
    return t.bytes;
}

/* Axes of which no row of a run has a value. */
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

/* The rows of a run by the numbers of their keys. */
struct keyed {
    const struct results *r;
    VEC(struct key_column) columns;
    uint32_t *number;   /* of each row's key */
    VEC(size_t) row_of; /* the row that counts, by number; NUMBERING_NONE */
    size_t duplicates;
};

/*
 * The columns that name a row's point: the axes among `parts`, and the tunables, which a run may
 * not have; nor does one count that a published table, `known`, does not have.
 */
static void find_key_columns(struct keyed *run, unsigned parts, const struct numbering *tunables,
                             const struct results *known)
{
    const struct table *t = &run->r->rows;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        const struct axis *axis = &axis_table[i];
        bool text = axis->kind == AXIS_TEXT;
        if (parts & KEY_AXIS(i))
            vec_push(&run->columns,
                     (struct key_column){.column = table_find(t, axis->name),
                                         .text = text ? axis->fallback : NULL,
                                         .number = text ? NAN : axis->fallback_value});
    }
    for (size_t i = 0; i < tunables->texts.count; i++) {
        const char *name = tunables->texts.items[i];
        bool counts = !known || table_column(&known->rows, name) >= 0;
        vec_push(&run->columns,
                 (struct key_column){.column = counts ? table_find(t, name) : NULL, .number = NAN});
    }
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

/* The other run's row with the same key as a row; NUMBERING_NONE. */
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
    results_tunables(a, &tunables);
    results_tunables(b, &tunables);
    find_key_columns(&in_a, KEY_POINT & ~out->ignored, &tunables, results_published(b) ? b : NULL);
    find_key_columns(&in_b, KEY_POINT & ~out->ignored, &tunables, results_published(a) ? a : NULL);
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
