/*
 * Checks run.json. Every member of the tables must have the same type and value when it is read
 * back. If a member has the wrong type, the message must name it.
 */
#include <inttypes.h>

#include "fixture.h"

#include <fcntl.h>
#include <math.h>

/* Gives every member of the tables a different value. */
static void fill_members(const struct member *table, void *object, int64_t *next);

static void fill_member(const struct member *m, void *object, int64_t *next)
{
    void *at = (char *)object + m->offset;
    char text[64];
    int64_t number = ++*next;
    snprintf(text, sizeof text, "\"%lld\"\n\\ µ", (long long)number);
    switch (m->kind) {
    case MEMBER_TEXT:
        snprintf(at, m->size, "%lld", (long long)number);
        break;
    case MEMBER_STRING:
        member_set(at, text);
        break;
    case MEMBER_NUMBER:
        *(double *)at = (double)number / 3;
        break;
    case MEMBER_COUNT:
        *(int64_t *)at = number << 40;
        break;
    case MEMBER_BOOL:
        *(bool *)at = true;
        break;
    case MEMBER_JSON:
        member_set(at, "{\"a\":[1,null,\"b\"]}");
        break;
    case MEMBER_OBJECT:
    case MEMBER_OPTIONAL:
        fill_members(m->of, at, next);
        break;
    case MEMBER_LIST: {
        char *items = calloc(2, m->size);
        size_t count[2] = {2, 2};
        for (int i = 0; i < 2; i++) {
            members_clear(m->of, items + (size_t)i * m->size);
            fill_members(m->of, items + (size_t)i * m->size, next);
        }
        memcpy(at, &items, sizeof items);
        memcpy((char *)at + sizeof items, count, sizeof count);
        break;
    }
    }
}

static void fill_members(const struct member *table, void *object, int64_t *next)
{
    for (const struct member *m = table; m->name; m++)
        fill_member(m, object, next);
}

static void list_member(void *context, const char *name, const char *value)
{
    text_append(context, "%s=%s\n", name, value);
}

static char *listed(const struct manifest *m)
{
    struct text t = {0};
    manifest_each(m, list_member, &t);
    return t.bytes;
}

static void write_manifest(const struct manifest *m)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0);
    OK(manifest_write(fd, folder, m, &e));
    close(fd);
}

static void every_member_reads_back(void **state)
{
    (void)state;
    struct manifest filled, back;
    int64_t next = 0;
    manifest_clear(&filled);
    fill_members(manifest_members, &filled, &next);
    assert_true(next > 100);
    filled.schema = MANIFEST_SCHEMA;
    /* Only a few words are valid roles. */
    for (size_t i = 0; i < filled.provenance.kernels.count; i++)
        member_set(&filled.provenance.kernels.items[i].role, i ? "peer" : "limit of rows");
    write_manifest(&filled);
    OK(manifest_read(folder, &back, NULL, &e));
    char *a = listed(&filled), *b = listed(&back);
    assert_string_equal(a, b);
    assert_int_equal(back.sessions.count, 2);
    assert_true(back.sessions.items[1].checks.items[1].tolerance ==
                filled.sessions.items[1].checks.items[1].tolerance);
    for (int i = 0; i < 2; i++) { /* Each list item has its own values. */
        char line[64];
        snprintf(line, sizeof line, "\nsessions.%d.number=%" PRId64 "\n", i,
                 (int64_t)filled.sessions.items[i].number);
        assert_non_null(strstr(a, line));
    }
    assert_int_not_equal(filled.sessions.items[0].number, filled.sessions.items[1].number);
    free(a);
    free(b);
    manifest_free(&filled);
    manifest_free(&back);
}

