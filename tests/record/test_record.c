/*
 * Checks a run's folder. The rows are written to results.csv, samples.csv and results.json, and
 * must be the same when they are read back, even if they contain hostile strings.
 */
#include "fixture.h"

#include <time.h>

#include "record/flags.h"
#include "../table/cells.h"

static void header_is_in_order(void **state)
{
    (void)state;
    OK(record_close(create(), "complete", "2026-01-02T03:05:00Z", &e));
    char *text = file_text("results.csv");
    assert_string_equal(
        text, "id,backend,device,kernel,type,op,n,block,unroll,t_loads,grid,dynamic_smem_bytes,"
              "static_smem_bytes,registers,cache,scope,status,reason,flags,samples,stopped_by,"
              "time_us_min,time_us_median,time_us_mean,time_us_max,time_us_stdev,"
              "time_us_ci95_lo,time_us_ci95_hi,outliers,bandwidth_gbs,peak_pct,ceiling_pct,"
              "sm_clock_mhz,mem_clock_mhz,power_w,temperature_c,throttle,sampled_share,"
              "gld_transactions,dram_bytes_read_sum,result,rel_error,run,host,device_uuid,"
              "measured_at,device_index,shard,session,compile_ms,energy_uj,energy_uj_ci95_lo,"
              "energy_uj_ci95_hi,code,time_us_trimmed,time_us_trimmed_error,placements,placement_"
              "us_stdev,bits,shape\n");
    free(text);
    text = file_text("samples.csv");
    assert_string_equal(text, "id,sample,time_us\n");
    free(text);
}

static void measured_row_by_hand(void **state)
{
    (void)state;
    struct record *r = create();
    const double samples[] = {8.192, 8, 8.5, 8.25, 8.125, 9};
    const double values[] = {804, NAN};
    struct outcome o = empty_outcome();
    o.grid = 4, o.dynamic_smem = 0, o.static_smem = 2048, o.registers = 17, o.compile_ms = 12.5,
    o.code = 0x12ab, o.bits = 0xfedcba9876543210u;
    o.energy_uj = 1500, o.energy_uj_ci95_lo = 1490.5, o.energy_uj_ci95_hi = 1512;
    o.samples = samples, o.sample_count = 6, o.metrics = values, o.rel_error = 0;
    o.flags = FLAG_UNPLACED;
    plain.counts_vary = true;
    strcpy(o.stopped_by, "width");
    strcpy(o.result, "-1234567890");
    OK(record_row(r, &points[0], &o, &e));
    OK(record_close(r, "complete", "2026-01-02T03:05:00Z", &e));
    plain.counts_vary = false;

    char *text = file_text("results.csv");
    /* The median is (8.192 + 8.25)/2 = 8.221, the mean is 50.067/6, and 65536 B / 8.221 µs is
     * 7.97 GB/s. */
    assert_non_null(strstr(
        text, "\n000000000000001f,cuda,\"NVIDIA H200, 141 GB\",unroll,int32,sum,16384,512,8,,4,0,"
              "2048,17,cold,kernel,ok,,unplaced counts_vary,6,width,8,8.221,"));
    free(text);

    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    assert_int_equal(t.row_count, 1);
#define CELL(name) table_cell(&t, 0, table_column(&t, name))
#define NUMBER(name) table_number(&t, 0, table_column(&t, name))
    assert_true(NUMBER("compile_ms") == 12.5);
    assert_string_equal(CELL("code"), "00000000000012ab");
    assert_true(NUMBER("energy_uj") == 1500 && NUMBER("energy_uj_ci95_lo") == 1490.5 &&
                NUMBER("energy_uj_ci95_hi") == 1512);
    assert_true(fabs(NUMBER("time_us_mean") - 50.067 / 6) < 1e-12);
    /* The squared deviations from 8.3445 are .02325625 .11868025 .02418025 .00893025 .04818025
     * .42968025. */
    assert_true(fabs(NUMBER("time_us_stdev") - sqrt(0.6529075 / 5)) < 1e-12);
    /* With six samples, the interval's ends are 5/14 of the way from the outermost sample to the
     * next one (see test_statistics.c). */
    assert_true(fabs(NUMBER("time_us_ci95_lo") - (8 + 0.125 * 5 / 14)) < 1e-12);
    assert_true(fabs(NUMBER("time_us_ci95_hi") - (9 - 0.5 * 5 / 14)) < 1e-12);
    assert_string_equal(CELL("outliers"), "1"); /* 9: 0.779 away, 3 · 1.4826 · 0.1585 = 0.705 */
    assert_true(fabs(NUMBER("bandwidth_gbs") - 65.536 / 8.221) < 1e-12);
    assert_true(fabs(NUMBER("peak_pct") - 6553.6 / 8.221 / 4800) < 1e-12);
    assert_string_equal(CELL("time_us_max"), "9");
    assert_string_equal(CELL("ceiling_pct"), ""); /* not measured in this run */
    assert_string_equal(CELL("power_w"), "");     /* power was not read */
    assert_string_equal(CELL("gld_transactions"), "804");
    assert_string_equal(CELL("dram_bytes_read_sum"), "");
    assert_string_equal(CELL("result"), "-1234567890");
    assert_string_equal(CELL("rel_error"), "0");
    assert_string_equal(CELL("bits"), "fedcba9876543210");
    assert_true(*CELL("run") && *CELL("host"));
    assert_null(strchr(CELL("host"), ',')); /* only the host's name */
    struct tm when;
    assert_non_null(strptime(CELL("measured_at"), "%Y-%m-%dT%H:%M:%SZ", &when));
    table_free(&t);

    text = file_text("samples.csv");
    assert_string_equal(text, "id,sample,time_us\n"
                              "000000000000001f,0,8.192\n000000000000001f,1,8\n"
                              "000000000000001f,2,8.5\n000000000000001f,3,8.25\n"
                              "000000000000001f,4,8.125\n000000000000001f,5,9\n");
    free(text);
}

