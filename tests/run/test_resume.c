/* Resumes runs with truncated files, runs whose config, source or driver has changed, and a run
 * that ended with the disk full. Also makes runs in folders that disappear or cannot be written. */
#include "fixture.h"
#include "../texts/expected.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [100, 200, 300], "
    "\"blocks\": [32, 64], \"unrolls\": [2], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0}}";
enum { POINTS = 18, CUTS = 60 };
static const char device[] = "fault:seed=4,lie=10,error=10";

static void file_of(const struct bed *b, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", b->out, name);
}

static off_t size_of(const struct bed *b, const char *name)
{
    struct stat st;
    char path[128];
    file_of(b, name, path);
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

static void cut(const struct bed *b, const char *name, off_t length)
{
    char path[128];
    file_of(b, name, path);
    assert_int_equal(truncate(path, length), 0);
}

static off_t header_size(const struct bed *b, const char *name)
{
    char path[128], line[4096];
    file_of(b, name, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    return (off_t)strlen(line);
}

static struct bed complete_bed(struct table *rows)
{
    struct bed b;
    bed_open(&b, config);
    if (!bed_run(&b, device))
        fail_msg("%s", b.e.text);
    bed_table(&b, rows);
    assert_int_equal(rows->row_count, POINTS);
    return b;
}

/* Wherever results.csv is cut off, the missing rows are measured again, and all rows are the
 * same as before. */
static void any_torn_end_is_made_whole(void **state)
{
    (void)state;
    struct table expected, actual;
    struct bed b = complete_bed(&expected);
    off_t header = header_size(&b, "results.csv"), whole = size_of(&b, "results.csv");
    uint64_t random = 5;
    for (int i = 0; i < CUTS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        off_t length = header + (off_t)((random >> 33) % (uint64_t)(whole - header + 1));
        if (i == 0)
            length = header;
        cut(&b, "results.csv", length);
        if (!bed_resume(&b, device, false))
            fail_msg("cut at %ld: %s", (long)length, b.e.text);
        assert_int_equal(b.result.rows, POINTS);
        bed_check_files(&b);
        bed_table(&b, &actual);
        same_rows(&expected, &actual);
        table_free(&actual);
        whole = size_of(&b, "results.csv");
    }
    table_free(&expected);
    bed_close(&b);
}

static void a_torn_sample_is_cut_off(void **state)
{
    (void)state;
    struct table expected, actual;
    struct bed b = complete_bed(&expected);
    char path[128];
    file_of(&b, "samples.csv", path);
    FILE *file = fopen(path, "a");
    fputs("0123456789abcdef,0,1\n0123456789abcdef,1,2\n0123456789ab", file);
    fclose(file);
    assert_true(bed_resume(&b, device, false));
    bed_check_files(&b);
    bed_table(&b, &actual);
    same_rows(&expected, &actual);
    table_free(&actual);
    table_free(&expected);
    bed_close(&b);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *said_of, *name, *text;
    } cases[] = {
        {"results.csv without a header", "results.csv", ""},
        {"results.csv with other columns", "results.csv", "id,backend\n"},
        {"samples.csv without a header", "samples.csv", ""},
        {"run.json without anything", "run.json", ""},
        {"run.json of version 99", "run.json", "{\"schema\": 99}"},
        {"run.json of version 1", "run.json", "{\"schema\": 1}"},
        {"run.json without a config", "run.json", "{\"schema\": 2, \"status\": \"running\"}"},
        {"run.json that is no JSON", "run.json", "[[[[[[[["},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table rows;
        struct bed b = complete_bed(&rows);
        char path[128];
        file_of(&b, cases[i].name, path);
        FILE *file = fopen(path, "w");
        fputs(cases[i].text, file);
        fclose(file);
        assert_false(bed_resume(&b, device, false));
        texts_expect(cases[i].said_of, b.e.text);
        assert_int_equal(b.e.kind, ERROR_CONFIG);
        table_free(&rows);
        bed_close(&b);
    }
}

/* A run of redsweep 0.2.0 has no column for flags. The message says so and names the remedy. */
static void a_run_of_other_columns_is_refused_by_their_names(void **state)
{
    (void)state;
    struct table rows;
    struct bed b = complete_bed(&rows);
    char path[128], bytes[65536];
    file_of(&b, "results.csv", path);
    FILE *file = fopen(path, "r+");
    size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    bytes[length] = '\0';
    char *flags = strstr(bytes, ",flags,");
    assert_non_null(flags);
    memcpy(flags, ",older,", 7);
    rewind(file);
    fwrite(bytes, 1, length, file);
    fclose(file);
    assert_false(bed_resume(&b, device, false));
    assert_int_equal(b.e.kind, ERROR_CONFIG);
    texts_expect("another column in the place of flags", b.e.text);
    table_free(&rows);
    bed_close(&b);
}

static void a_row_twice_or_of_no_point_is_refused(void **state)
{
    (void)state;
    struct table rows;
    struct bed b = complete_bed(&rows);
    off_t header = header_size(&b, "results.csv");
    char path[128], bytes[65536];
    file_of(&b, "results.csv", path);
    FILE *file = fopen(path, "r+");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    const char *first = bytes + header;
    size_t row = strcspn(first, "\n") + 1;
    fwrite(first, 1, row, file);
    fclose(file);
    assert_false(bed_resume(&b, device, false));
    texts_expect("a row twice", b.e.text);
    bytes[header] = bytes[header] == '0' ? '1' : '0'; /* changes the id */
    file = fopen(path, "w");
    fwrite(bytes, 1, length, file);
    fclose(file);
    assert_false(bed_resume(&b, device, true));
    table_free(&rows);
    bed_close(&b);
}

/* The run is refused, and each change is printed. With --anyway it continues, and the new rows
 * record the change. */
static void changes_are_refused_or_marked(void **state)
{
    (void)state;
    static const char *const changes[] = {"another config", "another source", "another driver"},
                             *const said[] = {"rows after another config",
                                              "rows after another source",
                                              "rows after another driver"};
    for (int i = 0; i < 3; i++) {
        struct table rows;
        struct bed b = complete_bed(&rows);
        size_t keep = 10;
        off_t length = header_size(&b, "results.csv");
        char path[128], line[4096];
        file_of(&b, "results.csv", path);
        FILE *file = fopen(path, "r");
        for (size_t j = 0; j <= keep; j++)
            assert_non_null(fgets(line, sizeof line, file));
        length = ftell(file);
        fclose(file);
        cut(&b, "results.csv", length);
        const char *now = i == 2 ? "fault:seed=4,lie=10,error=10,driver=13010" : device;
        if (i == 0) {
            file = fopen(b.config_file, "w");
            fputs("{\"kernels\": \"alpha\"}\n", file);
            fclose(file);
        } else if (i == 1) {
            b.kernels.kernels[0]->code_hash++;
        }
        assert_false(bed_resume(&b, now, false));
        texts_expect(changes[i], b.e.text);
        assert_int_equal(size_of(&b, "results.csv"), length); /* the file is unchanged */
        if (!bed_resume(&b, now, true))
            fail_msg("%s", b.e.text);
        table_free(&rows);
        bed_table(&b, &rows);
        assert_int_equal(rows.row_count, POINTS);
        for (size_t j = 0; j < POINTS; j++)
            assert_int_equal(strstr(cell(&rows, j, "reason"), "resumed") != NULL, j >= keep);
        texts_expect(said[i], cell(&rows, POINTS - 1, "reason"));
        table_free(&rows);
        bed_close(&b);
    }
}

/* If a row's reason has no room for all changes, it spells some of them out and says how many
 * others there are. */
static void many_changes_are_counted(void **state)
{
    (void)state;
    static const char now[] = "fault:seed=4,lie=10,error=10,driver=13010";
    struct table rows;
    struct bed b = complete_bed(&rows);
    table_free(&rows);
    cut(&b, "results.csv", header_size(&b, "results.csv"));
    FILE *file = fopen(b.config_file, "w");
    fputs("{\"kernels\": \"alpha\"}\n", file);
    fclose(file);
    for (int i = 0; i < 3; i++)
        b.kernels.kernels[i]->code_hash++;
    assert_false(bed_resume(&b, now, false));
    char *changes = xstrdup(strchr(b.e.text, '\n') + 1);
    *strstr(changes, "Old and new rows") = '\0';
    if (!bed_resume(&b, now, true))
        fail_msg("%s", b.e.text);
    bed_table(&b, &rows);
    const char *reason = cell(&rows, POINTS - 1, "reason");
    size_t whole = 0, all = 0, more = 0;
    for (char *line = strtok(changes, "\n"); line; line = strtok(NULL, "\n"), all++)
        whole += strstr(reason, line + 1) != NULL;
    const char *rest = strstr(reason, "; and ");
    if (!rest || sscanf(rest, "; and %zu more change", &more) != 1)
        fail_msg("no changes are counted: %s", reason);
    assert_int_equal(all, 5);
    assert_int_equal(whole + more, all);
    free(changes);
    table_free(&rows);
    bed_close(&b);
}

/* Calls prepare() in a child process and runs the bed there. The run must fail with the expected
 * message. */
static void in_child(struct bed *b, const char *with, void (*prepare)(void), bool expect_rows,
                     const char *name)
{
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prepare();
        bool ok = bed_run(b, with);
        dprintf(pipes[1], "%d %d|%s", ok, (int)b->result.rows, b->e.text);
        _exit(0);
    }
    close(pipes[1]);
    char text[5000] = "";
    size_t got = 0;
    for (ssize_t n; (n = read(pipes[0], text + got, sizeof text - 1 - got)) > 0;)
        got += (size_t)n;
    close(pipes[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(text[0], '0');
    assert_int_equal(atoi(text + 2) > 0, expect_rows);
    char *file = strstr(text, "samples.csv"); /* the error may be about either of the two files */
    if (file)
        memcpy(file, "results.csv", strlen("results.csv"));
    texts_expect(name, strchr(text, '|') + 1);
}

static void limit_files(void)
{
    struct rlimit limit = {40000, 40000};
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The disk fills up after some rows. These rows are kept, and resume adds the missing ones once
 * there is space. */
static void a_full_disk_keeps_what_was_measured(void **state)
{
    (void)state;
    static const char many[] =
        "{\"kernels\": [\"alpha\", \"gamma\"], \"sizes\": {\"range\": [100, 240], \"step\": 1}, "
        "\"unrolls\": [2], \"timing\": {\"max_samples\": 3}}";
    struct table expected, actual;
    struct bed whole, b;
    bed_open(&whole, many);
    assert_true(bed_run(&whole, device));
    bed_table(&whole, &expected);
    bed_open(&b, many);
    in_child(&b, device, limit_files, true, "a full disk");
    bed_check_files(&b);
    if (!bed_resume(&b, device, false))
        fail_msg("%s", b.e.text);
    bed_check_files(&b);
    bed_table(&b, &actual);
    same_rows(&expected, &actual);
    table_free(&actual);
    table_free(&expected);
    bed_close(&b);
    bed_close(&whole);
}

static void become_nobody(void)
{
    if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0))
        _exit(1);
}

static void a_read_only_folder_is_refused_at_once(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, config);
    assert_int_equal(chmod(b.base, 0555), 0);
    in_child(&b, device, become_nobody, false, "a read-only folder");
    assert_int_equal(chmod(b.base, 0755), 0);
    assert_int_not_equal(access(b.out, F_OK), 0);
    bed_close(&b);
}

