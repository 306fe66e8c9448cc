/* A device produces faults according to 500 seeded schedules. A hash, which the tests compute as
 * well, determines each row's status. */
#include "fixture.h"
#include "../table/cells.h"

/* Even on a busy machine, no fault-free point takes a minute. A point that hangs is ended
 * immediately. */
#define SCHEDULE                                                                                   \
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [96, 1000], \"blocks\": [32, "     \
    "64], "                                                                                        \
    "\"unrolls\": [1, 2], \"timing\": {\"min_samples\": 2, \"max_samples\": 2, \"warmup\": 1, "    \
    "\"point_limit_s\": 60}}"

/* Checks every row's status. The rows are in the order in which they were written. The run may
 * have stopped only after three losses without a correct result in between. */
static void check_schedule(struct bed *b, const struct fault_options *o, size_t rows_before)
{
    struct table t;
    bed_table(b, &t);
    size_t lost = 0;
    for (size_t i = 0; i < t.row_count; i++) {
        bool loses;
        enum status wanted = expected_status(o, &t, i, !o->no_time, !o->no_count, &loses);
        if (strcmp(cell(&t, i, "status"), status_name(wanted)) != 0)
            fail_msg("seed %llu: %s n=%s block=%s unroll=%s is %s (%s) rather than %s",
                     (unsigned long long)o->seed, cell(&t, i, "kernel"), cell(&t, i, "n"),
                     cell(&t, i, "block"), cell(&t, i, "unroll"), cell(&t, i, "status"),
                     cell(&t, i, "reason"), status_name(wanted));
        if (i < rows_before)
            continue;
        lost = wanted == STATUS_OK && !loses ? 0 : lost + loses;
    }
    if (b->result.stopped && lost < 3)
        fail_msg("seed %llu: stopped after %zu losses in a row", (unsigned long long)o->seed, lost);
    table_free(&t);
}

static void random_schedules_come_out_as_scheduled(void **state)
{
    (void)state;
    enum { SCHEDULES = 500 };
    size_t points = 0, resumed = 0, faults = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bed b;
        struct fault_options o;
        char device[200];
        snprintf(device, sizeof device,
                 "fault:seed=%llu,crash=%d,hang=%d,lie=%d,oom=%d,error=%d,lost=%d,starve=%d%s%s",
                 (unsigned long long)seed, (int)(seed % 7) * 2, seed % 50 == 0 ? 4 : 0,
                 (int)(seed % 5) * 2, (int)(seed % 3) * 2, (int)(seed % 4) * 2, (int)(seed % 6) * 2,
                 (int)(seed % 9 / 4), seed % 8 == 3 ? ",nocount" : "",
                 seed % 8 == 5 ? ",notime" : "");
        bed_open(&b, SCHEDULE);
        assert_true(fault_options_parse(device + 6, &o, &b.e));
        bool ok = bed_run(&b, device);
        check_schedule(&b, &o, 0);
        while (ok && b.result.stopped) { /* A stopped run is resumed. */
            size_t before = b.result.rows;
            ok = bed_resume(&b, device, false);
            assert_true(b.result.rows > before);
            check_schedule(&b, &o, before);
            resumed++;
        }
        if (!ok)
            fail_msg("seed %llu: %s", (unsigned long long)seed, b.e.text);
        assert_int_equal(b.result.rows, 16);
        bed_check_files(&b);
        points += b.result.rows;
        faults += b.result.rows - b.result.by_status[STATUS_OK];
        bed_close(&b);
    }
    print_message("%d schedules, %zu points, %zu of them with a fault, %zu resumptions\n",
                  SCHEDULES, points, faults, resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_schedules_come_out_as_scheduled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
