/*
 * Puts two versions of the same kernels into one plan. The two points of a pair must be neighbors
 * with the same id, but different code. The plan of each version can be extracted again, and must
 * equal the plan of this version's kernels alone.
 */
#include "fixture.h"

static const char partial_facts[] = "// result: partial\n// covers: BLOCK * UNROLL\n"
                                    "// blocks: multiple of 32\n// unroll: 2 4\n";
static const char choosy_facts[] = "// result: partial\n// covers: BLOCK * UNROLL\n"
                                   "// blocks: power of two\n// unroll: 2 4\n";

static struct catalogue baseline(void)
{
    return make_catalogue(3, make_kernel("alike", partial_facts),
                          make_kernel("gone", partial_facts),
                          make_kernel("stricter", partial_facts));
}

static struct catalogue candidate(void)
{
    return make_catalogue(3, make_kernel("alike", partial_facts),
                          make_kernel("fresh", partial_facts),
                          make_kernel("stricter", choosy_facts));
}

static struct config some_config(void)
{
    static uint64_t sizes[] = {1000, 4096}, blocks[] = {96, 128}, unrolls[] = {2, 4};
    struct config config = small_config();
    config.axis_values[AXIS_n] = (struct config_values){sizes, 2};
    config.axis_values[AXIS_block] = (struct config_values){blocks, 2};
    config.axis_values[AXIS_unroll] = (struct config_values){unrolls, 2};
    return config;
}

static struct plan *build_both(const struct config *config, struct catalogue *both)
{
    struct catalogue sides[2] = {baseline(), candidate()};
    catalogue_combine(sides, both);
    assert_int_equal(sides[0].count + sides[1].count, 0);
    return build(config, both, NULL);
}

static int side_of(const struct plan *p, uint32_t i)
{
    return plan_kernel(p, &p->points[i])->side;
}

static void versions_of_a_point_are_neighbors(void **state)
{
    (void)state;
    struct config config = some_config();
    struct catalogue both;
    struct plan *p = build_both(&config, &both);
    assert_int_equal(both.count, 6);
    assert_int_equal(p->group_count, 2);
    assert_int_equal(p->point_count, 2 * 6 * 4);
    for (uint32_t g = 0; g < p->group_count; g++) {
        uint32_t first = p->groups[g].first;
        assert_int_equal(p->groups[g].count, 24);
        /* First come the pairs of the kernels alike and stricter. */
        for (uint32_t i = first; i < first + 16; i += 2) {
            assert_true(p->points[i].id == p->points[i + 1].id);
            assert_int_equal(side_of(p, i), 0);
            assert_int_equal(side_of(p, i + 1), 1);
            if (!p->points[i].skip && !p->points[i + 1].skip)
                assert_int_not_equal(p->points[i].variant, p->points[i + 1].variant);
        }
        /* The kernels gone and fresh follow the pairs. */
        for (uint32_t i = first + 16; i < first + 24; i++)
            assert_int_equal(side_of(p, i),
                             strcmp(plan_kernel(p, &p->points[i])->name, "fresh") == 0);
    }
    plan_free(p);
    catalogue_free(&both);
}

static void a_side_is_the_plan_of_its_kernels(void **state)
{
    (void)state;
    struct config config = some_config();
    struct error e = {0};
    struct expr *exclude;
    assert_true(expr_parse("kernel = fresh and unroll = 4", &exclude, &e));
    config.excludes = &exclude, config.exclude_count = 1;
    struct catalogue both, alone[2] = {baseline(), candidate()};
    struct plan *p = build_both(&config, &both);
    assert_int_equal(p->excluded, 4);
    for (int side = 0; side < 2; side++) {
        struct plan *expected = build(&config, &alone[side], NULL), found;
        plan_side(p, side, &found);
        assert_int_equal(found.point_count, expected->point_count);
        assert_int_equal(found.excluded, expected->excluded);
        uint32_t same = 0;
        for (uint32_t i = 0; i < found.point_count; i++)
            for (uint32_t j = 0; j < expected->point_count; j++)
                same += found.points[i].id == expected->points[j].id &&
                        strcmp(found.reasons[found.points[i].skip],
                               expected->reasons[expected->points[j].skip]) == 0;
        assert_int_equal(same, expected->point_count);
        free(found.points);
        plan_free(expected);
        catalogue_free(&alone[side]);
    }
    plan_free(p);
    catalogue_free(&both);
    expr_free(exclude);
}

static void only_the_points_asked_for_are_kept(void **state)
{
    (void)state;
    struct config config = some_config();
    struct catalogue both;
    struct plan *p = build_both(&config, &both);
    uint32_t last = p->groups[1].first;
    uint64_t id = p->points[last].id; /* the id of a pair in the second group */
    plan_keep(p, &id, 1);
    assert_int_equal(p->point_count, 2);
    assert_int_equal(p->group_count, 1);
    assert_int_equal(p->groups[0].first, 0);
    assert_int_equal(p->groups[0].count, 2);
    assert_int_equal(side_of(p, 0), 0);
    assert_int_equal(side_of(p, 1), 1);
    plan_keep(p, NULL, 0);
    assert_int_equal(p->point_count, 0);
    assert_int_equal(p->group_count, 0);
    plan_free(p);
    catalogue_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_of_a_point_are_neighbors),
        cmocka_unit_test(a_side_is_the_plan_of_its_kernels),
        cmocka_unit_test(only_the_points_asked_for_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