static const char *vanishing;

static void remove_soon(void)
{
    if (fork() != 0)
        return;
    char command[256], file[128];
    struct stat st;
    snprintf(file, sizeof file, "%s/results.csv", vanishing);
    while (stat(file, &st) != 0 || st.st_size < 4000) /* until there are rows */
        usleep(200);
    snprintf(command, sizeof command, "rm -rf '%s'", vanishing);
    _exit(system(command));
}

static void a_vanished_folder_is_said(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, "{\"kernels\": [\"alpha\"], \"sizes\": {\"range\": [1, 8000], \"step\": 1}, "
                 "\"timing\": {\"max_samples\": 3}}");
    vanishing = b.out;
    /* Launches take milliseconds, so the folder is gone long before the last point. */
    in_child(&b, "fault:slow=100", remove_soon, true, "a folder that vanishes");
    bed_close(&b);
}

/* Returns all of one of the bed's files. The caller frees it. */
static char *bytes_of(const struct bed *b, const char *name)
{
    char path[128];
    size_t length = (size_t)size_of(b, name);
    char *bytes = calloc(1, length + 1);
    file_of(b, name, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, length, file), length);
    fclose(file);
    return bytes;
}

/* Crashed points are measured again on request. All other rows stay the same, byte for byte. */
static void crashed_points_can_be_tried_again(void **state)
{
    (void)state;
    static const char crashing[] = "fault:seed=9,crash=15,lie=10", sound[] = "fault:seed=9,lie=10";
    struct table rows;
    struct bed b;
    bed_open(&b, config);
    if (!bed_run(&b, crashing))
        fail_msg("%s", b.e.text);
    uint64_t crashed = b.result.by_status[STATUS_CRASHED], wrong = b.result.by_status[STATUS_WRONG];
    assert_in_range(crashed, 1, POINTS - 2);
    assert_in_range(wrong, 1, POINTS - 2);
    char *before = bytes_of(&b, "results.csv");

    assert_true(bed_resume(&b, sound, false)); /* Without --retry there is nothing to do. */
    char *after = bytes_of(&b, "results.csv");
    assert_string_equal(after, before);
    free(after);

    b.retry[STATUS_CRASHED] = true;
    if (!bed_resume(&b, sound, false))
        fail_msg("%s", b.e.text);
    assert_int_equal(b.result.rows, POINTS);
    assert_int_equal(b.result.by_status[STATUS_CRASHED], 0);
    assert_in_range(b.result.by_status[STATUS_WRONG], wrong, wrong + crashed);
    bed_check_files(&b);
    after = bytes_of(&b, "results.csv");
    for (char *line = strtok(before, "\n"); line; line = strtok(NULL, "\n"))
        assert_int_equal(strstr(after, line) != NULL,
                         !strstr(line, ",crashed,") && !strstr(line, ",given_up_crashed,"));
    free(before);
    free(after);
    bed_table(&b, &rows);
    assert_int_equal(rows.row_count, POINTS);
    table_free(&rows);
    bed_close(&b);
}

