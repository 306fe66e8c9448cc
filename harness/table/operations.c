/* Filters, sorts and numbers rows by their cells; see table.h. */
#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/text.h"

/*
 * The state while an expression is evaluated for the rows of a table. `names` has the column of
 * each name, so that each name is looked up only once. An expression stores each name in one place,
 * so names are compared by their addresses.
 */
struct filter {
    const struct table *table;
    size_t row;
    VEC(struct named_column {
        const char *name;
        const struct column *column;
    })
    names;
    struct error *e;
    bool ok;
};

static const struct column *column_of(struct filter *f, const char *name)
{
    for (size_t i = 0; i < f->names.count; i++)
        if (f->names.items[i].name == name)
            return f->names.items[i].column;
    int column = table_column_named(f->table, name);
    const struct column *c = column < 0 ? NULL : f->table->columns.items[column];
    vec_push(&f->names, (struct named_column){name, c});
    return c;
}

static void check_name(void *context, const char *name)
{
    struct filter *f = context;
    char suggestion[SUGGESTION_SIZE];
    if (f->ok && !column_of(f, name))
        f->ok = FAIL(f->e, ERROR_USAGE, "unknown column '%s'%s", name,
                     table_suggestion(f->table, name, suggestion));
}

static bool look_up_cell(void *context, const char *name, struct expr_value *value)
{
    struct filter *f = context;
    const struct column *c = column_of(f, name);
    if (!c)
        return false;
    *value = (struct expr_value){.number = column_number(c, f->row)};
    if (c->kind == COLUMN_TEXT)
        value->text = column_text(c, f->row);
    return true;
}

bool table_compute(const struct table *from, const uint32_t *rows, const struct expr *formula,
                   struct table *to, struct column like, struct error *e)
{
    struct filter f = {.table = from, .e = e, .ok = true};
    expr_names(formula, check_name, &f);
    struct column *c = f.ok ? table_add(to, like) : NULL;
    for (size_t i = 0; f.ok && i < to->row_count; i++) {
        f.row = rows[i];
        f.ok = expr_number(formula, look_up_cell, &f, &c->numbers[i], e);
    }
    vec_free(&f.names);
    return f.ok;
}

bool table_filter(const struct table *t, const struct expr *where, row_list *out, struct error *e)
{
    struct filter f = {.table = t, .e = e, .ok = true};
    if (where)
        expr_names(where, check_name, &f);
    for (; f.ok && f.row < t->row_count; f.row++) {
        double keep = 1;
        f.ok = !where || expr_number(where, look_up_cell, &f, &keep, e);
        if (f.ok && keep != 0 && !isnan(keep))
            vec_push(out, (uint32_t)f.row);
    }
    vec_free(&f.names);
    return f.ok;
}

struct ordering {
    const struct order *by;
    size_t count;
};

static int compare_cells(const struct order *by, size_t a, size_t b)
{
    int order;
    if (by->column->kind == COLUMN_TEXT) {
        order = strcmp(column_text(by->column, a), column_text(by->column, b));
    } else {
        double x = column_number(by->column, a), y = column_number(by->column, b);
        if (isnan(x) || isnan(y))
            return isnan(x) - isnan(y);
        order = (x > y) - (x < y);
    }
    return by->down ? -order : order;
}

static int compare_rows(const void *x, const void *y, void *context)
{
    const struct ordering *ordering = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    for (size_t i = 0; i < ordering->count; i++) {
        int order = compare_cells(&ordering->by[i], a, b);
        if (order)
            return order;
    }
    return (a > b) - (a < b);
}

void table_sort(const struct order *by, size_t count, row_list *rows)
{
    struct ordering ordering = {by, count};
    if (rows->count)
        qsort_r(rows->items, rows->count, sizeof *rows->items, compare_rows, &ordering);
}

struct key {
    double number;
    const char *text; /* "" for a number */
};

static struct key key_of(const struct key_column *k, size_t row)
{
    double number = k->column ? column_number(k->column, row) : k->number;
    const char *text = k->column ? column_text(k->column, row) : k->text;
    return (struct key){number, isnan(number) && text ? text : ""};
}

static bool same_key(struct key a, struct key b)
{
    return isnan(a.number) ? isnan(b.number) && strcmp(a.text, b.text) == 0 : a.number == b.number;
}

static struct key key_at(const struct row_keys *k, struct keyed_row at, size_t column)
{
    return key_of(&k->lists.items[at.list][column], at.row);
}

static uint64_t hash_row(const struct row_keys *k, struct keyed_row at)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < k->column_count; i++) {
        struct key key = key_at(k, at, i);
        double number = key.number + 0.0; /* −0 becomes 0 */
        hash = isnan(number) ? hash_text(hash, key.text) : hash_bytes(hash, &number, sizeof number);
    }
    return hash;
}

struct sought_row {
    const struct row_keys *keys;
    struct keyed_row at;
};

static bool has_number(const void *context, uint32_t number)
{
    const struct sought_row *s = context;
    for (size_t i = 0; i < s->keys->column_count; i++)
        if (!same_key(key_at(s->keys, s->at, i), key_at(s->keys, s->keys->first.items[number], i)))
            return false;
    return true;
}

static uint32_t number_of_list(struct row_keys *k, const struct key_column *columns)
{
    for (size_t i = 0; i < k->lists.count; i++)
        if (k->lists.items[i] == columns)
            return (uint32_t)i;
    vec_push(&k->lists, columns);
    return (uint32_t)(k->lists.count - 1);
}

uint32_t row_keys_number(struct row_keys *k, const struct key_column *columns, size_t row)
{
    struct sought_row sought = {k, {number_of_list(k, columns), (uint32_t)row}};
    uint64_t hash = hash_row(k, sought.at);
    uint32_t number = map_find(&k->map, hash, has_number, &sought);
    if (number == MAP_NONE) {
        number = (uint32_t)k->first.count;
        map_add(&k->map, hash, number);
        vec_push(&k->first, sought.at);
    }
    return number;
}

static int compare_keys(struct key a, struct key b)
{
    if (isnan(a.number) && isnan(b.number))
        return strverscmp(a.text, b.text);
    if (isnan(a.number) || isnan(b.number))
        return isnan(b.number) - isnan(a.number);
    return (a.number > b.number) - (a.number < b.number);
}

static int compare_numbers(const void *x, const void *y, void *context)
{
    const struct row_keys *k = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    for (size_t i = 0; i < k->column_count; i++) {
        int order = compare_keys(key_at(k, k->first.items[a], i), key_at(k, k->first.items[b], i));
        if (order)
            return order;
    }
    return (a > b) - (a < b);
}

uint32_t *row_keys_order(const struct row_keys *k)
{
    size_t count = k->first.count;
    uint32_t *sorted = xcalloc(count + 1, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (uint32_t)i;
    qsort_r(sorted, count, sizeof *sorted, compare_numbers, (void *)k);
    uint32_t *places = xcalloc(count + 1, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[sorted[i]] = (uint32_t)i;
    free(sorted);
    return places;
}

void row_keys_free(struct row_keys *k)
{
    map_free(&k->map);
    vec_free(&k->lists);
    vec_free(&k->first);
}
