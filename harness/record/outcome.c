/* The names of statuses, and functions that change outcomes. */
#include "record/outcome.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record/flags.h"

const char *const status_names[STATUS_COUNT] = {
    [STATUS_OK] = "ok",
    [STATUS_SAMPLED] = "sampled",
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

void outcome_clear(struct outcome *o)
{
    memset(o, 0, sizeof *o);
    o->grid = o->dynamic_smem = o->static_smem = o->registers = o->workspace = o->placements = -1;
    o->rel_error = o->sampled_share = o->compile_ms = NAN;
    o->energy_uj = o->energy_uj_ci95_lo = o->energy_uj_ci95_hi = NAN;
}

void outcome_lost_race(struct outcome *o)
{
    o->flags |= FLAG_RACED;
    snprintf(o->stopped_by, sizeof o->stopped_by, "raced");
}

void outcome_add_reason(struct outcome *o, const char *format, ...)
{
    size_t used = strlen(o->reason);
    va_list list;
    if (used)
        used += (size_t)snprintf(o->reason + used, sizeof o->reason - used, "; ");
    if (used >= sizeof o->reason)
        return;
    va_start(list, format);
    (void)vsnprintf(o->reason + used, sizeof o->reason - used, format, list);
    va_end(list);
}