/* If the files cannot be rewritten for a retry, they stay as they are. */
static void a_failed_retry_leaves_the_files(void **state)
{
    (void)state;
    static const char crashing[] = "fault:seed=9,crash=15";
    static const char *const files[] = {"results.csv", "samples.csv"};
    struct bed b;
    bed_open(&b, config);
    assert_true(bed_run(&b, crashing));
    assert_in_range(b.result.by_status[STATUS_CRASHED], 1, POINTS - 2);
    b.retry[STATUS_CRASHED] = true;
    for (int i = 0; i < 2; i++) {
        char path[140];
        snprintf(path, sizeof path, "%s/%s.part", b.out, files[i]);
        assert_int_equal(mkdir(path, 0777), 0);
        char *before = bytes_of(&b, "results.csv");
        assert_false(bed_resume(&b, crashing, false));
        texts_expect(files[i], b.e.text);
        char *after = bytes_of(&b, "results.csv");
        assert_string_equal(after, before);
        free(before);
        free(after);
        assert_int_equal(rmdir(path), 0);
    }
    char path[128];
    file_of(&b, "results.csv", path);
    FILE *file = fopen(path, "a");
    fputs("0123456789abcdef,none\n", file);
    fclose(file);
    assert_false(bed_resume(&b, crashing, false));
    texts_expect("a line that is no row", b.e.text);
    bed_close(&b);
}

