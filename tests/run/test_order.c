/*
 * Checks two rules. First, the results of a request are written to the disk and synced before the
 * next request is sent; the tests check this whenever the parent sends a request. Second, no row
 * waits longer to be synced than the documentation says; the tests check this whenever the parent
 * waits. The program is linked so that the functions below replace those of the parent and of the C
 * library (ld --wrap).
 */
#include "fixture.h"

#include <poll.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "record/writer.h"
#include "run/protocol.h"

/* In seconds, from step 9 of "The life of a point" in docs/internals.md. */
#define ROWS_WAIT_S 0.1
/* poll() takes whole milliseconds, so the parent rounds its timeouts up. */
#define ROUNDED_S 0.0021

void __real_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length);
void __wrap_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
bool __real_record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                       struct error *e);
bool __wrap_record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                       struct error *e);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

static struct bed bed;
/* the states of results.csv and samples.csv at their last sync */
static struct stat synced[2];
static const char *const files[2] = {"results.csv", "samples.csv"};
static int requests, single_requests, wrong;

/* Rows that are not synced yet. `since_s` is when the test first saw them, which is later than
 * the time that the parent recorded, or 0 if there are none. `late` says whether they were
 * overdue when the parent last began to wait. */
static struct {
    bool any, late;
    double since_s;
} unsynced;
static double latest_s; /* when the parent last returned from a wait */
static int waits, syncs, waits_too_long;

static struct stat status_of(int file)
{
    char path[128];
    struct stat st = {0};
    snprintf(path, sizeof path, "%s/%s", bed.out, files[file]);
    (void)stat(path, &st);
    return st;
}

int __wrap_fdatasync(int fd)
{
    struct stat st;
    for (int i = 0; i < 2; i++) {
        struct stat named = status_of(i);
        if (fstat(fd, &st) != 0 || st.st_ino != named.st_ino)
            continue;
        synced[i] = st;
        if (i == 0) {
            syncs += unsynced.any;
            memset(&unsynced, 0, sizeof unsynced);
        }
    }
    return __real_fdatasync(fd);
}

bool __wrap_record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                       struct error *e)
{
    unsynced.any = true;
    return __real_record_add(r, point, outcome, e);
}

/* With unsynced rows, the parent may wait only until they are due, and must sync them before it
 * waits again. The test checks the timeout passed to poll() rather than how long poll() takes,
 * and reads the clock when it favors the parent. The result therefore does not depend on how
 * busy the machine is. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    if (timeout_ms == 0) /* this call does not wait */
        return __real_poll(fds, count, timeout_ms);
    if (unsynced.any && unsynced.since_s == 0)
        unsynced.since_s = clock_now_s();
    if (unsynced.any) {
        double most_s = unsynced.since_s + ROWS_WAIT_S - latest_s;
        waits++;
        waits_too_long += unsynced.late || timeout_ms < 0 || timeout_ms * 1e-3 > most_s + ROUNDED_S;
        unsynced.late = clock_now_s() - unsynced.since_s > ROWS_WAIT_S + ROUNDED_S;
    }
    int ready = __real_poll(fds, count, timeout_ms);
    latest_s = clock_now_s();
    return ready;
}

static uint64_t rows_on_disk(void)
{
    struct table t;
    bed_table(&bed, &t);
    uint64_t rows = t.row_count;
    table_free(&t);
    return rows;
}

void __wrap_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length)
{
    if (type == MESSAGE_GROUP) {
        const struct group_request *r = payload;
        requests++;
        single_requests += r->count == 1;
        for (int i = 0; i < 2; i++)
            wrong += status_of(i).st_size != synced[i].st_size;
        /* The parent counts a row when it arrives, before writing it to a file. */
        wrong += rows_on_disk() != bed.result.rows;
    }
    __real_message_append(out, type, payload, length);
}

static void try_device(const char *device)
{
    bed_open(&bed,
             "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": {\"range\": [100, 1200], "
             "\"step\": 100}, \"blocks\": [32, 64], \"unrolls\": [2], "
             "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0}}");
    requests = single_requests = wrong = 0;
    if (!bed_run(&bed, device))
        fail_msg("%s", bed.e.text);
    assert_int_equal(bed.result.rows, 12 * 6);
    assert_int_equal(wrong, 0);
    bed_close(&bed);
}

static void rows_are_on_disk_before_the_next_request(void **state)
{
    (void)state;
    try_device("fault:seed=1");
    assert_int_equal(requests, 12);
    assert_int_equal(single_requests, 0);
    try_device("fault:seed=4,lie=10,error=10,lost=4,crash=4"); /* some points are measured alone */
    assert_in_range(requests, 13, 12 * 7);
    assert_in_range(single_requests, 1, 12 * 6);
}

/* Runs one request in which some points have wrong results. Their rows arrive long before the
 * other points are timed, because each of those takes at least 50 samples of 3 ms. */
static void try_long_request(void)
{
    bed_open(&bed, "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [1000], "
                   "\"blocks\": [32, 64], \"unrolls\": [1, 2], \"timing\": {\"min_samples\": 50, "
                   "\"max_samples\": 50, \"warmup\": 0}}");
    requests = waits = syncs = waits_too_long = 0;
    memset(&unsynced, 0, sizeof unsynced);
    if (!bed_run(&bed, "fault:seed=2,lie=30,slow=70"))
        fail_msg("%s", bed.e.text);
    assert_int_equal(requests, 1);
    assert_in_range(bed.result.by_status[STATUS_WRONG], 1, 7);
    assert_in_range(bed.result.by_status[STATUS_OK], 1, 7);
    assert_int_equal(waits_too_long, 0);
    bed_close(&bed);
}

/* If the parent does not get to run for a second, all rows arrive at once, so the test gets up
 * to ten tries. */
static void a_row_waits_a_tenth_of_a_second_at_most(void **state)
{
    (void)state;
    int tries = 0;
    do
        try_long_request();
    while (syncs < 2 && ++tries < 10);
    assert_in_range(waits, 1, INT_MAX);
    assert_in_range(syncs, 2, 12);
}

/* A report is valid only if it answers a request for a group and covers an unfinished point of
 * that group. */
static void reports_are_about_what_was_asked(void **state)
{
    (void)state;
    const bool done[3] = {false, true, false};
    struct report_header header = {.type = REPORT_CHECKED, .point = 5};
    struct message m = {
        .type = MESSAGE_REPORT, .length = sizeof header, .payload = (void *)&header};
    struct asked asked = {.type = MESSAGE_GROUP, .first = 5, .count = 3, .done = done};
    assert_true(message_valid(&m, &asked));
    header.point = 6; /* This point has its row. */
    assert_false(message_valid(&m, &asked));
    header.point = 8;
    assert_false(message_valid(&m, &asked));
    header.point = 7;
    assert_true(message_valid(&m, &asked));
    asked.type = MESSAGE_COMPILE;
    assert_false(message_valid(&m, &asked));
    asked.type = MESSAGE_GROUP;
    m.length--;
    assert_false(message_valid(&m, &asked));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_on_disk_before_the_next_request),
        cmocka_unit_test(a_row_waits_a_tenth_of_a_second_at_most),
        cmocka_unit_test(reports_are_about_what_was_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
