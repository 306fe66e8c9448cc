/* Merges several readings of a device's health, and checks which cards are doubtful. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/health.h"

static const struct device_health cool = {.known = true,
                                          .sm_clock_mhz = 1980,
                                          .memory_clock_mhz = 2600,
                                          .power_w = 300,
                                          .temperature_c = 40,
                                          .throttle = THROTTLE_POWER_CAP},
                                  hot = {.known = true,
                                         .sm_clock_mhz = 1500,
                                         .memory_clock_mhz = NAN,
                                         .power_w = 700,
                                         .temperature_c = 85,
                                         .throttle = THROTTLE_THERMAL};

static void the_lowest_clock_and_the_highest_power_stay(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct device_health all = {0};
        health_merge(&all, order ? &hot : &cool);
        health_merge(&all, order ? &cool : &hot);
        assert_true(all.known && all.sm_clock_mhz == 1500 && all.memory_clock_mhz == 2600);
        assert_true(all.power_w == 700 && all.temperature_c == 85);
        assert_int_equal(all.throttle, THROTTLE_POWER_CAP | THROTTLE_THERMAL);
        assert_false(all.unplaced);
    }
    char words[96];
    assert_string_equal(throttle_words(THROTTLE_POWER_CAP | THROTTLE_THERMAL, words),
                        "power_cap thermal");
    assert_string_equal(throttle_words(0, words), "");
}

/* If one reading says that the queue slots of launches were not verified, or that times were drawn
 * from a recording, the merged health says the same. This reading may lack the clock frequency. */
static void one_sample_is_enough_for_a_doubt(void **state)
{
    (void)state;
    const struct device_health doubtful = {.unplaced = true, .recalled = RECALLED_SAMPLES};
    for (int order = 0; order < 2; order++) {
        struct device_health all = {0};
        health_merge(&all, order ? &doubtful : &cool);
        health_merge(&all, order ? &cool : &doubtful);
        assert_true(all.unplaced && all.known && all.sm_clock_mhz == 1980);
        assert_int_equal(all.recalled, RECALLED_SAMPLES);
    }
    struct device_health none = {0};
    health_merge(&none, &(struct device_health){.recalled = RECALLED_MEDIANS});
    health_merge(&none, &doubtful);
    assert_true(!none.known && none.unplaced);
    assert_int_equal(none.recalled, RECALLED_MEDIANS);
}

static void a_card_of_which_nothing_is_known_is_not_doubtful(void **state)
{
    (void)state;
    char why[160];
    struct card_state c;
    card_state_clear(&c);
    assert_string_equal(card_doubt(&c, why), "");
    c.power_limit_w = 400; /* The card's default limit is not known. */
    assert_string_equal(card_doubt(&c, why), "");
    c.power_limit_default_w = 700;
    texts_expect("a power limit of 400 W", card_doubt(&c, why));
    c.power_limit_w = 700;
    c.other_processes = 1;
    texts_expect("one other process", card_doubt(&c, why));
    c.other_processes = 2;
    texts_expect("two other processes", card_doubt(&c, why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_clock_and_the_highest_power_stay),
        cmocka_unit_test(one_sample_is_enough_for_a_doubt),
        cmocka_unit_test(a_card_of_which_nothing_is_known_is_not_doubtful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