static void a_complete_run_has_nothing_to_do(void **state)
{
    (void)state;
    struct table rows;
    struct bed b = complete_bed(&rows);
    off_t length = size_of(&b, "results.csv");
    assert_true(bed_resume(&b, device, false));
    assert_int_equal(b.result.rows, POINTS);
    assert_int_equal(size_of(&b, "results.csv"), length);
    table_free(&rows);
    bed_close(&b);
}

/* Resuming a complete run does not write results.json again, because 10^6 rows would take many
 * seconds. */
static void a_complete_run_keeps_its_json(void **state)
{
    (void)state;
    struct table rows;
    struct bed b = complete_bed(&rows);
    struct stat before, after;
    char path[128];
    file_of(&b, "results.json", path);
    assert_int_equal(stat(path, &before), 0);
    assert_true(bed_resume(&b, device, false));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    off_t whole = size_of(&b, "results.csv");
    cut(&b, "results.csv", whole - 3);
    assert_true(bed_resume(&b, device, false));
    assert_int_equal(b.result.rows, POINTS);
    char *json = bytes_of(&b, "results.json");
    int counted = 0;
    for (char *at = json; (at = strstr(at, "\"id\":")); at++)
        counted++;
    assert_int_equal(counted, POINTS);
    free(json);
    table_free(&rows);
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_torn_end_is_made_whole),
        cmocka_unit_test(a_torn_sample_is_cut_off),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(a_run_of_other_columns_is_refused_by_their_names),
        cmocka_unit_test(a_row_twice_or_of_no_point_is_refused),
        cmocka_unit_test(changes_are_refused_or_marked),
        cmocka_unit_test(many_changes_are_counted),
        cmocka_unit_test(a_full_disk_keeps_what_was_measured),
        cmocka_unit_test(a_read_only_folder_is_refused_at_once),
        cmocka_unit_test(a_vanished_folder_is_said),
        cmocka_unit_test(a_complete_run_has_nothing_to_do),
        cmocka_unit_test(crashed_points_can_be_tried_again),
        cmocka_unit_test(a_complete_run_keeps_its_json),
        cmocka_unit_test(a_failed_retry_leaves_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
