/* Implements view_output.h. */
#include "analyze/view_output.h"

#include <string.h>

#include "record/output.h"

static bool check_table(const struct view *v, const char *table, struct error *e)
{
    VEC(const char *) names = {0};
    bool known = false;
    for (size_t i = 0; i < v->items.count; i++)
        if (v->items.items[i]->kind == VIEW_ITEM_TABLE) {
            vec_push(&names, v->items.items[i]->table.name);
            known = known || strcmp(v->items.items[i]->table.name, table) == 0;
        }
    struct text list = {0};
    for (size_t i = 0; i < names.count; i++)
        if (i == 0 || strcmp(names.items[i], names.items[i - 1]) != 0)
            text_append(&list, "%s %s", list.length ? "," : "", names.items[i]);
    char suggestion[SUGGESTION_SIZE];
    if (!known)
        FAIL(e, ERROR_USAGE, "--table: unknown table '%s'%s; use one of%s", table,
             text_suggestion(table, names.items, names.count, suggestion), text_shown(&list));
    text_free(&list);
    vec_free(&names);
    return known;
}

static bool write_file(const struct view *v, const char *path, const char *table,
                       void (*write)(const struct view *, const char *, FILE *), struct error *e)
{
    FILE *to;
    if (!output_open(path, &to, e))
        return false;
    write(v, table, to);
    return output_close(to, path, e);
}

/* Returns whether an option names the file `name` or, if `name` is NULL, any file. */
static bool writes(const struct view_output *o, const char *name)
{
    const char *const files[] = {o->csv, o->json, o->html, o->markdown, o->junit, o->data};
    bool any = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        any = any || (files[i] && (!name || strcmp(files[i], name) == 0));
    return any;
}

bool view_takes_stdout(const struct view_output *o)
{
    return writes(o, "-");
}

bool view_has_files(const struct view_output *o)
{
    return writes(o, NULL);
}

bool view_write_files(const struct view *v, const struct view_output *o, struct error *e)
{
    const struct {
        const char *path;
        void (*write)(const struct view *, const char *, FILE *);
    } files[] = {{o->csv, view_write_csv},     {o->json, view_write_json},
                 {o->html, view_write_html},   {o->markdown, view_write_markdown},
                 {o->junit, view_write_junit}, {o->data, view_write_data}};
    if (o->table && !check_table(v, o->table, e))
        return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path && !write_file(v, files[i].path, o->table, files[i].write, e))
            return false;
    return true;
}

bool view_output(const struct view *v, const struct view_output *o, struct error *e)
{
    if (o->table && !check_table(v, o->table, e))
        return false;
    if (!view_takes_stdout(o))
        view_write_text(v, o->table, stdout);
    return view_write_files(v, o, e);
}
