/* Makes a plan of three points with metrics, and a manifest, and records both in a scratch
 * folder. */
#ifndef REDSWEEP_TESTS_RECORD_FIXTURE_H
#define REDSWEEP_TESTS_RECORD_FIXTURE_H

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <cjson/cJSON.h>

#include "../texts/expected.h"
#include "record/json.h"
#include "table/table.h"
#include "record/writer.h"
#include "workloads/workload.h"

static inline uint64_t four_bytes_each(const struct input *input)
{
    return 4 * input->n;
}

static inline uint64_t no_bytes(const struct input *input)
{
    (void)input;
    return 0;
}

static inline uint64_t as_many(uint64_t n)
{
    return n;
}

static const struct workload reads = {
    .name = "reads", .input_elements = as_many, .min_bytes = four_bytes_each};
static const struct workload computes = {
    .name = "computes", .input_elements = as_many, .min_bytes = no_bytes};

static struct kernel plain = {
    .name = "unroll", .path = "kernels/unroll.cu", .workload = &reads, .code_hash = 0xabcdef};
static struct kernel tuned = {.name = "vector",
                              .path = "kernels/vector.cu",
                              .workload = &reads,
                              .tunable_count = 1,
                              .tunables = {{.name = (char[]){"LOADS"}, .allowed = {{1, 2, 4}, 3}}}};
static struct kernel loops = {
    .name = "divergence", .path = "kernels/divergence.cu", .workload = &computes};
static struct kernel *const kernels[] = {&plain, &tuned, &loops};
static const struct catalogue catalogue = {(struct kernel **)kernels, 3};
static const struct config config = {.seed = 1};

static struct point points[] = {
    {.id = 0x1f, .n = 16384, .kernel = 0, .block = 512, .unroll = 8},
    {.id = 0xfedcba9876543210,
     .n = (uint64_t)1 << 40,
     .kernel = 1,
     .block = 64,
     .unroll = 1,
     .type = TYPE_FLOAT64,
     .op = OP_MAX,
     .cache = CACHE_WARM,
     .scope = SCOPE_COMPLETE,
     .tunables = {4}},
    {.id = 3, .n = 1, .kernel = 2, .block = 32, .unroll = 1},
};
static char *tunable_names[] = {(char[]){"loads"}};
static struct plan plan = {.config = &config,
                           .catalogue = &catalogue,
                           .points = points,
                           .point_count = 3,
                           .tunable_names = tunable_names,
                           .tunable_name_count = 1,
                           .excluded = 2};

static const struct metric transactions = {.name = "gld_transactions",
                                           .meaning = "Sectors of global loads."};
static struct metric_choice choices[] = {
    {.name = "gld_transactions",
     .column = "gld_transactions",
     .unit = "sectors",
     .metric = &transactions,
     .formula = 1,
     .reason = "of the first formula, which this chip does not serve"},
    {.name = "dram__bytes_read.sum",
     .column = "dram_bytes_read_sum",
     .formula = -1,
     .reason = "this chip, the \"small\" one, has no such counter"},
};
static const struct metric_plan metrics = {.choices = choices, .count = 2};

static struct manifest manifest; /* made and freed with the folder */

static inline void make_manifest(void)
{
    struct provenance *p = &manifest.provenance;
    manifest_clear(&manifest);
    strcpy(p->device.backend, "cuda");
    strcpy(p->device.name, "NVIDIA H200, 141 GB");
    strcpy(p->device.chip, "GH100");
    strcpy(p->device.compute_capability, "9.0");
    strcpy(p->device.driver, "13.0");
    p->device.multiprocessors = 132;
    p->device.warp_size = 32;
    p->device.peak_gbs = 4800;
    p->device.memory_bytes = 150754820096;
    p->device.can_time = true;
    member_set(&p->run, "quick");
    member_set(&p->compiler, "NVRTC 13.0");
    member_set(&p->host, "caf\xe9");
    member_set(&p->command, "redsweep run");
    strcpy(p->started, "2026-01-02T03:04:05Z");
    member_set(&p->config, "{\"name\":\"quick\",\"seed\":1}");
    member_set(&p->config_text, "{\"name\": \"quick\",\n \"seed\": 1}\n");
    manifest_add_session(&manifest, p->started);
}

static inline struct outcome empty_outcome(void)
{
    struct outcome o;
    outcome_clear(&o);
    return o;
}

static char folder[64];

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/redsweep-record-XXXXXX");
    make_manifest();
    if (!mkdtemp(folder))
        return -1;
    texts_rename(folder, "$work");
    return 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
    manifest_free(&manifest);
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline char *file_text(const char *name)
{
    FILE *file = fopen(in_folder(name), "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static inline cJSON *json_of(const char *name)
{
    char *text = file_text(name);
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithOpts(text, &end, false);
    if (!json)
        fail_msg("not JSON: %s", text);
    assert_string_equal(end, "\n"); /* only the end of the line follows the JSON */
    free(text);
    return json;
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        struct error e = {0};                                                                      \
        if (!(call))                                                                               \
            fail_msg("%s", e.text);                                                                \
    } while (0)

static inline struct record *create(void)
{
    struct record *r;
    OK(record_create(folder, &plan, &metrics, &manifest, &r, &e));
    return r;
}

static inline const char *text_at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    if (!cJSON_IsString(item))
        fail_msg("'%s' is no text", name);
    return item->valuestring;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
