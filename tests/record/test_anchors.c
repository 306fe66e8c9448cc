/*
 * Anchors are points that every card of a sweep measures, so that the cards can be compared. Their
 * rows are stored separately from the run's rows. Checks these rows, and what anchors and ceilings
 * reveal about cards.
 */
#include "fixture.h"

#include "record/anchors.h"
#include "../table/cells.h"

static void anchor(struct record *r, int point, double us, enum anchor_time when)
{
    struct outcome o = empty_outcome();
    o.samples = &us, o.sample_count = 1;
    OK(record_anchor(r, &points[point], &o, anchor_times[when], &e));
}

static void an_anchor_is_a_row_in_a_file_of_its_own(void **state)
{
    (void)state;
    struct record *r = create();
    assert_int_not_equal(access(in_folder(ANCHORS_FILE), F_OK), 0);
    anchor(r, 0, 2.5, ANCHOR_START);
    anchor(r, 0, 2.75, ANCHOR_END);
    OK(record_close(r, "complete", "", &e));
    struct table t, rows;
    OK(table_read(in_folder(ANCHORS_FILE), &t, &e));
    OK(table_read(in_folder("results.csv"), &rows, &e));
    assert_int_equal(rows.row_count, 0);
    assert_int_equal(t.row_count, 2);
    assert_int_equal(t.columns.count, rows.columns.count + 1);
    for (size_t i = 0; i < rows.columns.count; i++)
        assert_string_equal(t.columns.items[i]->name, rows.columns.items[i]->name);
    assert_string_equal(table_cell(&t, 0, table_column(&t, "id")), "000000000000001f");
    assert_string_equal(table_cell(&t, 1, table_column(&t, "time_us_median")), "2.75");
    assert_string_equal(table_cell(&t, 1, table_column(&t, ANCHORED_COLUMN)), "end");
    table_free(&t);
    table_free(&rows);
}

static void a_torn_anchor_is_cut_off_when_the_next_one_comes(void **state)
{
    (void)state;
    struct record *r = create();
    anchor(r, 0, 2.5, ANCHOR_START);
    OK(record_close(r, "stopped", "", &e));
    FILE *f = fopen(in_folder(ANCHORS_FILE), "a");
    assert_non_null(f);
    fputs("000000000000001f,cuda", f);
    fclose(f);
    struct recorded found;
    OK(record_open(folder, &plan, &metrics, &manifest, &r, &found, &e));
    recorded_free(&found);
    anchor(r, 1, 3, ANCHOR_START);
    OK(record_close(r, "stopped", "", &e));
    struct table t;
    OK(table_read(in_folder(ANCHORS_FILE), &t, &e));
    assert_int_equal(t.row_count, 2);
    assert_string_equal(table_cell(&t, 1, table_column(&t, "id")), "fedcba9876543210");
    table_free(&t);
}

static void anchors_of_another_run_are_not_added_to(void **state)
{
    (void)state;
    FILE *f = fopen(in_folder(ANCHORS_FILE), "w");
    assert_non_null(f);
    fclose(f);
    struct record *r;
    struct error e = {0};
    assert_false(record_create(folder, &plan, &metrics, &manifest, &r, &e));
    texts_expect("a folder with anchors.csv", e.text);
}

/* An anchor says nothing about whether a card is slow if its result is wrong or other cards were
 * measuring at the same time. */
static void only_right_anchors_of_the_card_alone_are_compared(void **state)
{
    (void)state;
    struct cards cards = {0};
    struct record *r = create();
    anchor(r, 0, 10, ANCHOR_START);
    anchor(r, 0, 1000, ANCHOR_TOGETHER);
    anchor(r, 0, 12, ANCHOR_END);
    struct outcome wrong = empty_outcome();
    wrong.status = STATUS_WRONG;
    wrong.samples = (const double[]){5}, wrong.sample_count = 1;
    OK(record_anchor(r, &points[0], &wrong, anchor_times[ANCHOR_END], &e));
    OK(record_close(r, "complete", "", &e));
    OK(cards_read_anchors(&cards, folder, "mine", &e));
    size_t other = cards_find(&cards, "other");
    cards_add_anchor(&cards, other, 0x1f, 11);
    cards_add_anchor(&cards, other, 3, 7); /* The first card lacks this anchor. */
    assert_int_equal(cards.list.count, 2);
    assert_string_equal(cards.list.items[0].name, "mine");
    cards_compare(&cards);
    assert_true(cards.list.items[0].takes == 1 && cards.list.items[1].takes == 1);
    assert_true(isnan(cards.list.items[0].reads));
    cards_free(&cards);
}

