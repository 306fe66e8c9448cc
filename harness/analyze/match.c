/*
 * Matching rows: see match.h for the rule.
 */
#include "analyze/match.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/numbering.h"

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

bool results_published(const struct results *r)
{
    return strcmp(r->manifest.status, "published") == 0;
}

/*
 * Tunables in the order of their names, so that both runs write them alike; only those that `known`
 * has too, where it is given.
 */
static void append_tunables(const struct results *r, size_t row, const struct results *known,
                            struct text *t)
{
    const char *last = "";
    for (;;) {
        int next = -1;
        for (size_t i = 0; i < r->rows.column_count; i++)
            if (r->columns[i].role == ROLE_TUNABLE && strcmp(r->rows.columns[i], last) > 0 &&
                (next < 0 || strcmp(r->rows.columns[i], r->rows.columns[next]) < 0))
                next = (int)i;
        if (next < 0)
            return;
        last = r->rows.columns[next];
        const char *cell = table_cell(&r->rows, row, next);
        if (*cell && (!known || table_column(&known->rows, last) >= 0))
            text_append(t, "%s=%s\x1f", last, cell);
    }
}

static char *key_of(const struct results *r, size_t row, unsigned parts,
                    const struct results *known)
{
    struct text t = {0};
    text_append(&t, "%s", "");
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (parts & KEY_AXIS(i))
            text_append(&t, "%s\x1f", results_axis(r, row, i));
    if (parts & KEY_TUNABLES)
        append_tunables(r, row, known, &t);
    return t.bytes;
}

char *match_key(const struct results *r, size_t row, unsigned parts)
{
    return key_of(r, row, parts, NULL);
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
    size_t *number;     /* of each row's key */
    VEC(size_t) row_of; /* the row that counts, by number; NUMBERING_NONE */
    size_t duplicates;
};

static void number_keys(const struct results *r, unsigned parts, const struct results *known,
                        struct numbering *keys, struct keyed *out)
{
    *out = (struct keyed){.r = r, .number = xcalloc(r->rows.row_count + 1, sizeof *out->number)};
    for (size_t row = 0; row < r->rows.row_count; row++) {
        char *key = key_of(r, row, parts, known);
        size_t number = out->number[row] = numbering_add(keys, key);
        free(key);
        while (out->row_of.count <= number)
            vec_push(&out->row_of, NUMBERING_NONE);
        size_t *counts = &out->row_of.items[number];
        out->duplicates += *counts != NUMBERING_NONE;
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
    unsigned parts = KEY_POINT & ~out->ignored;
    struct numbering keys = {0};
    struct keyed in_a, in_b;
    number_keys(a, parts, results_published(b) ? b : NULL, &keys, &in_a);
    number_keys(b, parts, results_published(a) ? a : NULL, &keys, &in_b);
    for (size_t row = 0; row < a->rows.row_count; row++) {
        size_t other = counterpart(&in_a, row, &in_b);
        if (in_a.row_of.items[in_a.number[row]] != row)
            continue;
        if (other == NUMBERING_NONE)
            vec_push(&out->only_a, row);
        else
            vec_push(&out->pairs, (struct pair){row, other});
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
    numbering_free(&keys);
}

void match_free(struct match *m)
{
    vec_free(&m->pairs);
    vec_free(&m->only_a);
    vec_free(&m->only_b);
    memset(m, 0, sizeof *m);
}
