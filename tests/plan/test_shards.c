/*
 * Divides a plan into shards. Every point must be in exactly one shard, and all points of a group
 * in the same shard. The shards must have about the same size, and must be the same on every
 * device.
 */
#include "../fixture_kernels.h"

#include "plan/shards.h"

static const char plain_facts[] =
    "// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n";
static const char ticket_facts[] =
    "// result: complete\n// covers: BLOCK\n// blocks: multiple of 32\n// workspace: 8 * GRID\n";

static const struct device_limits small_card = {
    .cc = 60, .sms = 13, .max_block = 256, .max_dynamic_smem = 49152, .max_grid_x = 65535};

static struct plan *build(const struct config *config, const struct catalogue *c,
                          const struct device_limits *limits, struct shard shard)
{
    struct plan *p;
    struct error e = {0};
    if (!plan_build(config, c, limits, &p, &e))
        fail_msg("%s", e.text);
    plan_keep_shard(p, shard);
    return p;
}

/* Returns a config with 2 types, 2 cache states and `sizes` sizes. A curve consists of the groups
 * that differ only in n, so there are 4 curves. */
static struct config a_config(int sizes)
{
    static uint64_t n[16], types[] = {TYPE_INT32, TYPE_FLOAT32},
                           caches[] = {CACHE_COLD, CACHE_WARM};
    struct config config = small_config();
    for (int i = 0; i < sizes; i++)
        n[i] = (uint64_t)1024 << i;
    config.axis_values[AXIS_n] = (struct config_values){n, sizes};
    config.axis_values[AXIS_type] = (struct config_values){types, 2};
    config.axis_values[AXIS_cache] = (struct config_values){caches, 2};
    return config;
}

static int find(const struct plan *whole, uint64_t id)
{
    for (uint32_t i = 0; i < whole->point_count; i++)
        if (whole->points[i].id == id)
            return (int)i;
    return -1;
}

/* Expects that the shards of `config` together contain each group of its plan exactly once. */
static void check_partition(const struct config *config, const struct catalogue *c, uint32_t count)
{
    struct plan *whole = build(config, c, NULL, (struct shard){0});
    int *seen = calloc(whole->point_count, sizeof *seen);
    for (uint32_t k = 0; k < count; k++) {
        struct plan *part = build(config, c, NULL, (struct shard){k, count});
        uint32_t sum = 0;
        for (uint32_t g = 0; g < part->group_count; g++) {
            assert_int_equal(part->groups[g].first, sum);
            sum += part->groups[g].count;
        }
        assert_int_equal(sum, part->point_count);
        for (uint32_t i = 0; i < part->point_count; i++) {
            const struct point *p = &part->points[i];
            int at = find(whole, p->id);
            assert_true(at >= 0);
            seen[at]++;
            assert_true(p->skip || variant_same(&part->variants[p->variant],
                                                &whole->variants[whole->points[at].variant]));
        }
        plan_free(part);
    }
    for (uint32_t i = 0; i < whole->point_count; i++)
        assert_int_equal(seen[i], 1);
    free(seen);
    plan_free(whole);
}

static void every_point_is_in_one_shard(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(2, make_kernel("plain", plain_facts), make_kernel("ticket", ticket_facts));
    struct config config = a_config(6);
    /* Includes more shards than there are groups. */
    for (uint32_t count = 1; count <= 30; count++)
        check_partition(&config, &c, count);
    catalogue_free(&c);
}

static void devices_do_not_change_the_division(void **state)
{
    (void)state;
    struct catalogue c =
        make_catalogue(2, make_kernel("plain", plain_facts), make_kernel("ticket", ticket_facts));
    struct config config = a_config(6);
    for (uint32_t k = 0; k < 5; k++) {
        struct plan *none = build(&config, &c, NULL, (struct shard){k, 5}),
                    *card = build(&config, &c, &small_card, (struct shard){k, 5});
        assert_int_equal(none->point_count, card->point_count);
        for (uint32_t i = 0; i < none->point_count; i++)
            assert_true(none->points[i].id == card->points[i].id);
        plan_free(none);
        plan_free(card);
    }
    catalogue_free(&c);
}

/* Counts the groups of each type in a plan. */
static void count_types(const struct plan *p, int groups[TYPE_COUNT])
{
    memset(groups, 0, TYPE_COUNT * sizeof *groups);
    for (uint32_t g = 0; g < p->group_count; g++)
        groups[p->points[p->groups[g].first].type]++;
}

static void curves_stay_whole_where_there_are_enough(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(1, make_kernel("plain", plain_facts));
    struct config config = a_config(6);
    /* Each shard has 2 of the 4 curves. */
    struct plan *p = build(&config, &c, NULL, (struct shard){1, 2});
    assert_int_equal(p->group_count, 12);
    plan_free(p);
    /* With fewer curves than shards, several shards share a curve's sizes. */
    p = build(&config, &c, NULL, (struct shard){1, 3});
    int types[TYPE_COUNT];
    count_types(p, types);
    assert_int_equal(p->group_count, 8);
    assert_true(types[TYPE_INT32] > 0 && types[TYPE_FLOAT32] > 0);
    plan_free(p);
    catalogue_free(&c);
}

static void the_seed_decides_between_equals(void **state)
{
    (void)state;
    struct catalogue c = make_catalogue(1, make_kernel("plain", plain_facts));
    struct config config = a_config(1);
    int with_two_types = 0;
    for (config.seed = 1; config.seed <= 40; config.seed++) {
        struct plan *p = build(&config, &c, NULL, (struct shard){0, 2});
        int types[TYPE_COUNT];
        count_types(p, types);
        with_two_types += types[TYPE_INT32] > 0 && types[TYPE_FLOAT32] > 0;
        plan_free(p);
    }
    /* The 4 equal curves form two pairs. A shard has both types with a probability of 2/3. */
    assert_in_range(with_two_types, 15, 37);
    catalogue_free(&c);
}

static void what_is_no_shard_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",     "3",    "3/",       "/3",   "3/3",
                                      "4/3",  "-1/3", "1/-3",     "1/0",  "1/3x",
                                      " 1/3", "a/b",  "1/100001", "+1/3", "1.0/3"};
    struct shard s;
    struct error e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(shard_parse("--shard", bad[i], &s, &e));
        assert_int_equal(e.kind, ERROR_USAGE);
        assert_non_null(strstr(e.text, "K/N"));
    }
    assert_true(shard_parse("--shard", "2/3", &s, &e));
    assert_true(s.index == 2 && s.count == 3);
    char text[24];
    assert_string_equal(shard_text(s, text), "2/3");
    assert_string_equal(shard_text((struct shard){0}, text), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_in_one_shard),
        cmocka_unit_test(devices_do_not_change_the_division),
        cmocka_unit_test(curves_stay_whole_where_there_are_enough),
        cmocka_unit_test(the_seed_decides_between_equals),
        cmocka_unit_test(what_is_no_shard_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
