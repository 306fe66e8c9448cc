/*
 * Matching rows: see match.h for the rule.
 */
#include "analyze/match.h"

#include <stdlib.h>
#include <string.h>

#include "table/numbering.h"
#include "base/map.h"

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
    const struct results *r, *known;
    size_t *number;     /* of each row's key */
    VEC(size_t) row_of; /* the row that counts, by number; NUMBERING_NONE */
    size_t duplicates;
};

/* Distinct keys of both runs, numbered. Of each the first row that has it is kept, and not the
 * text, which takes 100 MB for 10^6 rows. */
struct keys {
    unsigned parts;
    struct map map;
    VEC(struct first_row {
        const struct keyed *run;
        size_t row;
    })
    first;
};

struct sought {
    const struct keys *keys;
    const char *text;
};

static bool is_sought(const void *context, uint32_t number)
{
    const struct sought *s = context;
    const struct first_row *first = &s->keys->first.items[number];
    char *text = key_of(first->run->r, first->row, s->keys->parts, first->run->known);
    bool same = strcmp(text, s->text) == 0;
    free(text);
    return same;
}

static size_t number_of_key(struct keys *keys, const struct keyed *run, size_t row)
{
    char *text = key_of(run->r, row, keys->parts, run->known);
    uint64_t hash = hash_text(HASH_START, text);
    uint32_t number = map_find(&keys->map, hash, is_sought, &(struct sought){keys, text});
    if (number == MAP_NONE) {
        number = (uint32_t)keys->first.count;
        map_add(&keys->map, hash, number);
        vec_push(&keys->first, (struct first_row){run, row});
    }
    free(text);
    return number;
}

static void number_keys(struct keys *keys, struct keyed *run)
{
    const struct results *r = run->r;
    run->number = xcalloc(r->rows.row_count + 1, sizeof *run->number);
    vec_reserve(&keys->first, keys->first.count + r->rows.row_count);
    vec_reserve(&run->row_of, keys->first.count + r->rows.row_count);
    for (size_t row = 0; row < r->rows.row_count; row++) {
        size_t number = run->number[row] = number_of_key(keys, run, row);
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
    unsigned parts = KEY_POINT & ~out->ignored;
    struct keys keys = {.parts = parts};
    struct keyed in_a = {.r = a, .known = results_published(b) ? b : NULL};
    struct keyed in_b = {.r = b, .known = results_published(a) ? a : NULL};
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
    map_free(&keys.map);
    vec_free(&keys.first);
}

void match_free(struct match *m)
{
    vec_free(&m->pairs);
    vec_free(&m->only_a);
    vec_free(&m->only_b);
    memset(m, 0, sizeof *m);
}
