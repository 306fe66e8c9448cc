/*
 * Filling a struct error: see error.h for the rule.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_text(struct error *e, const char *format, va_list arguments)
{
    int wanted = vsnprintf(e->text, sizeof e->text, format, arguments);
    if (wanted >= (int)sizeof e->text) {
        static const char cut[] = "…";
        memcpy(e->text + sizeof e->text - sizeof cut, cut, sizeof cut);
    }
}

bool error_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *format, ...)
{
    if (!e)
        return false;
    e->kind = kind;
    e->device_lost = false;
    e->file = file;
    e->line = line;
    va_list arguments;
    va_start(arguments, format);
    set_text(e, format, arguments);
    va_end(arguments);
    return false;
}

bool error_prefix(struct error *e, const char *format, ...)
{
    if (!e)
        return false;
    char old[sizeof e->text];
    memcpy(old, e->text, sizeof old);
    va_list arguments;
    va_start(arguments, format);
    set_text(e, format, arguments);
    va_end(arguments);
    size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used, ": %s", old);
    return false;
}

void error_clear(struct error *e)
{
    if (e)
        memset(e, 0, sizeof *e);
}

const char *error_kind_name(enum error_kind kind)
{
    switch (kind) {
    case ERROR_NONE:
        return "none";
    case ERROR_USAGE:
        return "usage";
    case ERROR_CONFIG:
        return "config";
    case ERROR_SYSTEM:
        return "system";
    case ERROR_COMPILE:
        return "compile";
    case ERROR_LAUNCH:
        return "launch";
    case ERROR_MEMORY:
        return "memory";
    case ERROR_UNSUPPORTED:
        return "unsupported";
    case ERROR_TIMEOUT:
        return "timeout";
    case ERROR_SKIPPED:
        return "skipped";
    case ERROR_BUSY:
        return "busy";
    case ERROR_DEVICE:
        return "device";
    case ERROR_INTERNAL:
        return "internal";
    }
    return "unknown";
}
