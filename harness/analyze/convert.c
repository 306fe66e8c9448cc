/*
 * Converting a run: see convert.h. The manifest is written when the rows are, and results.json,
 * which counts until then, is removed last.
 */
#include "analyze/convert.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "analyze/results.h"
#include "base/folder.h"
#include "record/columns.h"
#include "record/json.h"
#include "table/lines.h"
#include "record/replace.h"

/* Appends the cells of the columns that are kept. */
static void append_kept(const struct csv_row *row, const bool *retired, struct text *line)
{
    bool first = true;
    for (size_t i = 0; i < row->count; i++) {
        if (retired[i])
            continue;
        text_append(line, "%s", first ? "" : ",");
        csv_append_text(line, row->cells[i]);
        first = false;
    }
    text_append(line, "\n");
}

static bool copy_kept(struct lines *from, struct csv_row *row, FILE *to, struct error *e)
{
    bool *retired = NULL;
    size_t columns = 0;
    enum csv_found found;
    while ((found = lines_row(from, row, e)) == CSV_ROW) {
        if (!retired) {
            columns = row->count;
            retired = xcalloc(columns, sizeof *retired);
            for (size_t i = 0; i < columns; i++)
                retired[i] = column_is_retired(row->cells[i]);
        }
        if (row->count != columns) {
            found = CSV_BAD;
            FAIL(e, ERROR_CONFIG, "%s: line %zu: %zu cells, but the header has %zu", from->path,
                 from->number, row->count, columns);
            break;
        }
        struct text line = {0};
        append_kept(row, retired, &line);
        fwrite(line.bytes, 1, line.length, to);
        text_free(&line);
    }
    free(retired);
    return found != CSV_BAD;
}

static bool write_rows(void *context, FILE *to, struct error *e)
{
    struct csv_row row = {0};
    bool ok = copy_kept(context, &row, to, e);
    csv_row_free(&row);
    return ok;
}

static bool convert_rows(int fd, const char *folder, struct error *e)
{
    struct lines from;
    if (!lines_open(fd, folder, "results.csv", &from, e))
        return false;
    bool ok = file_replace(fd, folder, "results.csv", write_rows, &from, e);
    lines_close(&from);
    return ok;
}

/* The rows and samples are those of a run: nothing else is rewritten. */
static bool check_rows(const char *folder, struct error *e)
{
    struct results r;
    bool ok = results_read(folder, &r, e);
    if (ok)
        results_free(&r);
    return ok;
}

static bool convert_open(int fd, const char *folder, struct manifest *m, struct error *e)
{
    for (size_t i = m->columns.count; i-- > 0;)
        if (column_is_retired(m->columns.items[i].name))
            manifest_remove_column(m, i);
    return convert_rows(fd, folder, e) && manifest_write(fd, folder, m, e) &&
           (unlinkat(fd, JSON_FILE, 0) == 0 || errno == ENOENT ||
            FAIL(e, ERROR_SYSTEM, "%s/" JSON_FILE ": cannot remove: %s", folder, strerror(errno)));
}

bool convert_run(const char *folder, bool *converted, struct error *e)
{
    struct manifest m;
    bool ok = manifest_read(folder, &m, NULL, e);
    *converted = ok && m.schema < MANIFEST_SCHEMA;
    if (*converted && (ok = check_rows(folder, e))) {
        int fd;
        ok = folder_open(folder, &fd, e);
        if (ok) {
            ok = convert_open(fd, folder, &m, e);
            close(fd);
        }
    }
    manifest_free(&m);
    return ok;
}
