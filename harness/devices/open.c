/*
 * Finds the driver that --device names, and opens its device.
 */
#include "devices/device.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/transfer.h"

enum { NONE_FOUND = 1 }; /* exit code of the search process if there is no device */

/*
 * Returns whether the driver finds a device. If not, writes the reason to `why`. The search runs in
 * a separate process, because a vendor's library that finds no device may leave this process in a
 * state in which other libraries crash. For example, after CUDA 13.0 had found no GPU on an H100
 * host (CUDA_VISIBLE_DEVICES was empty), NVRTC crashed in every process forked later, and the
 * simulator had no compiler.
 */
static bool finds_device(const struct device_driver *d, char why[512])
{
    int ends[2], status = 0;
    struct device_found found[1];
    bool present;
    if (!d->find || pipe2(ends, O_CLOEXEC) != 0)
        return true;
    pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        bool none = d->find(found, 1, &present, why) == 0;
        if (none)
            (void)write_exactly(ends[1], why, strlen(why), NO_DEADLINE);
        _exit(none ? NONE_FOUND : 0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; pid > 0 && got != 0 && length < 511;) {
        got = read(ends[0], why + length, 511 - length);
        if (got < 0 && errno != EINTR)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    why[length] = '\0';
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != NONE_FOUND;
}

static bool open_auto(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct text *passed_over, struct error *e)
{
    struct text reasons = {0};
    for (int i = 0; device_drivers[i]; i++) {
        struct error why = {0};
        char none[512] = "";
        if (!finds_device(device_drivers[i], none))
            FAIL_LINES(&why, ERROR_DEVICE, "%s", none);
        else if (device_drivers[i]->open("", setup, out, &why)) {
            *driver = device_drivers[i];
            text_free(&reasons);
            return true;
        }
        if (passed_over)
            text_append(passed_over, "%s%s: %s", passed_over->length ? "; " : "",
                        device_drivers[i]->name, why.text);
        text_append(&reasons, "\n  %s: %s", device_drivers[i]->name, why.text);
    }
    FAIL_LINES(e, ERROR_DEVICE, "no device can be opened on this machine:%s", text_shown(&reasons));
    text_free(&reasons);
    return false;
}

/* Finds the driver that `name` contains before the colon, and sets *argument to the text after the
 * colon. Fails if there is no such driver. */
static bool find_driver(const char *name, const struct device_driver **driver,
                        const char **argument, struct error *e)
{
    size_t length = strcspn(name, ":");
    const char *names[16] = {0};
    size_t count = 0;
    *argument = name[length] == ':' ? name + length + 1 : "";
    for (; device_drivers[count]; count++) {
        *driver = device_drivers[count];
        names[count] = (*driver)->name;
        if (strlen((*driver)->name) == length && strncmp((*driver)->name, name, length) == 0)
            return true;
    }
    struct text known = {0};
    for (size_t i = 0; i < count; i++)
        text_append(&known, ", %s", names[i]);
    char suggestion[SUGGESTION_SIZE];
    text_suggestion(name, names, count, suggestion);
    bool number = length > 0 && strspn(name, "0123456789") == strlen(name);
    /* "gpu", "gpu:1", or just a number */
    for (size_t i = 0; i < count; i++) {
        const char *called = device_drivers[i]->called;
        if (called && (number || (strlen(called) == length && strncmp(name, called, length) == 0)))
            snprintf(suggestion, sizeof suggestion, "; did you mean '%s%s%.40s'?", names[i],
                     number ? ":" : "", number ? name : name + length);
    }
    FAIL(e, ERROR_USAGE, "--device %s: unknown device%s%s auto%s", name, suggestion,
         *suggestion ? " Write one of" : "; write one of", text_shown(&known));
    text_free(&known);
    return false;
}

bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e)
{
    const char *argument;
    if (strcmp(name, "auto") == 0)
        return open_auto(setup, driver, out, passed_over, e);
    return find_driver(name, driver, &argument, e) && (*driver)->open(argument, setup, out, e);
}

bool device_list(const char *name, struct text *names, struct error *e)
{
    const struct device_driver *driver = NULL;
    const char *argument = "";
    if (strcmp(name, "auto") != 0 && !find_driver(name, &driver, &argument, e))
        return false;
    if (!driver || !*argument || !driver->list) {
        text_append_bytes(names, name, strlen(name) + 1);
        return true;
    }
    struct text arguments = {0};
    bool ok = driver->list(argument, &arguments, e);
    for (size_t at = 0; ok && at < arguments.length; at += strlen(arguments.bytes + at) + 1) {
        text_append(names, "%s:%s", driver->name, arguments.bytes + at);
        text_append_bytes(names, "", 1);
    }
    text_free(&arguments);
    return ok;
}

bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e)
{
    for (int i = 0; device_drivers[i]; i++)
        if (device_drivers[i]->host_functions) {
            *driver = device_drivers[i];
            return (*driver)->open("", setup, out, e);
        }
    return FAIL(e, ERROR_DEVICE,
                "this build of redsweep has no device for the functions in kernels/cpu");
}
