/*
 * Matching rows: see match.h for the rule.
 */
#include "compare/match.h"

#include <stdlib.h>
#include <string.h>

/* Tunables in the order of their names, so that both runs write them alike. */
static void append_tunables(const struct results *r, size_t row, struct text *t)
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
        if (*cell)
            text_append(t, "%s=%s\x1f", last, cell);
    }
}

char *match_key(const struct results *r, size_t row, unsigned parts)
{
    static const struct {
        const char *column;
        unsigned part;
    } columns[] = {{"kernel", KEY_CONFIGURATION},
                   {"block", KEY_CONFIGURATION},
                   {"unroll", KEY_CONFIGURATION},
                   {"type", KEY_INPUT},
                   {"op", KEY_INPUT},
                   {"n", KEY_INPUT},
                   {"cache", KEY_CACHE},
                   {"scope", KEY_SCOPE}};
    struct text t = {0};
    text_append(&t, "%s", "");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (parts & columns[i].part)
            text_append(&t, "%s\x1f", results_text(r, row, columns[i].column));
    if (parts & KEY_CONFIGURATION)
        append_tunables(r, row, &t);
    if (t.failed)
        text_free(&t);
    return t.bytes;
}

/* Whether no row has anything in the column. */
static bool unknown(const struct results *r, const char *column)
{
    for (size_t i = 0; i < r->rows.row_count; i++)
        if (*results_text(r, i, column))
            return false;
    return true;
}

static unsigned ignored_parts(const struct results *a, const struct results *b)
{
    return (unknown(a, "cache") || unknown(b, "cache") ? KEY_CACHE : 0u) |
           (unknown(a, "scope") || unknown(b, "scope") ? KEY_SCOPE : 0u);
}

/* The keys of all rows; the caller frees them with free_keys(). */
static char **keys_of(const struct results *r, unsigned parts)
{
    char **keys = calloc(r->rows.row_count + 1, sizeof *keys);
    for (size_t i = 0; keys && i < r->rows.row_count; i++)
        if (!(keys[i] = match_key(r, i, parts))) {
            while (i > 0)
                free(keys[--i]);
            free(keys);
            return NULL;
        }
    return keys;
}

static void free_keys(char **keys, size_t count)
{
    for (size_t i = 0; keys && i < count; i++)
        free(keys[i]);
    free(keys);
}

/* Fills `l` with the first row of each key, and counts the others. */
static bool index_rows(char **keys, size_t count, struct lookup *l, size_t *repeated)
{
    for (size_t i = 0; i < count; i++) {
        if (lookup_find(l, keys[i]) != LOOKUP_NONE)
            (*repeated)++;
        else if (!lookup_add(l, keys[i], i))
            return false;
    }
    return true;
}

static bool pair_rows(char **keys_a, size_t count_a, char **keys_b, size_t count_b, struct match *m)
{
    struct lookup in_a = {0}, in_b = {0};
    bool ok = index_rows(keys_a, count_a, &in_a, &m->repeated_a) &&
              index_rows(keys_b, count_b, &in_b, &m->repeated_b);
    for (size_t i = 0; ok && i < count_a; i++) {
        size_t other = lookup_find(&in_b, keys_a[i]);
        if (lookup_find(&in_a, keys_a[i]) != i)
            continue;
        if (other == LOOKUP_NONE)
            m->only_a[m->only_a_count++] = i;
        else
            m->pairs[m->pair_count++] = (struct pair){i, other};
    }
    for (size_t i = 0; ok && i < count_b; i++)
        if (lookup_find(&in_b, keys_b[i]) == i && lookup_find(&in_a, keys_b[i]) == LOOKUP_NONE)
            m->only_b[m->only_b_count++] = i;
    lookup_free(&in_a);
    lookup_free(&in_b);
    return ok;
}

bool match_runs(const struct results *a, const struct results *b, struct match *out,
                struct error *e)
{
    size_t count_a = a->rows.row_count, count_b = b->rows.row_count;
    memset(out, 0, sizeof *out);
    out->pairs = malloc((count_a + 1) * sizeof *out->pairs);
    out->only_a = malloc((count_a + 1) * sizeof *out->only_a);
    out->only_b = malloc((count_b + 1) * sizeof *out->only_b);
    out->ignored = ignored_parts(a, b);
    unsigned parts = KEY_POINT & ~out->ignored;
    char **keys_a = keys_of(a, parts), **keys_b = keys_of(b, parts);
    bool ok = out->pairs && out->only_a && out->only_b && keys_a && keys_b &&
              pair_rows(keys_a, count_a, keys_b, count_b, out);
    free_keys(keys_a, count_a);
    free_keys(keys_b, count_b);
    if (ok)
        return true;
    match_free(out);
    return FAIL(e, ERROR_MEMORY, "out of memory for matching %zu rows with %zu", count_a, count_b);
}

void match_free(struct match *m)
{
    free(m->pairs);
    free(m->only_a);
    free(m->only_b);
    memset(m, 0, sizeof *m);
}
