/*
 * Makes reads fail while an earlier run is read. Each failure must be reported as an error, and no
 * file may be changed after it. Other tests check that endless lines are refused in bounded memory.
 */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "table/lines.h"

ssize_t __real_read(int file, void *bytes, size_t length);
ssize_t __wrap_read(int file, void *bytes, size_t length);

static int reads_until_failure; /* 0: no read fails */
static bool failed;

/* Reads return few bytes here, so there are many that can fail. */
ssize_t __wrap_read(int file, void *bytes, size_t length)
{
    if (reads_until_failure > 0 && --reads_until_failure == 0) {
        failed = true;
        errno = EIO;
        return -1;
    }
    return __real_read(file, bytes, length < 512 ? length : 512);
}

static const char *const files[] = {"results.csv", "run.json", "samples.csv"};

static void record_some_rows(void)
{
    struct record *r = create();
    const double us[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 3; i++) {
        struct outcome o = empty_outcome();
        o.status = i == 1 ? STATUS_CRASHED : STATUS_OK;
        memset(o.reason, 'x', 700);
        o.samples = us, o.sample_count = 8;
        OK(record_row(r, &points[i], &o, &e));
    }
    OK(record_close(r, "stopped", "2026-01-02T03:05:00Z", &e));
}

static bool take_out_crashed(struct error *e)
{
    static const bool crashed[STATUS_COUNT] = {[STATUS_CRASHED] = true};
    size_t taken;
    return record_take_out(folder, crashed, &taken, e);
}

static bool reopen(struct error *e)
{
    struct record *r;
    struct recorded found;
    if (!record_open(folder, &plan, &metrics, &manifest, &r, &found, e))
        return false;
    reads_until_failure = 0; /* Only the copy that writes JSON reads after this. */
    recorded_free(&found);
    return record_close(r, "stopped", "2026-01-02T03:05:00Z", e);
}

/* The message must name one of the files, and must be the same for all reads of that file. */
static void expect_error(const struct error *e)
{
    char name[64];
    int f = 0;
    while (f < 3 && !strstr(e->text, files[f]))
        f++;
    assert_true(f < 3);
    snprintf(name, sizeof name, "a read of %s fails", files[f]);
    texts_expect(name, e->text);
}

/* Calls `act` until it succeeds, with a different read failing each time. After each failure,
 * the files must be unchanged. Returns how many reads failed. */
static int fail_each_read(bool (*act)(struct error *e), int file_count)
{
    char *before[3];
    for (int i = 0; i < file_count; i++)
        before[i] = file_text(files[i]);
    int k = 0;
    for (bool ok = false; !ok;) {
        struct error e = {0};
        failed = false;
        reads_until_failure = ++k;
        ok = act(&e);
        reads_until_failure = 0;
        assert_int_equal(ok, !failed);
        if (ok)
            break;
        assert_int_equal(e.kind, ERROR_SYSTEM);
        expect_error(&e);
        for (int i = 0; i < file_count; i++) {
            char *after = file_text(files[i]);
            assert_string_equal(after, before[i]);
            free(after);
            char part[64];
            snprintf(part, sizeof part, "%s.part", files[i]);
            assert_int_not_equal(access(in_folder(part), F_OK), 0);
        }
    }
    for (int i = 0; i < file_count; i++)
        free(before[i]);
    return k - 1;
}

static void a_failed_read_takes_out_nothing(void **state)
{
    (void)state;
    record_some_rows();
    char *whole = file_text("results.csv");
    char *samples = file_text("samples.csv");
    /* samples.csv is replaced first, so a read of results.csv may fail after that. */
    assert_true(fail_each_read(take_out_crashed, 2) > 10);
    char *rest = file_text("results.csv");
    assert_non_null(strstr(whole, ",crashed,"));
    assert_null(strstr(rest, ",crashed,"));
    assert_non_null(strstr(rest, "\n0000000000000003,")); /* the row after the crashed one stays */
    free(rest);
    rest = file_text("samples.csv");
    assert_int_equal(strlen(samples) - strlen(rest), 8 * strlen("fedcba9876543210,0,1\n"));
    free(samples);
    free(whole);
    free(rest);
}

static void a_failed_read_cuts_off_nothing(void **state)
{
    (void)state;
    record_some_rows();
    FILE *file = fopen(in_folder("results.csv"), "a");
    fputs("0123456789abcdef,cuda,torn", file);
    fclose(file);
    assert_true(fail_each_read(reopen, 3) > 10);
    char *rest = file_text("results.csv");
    assert_null(strstr(rest, "torn"));
    assert_non_null(strstr(rest, "\n0000000000000003,"));
    free(rest);
}

/* Limits this process's memory, except with AddressSanitizer, which needs more than that itself. */
static void limit_data(struct rlimit *old, rlim_t bytes)
{
    assert_int_equal(getrlimit(RLIMIT_DATA, old), 0);
#ifndef __SANITIZE_ADDRESS__
    struct rlimit limit = {bytes, old->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
#else
    (void)bytes;
#endif
}

/* A hole of 20 GB after the rows is an endless line. */
static void endless_lines_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i += 2) {
        record_some_rows();
        assert_int_equal(truncate(in_folder(files[i]), (off_t)20 << 30), 0);
        struct rlimit old;
        limit_data(&old, 256 << 20);
        struct error e = {0};
        assert_false(reopen(&e));
        assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
        assert_int_equal(e.kind, ERROR_CONFIG);
        texts_expect(i ? "an endless line of samples.csv" : "an endless line of results.csv",
                     e.text);
        for (int f = 0; f < 3; f++)
            assert_int_equal(unlink(in_folder(files[f])), 0);
        assert_int_equal(unlink(in_folder("results.json")), 0);
    }
}

/* Each line has its own number and length, so that the test can check lines that straddle the
 * end of the reader's buffer. */
static void lines_are_what_the_file_has(void **state)
{
    (void)state;
    FILE *file = fopen(in_folder("lines"), "w");
    for (int i = 0; i < 3000; i++)
        fprintf(file, "%0*d\n", 1 + i % 1500, i);
    fputs("torn", file);
    fclose(file);
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    struct lines l;
    enum csv_found found;
    off_t end = 0;
    int i = 0;
    OK(lines_open(fd, folder, "lines", &l, &e));
    for (; (found = lines_next(&l, NULL)) == CSV_ROW; i++) {
        assert_int_equal(l.number, i + 1);
        assert_int_equal(l.begin, end);
        assert_int_equal(l.length, l.end - l.begin);
        assert_int_equal(l.line[l.length - 1], '\n');
        assert_int_equal(atoi(l.line), i);
        end = l.end;
    }
    assert_int_equal(found, CSV_TORN);
    assert_int_equal(i, 3000);
    lines_close(&l);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_failed_read_takes_out_nothing),
        TEST(a_failed_read_cuts_off_nothing),
        TEST(endless_lines_are_refused),
        TEST(lines_are_what_the_file_has),
    };
    return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}