static void missing_is_empty_and_null(void **state)
{
    (void)state;
    struct record *r = create();
    struct outcome o = empty_outcome();
    o.status = STATUS_SKIPPED;
    strcpy(o.reason, "block 64 is no multiple of 128");
    OK(record_row(r, &points[1], &o, &e));
    OK(record_close(r, "complete", "2026-01-02T03:05:00Z", &e));
    char *text = file_text("results.csv");
    assert_non_null(strstr(text,
                           "\nfedcba9876543210,cuda,\"NVIDIA H200, 141 GB\",vector,float64,max,"
                           "1099511627776,64,1,4,,,,,warm,complete,skipped,"
                           "block 64 is no multiple of 128,,,,,,,,,,,,,,,,,,,,,,,,,"));
    free(text);
    cJSON *json = json_of(JSON_FILE);
    cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rows"), 0);
    static const char *const empty[] = {
        "grid",      "registers",      "samples",  "stopped_by",    "outliers",        "result",
        "rel_error", "time_us_median", "peak_pct", "sampled_share", "gld_transactions"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, empty[i])));
    assert_true(cJSON_GetObjectItem(row, "n")->valuedouble == 1099511627776.0);
    assert_true(cJSON_GetObjectItem(row, "t_loads")->valuedouble == 4);
    cJSON_Delete(json);
}

/* A kernel that moves no data has no bandwidth. On a device with an unknown peak bandwidth,
 * peak_pct is empty. */
static void bandwidth_only_where_it_means_something(void **state)
{
    (void)state;
    manifest.provenance.device.peak_gbs = NAN;
    struct record *r;
    OK(record_create(folder, &plan, NULL, &manifest, &r, &e));
    struct outcome o = empty_outcome();
    const double one[] = {2};
    o.samples = one, o.sample_count = 1;
    OK(record_row(r, &points[2], &o, &e));
    OK(record_row(r, &points[0], &o, &e));
    OK(record_close(r, "complete", "", &e));
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    assert_int_equal(table_column(&t, "gld_transactions"), -1);
    int bandwidth = table_column(&t, "bandwidth_gbs"), peak = table_column(&t, "peak_pct");
    assert_string_equal(table_cell(&t, 0, bandwidth), "");
    assert_string_equal(table_cell(&t, 1, bandwidth), "32.768");
    assert_string_equal(table_cell(&t, 1, peak), "");
    assert_string_equal(CELL("time_us_stdev"), "");
    assert_string_equal(CELL("time_us_ci95_lo"), "");
    table_free(&t);
}

