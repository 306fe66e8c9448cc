/*
 * Options from one table: parsed and explained by the same rows.
 */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool unknown_option(const struct option_row *rows, const char *given, struct error *e)
{
    const char *names[32];
    size_t count = 0;
    for (; count < 32 && rows[count].name; count++)
        names[count] = rows[count].name;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    const char *nearest = text_nearest(word, names, count);
    return FAIL(e, ERROR_USAGE, "--%s: no such option%s%s%s", given,
                nearest ? "; did you mean --" : "; see --help", nearest ? nearest : "",
                nearest ? "?" : "");
}

static const struct option_row *find_option(const struct option_row *rows, const char *given,
                                            const char **attached)
{
    size_t length = strcspn(given, "=");
    *attached = given[length] == '=' ? given + length + 1 : NULL;
    for (const struct option_row *row = rows; row->name; row++)
        if (strlen(row->name) == length && strncmp(row->name, given, length) == 0)
            return row;
    return NULL;
}

bool options_take(const struct option_row *rows, int count, char **arguments, const char **rest,
                  int most, int *rest_count, struct error *e)
{
    bool only_rest = false;
    *rest_count = 0;
    for (int i = 0; i < count; i++) {
        const char *given = arguments[i];
        if (only_rest || strncmp(given, "--", 2) != 0) {
            if (*rest_count == most)
                return FAIL(e, ERROR_USAGE, "'%s' is one argument too many; see --help", given);
            rest[(*rest_count)++] = given;
            continue;
        }
        if (given[2] == '\0') { /* what follows "--" is no option */
            only_rest = true;
            continue;
        }
        const char *attached;
        const struct option_row *row = find_option(rows, given + 2, &attached);
        if (!row)
            return unknown_option(rows, given + 2, e);
        if (!row->value) {
            if (attached)
                return FAIL(e, ERROR_USAGE, "--%s takes no value", row->name);
            *row->flag = true;
        } else if (attached) {
            *row->text = attached;
        } else if (i + 1 < count) {
            *row->text = arguments[++i];
        } else {
            return FAIL(e, ERROR_USAGE, "--%s needs a value: --%s %s", row->name, row->name,
                        row->value);
        }
    }
    return true;
}

void options_print(const struct option_row *rows)
{
    for (const struct option_row *row = rows; row->name; row++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->value ? " " : "",
                 row->value ? row->value : "");
        printf("  %-24s %s\n", left, row->help);
    }
}
