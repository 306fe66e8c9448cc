/* Writes results.json. */
#include "record/json.h"

#include <string.h>

#include "table/lines.h"
#include "record/replace.h"

void json_begin(FILE *out, const struct manifest *m)
{
    struct text head = {0};
    manifest_append_json(m, &head);
    fprintf(out, "%s,\n  \"rows\": [", head.bytes);
    text_free(&head);
}

/* Returns whether the text is a JSON number (RFC 8259, section 6). */
static bool is_json_number(const char *s)
{
    static const char digits[] = "0123456789";
    s += *s == '-';
    size_t whole = strspn(s, digits);
    if (whole == 0 || (whole > 1 && *s == '0'))
        return false;
    s += whole;
    if (*s == '.') {
        size_t fraction = strspn(++s, digits);
        if (fraction == 0)
            return false;
        s += fraction;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        size_t exponent = strspn(s, digits);
        if (exponent == 0)
            return false;
        s += exponent;
    }
    return *s == '\0';
}

/* Appends a cell as JSON. Numbers keep their digits; infinities, which JSON lacks, become null. */
static void append_cell(struct text *t, const struct manifest_column *column, const char *cell)
{
    bool is_text = strcmp(column->type, "text") == 0;
    if (!*cell || (!is_text && strstr(cell, "inf")))
        text_append(t, "null");
    else if (!is_text && is_json_number(cell))
        text_append_bytes(t, cell, strlen(cell));
    else
        text_append_json(t, cell);
}

void json_row(FILE *out, const struct manifest *m, const char *const *cells, bool first)
{
    struct text t = {0};
    text_append(&t, "%s\n    {", first ? "" : ",");
    for (size_t i = 0; i < m->columns.count; i++) {
        if (i)
            text_append(&t, ",");
        text_append_json(&t, m->columns.items[i].name);
        text_append(&t, ":");
        append_cell(&t, &m->columns.items[i], cells[i]);
    }
    text_append(&t, "}");
    fwrite(t.bytes, 1, t.length, out);
    text_free(&t);
}

void json_end(FILE *out)
{
    fprintf(out, "\n  ]\n}\n");
}

/* What write_document() needs to copy the rows. */
struct copy {
    int folder;
    const char *name;
    const struct manifest *manifest;
};

static bool copy_rows(const struct manifest *m, struct lines *from, FILE *to, struct error *e)
{
    struct csv_row row = {0};
    enum csv_found found;
    while ((found = lines_row(from, &row, e)) == CSV_ROW) {
        if (row.count != m->columns.count) {
            found = CSV_BAD;
            FAIL(e, ERROR_SYSTEM,
                 "%s:%zu: another process changed the file while it was read; try again",
                 from->path, from->number);
            break;
        }
        if (from->number > 1)
            json_row(to, m, (const char *const *)row.cells, from->number == 2);
    }
    csv_row_free(&row);
    return found != CSV_BAD; /* drops an incomplete row at the end of the file */
}

static bool write_document(void *context, FILE *to, struct error *e)
{
    const struct copy *copy = context;
    struct lines from;
    if (!lines_open(copy->folder, copy->name, "results.csv", &from, e))
        return false;
    json_begin(to, copy->manifest);
    bool ok = copy_rows(copy->manifest, &from, to, e);
    json_end(to);
    lines_close(&from);
    return ok;
}

bool json_write(int folder, const char *name, const struct manifest *m, struct error *e)
{
    struct copy copy = {folder, name, m};
    return file_replace(folder, name, JSON_FILE, write_document, &copy, e);
}
