/*
 * Points that another program asks for: `run --points -`. It writes a header and then lines of CSV
 * (points.h) to standard input; each is answered with its row on standard output, in their order,
 * behind the header of results.csv.
 *
 * Lines that are there already when one is taken, and of its group, are compiled and measured
 * together with it. A point that was measured before is answered with its row. Lines that name no
 * point of the config are answered with a row that is not in results.csv: skipped, with the reason.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "run/points.h"
#include "run/sweep_state.h"

enum { BATCH_MAX = 1024, READ_BYTES = 1 << 16 /* of standard input at once */ };
#define NO_POINT UINT32_MAX

/* A line, and the point that it names. */
struct question {
    uint32_t point; /* NO_POINT: none */
    char why[160];  /* … for this reason */
};

struct asked_points {
    struct point_columns columns;
    struct point_index index;
    struct csv_row row;
    struct text input;  /* what was read … */
    size_t taken;       /* … of which so much was taken */
    bool ended;         /* standard input has */
    char *line;         /* the one that `row` is of; its cells end in NULs … */
    size_t line_length; /* … and this is its length in the input */
    size_t lines;
    struct text header;             /* of results.csv; printed before the first answer */
    VEC(struct question) questions; /* of the batch at hand */
};

void sweep_asked_free(struct sweep *s)
{
    struct asked_points *a = s->asked;
    if (!a)
        return;
    point_columns_free(&a->columns);
    point_index_free(&a->index);
    csv_row_free(&a->row);
    text_free(&a->input);
    free(a->line);
    text_free(&a->header);
    vec_free(&a->questions);
    free(a);
    s->asked = NULL;
}

bool sweep_is_asked(const struct sweep *s)
{
    return s->options->setup.config->points.asked;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Reads what is there, or waits until something is. */
static bool read_input(struct asked_points *a, bool wait, struct error *e)
{
    char bytes[READ_BYTES];
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&fd, 1, wait ? SWEEP_SLICE_MS : 0);
    if (ready < 0 && errno != EINTR)
        return FAIL(e, ERROR_SYSTEM, "cannot wait for standard input: %s", strerror(errno));
    if (ready <= 0)
        return true;
    if (a->taken > 0) { /* what is left is a part of a line, unless a batch was full */
        memmove(a->input.bytes, a->input.bytes + a->taken, a->input.length - a->taken);
        a->input.length -= a->taken;
        a->taken = 0;
    }
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && errno != EINTR)
        return FAIL(e, ERROR_SYSTEM, "cannot read standard input: %s", strerror(errno));
    if (got > 0)
        text_append_bytes(&a->input, bytes, (size_t)got);
    a->ended = got == 0;
    return true;
}

/* The next whole line, as cells; it stays in the input. False in *taken: there is none, or none
 * yet.
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

/* Waits for a line. False in *there: standard input has ended, or the sweep is to end. */
static bool await_line(struct asked_points *a, bool *there, struct error *e)
{
    for (;;) {
        if (!peek_line(a, there, e))
            return false;
        if (*there || a->ended || sweep_stop_signal)
            return true;
        if (!read_input(a, true, e))
            return false;
    }
}

/* ---- Questions ------------------------------------------------------------------------------- */

static bool begin_asked(struct sweep *s, bool *there, struct error *e)
{
    struct asked_points *a = s->asked = xcalloc(1, sizeof *a);
    s->answers = xcalloc((size_t)s->plan->point_count + 1, sizeof *s->answers);
    if (!await_line(a, there, e))
        return false;
    if (!*there)
        return true;
    if (!point_columns_read("standard input", &a->row, s->plan->catalogue, &a->columns, e))
        return false;
    point_index_make(s->plan, &a->columns, &a->index);
    drop_line(a);
    return true;
}

/* The line that was peeked at, as a question. */
static struct question make_question(const struct asked_points *a)
{
    struct question q = {.point = NO_POINT};
    size_t first, count = point_index_find(&a->index, &a->row, &first);
    if (count == 1)
        q.point = a->index.keys[first].point;
    else if (count == 0)
        snprintf(q.why, sizeof q.why, "not a point of the config");
    else
        snprintf(q.why, sizeof q.why,
                 "%zu points of the config have these values: more columns are needed", count);
    return q;
}

