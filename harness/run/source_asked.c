/*
 * The source of points that another program requests (`run --points -`). The program writes a
 * header and lines of CSV (points.h) to standard input. The source writes the header of results.csv
 * to standard output, and then answers each line, in order, with the row of its point.
 *
 * Lines that have arrived together are compiled and measured together if their points belong to the
 * same group. A point that was measured before is not measured again. If a line names no point of
 * the config, the answer is a row with the status skipped and the reason. Such a row is not written
 * to results.csv.
 *
 * Nothing in this file blocks. The event loop waits for input, and answers are kept until the other
 * program reads them. A single lane measures the points.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "run/points.h"
#include "run/rows.h"

enum { BATCH_MAX = 1024 }; /* most lines answered together */
/* Most bytes in one read from standard input. */
enum { READ_BYTES = 1 << 16 };
#define NO_POINT UINT32_MAX

/* The point that a line names. */
struct question {
    uint32_t point; /* NO_POINT: none */
    char why[160];  /* why the line names no point */
};

struct asked_points {
    struct source source;
    bool begun; /* the header was read; columns and index exist */
    struct point_columns columns;
    struct point_index index;
    struct csv_row row;
    struct text input;  /* read from standard input */
    size_t taken;       /* bytes at the start of `input` that have been used */
    char *line;         /* a copy of the current line with NUL-terminated cells; `row` points into
                           it */
    size_t line_length; /* of the current line in `input` */
    size_t lines;
    VEC(struct question) questions; /* the lines of the current batch */
    char **answers;                 /* for each point, its row as a line of CSV; NULL: not
                                       measured */
    struct text header;             /* the header of results.csv; empty before the first answer */
    struct text output;             /* answers that have not been written yet */
};

extern const struct source_kind source_asked;

static struct asked_points *asked_of(struct source *source)
{
    return (struct asked_points *)source;
}

static struct source *make(struct sweep *s)
{
    struct asked_points *a = xcalloc(1, sizeof *a);
    a->source =
        (struct source){.kind = &source_asked, .sweep = s, .input = STDIN_FILENO, .output = -1};
    a->answers = xcalloc((size_t)s->plan->point_count + 1, sizeof *a->answers);
    return &a->source;
}

static void release(struct source *source)
{
    struct asked_points *a = asked_of(source);
    for (uint32_t i = 0; i < source->sweep->plan->point_count; i++)
        free(a->answers[i]);
    free(a->answers);
    point_columns_free(&a->columns);
    point_index_free(&a->index);
    csv_row_free(&a->row);
    text_free(&a->input);
    text_free(&a->header);
    text_free(&a->output);
    free(a->line);
    vec_free(&a->questions);
    free(a);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Appends the bytes that standard input has available now to a->input. */
static bool read_input(struct asked_points *a, struct error *e)
{
    char bytes[READ_BYTES];
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    if (a->source.input < 0 || poll(&fd, 1, 0) <= 0)
        return true;
    /*
     * Move the unused bytes to the front. They are the beginning of a line or, after a full batch,
     * perhaps whole lines.
     */
    if (a->taken > 0) {
        memmove(a->input.bytes, a->input.bytes + a->taken, a->input.length - a->taken);
        a->input.length -= a->taken;
        a->taken = 0;
    }
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && errno != EINTR)
        return FAIL(e, ERROR_SYSTEM, "cannot read standard input: %s", strerror(errno));
    if (got > 0)
        text_append_bytes(&a->input, bytes, (size_t)got);
    if (got == 0)
        a->source.input = -1;
    return true;
}

/*
 * Splits the next line of the input into cells, but leaves the line in the input. Sets *there to
 * false if no whole line has arrived yet.
 */
static bool peek_line(struct asked_points *a, bool *there, struct error *e)
{
    const char *begin = a->input.bytes + a->taken;
    size_t left = a->input.length - a->taken;
    const char *end = left ? memchr(begin, '\n', left) : NULL;
    *there = end != NULL;
    if (!end)
        return true;
    a->line_length = (size_t)(end + 1 - begin);
    free(a->line);
    a->line = xstrndup(begin, a->line_length);
    struct csv_reader reader = {"standard input", a->line, a->line + a->line_length, ++a->lines};
    return csv_next(&reader, &a->row, e) == CSV_ROW;
}

static void drop_line(struct asked_points *a)
{
    a->taken += a->line_length;
}

/* Like peek_line(), but reads from standard input if necessary. */
static bool find_line(struct asked_points *a, bool *there, struct error *e)
{
    return peek_line(a, there, e) && (*there || (read_input(a, e) && peek_line(a, there, e)));
}

/* ---- Questions ------------------------------------------------------------------------------- */

static bool read_header(struct asked_points *a, bool *there, struct error *e)
{
    const struct plan *plan = a->source.sweep->plan;
    if (!find_line(a, there, e))
        return false;
    if (!*there)
        return true;
    if (!point_columns_read("standard input", &a->row, plan->catalogue, &a->columns, e))
        return false;
    point_index_make(plan, &a->columns, &a->index);
    a->begun = true;
    drop_line(a);
    return true;
}

/* Makes a question from the line that peek_line() read. */
static struct question make_question(const struct asked_points *a)
{
    struct question q = {.point = NO_POINT};
    size_t first, count = point_index_find(&a->index, &a->row, &first);
    if (count == 1)
        q.point = a->index.keys[first].point;
    else if (count == 0)
        snprintf(q.why, sizeof q.why, "the config contains no such point");
    else
        snprintf(q.why, sizeof q.why,
                 "%zu points of the config have these values; add columns that distinguish them",
                 count);
    return q;
}

