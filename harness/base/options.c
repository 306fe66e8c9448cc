/* Implements options.h. */
#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/*
 * Returns the row for the option `name`. A row whose name ends with a dot is for all options that
 * begin with that name.
 */
static const struct field *find_option(const struct field *rows, const char *name)
{
    const struct field *f = field_find(rows, name);
    for (; !f && rows->name; rows++) {
        size_t length = strlen(rows->name);
        if (rows->name[length - 1] == '.' && strncmp(rows->name, name, length) == 0 && name[length])
            return rows;
    }
    return f;
}

/*
 * Reads the option at arguments[*i] and its value, which may be in the same argument or in the next
 * one.
 */
static bool read_option(const struct field *rows, void *object, int count, char **arguments, int *i,
                        struct error *e)
{
    size_t length = strcspn(arguments[*i], "=");
    const char *value = arguments[*i][length] ? arguments[*i] + length + 1 : NULL;
    char *name = xstrndup(arguments[*i], length);
    const struct field *f = find_option(rows, name);
    struct reading r = {.object = object, .prefix = "", .kind = ERROR_USAGE, .e = e};
    bool ok;
    if (!f) {
        ok = field_unknown(&r, rows, NULL, "option", name);
    } else if (!f->value) {
        const cJSON yes = {.type = cJSON_True};
        ok = value ? FAIL(e, ERROR_USAGE, "%s does not take a value; write only %s", name, name)
                   : f->read(&r, f, NULL, &yes);
    } else {
        if (!value && *i + 1 < count)
            value = arguments[++*i];
        r.prefix = name;
        ok = value ? field_read_text(&r, f, value, ",")
                   : FAIL(e, ERROR_USAGE, "%s needs a value; write %s %s", name, name, f->value);
    }
    free(name);
    return ok;
}

static bool is_group_of_three(const char *s)
{
    return strlen(s) == 3 && strspn(s, "0123456789") == 3;
}

/*
 * Fails if the argument at `i` continues the number in the previous argument: "1 000 000" without
 * quotes arrives as three arguments. An argument that is the name of an existing file may be an
 * operand, so it is accepted.
 */
static bool is_no_part_of_a_number(int count, char **arguments, int i, struct error *e)
{
    const char *comma = i > 0 ? strrchr(arguments[i - 1], ',') : NULL;
    const char *first = comma ? comma + 1 : i > 0 ? arguments[i - 1] : "";
    size_t digits = strspn(first, "0123456789");
    if (!is_group_of_three(arguments[i]) || digits == 0 || digits > 3 || first[digits] ||
        access(arguments[i], F_OK) == 0)
        return true;
    struct text number = {0};
    text_append(&number, "%s", arguments[i - 1]);
    for (int k = i; k < count && is_group_of_three(arguments[k]); k++)
        text_append(&number, "%s", arguments[k]);
    FAIL(e, ERROR_USAGE,
         "unexpected argument '%s' after %s; did you mean %s? Write numbers without spaces",
         arguments[i], arguments[i - 1], text_shown(&number));
    text_free(&number);
    return false;
}

bool options_read(const struct field *rows, void *object, int count, char **arguments,
                  struct operands *operands, struct error *e)
{
    bool only_operands = false;
    struct reading r = {.object = object, .kind = ERROR_INTERNAL, .e = e};
    for (const struct field *f = rows; f->name; f++) {
        r.prefix = f->name;
        if (f->fallback && !field_read_text(&r, f, f->fallback, ","))
            return false;
    }
    for (int i = 0; i < count; i++) {
        if (!only_operands && strcmp(arguments[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && strncmp(arguments[i], "--", 2) == 0) {
            if (!read_option(rows, object, count, arguments, &i, e))
                return false;
        } else if (!is_no_part_of_a_number(count, arguments, i, e)) {
            return false;
        } else if (operands->count == operands->max) {
            return FAIL(e, ERROR_USAGE, "unexpected argument '%s'; see --help", arguments[i]);
        } else {
            operands->items[operands->count++] = arguments[i];
        }
    }
    return true;
}

void options_print(const struct field *rows)
{
    for (const struct field *f = rows; f->name; f++) {
        char left[64];
        bool open = f->name[strlen(f->name) - 1] == '.'; /* accepts --tunables.NAME VALUE */
        snprintf(left, sizeof left, "%s%s%s", f->name, f->value && !open ? " " : "",
                 f->value ? f->value : "");
        int indent = printf("  %-24s ", left);
        bool stated = f->fallback && *f->fallback;
        char *help = xasprintf("%s%s%s%s", f->help, stated ? " (default: " : "",
                               stated ? f->fallback : "", stated ? ")" : "");
        struct text wrapped = {0};
        text_append_wrapped(&wrapped, help, (size_t)indent, 80);
        printf("%s\n", text_shown(&wrapped));
        text_free(&wrapped);
        free(help);
    }
}
