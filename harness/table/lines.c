/* Reads a file line by line through one buffer; see lines.h. */
#include "table/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

bool lines_open(int folder, const char *name, const char *file, struct lines *out, struct error *e)
{
    *out = (struct lines){0};
    snprintf(out->path, sizeof out->path, "%.4000s/%s", name, file);
    out->file = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (out->file < 0)
        return FAIL(e, ERROR_CONFIG,
                    "%s cannot be opened: %s; a run's folder contains results.csv and samples.csv",
                    out->path, strerror(errno));
    struct stat st;
    if (fstat(out->file, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(out->file);
        return FAIL(e, ERROR_CONFIG, "%s is not a regular file", out->path);
    }
    out->buffer = xmalloc(LINE_MOST_BYTES);
    return true;
}

void lines_close(struct lines *l)
{
    close(l->file);
    free(l->buffer);
}

/* Moves the current line to the front of the buffer, and reads more bytes after it. */
static enum csv_found read_on(struct lines *l, struct error *e)
{
    memmove(l->buffer, l->buffer + l->next, l->filled - l->next);
    l->filled -= l->next;
    l->next = 0;
    if (l->filled == LINE_MOST_BYTES) {
        FAIL(e, ERROR_CONFIG,
             "%s, line %zu: the line has more than %d bytes, so no run has written it; restore the "
             "file",
             l->path, l->number + 1, LINE_MOST_BYTES);
        return CSV_BAD;
    }
    ssize_t got;
    do
        got = read(l->file, l->buffer + l->filled, LINE_MOST_BYTES - l->filled);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        FAIL(e, ERROR_SYSTEM, "%s cannot be read: %s; the file is left unchanged", l->path,
             strerror(errno));
        return CSV_BAD;
    }
    l->filled += (size_t)got;
    return got > 0 ? CSV_ROW : l->filled > 0 ? CSV_TORN : CSV_END;
}

enum csv_found lines_next(struct lines *l, struct error *e)
{
    char *end;
    while (!(end = memchr(l->buffer + l->next, '\n', l->filled - l->next))) {
        enum csv_found found = read_on(l, e);
        if (found != CSV_ROW)
            return found;
    }
    l->line = l->buffer + l->next;
    l->length = (size_t)(end + 1 - l->line);
    l->next += l->length;
    l->begin = l->end;
    l->end += (off_t)l->length;
    l->number++;
    return CSV_ROW;
}

bool lines_header(struct lines *l, struct error *e)
{
    enum csv_found found = lines_next(l, e);
    return found == CSV_ROW ||
           (found != CSV_BAD &&
            FAIL(e, ERROR_CONFIG,
                 "%s has no header; the first line must contain the names of the columns",
                 l->path));
}

bool lines_id(const struct lines *l, uint64_t *id)
{
    enum { DIGITS = 16 };
    char digits[DIGITS + 1] = "";
    if (l->length <= DIGITS || l->line[DIGITS] != ',')
        return false;
    memcpy(digits, l->line, DIGITS);
    *id = strtoull(digits, NULL, 16);
    return strspn(digits, "0123456789abcdefABCDEF") == DIGITS;
}

enum csv_found lines_row(struct lines *l, struct csv_row *row, struct error *e)
{
    enum csv_found found = lines_next(l, e);
    return found == CSV_ROW ? lines_cells(l, row, e) : found;
}

enum csv_found lines_cells(struct lines *l, struct csv_row *row, struct error *e)
{
    struct csv_reader reader = {l->path, l->line, l->line + l->length, l->number};
    return csv_next(&reader, row, e);
}
