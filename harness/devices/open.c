/*
 * How --device chooses among the drivers.
 */
#include "devices/device.h"

#include <string.h>

#include "base/text.h"

static bool open_auto(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct text *passed_over, struct error *e)
{
    struct text reasons = {0};
    for (int i = 0; device_drivers[i]; i++) {
        struct error why = {0};
        if (device_drivers[i]->open("", setup, out, &why)) {
            *driver = device_drivers[i];
            text_free(&reasons);
            return true;
        }
        if (passed_over)
            text_append(passed_over, "%s%s: %s", passed_over->length ? "; " : "",
                        device_drivers[i]->name, why.text);
        text_append(&reasons, "\n  %s: %s", device_drivers[i]->name, why.text);
    }
    FAIL(e, ERROR_DEVICE, "no device can be opened on this machine:%s", text_shown(&reasons));
    text_free(&reasons);
    return false;
}

bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e)
{
    if (strcmp(name, "auto") == 0)
        return open_auto(setup, driver, out, passed_over, e);
    size_t length = strcspn(name, ":");
    const char *argument = name[length] == ':' ? name + length + 1 : "";
    const char *names[16];
    size_t count = 0;
    for (; device_drivers[count]; count++) {
        const struct device_driver *candidate = device_drivers[count];
        names[count] = candidate->name;
        if (strlen(candidate->name) == length && strncmp(candidate->name, name, length) == 0) {
            *driver = candidate;
            return candidate->open(argument, setup, out, e);
        }
    }
    struct text known = {0};
    for (size_t i = 0; i < count; i++)
        text_append(&known, ", %s", names[i]);
    char suggestion[SUGGESTION_SIZE];
    FAIL(e, ERROR_USAGE, "--device %s: unknown device%s; there are auto%s", name,
         text_suggestion(name, names, count, suggestion), text_shown(&known));
    text_free(&known);
    return false;
}

bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e)
{
    for (int i = 0; device_drivers[i]; i++)
        if (device_drivers[i]->host_functions) {
            *driver = device_drivers[i];
            return (*driver)->open("", setup, out, e);
        }
    return FAIL(e, ERROR_DEVICE, "no device of this build runs the functions of kernels/cpu");
}
