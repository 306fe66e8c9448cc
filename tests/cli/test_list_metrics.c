/*
 * Runs `redsweep list metrics` on a machine without a GPU. The command always lists the metrics of
 * the simulator's chips, and those of NVIDIA's chips if CUPTI is installed. tests/texts/cli.txt
 * contains its output.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "../texts/expected.h"
#include "base/text.h"
#include "cli/list_metrics.h"
#include "devices/device.h"
#include "metrics/metrics.h"

static struct error e;

/* Returns what list_metrics() prints, which the caller frees. On failure, returns NULL and says
 * why in `e`. */
static char *listed(const char *chip, const char *explain, bool json)
{
    char path[] = "/tmp/redsweep-list-XXXXXX";
    int file = mkstemp(path), out = dup(STDOUT_FILENO);
    assert_true(file >= 0 && out >= 0);
    unlink(path);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    memset(&e, 0, sizeof e);
    cJSON *array = json ? cJSON_CreateArray() : NULL;
    bool ok = list_metrics(chip, explain, array, &e);
    if (ok && json) {
        char *printed = cJSON_Print(array);
        printf("%s\n", printed);
        free(printed);
    }
    cJSON_Delete(array);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    off_t length = lseek(file, 0, SEEK_END);
    char *text = calloc(1, (size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(pread(file, text, (size_t)length, 0), length);
    close(file);
    if (ok)
        return text;
    assert_string_equal(text, ""); /* nothing is printed before a refusal */
    free(text);
    return NULL;
}

static cJSON *json_of(const char *chip, const char *explain)
{
    char *text = listed(chip, explain, true);
    if (!text)
        fail_msg("%s", e.text);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static const char *text_at(const cJSON *o, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(o, name));
    assert_non_null(text);
    return text;
}

static bool has_cupti(void)
{
    char *text = listed("GH100", "ipc", true);
    free(text);
    return text != NULL;
}

static void every_metric_is_a_line(void **state)
{
    (void)state;
    int count, lines = 0;
    const struct metric *table = metric_table(&count);
    char *text = listed(NULL, NULL, false);
    assert_non_null(text);
    for (char *at = text; *at; at = strchr(at, '\n') + 1, lines++)
        assert_int_equal(strncmp(at, table[lines].name, strlen(table[lines].name)), 0);
    assert_int_equal(lines, count);
    free(text);
}

static void a_chip_chooses_its_formula(void **state)
{
    (void)state;
    cJSON *kepler = json_of("Kepler", "gld_transactions"),
          *sim = json_of("sim", "gld_transactions");
    const cJSON *k = cJSON_GetArrayItem(kepler, 0), *s = cJSON_GetArrayItem(sim, 0);
    assert_string_equal(text_at(k, "chip"), "kepler");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(k, "available")));
    assert_true(cJSON_GetObjectItem(k, "passes")->valuedouble == 1);
    const cJSON *counters = cJSON_GetObjectItem(k, "counters");
    assert_non_null(strstr(text_at(cJSON_GetArrayItem(counters, 0), "name"), "set_accesses"));
    counters = cJSON_GetObjectItem(s, "counters");
    assert_non_null(strstr(text_at(cJSON_GetArrayItem(counters, 0), "name"), "t_sectors"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(s, "formulas")), 2);
    cJSON_Delete(kepler);
    cJSON_Delete(sim);
}

static void what_a_chip_lacks_has_a_reason(void **state)
{
    (void)state;
    cJSON *list = json_of("sim", "dram_read_bytes");
    const cJSON *o = cJSON_GetArrayItem(list, 0);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(o, "available")));
    assert_true(strlen(text_at(o, "reason")) > 10);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(o, "passes")));
    cJSON_Delete(list);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    assert_null(listed("keppler", NULL, false));
    assert_int_equal(e.kind, ERROR_USAGE);
    assert_null(listed("sim", "gld_eficiency", false));
    assert_int_equal(e.kind, ERROR_CONFIG);
    assert_null(listed("sim", "stall_*", false));
}

static void without_cupti_the_simulator_is_left(void **state)
{
    (void)state;
    setenv("REDSWEEP_CUPTI", "/nowhere/libcupti.so", 1);
    assert_null(listed("GH100", NULL, false));
    assert_non_null(strstr(e.text, "/nowhere/libcupti.so"));
    char *text = listed("sim", NULL, false);
    assert_non_null(text);
    free(text);
    unsetenv("REDSWEEP_CUPTI");
}

static void nvidia_describes_its_counters(void **state)
{
    (void)state;
    if (!has_cupti()) {
        texts_leave_others();
        skip();
    }
    char *text = listed("gh100", "sm__cycles_active.avg", false);
    assert_non_null(text);
    texts_expect_until("  sm__", "sm__cycles_active.avg on GH100", text);
    assert_non_null(strstr(text, ": # of cycles with at least one warp in flight")); /* by NVIDIA */
    free(text);
    cJSON *list = json_of("GH100", NULL), *o;
    cJSON_ArrayForEach(o, list) if (!cJSON_IsTrue(cJSON_GetObjectItem(o, "available")) ||
                                    cJSON_GetObjectItem(o, "passes")->valuedouble < 1)
        fail_msg("%s is not available on GH100", text_at(o, "name"));
    cJSON_Delete(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_is_a_line),
        cmocka_unit_test(a_chip_chooses_its_formula),
        cmocka_unit_test(what_a_chip_lacks_has_a_reason),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(without_cupti_the_simulator_is_left),
        cmocka_unit_test(nvidia_describes_its_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
