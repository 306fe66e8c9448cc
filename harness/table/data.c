/* Writes tables as data for gnuplot; see table_write_data() in table.h. */
#include "table/table.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/*
 * Returns the character to write for `c`. Characters that gnuplot cannot read within quotes are
 * replaced. In data files, gnuplot 5.4 takes "" as the end of a string, and \042 as a quote in
 * labels but not in comparisons with ==.
 */
static char quotable(char c)
{
    unsigned char byte = (unsigned char)c;
    return c == '"' ? '\'' : c == '\\' ? '/' : byte < ' ' || byte == 127 ? ' ' : c;
}

static void append_quoted(const char *text, struct text *line)
{
    text_append(line, "\"");
    for (; *text; text++)
        text_append(line, "%c", quotable(*text));
    text_append(line, "\"");
}

static void append_cell(const struct column *c, size_t row, struct text *line)
{
    double number = column_number(c, row);
    if (c->kind == COLUMN_TEXT)
        append_quoted(column_text(c, row), line);
    else if (isfinite(number))
        text_number(line, number);
    else
        text_append(line, "NaN");
}

void table_write_data(const struct table *t, bool heading, FILE *to)
{
    struct text line = {0};
    for (size_t row = heading ? 0 : 1; row <= t->row_count; row++) {
        line.length = 0;
        for (size_t i = 0; i < t->columns.count; i++) {
            const struct column *c = t->columns.items[i];
            if (c->audience == FOR_PEOPLE || c->details)
                continue;
            text_append(&line, "%s", line.length ? "\t" : "");
            if (row == 0)
                append_quoted(c->name, &line);
            else
                append_cell(c, row - 1, &line);
        }
        text_append(&line, "\n");
        fwrite(line.bytes, 1, line.length, to);
    }
    text_free(&line);
}
