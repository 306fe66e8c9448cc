/*
 * Checks what happens if a run's folder already contains results, if its disk is full, or if one of
 * its files has disappeared.
 */
#include <signal.h>
#include <sys/resource.h>

#include "fixture.h"

static void expect_refused(const char *where, const char *name)
{
    struct record *r;
    struct error e = {0};
    assert_false(record_create(where, &plan, &metrics, &manifest, &r, &e));
    texts_expect(name, e.text);
    assert_null(r);
}

static void results_are_never_overwritten(void **state)
{
    (void)state;
    OK(record_close(create(), "complete", "", &e));
    expect_refused(folder, "a folder with run.json");
    assert_int_equal(unlink(in_folder("run.json")), 0);
    expect_refused(folder, "a folder with results.json");
    assert_int_equal(unlink(in_folder("results.json")), 0);
    expect_refused(folder, "a folder with results.csv");
    assert_int_equal(unlink(in_folder("results.csv")), 0);
    expect_refused(folder, "a folder with samples.csv");
    /* A run that is refused leaves no files behind. */
    assert_int_not_equal(access(in_folder("results.csv"), F_OK), 0);
    assert_int_not_equal(access(in_folder("run.json"), F_OK), 0);
    assert_int_equal(access(in_folder("samples.csv"), F_OK), 0);
}

static void folders_are_made(void **state)
{
    (void)state;
    char deep[256];
    snprintf(deep, sizeof deep, "%s/a b/c\"d'\ne/run,1/", folder);
    struct record *r;
    OK(record_create(deep, &plan, &metrics, &manifest, &r, &e));
    OK(record_close(r, "complete", "", &e));
    assert_int_equal(access(in_folder("a b/c\"d'\ne/run,1/results.json"), F_OK), 0);
    snprintf(deep, sizeof deep, "%s/a b/c\"d'\ne/run,1/results.csv", folder);
    expect_refused(deep, "a folder in the place of a file");
    expect_refused("/proc/nothing/here", "a folder where none can be made");
}

static void two_columns_of_one_name(void **state)
{
    (void)state;
    struct metric_choice twice[] = {choices[0], choices[0]};
    const struct metric_plan clash = {.choices = twice, .count = 2};
    struct record *r;
    struct error e = {0};
    assert_false(record_create(folder, &plan, &clash, &manifest, &r, &e));
    texts_expect("two columns of one name", e.text);
    assert_int_not_equal(access(in_folder("results.csv"), F_OK), 0);
}

/* Two of the names are SQL keywords, and one is a column that every run has. */
static void a_tunable_may_have_any_name(void **state)
{
    (void)state;
    char *names[] = {(char[]){"grid"}, (char[]){"group"}, (char[]){"order"}};
    struct plan named = plan;
    named.tunable_names = names;
    named.tunable_name_count = 3;
    struct record *r;
    OK(record_create(folder, &named, NULL, &manifest, &r, &e));
    OK(record_close(r, "complete", "2026-01-02T03:05:00Z", &e));
    char *text = file_text("results.csv");
    assert_non_null(strstr(text, ",unroll,t_grid,t_group,t_order,grid,"));
    free(text);
}

/* Limits the file size instead of filling a disk. A write is cut short either way. */
static void full_disk_loses_nothing(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    struct record *r = create();
    struct outcome o = empty_outcome();
    const double one[] = {2};
    o.samples = one, o.sample_count = 1;
    OK(record_row(r, &points[0], &o, &e));
    char *before = file_text("results.csv"), *samples_before = file_text("samples.csv");

    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (size_t room = 0; room < 100; room += 33) {
        struct rlimit limit = {strlen(before) + room, old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        struct error e = {0};
        bool written = record_row(r, &points[1], &o, &e);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_false(written);
        assert_int_equal(e.kind, ERROR_SYSTEM);
        texts_expect("a disk that gets full", e.text);
        char *after = file_text("results.csv"), *samples_after = file_text("samples.csv");
        assert_string_equal(after, before);
        assert_string_equal(samples_after, samples_before);
        free(after);
        free(samples_after);
    }
    free(before);
    free(samples_before);
    /* Once the disk has space again, the run can be resumed. */
    OK(record_row(r, &points[1], &o, &e));
    OK(record_close(r, "complete", "", &e));
    cJSON *json = json_of(JSON_FILE);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "rows")), 2);
    cJSON_Delete(json);
}