static uint32_t group_of(const struct plan *plan, uint32_t point)
{
    uint32_t low = 0, high = plan->group_count; /* groups ascend, and so do their points */
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->groups[middle].first <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The questions that can be answered together: those of one group that are there. */
static bool take_questions(struct sweep *s, uint32_t *group, struct error *e)
{
    struct asked_points *a = s->asked;
    bool there;
    *group = NO_GROUP;
    a->questions.count = 0;
    if (!await_line(a, &there, e))
        return false;
    while (there && a->questions.count < BATCH_MAX) {
        struct question q = make_question(a);
        if (q.point != NO_POINT && *group != NO_GROUP && group_of(s->plan, q.point) != *group)
            break;
        if (q.point != NO_POINT)
            *group = group_of(s->plan, q.point);
        vec_push(&a->questions, q);
        drop_line(a);
        if (!peek_line(a, &there, e) ||
            (!there && (!read_input(a, false, e) || !peek_line(a, &there, e))))
            return false;
    }
    return true;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* A row for a line that names no point: empty but for its status and the reason. */
static void print_refusal(const struct asked_points *a, const char *why)
{
    char *copy = xstrdup(a->header.bytes);
    struct csv_row header = {0};
    struct csv_reader reader = {"", copy, copy + strlen(copy), 1};
    struct text line = {0};
    (void)csv_next(&reader, &header, &(struct error){0});
    for (size_t i = 0; i < header.count; i++) {
        text_append(&line, i ? "," : "");
        if (strcmp(header.cells[i], "status") == 0)
            text_append(&line, "%s", status_name(STATUS_SKIPPED));
        if (strcmp(header.cells[i], "reason") == 0)
            csv_append_text(&line, why);
    }
    printf("%s\n", text_shown(&line));
    text_free(&line);
    csv_row_free(&header);
    free(copy);
}

static bool answer(struct sweep *s, struct error *e)
{
    struct asked_points *a = s->asked;
    if (!sweep_flush(s, e))
        return false;
    if (a->header.length == 0) {
        record_append_header(s->sides[0].record, &a->header);
        fputs(a->header.bytes, stdout);
    }
    for (size_t i = 0; i < a->questions.count; i++) {
        const struct question *q = &a->questions.items[i];
        const char *row = q->point == NO_POINT ? NULL : s->answers[q->point];
        if (row)
            fputs(row, stdout);
        else
            print_refusal(a, q->point == NO_POINT ? q->why : "no row was recorded");
    }
    a->questions.count = 0;
    return fflush(stdout) == 0 ||
           FAIL(e, ERROR_SYSTEM, "cannot answer on standard output: %s", strerror(errno));
}

bool lane_asked_begin(struct sweep *s, struct lane *l, bool *taken, struct error *e)
{
    bool there = true;
    *taken = false;
    if (!s->asked && !begin_asked(s, &there, e))
        return false;
    for (uint32_t group; there;) {
        if (!take_questions(s, &group, e))
            return false;
        struct asked_points *a = s->asked;
        bool wanted = false;
        for (size_t i = 0; i < a->questions.count; i++)
            wanted = wanted || (a->questions.items[i].point != NO_POINT &&
                                !s->answers[a->questions.items[i].point]);
        there = a->questions.count > 0;
        if (wanted) {
            *taken = true;
            lane_begin_group(s, l, group);
            break;
        }
        if (there && !answer(s, e))
            return false;
    }
    if (!*taken)
        return true;
    const struct group *g = &s->plan->groups[l->group];
    for (uint32_t i = 0; i < g->count; i++)
        l->done[i] = true; /* but for those that are asked for */
    for (size_t i = 0; i < s->asked->questions.count; i++) {
        uint32_t point = s->asked->questions.items[i].point;
        if (point != NO_POINT && !s->answers[point])
            l->done[point - g->first] = false;
    }
    return lane_record_unmeasured(s, l, e);
}

bool lane_asked_answer(struct sweep *s, struct lane *l, struct error *e)
{
    lane_end_group(s, l);
    return answer(s, e);
}
