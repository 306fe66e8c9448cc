/*
 * A run's columns in a view: see results_columns.h.
 */
#include "analyze/results_columns.h"

void results_put(struct view_row *out, const struct results *r, size_t row, int column)
{
    view_put(out, table_cell(&r->rows, row, column));
    if (column >= 0 && r->rows.columns.items[column]->kind != COLUMN_TEXT)
        out->cells.items[out->cells.count - 1].number = table_number(&r->rows, row, column);
}

void results_put_named(struct view_row *out, const struct results *r, size_t row,
                       const char *column)
{
    results_put(out, r, row, table_column(&r->rows, column));
}

struct column results_view_column(const struct results *r, size_t column, enum audience readers)
{
    const struct column *c = r->rows.columns.items[column];
    return (struct column){.name = c->name,
                           .kind = c->kind == COLUMN_TEXT    ? COLUMN_TEXT
                                   : c->kind == COLUMN_COUNT ? COLUMN_COUNT
                                                             : COLUMN_NUMBER,
                           .digits = RESULTS_DIGITS,
                           .audience = readers,
                           .names_row = r->columns[column].role == ROLE_AXIS ||
                                        r->columns[column].role == ROLE_TUNABLE,
                           .unit = c->unit,
                           .meaning = c->meaning};
}

static bool is_present(unsigned present, enum axis_index axis)
{
    return present >> axis & 1;
}

/* People read the shape in place of the axes that it says. */
static void add_axis(struct view_table *t, enum axis_index axis, enum audience readers)
{
    if (axis == AXIS_row_length)
        vec_push(&t->columns,
                 (struct column){.name = "shape",
                                 .kind = COLUMN_TEXT,
                                 .names_row = true,
                                 .audience = readers,
                                 .meaning = "rows x columns, or outer x length x inner"});
    if (axis_in_shape(axis))
        readers = FOR_PROGRAMS;
    vec_push(&t->columns, (struct column){.name = axis_table[axis].name,
                                          .kind = axis_table[axis].kind == AXIS_TEXT ? COLUMN_TEXT
                                                                                     : COLUMN_COUNT,
                                          .names_row = true,
                                          .audience = readers,
                                          .meaning = axis_table[axis].meaning});
}

void results_problem_columns(struct view_table *t, enum view_axes axes, unsigned present)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_present(present, i) && !axis_is_configuration(i))
            add_axis(t, i, axes == AXES_FOR_ALL ? FOR_ALL : FOR_PROGRAMS);
}

/* A cell of the row, or where it is empty the other row's. */
static void put_known(struct view_row *out, const struct results *r, size_t row,
                      const struct results *other, size_t other_row, const char *name)
{
    bool known = !other || *results_text(r, row, name);
    results_put_named(out, known ? r : other, known ? row : other_row, name);
}

/* A run without a column for the axis had its fallback. */
static void put_axis(struct view_row *out, const struct results *r, size_t row,
                     const struct results *other, size_t other_row, enum axis_index axis)
{
    if (axis == AXIS_row_length) {
        char shape[SHAPE_TEXT];
        view_put_format(out, "%s", results_shape(r, row, shape));
    }
    if (results_has_axis(r, axis)) {
        put_known(out, r, row, other, other_row, axis_table[axis].name);
        return;
    }
    view_put(out, axis_table[axis].fallback);
    out->cells.items[out->cells.count - 1].number = axis_table[axis].fallback_value;
}

void results_put_problem(struct view_row *out, const struct results *r, size_t row,
                         const struct results *other, size_t other_row, unsigned present)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_present(present, i) && !axis_is_configuration(i))
            put_axis(out, r, row, other, other_row, i);
}

void results_name_columns(struct view_table *t, enum view_axes axes,
                          const struct numbering *tunables, unsigned present)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_present(present, i))
            add_axis(t, i,
                     axes == AXES_FOR_ALL && (i == AXIS_kernel || !axis_is_configuration(i))
                         ? FOR_ALL
                         : FOR_PROGRAMS);
    for (size_t i = 0; i < tunables->texts.count; i++)
        vec_push(&t->columns, (struct column){.name = tunables->texts.items[i],
                                              .kind = COLUMN_COUNT,
                                              .audience = FOR_PROGRAMS});
    vec_push(&t->columns, (struct column){.name = "setting", .audience = FOR_PEOPLE});
}

void results_put_names(struct view_row *out, const struct results *r, size_t row,
                       const struct results *other, size_t other_row,
                       const struct numbering *tunables, unsigned present)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (is_present(present, i))
            put_axis(out, r, row, other, other_row, i);
    for (size_t i = 0; i < tunables->texts.count; i++)
        put_known(out, r, row, other, other_row, tunables->texts.items[i]);
    struct text setting = {0};
    results_setting(r, row, &setting);
    view_put_made(out, &setting);
}

void results_tunables(const struct results *r, struct numbering *names)
{
    for (size_t i = 0; i < r->rows.columns.count; i++)
        if (r->columns[i].role == ROLE_TUNABLE)
            numbering_add(names, r->rows.columns.items[i]->name);
}
