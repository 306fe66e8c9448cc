/* One process measures two versions of the same kernels. Tests what is in the requests and in
 * the two runs, that both points of a pair get equally many samples, and what happens if a gate
 * loses its worker or is killed. The linker replaces the parent's message_append() with the one
 * here (ld --wrap). */
#include "fixture.h"
#include "../texts/expected.h"

#include <sys/wait.h>

#include "record/manifest.h"
#include "run/protocol.h"

void __real_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length);
void __wrap_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length);

static int requests, single_requests, apart; /* number of pairs that are not adjacent */
/* the request before which the parent exits; 0: none */
static int die_at;

void __wrap_message_append(struct text *out, enum message_type type, const void *payload,
                           uint32_t length)
{
    if (type == MESSAGE_GROUP) {
        const struct group_request *r = payload;
        requests++;
        single_requests += r->count == 1;
        for (uint32_t i = 0; i + 1 < r->count; i += 2)
            apart += r->points[i].point.id != r->points[i + 1].point.id ||
                     r->points[i].point.kernel + 1 != r->points[i + 1].point.kernel;
        if (requests == die_at)
            _exit(9);
    }
    __real_message_append(out, type, payload, length);
}

static const char config_text[] =
    "{\"kernels\": [\"alpha\", \"beta\"], \"sizes\": {\"range\": [1000, 3000], \"step\": 1000}, "
    "\"blocks\": [32, 64], \"unrolls\": [2], \"metrics\": [], \"timing\": {\"min_samples\": 5, "
    "\"max_samples\": 400, \"warmup\": 0, \"relative_width\": 0.3, \"budget_s\": 10}}";

enum { SIZES = 3, POINTS = 2 * 2 * SIZES }; /* two kernels, two blocks */

/* The second bed has the candidate's kernels. */
static struct bed bed, other;
static const uint64_t *only;
static size_t only_count;

static void open_beds(void)
{
    bed_open(&bed, config_text);
    bed_open(&other, config_text);
    struct catalogue sides[2] = {bed.kernels, other.kernels};
    memset(&other.kernels, 0, sizeof other.kernels);
    catalogue_combine(sides, &bed.kernels);
    fault_catalogue = bed.kernels;
    requests = single_requests = apart = die_at = 0;
    only = NULL, only_count = 0;
}

static void close_beds(void)
{
    bed_close(&bed);
    bed_close(&other);
}

static bool run_gate(const char *device)
{
    const struct sweep_gate gate = {
        .kernels = {"/baseline", "/candidate"}, .only = only, .only_count = only_count};
    bed.gate = &gate;
    bool ok = bed_run(&bed, device);
    bed.gate = NULL;
    return ok;
}

/* Reads one side's rows and manifest, and checks that its files match. */
static void read_side(const char *side, struct table *t, struct manifest *m)
{
    struct bed view = bed;
    struct error e = {0};
    snprintf(view.out, sizeof view.out, "%.80s/%s", bed.out, side);
    bed_check_files(&view);
    bed_table(&view, t);
    if (!manifest_read(view.out, m, NULL, &e))
        fail_msg("%s", e.text);
}

static void both_sides_are_in_each_request(void **state)
{
    (void)state;
    struct table t[2];
    struct manifest m[2];
    open_beds();
    if (!run_gate("fault:seed=1"))
        fail_msg("%s", bed.e.text);
    assert_int_equal(requests, SIZES);
    assert_int_equal(single_requests, 0);
    assert_int_equal(apart, 0);
    assert_int_equal(bed.result.rows, 2 * POINTS);
    read_side("baseline", &t[0], &m[0]);
    read_side("candidate", &t[1], &m[1]);
    same_rows(&t[0], &t[1]);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(m[i].status, "complete");
        assert_int_equal(m[i].provenance.points, POINTS);
        assert_int_equal(m[i].provenance.kernels.count, 2);
        assert_int_equal(m[i].sessions.count, 1);
    }
    assert_string_equal(m[0].provenance.more_kernels, "/baseline");
    assert_string_equal(m[1].provenance.more_kernels, "/candidate");
    assert_string_not_equal(m[0].provenance.process, "");
    assert_string_equal(m[0].provenance.process, m[1].provenance.process);
    /* The fault device's times depend on a point's place in the batch. If a pair's two points
     * stopped sampling separately, they would end up with different numbers of samples. */
    bool some_end_early = false;
    for (size_t i = 0; i < t[0].row_count; i++) {
        assert_string_equal(cell(&t[0], i, "id"), cell(&t[1], i, "id"));
        assert_string_equal(cell(&t[0], i, "samples"), cell(&t[1], i, "samples"));
        some_end_early |= strcmp(cell(&t[0], i, "samples"), "400") != 0;
    }
    assert_true(some_end_early);
    for (int i = 0; i < 2; i++) {
        table_free(&t[i]);
        manifest_free(&m[i]);
    }
    close_beds();
}

static void only_some_points_are_measured(void **state)
{
    (void)state;
    struct table t[2];
    struct manifest m[2];
    struct plan *plan;
    open_beds();
    assert_true(plan_build(bed.config, &bed.kernels, NULL, &plan, &bed.e));
    uint64_t id = plan->points[plan->groups[1].first + 2].id;
    plan_free(plan);
    only = &id, only_count = 1;
    if (!run_gate("fault:seed=1"))
        fail_msg("%s", bed.e.text);
    assert_int_equal(requests, 1);
    assert_int_equal(bed.result.rows, 2);
    read_side("baseline", &t[0], &m[0]);
    read_side("candidate", &t[1], &m[1]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(t[i].row_count, 1);
        assert_true(strtoull(cell(&t[i], 0, "id"), NULL, 16) == id);
        assert_int_equal(m[i].provenance.points, 1);
        table_free(&t[i]);
        manifest_free(&m[i]);
    }
    close_beds();
}

static void a_lost_process_is_not_one_process(void **state)
{
    (void)state;
    struct table t;
    struct manifest m;
    open_beds();
    if (!run_gate("fault:seed=4,crash=8,only=check,kernel=alpha"))
        fail_msg("%s", bed.e.text);
    assert_int_equal(bed.result.rows, 2 * POINTS);
    assert_true(bed.result.by_status[STATUS_CRASHED] > 0);
    read_side("candidate", &t, &m);
    assert_int_equal(t.row_count, POINTS);
    assert_string_equal(m.provenance.process, "");
    table_free(&t);
    manifest_free(&m);
    close_beds();
}

static void a_killed_gate_leaves_two_runs(void **state)
{
    (void)state;
    struct table t[2];
    struct manifest m[2];
    open_beds();
    die_at = 3;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_gate("fault:seed=1");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 9);
    read_side("baseline", &t[0], &m[0]);
    read_side("candidate", &t[1], &m[1]);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(m[i].status, "running");
        assert_int_equal(t[i].row_count, POINTS / SIZES * 2);
        table_free(&t[i]);
        manifest_free(&m[i]);
    }
    /* One side of a gate cannot be resumed on its own, because the other side would not be
     * measured along with it. */
    snprintf(bed.out + strlen(bed.out), sizeof bed.out - strlen(bed.out), "/candidate");
    assert_false(bed_resume(&bed, "fault:seed=1", false));
    texts_rename(bed.base, "$work");
    texts_expect("resuming one side of a gate", bed.e.text);
    close_beds();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_are_in_each_request),
        cmocka_unit_test(only_some_points_are_measured),
        cmocka_unit_test(a_lost_process_is_not_one_process),
        cmocka_unit_test(a_killed_gate_leaves_two_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
