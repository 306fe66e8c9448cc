/*
 * The names of a point's status, as they stand in the files.
 */
#include "record/record.h"

#include <string.h>

static const char *const status_names[STATUS_COUNT] = {
    [STATUS_OK] = "ok",
    [STATUS_WRONG] = "wrong",
    [STATUS_COMPILE_ERROR] = "compile_error",
    [STATUS_LAUNCH_ERROR] = "launch_error",
    [STATUS_TIMEOUT] = "timeout",
    [STATUS_OOM] = "oom",
    [STATUS_CRASHED] = "crashed",
    [STATUS_UNSUPPORTED] = "unsupported",
    [STATUS_SKIPPED] = "skipped",
};

const char *status_name(enum status s)
{
    return status_names[s];
}

bool status_find(const char *name, enum status *s)
{
    for (int i = 0; i < STATUS_COUNT; i++)
        if (strcmp(status_names[i], name) == 0) {
            *s = (enum status)i;
            return true;
        }
    return false;
}
