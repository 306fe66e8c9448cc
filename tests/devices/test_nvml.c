/*
 * Reads the GPU's state from a fake NVML, and checks what is reported without NVML.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "devices/cuda/nvml.h"

static char why[256];

/* Points REDSWEEP_NVML at the fake in this program's folder. */
static int use_fake(void **state)
{
    (void)state;
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0)
        return 1;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "fake_nvml.so");
    unsetenv("FAKE_NVML_FAIL");
    unsetenv("FAKE_NVML_REASONS");
    why[0] = '\0';
    return setenv("REDSWEEP_NVML", path, 1);
}

static struct device_health read_once(void)
{
    struct nvml *n = nvml_open("0000:3b:00.0", why);
    if (!n)
        fail_msg("%s", why);
    struct device_health h;
    nvml_read(n, &h);
    nvml_close(n);
    return h;
}

static void readings_have_their_units(void **state)
{
    (void)state;
    struct device_health h = read_once();
    assert_true(h.known);
    assert_true(h.sm_clock_mhz == 1980 && h.memory_clock_mhz == 2619);
    assert_true(h.power_w == 251.5 && h.temperature_c == 34);
    assert_int_equal(h.throttle, 0);
}

static void reasons_become_words(void **state)
{
    (void)state;
    static const struct {
        const char *bits, *words;
        bool slowed;
    } cases[] = {
        {"1", "", false},   /* the GPU is idle */
        {"2", "", false},   /* a user has set the clocks */
        {"100", "", false}, /* a display has set the clocks */
        {"4", "power_cap", false},
        {"10", "sync_boost", false},
        {"8", "hw_slowdown", true},
        {"20", "thermal", true},
        {"40", "hw_thermal", true},
        {"80", "power_brake", true},
        {"6c", "power_cap hw_slowdown thermal hw_thermal", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("FAKE_NVML_REASONS", cases[i].bits, 1);
        struct device_health h = read_once();
        char words[96];
        assert_string_equal(throttle_words(h.throttle, words), cases[i].words);
        assert_int_equal((h.throttle & THROTTLE_SLOWED) != 0, cases[i].slowed);
    }
}

static void what_is_refused_is_unknown(void **state)
{
    (void)state;
    /* 3: not supported */
    setenv("FAKE_NVML_FAIL", "nvmlDeviceGetPowerUsage:3", 1);
    struct device_health h = read_once();
    assert_true(h.known && isnan(h.power_w) && h.temperature_c == 34);
    setenv("FAKE_NVML_FAIL", "nvmlDeviceGetClockInfo:3", 1);
    h = read_once();
    assert_true(h.known && isnan(h.sm_clock_mhz) && isnan(h.memory_clock_mhz) &&
                h.power_w == 251.5);
}

/*
 * If the card refuses a function, the fields that this function fills are -1, and all other fields
 * have their usual values.
 */
static void what_the_card_refuses_is_unknown(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        size_t fields[2];
    } cases[] = {
#define FIELD(name) offsetof(struct card_state, name)
        {"nvmlDeviceGetMigMode", {FIELD(mig), FIELD(mig)}},
        {"nvmlDeviceGetEnforcedPowerLimit", {FIELD(power_limit_w), FIELD(power_limit_w)}},
        {"nvmlDeviceGetPowerManagementDefaultLimit",
         {FIELD(power_limit_default_w), FIELD(power_limit_default_w)}},
        {"nvmlDeviceGetCurrPcieLinkWidth", {FIELD(pcie_width), FIELD(pcie_width)}},
        {"nvmlDeviceGetMaxPcieLinkWidth", {FIELD(pcie_width_max), FIELD(pcie_width_max)}},
        {"nvmlDeviceGetComputeRunningProcesses_v3",
         {FIELD(other_processes), FIELD(other_processes)}},
        {"nvmlDeviceGetEccMode", {FIELD(ecc), FIELD(ecc)}},
        {"nvmlDeviceGetTotalEccErrors", {FIELD(ecc_corrected), FIELD(ecc_uncorrected)}},
#undef FIELD
    };
    struct nvml *n = nvml_open("0000:3b:00.0", why);
    assert_non_null(n);
    struct card_state all;
    unsetenv("FAKE_NVML_FAIL");
    nvml_card(n, &all);
    assert_true(all.persistence == -1 && all.compute_mode == -1 && all.pcie_generation == -1 &&
                all.pcie_generation_max == -1 && all.remapped_rows == -1 &&
                all.retired_pages == -1); /* the fake lacks these functions */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char refused[80];
        struct card_state card;
        snprintf(refused, sizeof refused, "%s:3", cases[i].function);
        setenv("FAKE_NVML_FAIL", refused, 1);
        nvml_card(n, &card);
        for (size_t at = offsetof(struct card_state, power_limit_w); at < sizeof card;
             at += sizeof(int64_t)) {
            int64_t value, before;
            memcpy(&value, (char *)&card + at, sizeof value);
            memcpy(&before, (char *)&all + at, sizeof before);
            bool its = at == cases[i].fields[0] || at == cases[i].fields[1];
            if (value != (its ? -1 : before) || (its && before == -1))
                fail_msg("%s: the field at byte %zu is %lld", cases[i].function, at,
                         (long long)value);
        }
    }
    unsetenv("FAKE_NVML_FAIL");
    nvml_close(n);
}