/* Not even the header fits on the disk, so the message mentions no rows. */
static void a_full_disk_at_the_start_speaks_of_no_rows(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, old.rlim_max}), 0);
    struct record *r;
    struct error full = {0};
    bool created = record_create(folder, &plan, NULL, &manifest, &r, &full);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(created);
    texts_expect("a full disk at the start", full.text);
}

/* If run.json does not fit on the disk, the old file stays complete, and the rows are in
 * results.csv. */
static void full_disk_at_the_end(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    struct record *r = create();
    struct outcome o = empty_outcome();
    OK(record_row(r, &points[0], &o, &e));
    struct rlimit old, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){1000, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct error full = {0};
    bool closed = record_close(r, "complete", "", &full);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(closed);
    texts_expect("a full disk at the end", full.text);
    cJSON *json = json_of(MANIFEST_FILE);
    assert_string_equal(text_at(json, "status"), "running");
    cJSON_Delete(json);
    assert_int_not_equal(access(in_folder("run.json.part"), F_OK), 0);
    assert_int_not_equal(access(in_folder("results.json.part"), F_OK), 0);
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    assert_int_equal(t.row_count, 1);
    table_free(&t);
}

static void vanished_file_is_noticed(void **state)
{
    (void)state;
    struct record *r = create();
    struct outcome o = empty_outcome();
    OK(record_row(r, &points[0], &o, &e));
    assert_int_equal(unlink(in_folder("results.csv")), 0);
    struct error e = {0};
    assert_false(record_row(r, &points[1], &o, &e));
    texts_expect("results.csv vanishes", e.text);
    assert_false(record_close(r, "failed", "", &e));
    texts_expect("results.csv has vanished at the end", e.text);
}

/* Another program writes into the folder, so the rows on disk are not those that the run wrote. */
static void changed_file_is_noticed(void **state)
{
    (void)state;
    const char *const files[] = {"results.csv", "samples.csv"};
    const char *const changed[][2] = {{"results.csv gets shorter", "samples.csv gets shorter"},
                                      {"results.csv gets longer", "samples.csv gets longer"}};
    for (int longer = 0; longer < 2; longer++)
        for (int i = 0; i < 2; i++) {
            struct record *r = create();
            struct outcome o = empty_outcome();
            const double one[] = {2};
            o.samples = one, o.sample_count = 1;
            OK(record_row(r, &points[0], &o, &e));
            assert_int_equal(truncate(in_folder(files[i]), longer ? 100000 : 0), 0);
            struct error e = {0};
            assert_false(record_row(r, &points[1], &o, &e));
            texts_expect(changed[longer][i], e.text);
            error_clear(&e);
            assert_false(record_close(r, "complete", "", &e)); /* also if no row follows */
            texts_expect(changed[longer][i], e.text);
            const char *const all[] = {"results.csv", "samples.csv", "run.json", "results.json"};
            for (int f = 0; f < 4; f++)
                (void)unlink(in_folder(all[f]));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_never_overwritten),
        TEST(folders_are_made),
        TEST(two_columns_of_one_name),
        TEST(a_tunable_may_have_any_name),
        TEST(full_disk_loses_nothing),
        TEST(full_disk_at_the_end),
        TEST(a_full_disk_at_the_start_speaks_of_no_rows),
        TEST(vanished_file_is_noticed),
        TEST(changed_file_is_noticed),
    };
    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}
