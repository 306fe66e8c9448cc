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

#include "base/folder.h"
#include "base/memory.h"
#include "base/text.h"
#include "table/lines.h"
#include "run/points.h"
#include "run/sweep_state.h"

enum { BATCH_MAX = 1024, READ_BYTES = 1 << 16 /* of standard input at once */ };
#define NO_POINT UINT32_MAX

/* A line, and the point that it names. */
struct question {
    uint32_t point; /* NO_POINT: none */
    char why[160];  /* … for this reason */
    char *answer;   /* its row */
};

struct asked_points {
    struct point_columns columns;
    struct point_index index;
    struct csv_row row;
    struct text input; /* read, and not taken yet */
    bool ended;        /* standard input has */
    char *line;        /* the one that `row` is of */
    size_t lines;
    bool *has_row;                  /* by point */
    char *header;                   /* of results.csv */
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
    free(a->has_row);
    free(a->header);
    for (size_t i = 0; i < a->questions.count; i++)
        free(a->questions.items[i].answer);
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
    const char *end = a->input.length ? memchr(a->input.bytes, '\n', a->input.length) : NULL;
    *there = end != NULL;
    if (!end)
        return true;
    size_t length = (size_t)(end + 1 - a->input.bytes);
    free(a->line);
    a->line = xstrndup(a->input.bytes, length);
    struct csv_reader reader = {"standard input", a->line, a->line + length, ++a->lines};
    return csv_next(&reader, &a->row, e) == CSV_ROW;
}

static void drop_line(struct asked_points *a)
{
    const char *end = memchr(a->input.bytes, '\n', a->input.length);
    size_t length = (size_t)(end + 1 - a->input.bytes);
    memmove(a->input.bytes, a->input.bytes + length, a->input.length - length);
    a->input.length -= length;
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
    a->has_row = xcalloc((size_t)s->plan->point_count + 1, sizeof *a->has_row);
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
    uint32_t g = 0;
    while (point - plan->groups[g].first >= plan->groups[g].count)
        g++;
    return g;
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
        if (!read_input(a, false, e) || !peek_line(a, &there, e))
            return false;
    }
    return true;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* A line of results.csv is the answer to each question about its point. */
static void note_answer(struct sweep *s, const struct lines *lines)
{
    struct asked_points *a = s->asked;
    uint64_t id;
    for (size_t i = 0; lines_id(lines, &id) && i < a->questions.count; i++) {
        struct question *q = &a->questions.items[i];
        if (q->point != NO_POINT && s->plan->points[q->point].id == id && !q->answer)
            q->answer = xstrndup(lines->line, lines->length);
    }
}

static bool find_answers(struct sweep *s, struct error *e)
{
    struct asked_points *a = s->asked;
    struct lines lines;
    int folder;
    const char *path = s->sides[0].folder;
    if (!folder_open(path, &folder, e))
        return false;
    bool ok = lines_open(folder, path, "results.csv", &lines, e);
    close(folder);
    if (!ok)
        return false;
    enum csv_found found = lines_header(&lines, e) ? CSV_ROW : CSV_BAD;
    if (found == CSV_ROW && !a->header) {
        a->header = xstrndup(lines.line, lines.length);
        fputs(a->header, stdout);
    }
    while (found == CSV_ROW && (found = lines_next(&lines, e)) == CSV_ROW)
        note_answer(s, &lines);
    lines_close(&lines);
    return found != CSV_BAD;
}

/* A row for a line that names no point: empty but for its status and the reason. */
static void print_refusal(const struct asked_points *a, const char *why)
{
    char *copy = xstrdup(a->header);
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
    bool ok = sweep_flush(s, e) && find_answers(s, e);
    for (size_t i = 0; i < a->questions.count; i++) {
        struct question *q = &a->questions.items[i];
        if (ok && q->answer)
            fputs(q->answer, stdout);
        else if (ok)
            print_refusal(a, q->point == NO_POINT ? q->why : "no row was recorded");
        free(q->answer);
    }
    a->questions.count = 0;
    return ok && (fflush(stdout) == 0 ||
                  FAIL(e, ERROR_SYSTEM, "cannot answer on standard output: %s", strerror(errno)));
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
                                !a->has_row[a->questions.items[i].point]);
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
        if (point == NO_POINT || s->asked->has_row[point])
            continue;
        l->done[point - g->first] = false;
        s->asked->has_row[point] = true;
    }
    return lane_record_unmeasured(s, l, e);
}

bool lane_asked_answer(struct sweep *s, struct lane *l, struct error *e)
{
    lane_end_group(s, l);
    return answer(s, e);
}