/* A run without anchors has no anchors.csv, which is not an error. */
static void without_anchors_nothing_is_compared(void **state)
{
    (void)state;
    struct cards cards = {0};
    struct text out = {0};
    char why[160];
    OK(cards_read_anchors(&cards, folder, "mine", &e));
    assert_int_equal(cards.list.count, 0);
    size_t alone = cards_find(&cards, "alone");
    cards_add_ceiling(&cards, alone, 1000);
    cards_compare(&cards);
    assert_true(isnan(cards.list.items[0].reads));
    assert_string_equal(card_slow(&cards, alone, why), "");
    cards_describe(&cards, &out);
    assert_int_equal(out.length, 0);
    cards_free(&cards);
}

static void compare(struct cards *cards, const double *gbs, const double *us, size_t count)
{
    *cards = (struct cards){0};
    for (size_t i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "card %zu", i);
        size_t card = cards_find(cards, name);
        cards_add_ceiling(cards, card, gbs[i]);
        /* There is no room for the last of these anchors. */
        for (int k = 0; k < ANCHORS_MOST + 1; k++)
            cards_add_anchor(cards, card, (uint64_t)k, us[i] * (k + 1));
    }
    cards_compare(cards);
}

static void three_percent_below_the_median_card_is_slow(void **state)
{
    (void)state;
    struct cards cards;
    char why[160];
    compare(&cards, (const double[]){1000, 1000, 980, 969}, (const double[]){5, 5, 5, 5}, 4);
    assert_string_equal(card_slow(&cards, 2, why), "");
    assert_string_equal(card_slow(&cards, 3, why), ""); /* 969 is 2.1 % below 990 */
    cards_free(&cards);
    compare(&cards, (const double[]){1000, 1000, 1000, 969}, (const double[]){5, 5.14, 5, 5.16}, 4);
    assert_string_equal(card_slow(&cards, 0, why), "");
    texts_expect("a card that reads slowly", card_slow(&cards, 3, why));
    cards_free(&cards);
    compare(&cards, (const double[]){1000, 1000, 1000}, (const double[]){5, 5.14, 5.16}, 3);
    assert_string_equal(card_slow(&cards, 1, why), "");
    cards_free(&cards);
    compare(&cards, (const double[]){NAN, NAN, NAN}, (const double[]){5, 5.16, 5}, 3);
    texts_expect("a card with slow anchors", card_slow(&cards, 1, why));
    cards_free(&cards);
}

static void many_cards_are_one_line(void **state)
{
    (void)state;
    struct cards cards;
    struct text out = {0};
    double gbs[20], us[20];
    for (int i = 0; i < 20; i++) {
        gbs[i] = 1000 + i;
        us[i] = i == 7 ? NAN : 5;
    }
    compare(&cards, gbs, us, 20);
    cards_describe(&cards, &out);
    texts_expect("many cards", out.bytes);
    text_free(&out);
    cards_free(&cards);
    compare(&cards, gbs, us, 2);
    cards_describe(&cards, &out);
    texts_expect("two cards", out.bytes);
    text_free(&out);
    cards_free(&cards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_anchor_is_a_row_in_a_file_of_its_own),
        TEST(a_torn_anchor_is_cut_off_when_the_next_one_comes),
        TEST(anchors_of_another_run_are_not_added_to),
        TEST(only_right_anchors_of_the_card_alone_are_compared),
        TEST(without_anchors_nothing_is_compared),
        TEST(three_percent_below_the_median_card_is_slow),
        TEST(many_cards_are_one_line),
    };
    return cmocka_run_group_tests_name("anchors", tests, NULL, NULL);
}
