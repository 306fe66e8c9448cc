/* Prints a view's text on a terminal of a given width. Tests which columns of a table are folded
 * away, the note about them, and how list entries wrap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../texts/expected.h"
#include "table/view.h"

static char *text_of(struct view *v, size_t width)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    v->width = width;
    view_write_text(v, NULL, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

static void expect(struct view *v, size_t width, const char *name)
{
    char *text = text_of(v, width);
    texts_expect(name, text);
    for (const char *line = text; width && line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_true(strcspn(line, "\n") <= width);
    free(text);
}

static struct view two_rows(void)
{
    struct view v = {0};
    struct view_table *view = view_add_table(&v, "t", FOR_ALL, 2);
    view_table_title(view, "A title");
    struct table *t = &view->cells;
    table_add_texts(t, i, "int32", "type");
    table_add_numbers(t, i, 10.0 * (double)(i + 1), "n", .kind = COLUMN_COUNT);
    table_add_texts(t, i, i ? "second" : "first", "winner", .rank = RANK_KEY);
    table_add_numbers(t, i, 1.5 + (double)i, "time", .kind = COLUMN_NUMBER, .digits = 2);
    table_add_texts(t, i, i ? "b" : "a", "setting");
    return v;
}

static void columns_are_folded_until_the_table_fits(void **state)
{
    (void)state;
    struct view v = two_rows();
    expect(&v, 0, "as wide as it wants to be");
    expect(&v, 34, "as wide as it wants to be");
    expect(&v, 33, "what is alike is folded first");
    expect(&v, 20, "then columns from the right");
    char *text = text_of(&v, 5); /* The key column and one other column stay at any width. */
    assert_non_null(strstr(text, "  10  first\n"));
    assert_non_null(strstr(text, "  setting)\n"));
    free(text);
    view_free(&v);
}

/* Constant columns are folded first, but in a table with just one row, no column counts as
 * constant. */
static void of_one_row_columns_are_folded_from_the_right(void **state)
{
    (void)state;
    struct view v = {0};
    struct table *t = &view_add_table(&v, "t", FOR_ALL, 1)->cells;
    table_add_texts(t, i, "aaaaaaaa", "one", .rank = RANK_KEY);
    table_add_texts(t, i, "bbbbbbbb", "two");
    table_add_texts(t, i, "cccccccc", "three");
    expect(&v, 25, "one row");
    view_free(&v);
}

static void a_text_that_wraps_goes_on_below_before_columns_are_folded(void **state)
{
    (void)state;
    struct view v = {0};
    struct table *t = &view_add_table(&v, "t", FOR_ALL, 2)->cells;
    table_add_texts(t, i, i ? "b" : "a", "key");
    table_add_texts(t, i, i ? "short" : "inst_per_warp 154.9 to 109.3, by 1.417 (from neighbored)",
                    "step", .wraps = true);
    table_add_numbers(t, i, 12345678.0 + (double)i, "count", .kind = COLUMN_COUNT);
    expect(&v, 52, "a text that wraps");
    /* While other columns can be folded, the wrapped text is at least 37 characters wide. After
     * that, it may get narrower. */
    expect(&v, 30, "a text that wraps, where it must be narrow");
    view_free(&v);
}

static void entries_of_lists_are_wrapped(void **state)
{
    (void)state;
    struct view v = {0};
    view_bullet(&v, "some words that do not fit");
    view_bullet(&v, "two  blanks");
    expect(&v, 0, "entries where nobody knows the width");
    expect(&v, 14, "entries that are wrapped");
    view_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_folded_until_the_table_fits),
        cmocka_unit_test(of_one_row_columns_are_folded_from_the_right),
        cmocka_unit_test(a_text_that_wraps_goes_on_below_before_columns_are_folded),
        cmocka_unit_test(entries_of_lists_are_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