static void expect_none(const char *name, const char *pci_address)
{
    struct nvml *n = nvml_open(pci_address, why);
    assert_null(n);
    texts_expect(name, why);
}

static void without_nvml_there_is_a_reason(void **state)
{
    (void)state;
    setenv("FAKE_NVML_FAIL", "nvmlInit_v2:4", 1);
    expect_none("nvmlInit_v2:4", "0000:3b:00.0");
    unsetenv("FAKE_NVML_FAIL");
    expect_none("an address without a GPU", "0000:00:00.0");
    setenv("REDSWEEP_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    expect_none("/nowhere/libnvidia-ml.so.1", "0000:3b:00.0");
}

static void energy_is_there_or_there_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *value, *name;
    } cases[] = {
        {"FAKE_NVML_FAIL", "nvmlDeviceGetTotalEnergyConsumption:3", "no energy counter"},
        {"FAKE_NVML_FAIL", "nvmlDeviceGetTotalEnergyConsumption:999", "energy cannot be read"},
        {"FAKE_NVML_MIG", "1", "energy of a slice"},
    };
    struct nvml *n = nvml_open("0000:3b:00.0", why);
    uint64_t mj = 0;
    assert_non_null(n);
    assert_true(nvml_energy(n, &mj, why));
    assert_int_equal(mj, 123456);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        assert_false(nvml_energy(n, &mj, why));
        unsetenv(cases[i].variable);
        texts_expect(cases[i].name, why);
    }
    nvml_close(n);
}

static void merging_keeps_the_worst(void **state)
{
    (void)state;
    struct device_health sum = {0}, unknown = {0};
    const struct device_health a = {true, 1980, 2619, 200, 40, THROTTLE_POWER_CAP, RECALLED_NOTHING,
                                    false};
    const struct device_health b = {true, 1700, NAN, 350, 38, THROTTLE_THERMAL, RECALLED_NOTHING,
                                    false};
    health_merge(&sum, &unknown);
    assert_false(sum.known);
    health_merge(&sum, &a);
    health_merge(&sum, &b);
    health_merge(&sum, &unknown);
    assert_true(sum.known && sum.sm_clock_mhz == 1700 && sum.memory_clock_mhz == 2619);
    assert_true(sum.power_w == 350 && sum.temperature_c == 40);
    assert_int_equal(sum.throttle, THROTTLE_POWER_CAP | THROTTLE_THERMAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(readings_have_their_units, use_fake),
        cmocka_unit_test_setup(reasons_become_words, use_fake),
        cmocka_unit_test_setup(what_is_refused_is_unknown, use_fake),
        cmocka_unit_test_setup(what_the_card_refuses_is_unknown, use_fake),
        cmocka_unit_test_setup(without_nvml_there_is_a_reason, use_fake),
        cmocka_unit_test_setup(energy_is_there_or_there_is_a_reason, use_fake),
        cmocka_unit_test_setup(merging_keeps_the_worst, use_fake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
