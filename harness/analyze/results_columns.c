/* Implements results_columns.h. */
#include "analyze/results_columns.h"

#include <math.h>

/* The recorded columns with one name, from each of the runs that contribute rows to a table. */
struct source {
    const char *name;
    VEC(struct run_column_of {
        const struct results *run;
        const struct column *column;
    })
    runs;
    size_t last; /* the run that was found last; neighboring rows are mostly from one run */
};

static const struct column *column_in(struct source *s, const struct results *run)
{
    if (s->last < s->runs.count && s->runs.items[s->last].run == run)
        return s->runs.items[s->last].column;
    for (s->last = 0; s->last < s->runs.count; s->last++)
        if (s->runs.items[s->last].run == run)
            return s->runs.items[s->last].column;
    vec_push(&s->runs, (struct run_column_of){run, table_find(&run->rows, s->name)});
    return s->runs.items[s->last].column;
}

/* Returns whether any run has strings in this column. If so, the strings are shown as they are. */
static bool has_texts(const struct run_row *rows, size_t count, struct source *of)
{
    for (size_t i = 0; i < count; i++) {
        const struct column *c = column_in(of, rows[i].run),
                            *other = rows[i].other ? column_in(of, rows[i].other) : NULL;
        if ((c && c->kind == COLUMN_TEXT) || (other && other->kind == COLUMN_TEXT))
            return true;
    }
    return false;
}

static void set_cell(struct column *to, size_t row, const struct column *from, size_t from_row)
{
    if (to->numbers)
        to->numbers[row] = column_number(from, from_row);
    if (!to->codes)
        return;
    struct text text = {0};
    column_append(from, from_row, &text);
    column_set_text(to, row, text_shown(&text));
    text_free(&text);
}

void results_add(struct table *t, const struct run_row *rows, const char *column,
                 struct column like)
{
    struct source of = {.name = column};
    like.as_printed = like.kind != COLUMN_TEXT && has_texts(rows, t->row_count, &of);
    struct column *c = table_add(t, like);
    for (size_t i = 0; i < t->row_count; i++) {
        const struct column *from = column_in(&of, rows[i].run);
        uint32_t row = rows[i].row;
        if (rows[i].other && (!from || column_is_missing(from, row))) {
            from = column_in(&of, rows[i].other);
            row = rows[i].other_row;
        }
        if (from)
            set_cell(c, i, from, row);
    }
    vec_free(&of.runs);
}

/* Adds the column `shape`, which people see instead of the axes that the shape states. */
static void add_shape(struct table *t, const struct run_row *rows, enum audience audience)
{
    struct column *c =
        table_add(t, (struct column){.name = "shape",
                                     .names_row = true,
                                     .audience = audience,
                                     .meaning = "rows x columns, or outer x length x inner"});
    for (size_t i = 0; i < t->row_count; i++) {
        char shape[SHAPE_TEXT];
        column_set_text(c, i, results_shape(rows[i].run, rows[i].row, shape));
    }
}

/* Adds a column for an axis. Rows of runs that lack the axis get its fallback. */
static void add_axis(struct table *t, const struct run_row *rows, enum axis_index axis,
                     struct column like)
{
    bool text = axis_table[axis].kind == AXIS_TEXT, has = true;
    if (axis == AXIS_row_length)
        add_shape(t, rows, like.audience);
    if (axis_in_shape(axis))
        like.audience = FOR_PROGRAMS;
    like.name = axis_table[axis].name;
    like.meaning = axis_table[axis].meaning;
    like.names_row = true;
    if (like.kind != COLUMN_SIZE)
        like.kind = text ? COLUMN_TEXT : COLUMN_COUNT;
    results_add(t, rows, like.name, like);
    struct column *c = t->columns.items[t->columns.count - 1];
    const struct results *run = NULL;
    for (size_t i = 0; i < t->row_count; i++) {
        has = rows[i].run == run ? has : results_has_axis(rows[i].run, axis);
        run = rows[i].run;
        if (!has && text)
            column_set_text(c, i, axis_table[axis].fallback);
        else if (!has)
            c->numbers[i] = axis_table[axis].fallback_value;
    }
}

static bool is_present(unsigned present, enum axis_index axis)
{
    return present >> axis & 1;
}

void results_add_problem(struct table *t, const struct run_row *rows, unsigned present,
                         enum audience audience, enum problem_style style)
{
    const struct column size = {
        .kind = COLUMN_SIZE, .audience = FOR_ALL, .rank = axis_rank(AXIS_n)};
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_present(present, i) && !axis_is_configuration(i))
            add_axis(t, rows, i,
                     i == AXIS_n && style == PROBLEM_BY_SIZE
                         ? size
                         : (struct column){.audience = audience});
}

void results_add_names(struct table *t, const struct run_row *rows, unsigned present,
                       const struct numbering *tunables)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        bool read = i == AXIS_kernel || !axis_is_configuration(i); /* the rest is in `setting` */
        if (is_present(present, i))
            add_axis(t, rows, i,
                     (struct column){.audience = read ? FOR_ALL : FOR_PROGRAMS,
                                     .rank = read ? axis_rank(i) : RANK_OTHER});
    }
    for (size_t i = 0; i < tunables->texts.count; i++) {
        const char *name = table_keep(t, xstrdup(tunables->texts.items[i]));
        results_add(t, rows, name,
                    (struct column){.name = name, .kind = COLUMN_COUNT, .audience = FOR_PROGRAMS});
    }
    struct column *settings = table_add(
        t, (struct column){.name = "setting", .audience = FOR_PEOPLE, .rank = RANK_PROBLEM});
    for (size_t i = 0; i < t->row_count; i++) {
        struct text setting = {0};
        results_setting(rows[i].run, rows[i].row, &setting);
        column_set_text(settings, i, text_shown(&setting));
        text_free(&setting);
    }
}

void results_tunables(const struct results *r, struct numbering *names)
{
    for (size_t i = 0; i < r->rows.columns.count; i++)
        if (r->columns[i].role == ROLE_TUNABLE)
            numbering_add(names, r->rows.columns.items[i]->name);
}