/* One run may measure CPU functions as well as GPU kernels. Their rows belong to the same
 * session, but not to the GPU. */
static void rows_name_the_device_that_measured_them(void **state)
{
    (void)state;
    struct conditions *session = &manifest.sessions.items[0];
    strcpy(manifest.provenance.cpu.backend, "cpu");
    strcpy(session->uuid, "GPU-1234");
    session->number = 1;
    session->device_index = 1;
    session->start.read_gbs = 64;
    loops.backend = BACKEND_CPU;
    struct record *r;
    OK(record_create(folder, &plan, NULL, &manifest, &r, &e));
    struct outcome o = empty_outcome();
    const double one[] = {2};
    o.samples = one, o.sample_count = 1;
    OK(record_row(r, &points[0], &o, &e));
    OK(record_row(r, &points[2], &o, &e));
    OK(record_close(r, "complete", "", &e));
    loops.backend = 0;
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    static const char *const columns[] = {"backend", "device_uuid", "device_index", "ceiling_pct",
                                          "session"};
    static const char *const cells[2][5] = {{"cuda", "GPU-1234", "1", "51.2", "1"},
                                            {"cpu", "", "", "", "1"}};
    for (size_t row = 0; row < 2; row++)
        for (int c = 0; c < 5; c++)
            assert_string_equal(table_cell(&t, row, table_column(&t, columns[c])), cells[row][c]);
    table_free(&t);
}

static void hostile_text_stays_one_row(void **state)
{
    (void)state;
    struct record *r = create();
    struct outcome o = empty_outcome();
    o.status = STATUS_COMPILE_ERROR;
    strcpy(o.reason, "k.cu(3): error: \"x\", expected ';'\r\n  x\n  ^\n\tcaf\xe9 \\ µ");
    o.rel_error = INFINITY;
    OK(record_row(r, &points[0], &o, &e));
    OK(record_close(r, "failed", "2026-01-02T03:05:00Z", &e));
    const char *expected =
        "k.cu(3): error: \"x\", expected ';' |   x |   ^ | \tcaf\xef\xbf\xbd \\ µ";
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    assert_int_equal(t.row_count, 1);
    assert_string_equal(CELL("reason"), expected);
    assert_string_equal(CELL("rel_error"), "inf");
    table_free(&t);
    cJSON *json = json_of(JSON_FILE);
    cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rows"), 0);
    assert_string_equal(cJSON_GetObjectItem(row, "reason")->valuestring, expected);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "rel_error"))); /* JSON has no infinity */
    cJSON *host = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "provenance"), "host");
    assert_string_equal(host->valuestring, "caf\xef\xbf\xbd");
    cJSON_Delete(json);
}

