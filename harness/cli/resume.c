/*
 * `redsweep resume` continues a run that was stopped, killed, or ran out of disk space.
 *
 * The config's text, the device's name and the folder of additional kernels come from run.json.
 * Points without a row in results.csv are measured.
 */
#include "cli/resume.h"
#include "base/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/result.h"
#include "spec/config.h"
#include "record/outcome.h"
#include "run/earlier.h"
#include "record/lock.h"
#include "run/folder.h"

#define AT(member) .offset = offsetof(struct sweep_request, member)

/* With --retry, all statuses except ok, sampled and skipped can be named. */
static const struct field options[] = {
    {"--wait-lock", "0", field_int, AT(wait_lock_s), RANGE(0, 1e6),
     HELP("SECONDS", "how long to wait for another process that is writing into DIR")},
    {"--anyway", NULL, field_switch, AT(anyway),
     HELP(NULL, "resume even if something has changed; the reason column of each new row records "
                "the change")},
    {"--quiet", NULL, field_switch, AT(quiet),
     HELP(NULL, "print only the path of results.csv and what went wrong (for scripts)")},
    {"--retry", NULL, field_choices, AT(retry[STATUS_WRONG]),
     WORDS(&status_names[STATUS_WRONG], STATUS_SKIPPED - STATUS_WRONG), .flags = FIELD_LIST,
     HELP("STATUSES", "measure the points with these statuses again, for example crashed,timeout")},
    {0}};

void help_resume(void)
{
    printf(
        "Measures the points of the run in DIR that have no row yet, and appends their rows. The\n"
        "config that is stored in the run is used again. If the last line of results.csv is\n"
        "truncated, it is removed first. DIR may be results/latest.\n"
        "\n"
        "If the config's file, a kernel, the device, its driver or the compiler has changed since\n"
        "the run was started, the changes are printed and nothing is measured.\n"
        "\n");
    options_print(options);
    printf("\n"
           "A point at which the device's process was killed has the status crashed.\n"
           "\n"
           "The exit codes are those of `redsweep run`, and refer to all rows of the run.\n");
}

int resume_locked(const struct sweep_request *asked, const char *folder, struct error *e)
{
    struct sweep_request request = *asked;
    struct manifest earlier;
    struct config *config = NULL;
    int code = EXIT_REFUSED;
    const struct provenance *p = &earlier.provenance;
    if (earlier_read(folder, &earlier, e) &&
        config_parse(p->config_path, p->config_text, &config, e) &&
        (!*p->shard || shard_parse("shard", p->shard, &request.shard, e))) {
        if (!request.device)
            request.device = p->device_option;
        request.out = folder;
        request.locked = true;
        request.more_kernels = *p->more_kernels ? p->more_kernels : NULL;
        request.earlier = &earlier;
        request.show = show_result;
        request.page = write_page;
        request.end = end_page;
        code = run_request(&request, config, e);
    }
    config_free(config);
    manifest_free(&earlier);
    return code;
}

int command_resume(int count, char **arguments, struct error *e)
{
    struct sweep_request request = {0};
    const char *folder = NULL;
    struct operands operands = {.items = &folder, .max = 1};
    if (!options_read(options, &request, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (!folder) {
        FAIL(e, ERROR_USAGE,
             "resume needs the folder of a run; write, for example, redsweep resume "
             "results/latest");
        return EXIT_REFUSED;
    }
    struct manifest earlier;
    bool there = earlier_read(folder, &earlier, e);
    manifest_free(&earlier);
    int lock;
    if (!there || !folder_lock_wait(folder, request.wait_lock_s, &lock, e))
        return EXIT_REFUSED;
    int code = resume_locked(&request, folder, e);
    folder_unlock(folder, lock);
    return code;
}
