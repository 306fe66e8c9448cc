/* Implements error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool has_control(const char *s)
{
    while (*s && (unsigned char)*s >= 0x20 && *s != 0x7f)
        s++;
    return *s;
}

/*
 * Sets the text of an error. In the usual case, text without control characters, no memory is
 * allocated, because memory may have run out.
 */
static void set_text(struct error *e, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    text_fit_list(e->text, sizeof e->text, format, arguments);
    if (has_control(e->text)) {
        struct text t = {0};
        text_append_list_safely(&t, format, again);
        text_fit(e->text, sizeof e->text, "%s", t.bytes);
        text_free(&t);
    }
    va_end(again);
}

static void set_place(struct error *e, enum error_kind kind, const char *file, int line)
{
    e->kind = kind;
    e->device_lost = false;
    e->file = file;
    e->line = line;
}

bool error_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *format, ...)
{
    if (!e)
        return false;
    va_list arguments;
    va_start(arguments, format);
    set_place(e, kind, file, line);
    set_text(e, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_lines(struct error *e, enum error_kind kind, const char *file, int line,
                     const char *format, ...)
{
    if (!e)
        return false;
    va_list arguments;
    va_start(arguments, format);
    set_place(e, kind, file, line);
    text_fit_list(e->text, sizeof e->text, format, arguments);
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
    case ERROR_PROCESS:
        return "process";
    case ERROR_BUSY:
        return "busy";
    case ERROR_DEVICE:
        return "device";
    case ERROR_INTERNAL:
        return "internal";
    }
    return "unknown";
}