/* If no value is known, all members are written as null and read as unknown. */
static void missing_stays_missing(void **state)
{
    (void)state;
    struct manifest none, back;
    manifest_clear(&none);
    manifest_add_session(&none, "");
    write_manifest(&none);
    OK(manifest_read(folder, &back, NULL, &e));
    assert_string_equal(back.provenance.host, "");
    assert_string_equal(back.provenance.device.uuid, "");
    assert_true(isnan(back.provenance.device.peak_gbs));
    assert_int_equal(back.provenance.points, -1);
    assert_true(isnan(back.sessions.items[0].start.read_gbs));
    assert_true(back.sessions.items[0].phases.time_s == 0); /* Sums start at 0. */
    assert_int_equal(back.sessions.items[0].launch.contexts, -1);
    cJSON *json = json_of(MANIFEST_FILE);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "provenance"), "cpu")));
    cJSON_Delete(json);
    manifest_free(&none);
    manifest_free(&back);
}

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{}",
        "{\"schema\": 2, \"sessions\": {}}",
        "{\"schema\": 2, \"sessions\": [3]}",
        "{\"schema\": 2, \"provenance\": {\"points\": -1}}",
        "{\"schema\": 2, \"provenance\": {\"device\": {\"can_time\": 1}}}",
        "{\"schema\": 2, \"provenance\": {\"notes\": [1]}}",
        "{\"schema\": 2, \"provenance\": {\"kernels\": [{\"name\": \"a\"}, {\"role\": \"pear\"}]}}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct manifest m;
        struct error e = {0};
        bool found;
        put_file(MANIFEST_FILE, cases[i]);
        assert_false(manifest_read(folder, &m, &found, &e));
        assert_true(found);
        assert_int_equal(e.kind, ERROR_CONFIG);
        texts_expect(cases[i], e.text);
        manifest_free(&m);
    }
}

/* Runs of redsweep 0.2.0 lack some members. Names and workloads imply their values, by that
 * version's rules. */
static void kernels_of_older_runs_have_a_role(void **state)
{
    (void)state;
    static const char *const older_kernels[][3] = {{"smem", "reduce", "reduction"},
                                                   {"rows_warp", "rows", "reduction"},
                                                   {"cub_rows", "rows", "peer"},
                                                   {"torch_sum", "rows", "peer"},
                                                   {"compiled_sum", "rows", "peer"},
                                                   {"sweep_read", "read", "limit of reduce"},
                                                   {"empty", "launch", "limit of reduce"},
                                                   {"rows_limit", "rows_limit", "limit of rows"},
                                                   {"sweep_copy", "copy", "harness"},
                                                   {"sweep_write", "write", "harness"},
                                                   {"matrix_sum", "matrix_sum", "teaching"}};
    struct manifest older, back;
    manifest_clear(&older);
    for (size_t i = 0; i < sizeof older_kernels / sizeof *older_kernels; i++)
        member_set(&manifest_add_kernel(&older, older_kernels[i][0])->workload,
                   older_kernels[i][1]);
    member_set(&manifest_add_kernel(&older, "cub_like")->role, "teaching");
    write_manifest(&older);
    OK(manifest_read(folder, &back, NULL, &e));
    for (size_t i = 0; i < sizeof older_kernels / sizeof *older_kernels; i++)
        assert_string_equal(manifest_kernel(&back, older_kernels[i][0])->role, older_kernels[i][2]);
    assert_string_equal(manifest_kernel(&back, "cub_like")->role, "teaching"); /* from the file */
    manifest_free(&older);
    manifest_free(&back);
}

static void drift_is_in_percent_of_the_start(void **state)
{
    (void)state;
    struct conditions c = {.start.read_gbs = 2000, .end.read_gbs = 1900};
    assert_true(fabs(conditions_drift_pct(&c) + 5) < 1e-9);
    c.end.read_gbs = 2500;
    assert_true(fabs(conditions_drift_pct(&c) - 25) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_member_reads_back),          TEST(missing_stays_missing),
        TEST(what_is_wrong_is_named),           TEST(kernels_of_older_runs_have_a_role),
        TEST(drift_is_in_percent_of_the_start),
    };
    return cmocka_run_group_tests_name("manifests", tests, NULL, NULL);
}
