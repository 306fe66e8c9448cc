/* Stores columns and their cells; see table.h. */
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void free_cells(struct column *c)
{
    if (c->borrowed)
        return;
    free(c->codes);
    free(c->numbers);
    if (c->texts)
        numbering_free(c->texts);
    free(c->texts);
}

void table_free(struct table *t)
{
    for (size_t i = 0; i < t->columns.count; i++) {
        free_cells(t->columns.items[i]);
        free(t->columns.items[i]);
    }
    for (size_t i = 0; i < t->kept.count; i++)
        free(t->kept.items[i]);
    vec_free(&t->columns);
    vec_free(&t->kept);
    memset(t, 0, sizeof *t);
}

void *table_keep(struct table *t, void *what)
{
    vec_push(&t->kept, what);
    return what;
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns.count; i++)
        if (strcmp(t->columns.items[i]->name, name) == 0)
            return (int)i;
    return -1;
}

int table_column_named(const struct table *t, const char *name)
{
    int column = table_column(t, name);
    for (size_t i = 0; column < 0 && i < t->columns.count; i++)
        if (t->columns.items[i]->alias && strcmp(t->columns.items[i]->alias, name) == 0)
            column = (int)i;
    return column;
}

struct column *table_find(const struct table *t, const char *name)
{
    int column = table_column(t, name);
    return column < 0 ? NULL : t->columns.items[column];
}

const char *table_suggestion(const struct table *t, const char *word, char buffer[])
{
    const char **names = xcalloc(t->columns.count + 1, sizeof *names);
    for (size_t i = 0; i < t->columns.count; i++)
        names[i] = t->columns.items[i]->name;
    text_suggestion(word, names, t->columns.count, buffer);
    free(names);
    return buffer;
}

static struct column *add_column(struct table *t, struct column like)
{
    struct column *c = xmalloc(sizeof *c);
    *c = like;
    vec_push(&t->columns, c);
    return c;
}

struct column *table_add(struct table *t, struct column like)
{
    struct column *c = add_column(t, like);
    if (c->kind != COLUMN_TEXT) {
        c->numbers = xmalloc((t->row_count + 1) * sizeof *c->numbers);
        for (size_t i = 0; i < t->row_count; i++)
            c->numbers[i] = NAN;
    }
    if (c->kind == COLUMN_TEXT || c->as_printed) {
        c->codes = xcalloc(t->row_count + 1, sizeof *c->codes);
        c->texts = xcalloc(1, sizeof *c->texts);
        numbering_add(c->texts, ""); /* code 0: a missing string */
    }
    return c;
}

struct column *table_show(struct table *t, struct column like, const struct column *from,
                          const uint32_t *rows)
{
    struct column *c = add_column(t, like);
    c->borrowed = true;
    c->rows = rows;
    c->codes = from ? from->codes : NULL;
    c->texts = from ? from->texts : NULL;
    c->numbers = from ? from->numbers : NULL;
    c->varies = from ? from->varies : NULL;
    return c;
}

/* Neighboring rows often have the same string, so the string of the previous row is tried first. */
void column_set_text(struct column *c, size_t row, const char *text)
{
    if (row > 0 && strcmp(c->texts->texts.items[c->codes[row - 1]], text) == 0)
        c->codes[row] = c->codes[row - 1];
    else
        c->codes[row] = (uint32_t)numbering_add(c->texts, text);
}

bool column_same(const struct column *c, size_t a, size_t b)
{
    double x = column_number(c, a), y = column_number(c, b);
    bool same = isnan(x) ? isnan(y) : x == y;
    return same && (!c || !c->codes || strcmp(column_text(c, a), column_text(c, b)) == 0);
}

static bool is_whole(enum column_kind kind)
{
    return kind == COLUMN_COUNT || kind == COLUMN_SIZE;
}

void column_append(const struct column *c, size_t row, struct text *out)
{
    double number = column_number(c, row);
    if (c->kind == COLUMN_TEXT || c->as_printed || isnan(number))
        text_append(out, "%s", column_text(c, row));
    else if (is_whole(c->kind))
        text_append(out, "%.0f", number);
    else
        text_number(out, number);
}

void show_number(double number, int digits, char out[SHOWN_SIZE])
{
    out[0] = '\0';
    if (isnan(number))
        return;
    int whole = number == 0 || isinf(number) ? 1 : (int)floor(log10(fabs(number))) + 1;
    if (whole > 15 || whole < -5)
        snprintf(out, SHOWN_SIZE, "%.*g", digits, number);
    else if (number == floor(number)) /* integers keep all digits */
        snprintf(out, SHOWN_SIZE, "%.0f", number);
    else
        snprintf(out, SHOWN_SIZE, "%.*f", digits > whole ? digits - whole : 0, number);
}

void show_size(double size, char out[SHOWN_SIZE])
{
    int power = size >= 1024 ? (int)lround(log2(size)) : 0;
    if (power && exp2(power) == size)
        snprintf(out, SHOWN_SIZE, "2^%d", power);
    else
        snprintf(out, SHOWN_SIZE, "%.0f", size);
}

/* Shows a ratio as a change, such as "+3.2 %", or from 1000 % on as a factor, such as "12.3×". */
static void show_change(double ratio, char out[SHOWN_SIZE])
{
    double percent = (ratio - 1) * 100;
    if (fabs(percent) >= 1000)
        snprintf(out, SHOWN_SIZE, "%.3g×", ratio);
    else
        snprintf(out, SHOWN_SIZE, "%+.*f %%", fabs(percent) < 99.95 ? 1 : 0, percent);
}

bool column_varies(const struct column *c, size_t row)
{
    return c && c->varies && c->varies[c->rows ? c->rows[row] : row];
}

const char *column_shown(const struct column *c, size_t row, char number[SHOWN_SIZE])
{
    static const char about[] = "≈";
    char shown[SHOWN_SIZE];
    double value = column_number(c, row);
    if (c->kind == COLUMN_TEXT || c->as_printed || isnan(value))
        return column_text(c, row);
    if (c->kind == COLUMN_SIZE)
        show_size(value, shown);
    else if (c->kind == COLUMN_COUNT)
        snprintf(shown, SHOWN_SIZE, "%.0f", value);
    else if (c->kind == COLUMN_CHANGE)
        show_change(value, shown);
    else
        show_number(value, c->digits, shown);
    snprintf(number, SHOWN_SIZE, "%s%.*s", column_varies(c, row) ? about : "",
             (int)(SHOWN_SIZE - sizeof about), shown);
    return number;
}

const char *column_cell(const struct column *c, size_t row)
{
    enum { TEXTS = 8 };
    static _Thread_local char texts[TEXTS][SHOWN_SIZE];
    static _Thread_local unsigned next;
    if (!c || c->codes || isnan(column_number(c, row)))
        return column_text(c, row);
    char *out = texts[next++ % TEXTS];
    struct text text = {0};
    column_append(c, row, &text);
    snprintf(out, SHOWN_SIZE, "%s", text.bytes);
    text_free(&text);
    return out;
}
