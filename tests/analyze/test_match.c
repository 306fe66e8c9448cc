/*
 * Matches the points of two runs. Checks which rows of two runs belong to the same point, and what
 * happens to rows without a counterpart.
 */
#include "analyze/match.h"

#include "fixture.h"

static void test_matching(void **state)
{
    (void)state;
    /* Run a was written before tunables' columns had the prefix t_. Run b has the tunable
     * `depth` instead of `loads`, a different column order, and one duplicate row. */
    struct results a = read_run(put("m-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,loads,grid,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,,1,cold,kernel,ok\n"
                                    "k,int32,sum,16,64,1,2,1,cold,kernel,ok\n"
                                    "k,int32,sum,32,64,1,,1,cold,kernel,ok\n"
                                    "only,int32,sum,16,64,1,,1,cold,kernel,ok\n"));
    struct results b =
        read_run(put("m-b", "results.csv",
                     "kernel,n,op,type,block,unroll,t_depth,grid,scope,cache,status\n"
                     "k,32,sum,int32,64,1,,9,kernel,cold,ok\n"
                     "k,16,sum,int32,64,1,,9,kernel,cold,ok\n"
                     "k,16,sum,int32,64,1,,9,kernel,cold,ok\n"
                     "k,16,sum,int32,64,1,3,9,kernel,cold,ok\n"
                     "k,16,sum,int32,64,1,,9,complete,cold,ok\n"
                     "k,16,sum,int32,64,1,,9,kernel,warm,ok\n"));
    struct match m;
    match_runs(&a, &b, &m);
    assert_int_equal(m.pairs.count, 2);
    assert_int_equal(m.pairs.items[0].a, 0);
    assert_int_equal(m.pairs.items[0].b, 1);
    assert_int_equal(m.pairs.items[1].a, 2);
    assert_int_equal(m.pairs.items[1].b, 0);
    assert_int_equal(m.only_a.count, 2);
    assert_int_equal(m.only_a.items[0], 1);
    assert_int_equal(m.only_a.items[1], 3);
    assert_int_equal(m.only_b.count, 3);
    assert_int_equal(m.duplicates_a, 0);
    assert_int_equal(m.duplicates_b, 1);
    /* Every row is in one of the comparison's lists. */
    assert_int_equal(2 * m.pairs.count + m.only_a.count + m.only_b.count + m.duplicates_b, 4 + 6);
    match_free(&m);
    results_free(&a);
    results_free(&b);
}

/* If a point has several rows, the first one that is ok counts. */
static void test_duplicates(void **state)
{
    (void)state;
    struct results a = read_run(put("d-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,,kernel,ok\n"));
    struct results b = read_run(put("d-b", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,cold,kernel,wrong\n"
                                    "k,int32,sum,16,64,1,warm,kernel,ok\n"
                                    "k,int32,sum,16,64,1,warm,kernel,ok\n"));
    struct match m;
    match_runs(&a, &b, &m);
    assert_int_equal(m.pairs.count, 1);
    assert_int_equal(m.pairs.items[0].b, 1);
    assert_int_equal(m.duplicates_b, 2);
    match_free(&m);
    results_free(&a);
    results_free(&b);
}

/* Published tables may lack the cache state. Points are then matched without it. */
static void test_unknown_cache_state(void **state)
{
    (void)state;
    struct results a = read_run(put("u-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,,kernel,ok\n"));
    struct results b = read_run(put("u-b", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,cold,kernel,ok\n"
                                    "k,int32,sum,16,64,1,warm,kernel,ok\n"
                                    "k,int32,sum,16,64,1,cold,complete,ok\n"));
    struct match m;
    match_runs(&a, &b, &m);
    assert_int_equal(m.ignored, KEY_AXIS(AXIS_cache));
    assert_int_equal(m.pairs.count, 1);
    assert_int_equal(m.pairs.items[0].b, 0);
    assert_int_equal(m.duplicates_b, 1);
    assert_int_equal(m.only_b.count, 1);
    match_free(&m);
    match_runs(&b, &b, &m);
    assert_int_equal(m.ignored, 0);
    assert_int_equal(m.pairs.count, 3);
    match_free(&m);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_unknown_cache_state),
        cmocka_unit_test(test_duplicates),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