static uint32_t group_of(const struct plan *plan, uint32_t point)
{
    uint32_t low = 0, high = plan->group_count; /* groups are sorted by their points */
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->groups[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*
 * Makes questions from the lines that have arrived, up to the first line whose point belongs to
 * another group. They will be answered together.
 */
static bool take_questions(struct asked_points *a, struct error *e)
{
    const struct plan *plan = a->source.sweep->plan;
    uint32_t group = NO_GROUP;
    bool there;
    if (!find_line(a, &there, e))
        return false;
    while (there && a->questions.count < BATCH_MAX) {
        struct question q = make_question(a);
        if (q.point != NO_POINT && group != NO_GROUP && group_of(plan, q.point) != group)
            break;
        if (q.point != NO_POINT)
            group = group_of(plan, q.point);
        vec_push(&a->questions, q);
        drop_line(a);
        if (!find_line(a, &there, e))
            return false;
    }
    return true;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Answers a line that names no point. The row contains only the status and the reason. */
static void answer_refusal(struct asked_points *a, const char *why)
{
    char *copy = xstrdup(a->header.bytes);
    struct csv_row header = {0};
    struct csv_reader reader = {"", copy, copy + strlen(copy), 1};
    (void)csv_next(&reader, &header, &(struct error){0});
    for (size_t i = 0; i < header.count; i++) {
        text_append(&a->output, i ? "," : "");
        if (strcmp(header.cells[i], "status") == 0)
            text_append(&a->output, "%s", status_name(STATUS_SKIPPED));
        if (strcmp(header.cells[i], "reason") == 0)
            csv_append_text(&a->output, why);
    }
    text_append(&a->output, "\n");
    csv_row_free(&header);
    free(copy);
}

/*
 * Writes as much of the answers as standard output accepts without blocking. A pipe that poll()
 * reports as writable accepts PIPE_BUF bytes.
 */
static bool write_answers(struct asked_points *a, struct error *e)
{
    size_t written = 0;
    struct pollfd fd = {.fd = STDOUT_FILENO, .events = POLLOUT};
    while (written < a->output.length && poll(&fd, 1, 0) > 0) {
        size_t left = a->output.length - written;
        ssize_t put =
            write(STDOUT_FILENO, a->output.bytes + written, left < PIPE_BUF ? left : PIPE_BUF);
        if (put < 0 && errno != EINTR)
            return FAIL(e, ERROR_SYSTEM, "cannot answer on standard output: %s", strerror(errno));
        written += put > 0 ? (size_t)put : 0;
    }
    if (written > 0)
        memmove(a->output.bytes, a->output.bytes + written, a->output.length - written);
    a->output.length -= written;
    a->source.output = a->output.length ? STDOUT_FILENO : -1;
    return true;
}

/* Answers the current questions. The points that they name must have been measured. */
static bool answer(struct asked_points *a, struct error *e)
{
    struct sweep *s = a->source.sweep;
    if (!rows_flush(s, e))
        return false;
    if (a->header.length == 0) {
        record_append_header(s->sides[0].record, &a->header);
        text_append(&a->output, "%s", a->header.bytes);
    }
    for (size_t i = 0; i < a->questions.count; i++) {
        const struct question *q = &a->questions.items[i];
        const char *row = q->point == NO_POINT ? NULL : a->answers[q->point];
        if (row)
            text_append_bytes(&a->output, row, strlen(row));
        else
            answer_refusal(a, q->point == NO_POINT ? q->why : "no row was recorded for this point");
    }
    a->questions.count = 0;
    return write_answers(a, e);
}

/* ---- The source ------------------------------------------------------------------------------ */

/*
 * Puts the points of the current questions that have not been measured into `out`, each of them
 * once.
 */
static void wanted_points(const struct asked_points *a, struct batch *out)
{
    for (size_t i = 0; i < a->questions.count; i++) {
        uint32_t point = a->questions.items[i].point;
        if (point != NO_POINT && !a->answers[point])
            vec_push(&out->points, point);
    }
    batch_sort(out);
}

static bool next(struct source *source, struct lane *l, struct batch *out, struct error *e)
{
    struct asked_points *a = asked_of(source);
    bool there = true;
    (void)l;
    if (!write_answers(a, e) || (!a->begun && !read_header(a, &there, e)))
        return false;
    while (there) {
        if (!take_questions(a, e))
            return false;
        there = a->questions.count > 0;
        wanted_points(a, out);
        if (out->points.count > 0)
            break;
        if (there && !answer(a, e))
            return false;
    }
    out->compile = true;
    return true;
}

static bool take(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e)
{
    struct asked_points *a = asked_of(source);
    if (!rows_write(l, point, o, e))
        return false;
    struct row_added row = rows_last(source->sweep, point);
    a->answers[point] = xstrndup(row.line, row.length);
    return true;
}

static bool done(struct source *source, struct lane *l, struct error *e)
{
    (void)l;
    return answer(asked_of(source), e);
}

const struct source_kind source_asked = {.name = "asked",
                                         .make = make,
                                         .next = next,
                                         .take = take,
                                         .done = done,
                                         .free = release,
                                         .some = true};
