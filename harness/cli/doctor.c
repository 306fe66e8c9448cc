/*
 * `redsweep doctor` reports what this machine can measure, what is missing, and how to fix it.
 */
#include "cli/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/host.h"
#include "base/options.h"
#include "base/terminal.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "devices/device.h"
#include "run/provenance.h"
#include "spec/folders.h"

enum { MOST_DEVICES = 64 };

struct doctor_arguments {
    const char *device;
};

#define AT(member) .offset = offsetof(struct doctor_arguments, member)

static const struct field options[] = {
    {"--device", "auto", field_argument, AT(device),
     HELP("NAME", "report which device a run with this --device would use")},
    {0}};

void help_doctor(void)
{
    printf(
        "Checks what this machine can measure. It examines the compiler, the cache, the disk, and\n"
        "each GPU with its driver, clocks, ECC, MIG, power limit, other processes and access to\n"
        "counters. It prints what is missing, how to fix it, and which device a run will use.\n"
        "\n");
    options_print(options);
    printf("\n"
           "Exit codes: 0 no problem was found (a missing GPU is not a problem), 1 a GPU\n"
           "cannot be used fully, 2 usage error.\n");
}

struct doctor {
    int problems;
};

static void tell(void *context, bool problem, const char *what, const char *text)
{
    struct doctor *d = context;
    d->problems += problem;
    int indent = printf("%s %-18s ", problem ? "!" : " ", what);
    terminal_print_words(stdout, text, (size_t)indent);
}

static void tell_machine(struct doctor *d)
{
    char host[300];
    provenance_host(host, sizeof host);
    tell(d, false, "redsweep", redsweep_version());
    tell(d, false, "machine", host);
    struct text user = {0};
    text_append(&user, "%s%s%s", geteuid() == 0 ? "root" : "not root",
                host_is_container() ? ", in a container" : "", host_is_wsl() ? ", in WSL" : "");
    tell(d, false, "user", user.bytes);
    text_free(&user);
}

static void tell_space(struct doctor *d, const char *what, const char *folder)
{
    struct statvfs s;
    struct text t = {0};
    if (statvfs(folder, &s) == 0)
        text_append(&t, "%s, %.1f GiB free", folder,
                    (double)s.f_bavail * (double)s.f_frsize / (1 << 30));
    else
        text_append(&t, "%s, free space unknown", folder);
    tell(d, false, what, t.bytes);
    text_free(&t);
}

static void tell_compiler(struct doctor *d)
{
    char kernels[4096], cache[4096];
    struct error e = {0};
    struct compiler *c;
    find_cache_folder(cache, sizeof cache);
    if (find_kernel_folder(kernels, sizeof kernels, &e) && compiler_open(NULL, kernels, &c, &e)) {
        tell(d, false, "compiler", compiler_version(c));
        compiler_close(c);
    } else {
        tell(d, true, "compiler", e.text);
    }
    error_clear(&e);
    if (cache_prepare(cache, &e))
        tell_space(d, "cache", cache);
    else
        tell(d, false, "cache", e.text);
    tell_space(d, "results", ".");
}

static void tell_device(struct doctor *d, const struct device_driver *driver,
                        const struct device_found *found)
{
    struct device *device;
    struct error e = {0};
    struct device_info info;
    char text[300];
    print_safely(stdout, "\n%s:%s  %s\n", driver->name, found->argument, found->name);
    tell(d, false, "UUID", found->uuid);
    tell(d, false, "model", found->note);
    if (!driver->open(found->argument, NULL, &device, &e)) {
        tell(d, true, "cannot be opened", e.text);
        return;
    }
    driver->describe(device, &info);
    snprintf(text, sizeof text, "%.1f of %.1f GiB free", (double)info.free_bytes / (1 << 30),
             (double)info.memory_bytes / (1 << 30));
    tell(d, false, "memory", text);
    snprintf(text, sizeof text, "runtime %d.%d; the driver supports up to %d.%d",
             info.runtime_version / 1000, info.runtime_version % 1000 / 10,
             info.driver_version / 1000, info.driver_version % 1000 / 10);
    tell(d, false, "CUDA", text);
    if (driver->examine)
        driver->examine(device, tell, d);
    driver->close(device);
}

static void tell_devices(struct doctor *d, const struct device_driver *driver)
{
    struct device_found found[MOST_DEVICES];
    char why[512];
    bool present = false;
    int count = driver->find(found, MOST_DEVICES, &present, why);
    if (count == 0) {
        printf("\n%s\n", driver->name);
        tell(d, present, present ? "cannot be used" : "not available", why);
    }
    for (int i = 0; i < count; i++)
        tell_device(d, driver, &found[i]);
}

/*
 * Prints which device `redsweep run --device NAME` would use. For `auto`, also prints why other
 * devices were rejected.
 */
static bool tell_choice(const char *name, struct error *e)
{
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct text passed_over = {0};
    if (!device_open(name, NULL, &driver, &device, &passed_over, e))
        return false;
    driver->describe(device, &info);
    struct text line = {0};
    text_append(&line, "--device %s: %s%s%s%s%s", name, info.name, *info.uuid ? ", " : "",
                info.uuid, passed_over.length ? "; not " : "", text_shown(&passed_over));
    printf("\n");
    terminal_print_words(stdout, line.bytes, 0);
    text_free(&line);
    printf("times: %s; counters: %s\n", info.can_time ? "yes" : "no, this device has no clock",
           info.can_count ? info.counter_library : "no");
    driver->close(device);
    text_free(&passed_over);
    return true;
}

int command_doctor(int count, char **arguments, struct error *e)
{
    struct doctor_arguments a = {0};
    struct operands none = {0};
    struct doctor d = {0};
    if (!options_read(options, &a, count, arguments, &none, e))
        return EXIT_REFUSED;
    tell_machine(&d);
    tell_compiler(&d);
    for (int i = 0; device_drivers[i]; i++)
        if (device_drivers[i]->find)
            tell_devices(&d, device_drivers[i]);
    if (!tell_choice(a.device, e))
        return EXIT_REFUSED;
    if (d.problems)
        printf("\n%d problem%s found, marked with !\n", d.problems, d.problems == 1 ? "" : "s");
    return d.problems ? EXIT_POINTS_FAILED : EXIT_FINE;
}
