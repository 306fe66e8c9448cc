/*
 * redsweep resume: goes on with a run that was stopped, killed, or ran out of disk.
 *
 * What the run was made with is in its results.json: the config's text, the device's name and the
 * folder of further kernels. The points that have no row in results.csv are measured.
 */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "record/record.h"
#include "run/earlier.h"

void help_resume(void)
{
    printf("Measures the points of the run in DIR that have no row yet, with the config that the\n"
           "run has stored, and appends them. A torn last line is cut off first. DIR may be\n"
           "results/latest.\n\n"
           "When the config's file, a kernel, the device, its driver or the compiler has changed\n"
           "since, that is shown, and nothing is run.\n\n"
           "  --anyway                 go on all the same; the reason of each new row says what\n"
           "                           had changed\n"
           "  --retry STATUSES         measure the points with these statuses again, for example\n"
           "                           crashed,timeout: what was at work when somebody killed the\n"
           "                           device's process is a crashed row\n"
           "\nExit codes: as `redsweep run`, over all rows of the run.\n");
}

/* "crashed,timeout" */
static bool read_statuses(const char *list, bool statuses[STATUS_COUNT], struct error *e)
{
    while (list) {
        size_t length = strcspn(list, ",");
        char name[32];
        enum status status;
        snprintf(name, sizeof name, "%.*s", length < 31 ? (int)length : 31, list);
        if (!status_find(name, &status) || status == STATUS_OK || status == STATUS_SKIPPED)
            return FAIL(e, ERROR_USAGE,
                        "--retry %s: what can be tried again is wrong, compile_error, "
                        "launch_error, timeout, oom, crashed and unsupported, with commas between",
                        name);
        statuses[status] = true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return true;
}

int command_resume(int count, char **arguments, struct error *e)
{
    struct sweep_request request = {0};
    const char *retry = NULL;
    const struct option_row rows[] = {
        {"anyway", NULL, "", NULL, &request.anyway}, {"retry", "STATUSES", "", &retry, NULL}, {0}};
    const char *rest[1];
    int rest_count;
    if (!options_take(rows, count, arguments, rest, 1, &rest_count, e) ||
        !read_statuses(retry, request.retry, e))
        return EXIT_REFUSED;
    if (rest_count == 0) {
        FAIL(e, ERROR_USAGE,
             "redsweep resume needs the folder of a run, for example "
             "results/latest");
        return EXIT_REFUSED;
    }
    struct earlier earlier;
    struct config *config = NULL;
    int code = EXIT_REFUSED;
    if (earlier_read(rest[0], &earlier, e) &&
        config_parse(earlier.config_path, earlier.config_text, &config, e)) {
        request.device = earlier.device_option;
        request.out = rest[0];
        request.kernels = earlier.more_kernels;
        request.earlier = &earlier;
        code = run_request(&request, config, e);
    }
    config_free(config);
    earlier_free(&earlier);
    return code;
}