static void manifest_describes_the_run(void **state)
{
    (void)state;
    struct record *r = create();
    cJSON *json = json_of(MANIFEST_FILE);
    assert_string_equal(text_at(json, "status"), "running");
    assert_int_not_equal(access(in_folder(JSON_FILE), F_OK), 0);
    assert_true(
        cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "provenance"), "ended")));
    cJSON_Delete(json);

    OK(record_close(r, "stopped", "2026-01-02T03:05:00Z", &e));
    json = json_of(MANIFEST_FILE);
    assert_true(cJSON_GetObjectItem(json, "schema")->valuedouble == MANIFEST_SCHEMA);
    assert_string_equal(text_at(json, "status"), "stopped");
    cJSON *p = cJSON_GetObjectItem(json, "provenance");
    assert_string_equal(text_at(p, "started"), manifest.provenance.started);
    assert_string_equal(text_at(p, "ended"), "2026-01-02T03:05:00Z");
    assert_string_equal(text_at(p, "config_text"), manifest.provenance.config_text);
    assert_string_equal(text_at(cJSON_GetObjectItem(p, "config"), "name"), "quick");
    assert_true(cJSON_GetObjectItem(p, "points")->valuedouble == 3);
    cJSON *device = cJSON_GetObjectItem(p, "device");
    assert_string_equal(text_at(device, "compute_capability"), "9.0");
    assert_string_equal(text_at(device, "driver"), "13.0");
    assert_true(cJSON_GetObjectItem(device, "memory_bytes")->valuedouble == 150754820096.0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(device, "uuid")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(device, "l2_bytes")));
    cJSON *used = cJSON_GetObjectItem(p, "kernels");
    assert_int_equal(cJSON_GetArraySize(used), 3);
    assert_string_equal(text_at(cJSON_GetArrayItem(used, 0), "source_hash"), "0000000000abcdef");

    cJSON *column, *columns = cJSON_GetObjectItem(json, "columns");
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    assert_int_equal(cJSON_GetArraySize(columns), t.columns.count);
    int i = 0;
    cJSON_ArrayForEach(column, columns)
    {
        assert_string_equal(text_at(column, "name"), t.columns.items[i]->name);
        i++;
    }
    column = cJSON_GetArrayItem(columns, table_column(&t, "dram_bytes_read_sum"));
    assert_string_equal(text_at(column, "missing"), choices[1].reason);
    column = cJSON_GetArrayItem(columns, table_column(&t, "gld_transactions"));
    assert_string_equal(text_at(column, "unit"), "sectors"); /* the unit of its second formula */
    assert_string_equal(text_at(column, "meaning"), transactions.meaning);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(column, "missing")));
    table_free(&t);
    cJSON_Delete(json);
}

/* Every cell of every row must have the same value in both files. */
static void json_rows_equal_csv_rows(void **state)
{
    (void)state;
    struct record *r = create();
    for (int i = 0; i < 60; i++) {
        double samples[7], values[2] = {i / 3.0, i % 2 ? NAN : 1e9 + i};
        for (int j = 0; j < 7; j++)
            samples[j] = 1 + (i * 7 + j) / 9.0;
        struct outcome o = empty_outcome();
        o.samples = samples, o.sample_count = 7, o.metrics = values;
        o.grid = i, o.rel_error = i * 1e-9;
        snprintf(o.result, sizeof o.result, "%.17g", i / 7.0);
        OK(record_row(r, &points[i % 3], &o, &e));
    }
    OK(record_close(r, "complete", "2026-01-02T03:05:00Z", &e));
    struct table t;
    OK(table_read(in_folder("results.csv"), &t, &e));
    cJSON *json = json_of(JSON_FILE);
    cJSON *row, *rows = cJSON_GetObjectItem(json, "rows");
    assert_int_equal(t.row_count, 60);
    assert_int_equal(cJSON_GetArraySize(rows), 60);
    size_t i = 0;
    cJSON_ArrayForEach(row, rows)
    {
        for (int c = 0; c < (int)t.columns.count; c++) {
            const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, t.columns.items[c]->name);
            const char *cell = table_cell(&t, i, c);
            if (cJSON_IsString(value))
                assert_string_equal(value->valuestring, cell);
            else if (cJSON_IsNull(value))
                assert_string_equal(cell, "");
            else
                assert_true(value->valuedouble == table_number(&t, i, c));
        }
        i++;
    }
    cJSON_Delete(json);
    table_free(&t);
    assert_int_not_equal(access(in_folder("results.json.part"), F_OK), 0);
}

static void status_names_go_both_ways(void **state)
{
    (void)state;
    for (int i = 0; i < STATUS_COUNT; i++) {
        enum status s = STATUS_COUNT;
        assert_true(status_find(status_name((enum status)i), &s));
        assert_int_equal(s, i);
    }
    enum status s;
    assert_false(status_find("fine", &s));
    assert_string_equal(status_name(STATUS_OK), "ok");
    assert_string_equal(status_name(STATUS_COMPILE_ERROR), "compile_error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(header_is_in_order),
        TEST(measured_row_by_hand),
        TEST(missing_is_empty_and_null),
        TEST(rows_name_the_device_that_measured_them),
        TEST(bandwidth_only_where_it_means_something),
        TEST(hostile_text_stays_one_row),
        TEST(manifest_describes_the_run),
        TEST(json_rows_equal_csv_rows),
        cmocka_unit_test(status_names_go_both_ways),
    };
    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
