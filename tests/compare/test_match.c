/*
 * Matching the points of two runs: which rows are the same point, and what becomes of the others.
 */
#include "compare/match.h"

#include "fixture.h"

static void test_matching(void **state)
{
    (void)state;
    /* b has no column `loads`, but `depth`; another order of columns; and a row twice */
    struct results a = read_run(put("m-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,loads,grid,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,,1,cold,kernel,ok\n"
                                    "k,int32,sum,16,64,1,2,1,cold,kernel,ok\n"
                                    "k,int32,sum,32,64,1,,1,cold,kernel,ok\n"
                                    "only,int32,sum,16,64,1,,1,cold,kernel,ok\n"));
    struct results b = read_run(put("m-b", "results.csv",
                                    "kernel,n,op,type,block,unroll,depth,grid,scope,cache,status\n"
                                    "k,32,sum,int32,64,1,,9,kernel,cold,ok\n"
                                    "k,16,sum,int32,64,1,,9,kernel,cold,ok\n"
                                    "k,16,sum,int32,64,1,,9,kernel,cold,ok\n"
                                    "k,16,sum,int32,64,1,3,9,kernel,cold,ok\n"
                                    "k,16,sum,int32,64,1,,9,complete,cold,ok\n"
                                    "k,16,sum,int32,64,1,,9,kernel,warm,ok\n"));
    struct match m;
    assert_true(match_runs(&a, &b, &m, NULL));
    assert_int_equal(m.pair_count, 2);
    assert_int_equal(m.pairs[0].a, 0);
    assert_int_equal(m.pairs[0].b, 1);
    assert_int_equal(m.pairs[1].a, 2);
    assert_int_equal(m.pairs[1].b, 0);
    assert_int_equal(m.only_a_count, 2);
    assert_int_equal(m.only_a[0], 1);
    assert_int_equal(m.only_a[1], 3);
    assert_int_equal(m.only_b_count, 3);
    assert_int_equal(m.repeated_a, 0);
    assert_int_equal(m.repeated_b, 1);
    /* every row is somewhere */
    assert_int_equal(2 * m.pair_count + m.only_a_count + m.only_b_count + m.repeated_b, 4 + 6);
    match_free(&m);
    results_free(&a);
    results_free(&b);
}

/* Published tables may not know the state of the cache: then it does not count. */
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
    assert_true(match_runs(&a, &b, &m, NULL));
    assert_int_equal(m.ignored, KEY_CACHE);
    assert_int_equal(m.pair_count, 1);
    assert_int_equal(m.pairs[0].b, 0);
    assert_int_equal(m.repeated_b, 1);
    assert_int_equal(m.only_b_count, 1);
    match_free(&m);
    assert_true(match_runs(&b, &b, &m, NULL));
    assert_int_equal(m.ignored, 0);
    assert_int_equal(m.pair_count, 3);
    match_free(&m);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_unknown_cache_state),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
