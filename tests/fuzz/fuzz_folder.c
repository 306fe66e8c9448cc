/*
 * Reads the folder of a run in any state, as the commands do that compare runs, write their pages
 * and resume them. The input consists of results.csv, samples.csv and run.json, separated by form
 * feeds.
 */
#include "fuzz.h"

#include <fcntl.h>

#include "analyze/report.h"
#include "analyze/results.h"
#include "record/recorded.h"
#include "record/row.h"

static void read_to_compare(const char *folder)
{
    struct results r;
    struct error e = {0};
    struct view v = {0};
    if (!results_read(folder, &r, &e)) {
        must_explain(&e);
        return;
    }
    struct report *w = report_view(&r, NULL, NULL, &v, &e);
    FILE *nowhere = fopen("/dev/null", "w");
    if (!w || !nowhere)
        must_explain(&e);
    if (w && nowhere) {
        view_write_html(&v, NULL, nowhere);
        view_write_json(&v, NULL, nowhere);
        fclose(nowhere);
    }
    view_free(&v);
    report_free(w);
    results_free(&r);
}

static void read_to_go_on(const char *folder)
{
    static struct config config;
    static const struct catalogue none;
    const struct plan plan = {.config = &config, .catalogue = &none};
    const bool statuses[STATUS_COUNT] = {[STATUS_CRASHED] = true, [STATUS_TIMEOUT] = true};
    struct error e = {0};
    size_t taken;
    if (!record_take_out(folder, statuses, &taken, &e))
        must_explain(&e);

    struct columns columns;
    struct recorded found = {0};
    struct recorded_lengths whole;
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    error_clear(&e);
    if (fd < 0 || !columns_make(&plan, NULL, &columns, &e))
        abort();
    if (!recorded_read(fd, folder, &columns, &found, &whole, &e))
        must_explain(&e);
    recorded_free(&found);
    columns_free(&columns);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const names[] = {"results.csv", "samples.csv", "run.json"};
    const char *folder = NULL;
    for (int i = 0; i < 3; i++) {
        const uint8_t *end = length ? memchr(bytes, '\f', length) : NULL;
        size_t part = end && i < 2 ? (size_t)(end - bytes) : length;
        folder = write_file(names[i], bytes, part);
        bytes += part;
        length -= part;
        if (length) { /* skips the form feed */
            bytes++;
            length--;
        }
    }
    read_to_compare(folder);
    read_to_go_on(folder);
    return 0;
}
