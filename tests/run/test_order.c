/*
 * What one request brought is on disk, written and synced, before the next one is sent: looked at
 * whenever the parent sends one. The program is linked so that these functions stand before the
 * parent's and the C library's (ld --wrap).
 */
#include "fixture.h"

#include <sys/stat.h>

#include "run/protocol.h"

bool __real_message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                         struct error *e);
bool __wrap_message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                         struct error *e);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);

static struct bed bed;
static struct stat synced[2]; /* results.csv and samples.csv as they were when last synced */
static const char *const files[2] = {"results.csv", "samples.csv"};
static int requests, single_requests, wrong;

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
        if (fstat(fd, &st) == 0 && st.st_ino == named.st_ino)
            synced[i] = st;
    }
    return __real_fdatasync(fd);
}

static uint64_t rows_on_disk(void)
{
    struct table t;
    bed_table(&bed, &t);
    uint64_t rows = t.row_count;
    table_free(&t);
    return rows;
}

bool __wrap_message_send(int fd, enum message_type type, const void *payload, uint32_t length,
                         struct error *e)
{
    if (type == MESSAGE_GROUP) {
        const struct group_request *r = payload;
        requests++;
        single_requests += r->count == 1;
        for (int i = 0; i < 2; i++)
            wrong += status_of(i).st_size != synced[i].st_size;
        /* The parent counts a row when it takes it over, before it is anywhere. */
        wrong += rows_on_disk() != bed.result.rows;
    }
    return __real_message_send(fd, type, payload, length, e);
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
    try_device("fault:seed=4,lie=10,error=10,lost=4,crash=4"); /* points alone, too */
    assert_in_range(requests, 13, 12 * 7);
    assert_in_range(single_requests, 1, 12 * 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_on_disk_before_the_next_request)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
