/*
 * Aligned columns: see grid.h.
 */
#include "compare/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void add(struct grid *g, char *cell)
{
    if (cell && g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 256;
        char **cells = realloc(g->cells, capacity * sizeof *cells);
        if (cells) {
            g->cells = cells;
            g->capacity = capacity;
        }
    }
    if (!cell || g->count == g->capacity) {
        free(cell);
        g->failed = true;
        return;
    }
    g->cells[g->count++] = cell;
}

void grid_add(struct grid *g, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *cell = NULL;
    if (vasprintf(&cell, format, list) < 0)
        cell = NULL;
    va_end(list);
    add(g, cell);
}

void number_format(double number, int digits, char out[40])
{
    out[0] = '\0';
    if (isnan(number))
        return;
    int whole = number == 0 || isinf(number) ? 1 : (int)floor(log10(fabs(number))) + 1;
    if (whole > 15 || whole < -5)
        snprintf(out, 40, "%.*g", digits, number);
    else if (number == floor(number)) /* counts: all digits, no fraction */
        snprintf(out, 40, "%.0f", number);
    else
        snprintf(out, 40, "%.*f", digits > whole ? digits - whole : 0, number);
}

void grid_number(struct grid *g, double number, int digits)
{
    char text[40];
    number_format(number, digits, text);
    grid_add(g, "%s", text);
}

static size_t width_of(const char *s)
{
    size_t width = 0;
    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static bool is_number(const char *s)
{
    static const char *const signs[] = {"", "%", " %", "×"};
    char *end;
    strtod(s, &end);
    for (size_t i = 0; end != s && i < sizeof signs / sizeof *signs; i++)
        if (strcmp(end, signs[i]) == 0)
            return true;
    return false;
}

/* The widths of the columns; a column is one of numbers when all cells but the heading are. */
static void measure(const struct grid *g, size_t *widths, bool *numbers)
{
    for (size_t c = 0; c < g->columns; c++) {
        bool any = false, other = false;
        widths[c] = 0;
        for (size_t i = c; i < g->count; i += g->columns) {
            size_t width = width_of(g->cells[i]);
            widths[c] = width > widths[c] ? width : widths[c];
            if (i >= g->columns && g->cells[i][0]) {
                any = true;
                other = other || !is_number(g->cells[i]);
            }
        }
        numbers[c] = any && !other;
    }
}

static void print_row(const struct grid *g, size_t row, const size_t *widths, const bool *numbers,
                      int indent, FILE *to)
{
    struct text line = {0};
    text_append(&line, "%*s", indent, "");
    for (size_t c = 0; c < g->columns; c++) {
        const char *cell = g->cells[row * g->columns + c];
        int blanks = (int)(widths[c] - width_of(cell));
        if (numbers[c])
            text_append(&line, "%*s%s", blanks, "", cell);
        else
            text_append(&line, "%s%*s", cell, blanks, "");
        if (c + 1 < g->columns)
            text_append(&line, "  ");
    }
    while (line.length > 0 && line.bytes[line.length - 1] == ' ')
        line.bytes[--line.length] = '\0';
    fprintf(to, "%s\n", text_shown(&line));
    text_free(&line);
}

void grid_print(const struct grid *g, int indent, FILE *to)
{
    size_t *widths = calloc(g->columns + 1, sizeof *widths);
    bool *numbers = calloc(g->columns + 1, sizeof *numbers);
    if (g->failed || !widths || !numbers) {
        /* Where a cell is missing, all that follow would stand in the wrong column. */
        fprintf(to, "%*s(out of memory for this table)\n", indent, "");
    } else {
        measure(g, widths, numbers);
        for (size_t row = 0; row < g->count / g->columns; row++) {
            print_row(g, row, widths, numbers, indent, to);
            if (row > 0)
                continue;
            fprintf(to, "%*s", indent, "");
            for (size_t c = 0; c < g->columns; c++) {
                for (size_t i = 0; i < widths[c]; i++)
                    fputc('-', to);
                fputs(c + 1 < g->columns ? "  " : "\n", to);
            }
        }
    }
    free(widths);
    free(numbers);
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->cells[i]);
    free(g->cells);
    memset(g, 0, sizeof *g);
}
