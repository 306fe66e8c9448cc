/* Compares the reasons in a run's rows with expected texts (see expected.h). */
#ifndef REDSWEEP_TESTS_TEXTS_REASONS_H
#define REDSWEEP_TESTS_TEXTS_REASONS_H

#include <stdio.h>
#include <string.h>

#include "../table/cells.h"
#include "expected.h"

enum { REASON_TEXT = 1024 };

static inline const char *row_cell(const struct table *t, size_t row, const char *column)
{
    return table_cell(t, row, table_column(t, column));
}

/* Puts N in place of the number that follows these words in a reason. */
static inline void hide_number(const char *words, char *reason)
{
    char *at = strstr(reason, words);
    size_t digits = at ? strspn(at + strlen(words), "0123456789.") : 0;
    if (digits > 0) {
        at += strlen(words);
        memmove(at + 1, at + digits, strlen(at + digits) + 1);
        *at = 'N';
    }
}

/* Returns a row's reason, with placeholders for what depends on the machine: times, energies,
 * and how a process ended (a sanitizer may end it in another way). */
static inline const char *row_reason(const struct table *t, size_t row, char reason[REASON_TEXT])
{
    static const char *const words[] = {"(median ", "decreased from ", " to ", "stayed at "};
    snprintf(reason, REASON_TEXT, "%s", row_cell(t, row, "reason"));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        hide_number(words[i], reason);
    static const char ended[] = "ended unexpectedly: ";
    char *at = strstr(reason, ended);
    if (at)
        strcpy(at + strlen(ended), "HOW");
    return reason;
}

static inline bool row_is_of(const struct table *t, size_t row, const char *kernel)
{
    return !kernel || strcmp(row_cell(t, row, "kernel"), kernel) == 0;
}

/* Compares the reasons of a kernel's rows (NULL: all rows) with expected texts. If all reasons are
 * equal, there is one text with this name. Otherwise, each row has its own text. */
static inline void expect_reasons(const struct table *t, const char *kernel, const char *name)
{
    char first[REASON_TEXT] = "", reason[REASON_TEXT], of_row[256];
    size_t found = 0;
    bool differ = false;
    for (size_t i = 0; i < t->row_count; i++)
        if (row_is_of(t, i, kernel) && found++ == 0)
            row_reason(t, i, first);
        else if (row_is_of(t, i, kernel))
            differ |= strcmp(row_reason(t, i, reason), first) != 0;
    for (size_t i = 0; i < t->row_count; i++) {
        snprintf(of_row, sizeof of_row, "%s, %s, n = %s, block %s", name, row_cell(t, i, "kernel"),
                 row_cell(t, i, "n"), row_cell(t, i, "block"));
        if (row_is_of(t, i, kernel))
            texts_expect(differ ? of_row : name, row_reason(t, i, reason));
    }
}

#endif
