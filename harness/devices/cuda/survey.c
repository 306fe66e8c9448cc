/*
 * Lists this machine's GPUs, finds the GPU that --device names, and reports its settings for
 * `redsweep doctor`.
 *
 * GPUs have the same numbers as in CUDA, so CUDA_VISIBLE_DEVICES applies. A MIG instance has no
 * number. CUDA uses it only if CUDA_VISIBLE_DEVICES names it.
 */
#include "devices/cuda/cuda_device.h"

#include <ctype.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/host.h"
#include "base/text.h"

static const char gpu_prefix[] = "GPU-", mig_prefix[] = "MIG-";

static bool begins(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

void cuda_uuid(const struct cudaDeviceProp *p, char out[48])
{
    const unsigned char *u = (const unsigned char *)p->uuid.bytes;
    snprintf(out, 48, "%s%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             strstr(p->name, " MIG ") ? mig_prefix : gpu_prefix, u[0], u[1], u[2], u[3], u[4], u[5],
             u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
}

/* Sets CUDA_VISIBLE_DEVICES to a MIG instance. If the user has set the variable, fails unless it
 * names this instance. */
static bool choose_mig(const char *argument, int *ordinal, struct error *e)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    *ordinal = 0;
    if (visible && !begins(visible, argument) && !begins(argument, visible))
        return FAIL(e, ERROR_DEVICE,
                    "--device cuda:%s: CUDA_VISIBLE_DEVICES is %s, which does not name this MIG "
                    "instance; unset it, or add the instance",
                    argument, visible);
    if (!visible && setenv("CUDA_VISIBLE_DEVICES", argument, 1) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot set CUDA_VISIBLE_DEVICES");
    int count = 0;
    if (!cuda_ok(cudaGetDeviceCount(&count), "looking for the MIG instance", e))
        return error_prefix(e, "--device cuda:%s (`nvidia-smi -L` lists the instances)", argument);
    return true;
}

static bool choose_uuid(const char *argument, int *ordinal, struct error *e)
{
    struct device_found found[CUDA_MAX_FOUND];
    bool present;
    char why[512];
    int count = cuda_find(found, CUDA_MAX_FOUND, &present, why), matches = 0;
    struct text here = {0};
    for (int i = 0; i < count; i++) {
        text_append(&here, "%s%s", i ? ", " : "", found[i].uuid);
        if (!begins(found[i].uuid, argument))
            continue;
        *ordinal = i;
        matches++;
    }
    bool ok = matches == 1 ||
              FAIL(e, matches ? ERROR_USAGE : ERROR_DEVICE, "--device cuda:%s: %s; %s%s", argument,
                   matches ? "the UUIDs of several GPUs begin with these characters"
                           : "no GPU has this UUID",
                   count ? "there are " : why, text_shown(&here));
    text_free(&here);
    return ok;
}

bool cuda_choose(const char *argument, int *ordinal, struct error *e)
{
    if (begins(argument, mig_prefix))
        return choose_mig(argument, ordinal, e);
    if (begins(argument, gpu_prefix))
        return choose_uuid(argument, ordinal, e);
    char *end = NULL;
    long value = *argument ? strtol(argument, &end, 10) : 0;
    if ((*argument && (*end || !isdigit((unsigned char)*argument))) || value > 1023)
        return FAIL(e, ERROR_USAGE,
                    "--device cuda:%s: '%s' does not name a device; write cuda, cuda:0, cuda:1, …, "
                    "the beginning of a UUID (cuda:GPU-ab12) or a MIG instance (cuda:MIG-…), which "
                    "`redsweep list devices` prints",
                    argument, argument);
    *ordinal = (int)value;
    return true;
}

/* Returns whether the PCI bus has an NVIDIA display controller or 3D controller, whether or not a
 * driver is loaded. */
static bool on_the_bus(void)
{
    const char *root = getenv("REDSWEEP_PCI"); /* for tests */
    char pattern[300];
    glob_t found;
    bool present = false;
    snprintf(pattern, sizeof pattern, "%.200s/*", root ? root : "/sys/bus/pci/devices");
    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && !present; i++) {
        unsigned values[2] = {0};
        static const char *const files[] = {"vendor", "class"};
        for (int j = 0; j < 2; j++) {
            char path[4200];
            snprintf(path, sizeof path, "%s/%s", found.gl_pathv[i], files[j]);
            FILE *f = fopen(path, "r");
            if (f && fscanf(f, "%x", &values[j]) != 1)
                values[j] = 0;
            if (f)
                fclose(f);
        }
        present = values[0] == 0x10de && values[1] >> 16 == 0x03;
    }
    globfree(&found);
    return present;
}

int cuda_find(struct device_found *out, int max, bool *present, char why[512])
{
    int count = 0;
    struct error e = {0};
    why[0] = '\0';
    if (!cuda_count_gpus(&count, &e)) {
        snprintf(why, 512, "%.511s", e.text);
        *present = on_the_bus();
        return 0;
    }
    *present = count > 0;
    count = count < max ? count : max;
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp p;
        memset(&out[i], 0, sizeof out[i]);
        snprintf(out[i].argument, sizeof out[i].argument, "%d", i);
        if (!cuda_ok(cudaGetDeviceProperties(&p, i), "reading the GPU's properties", &e)) {
            snprintf(out[i].note, sizeof out[i].note, "%.127s", e.text);
            continue;
        }
        snprintf(out[i].name, sizeof out[i].name, "%.63s", p.name);
        cuda_uuid(&p, out[i].uuid);
        snprintf(out[i].note, sizeof out[i].note, "compute capability %d.%d, %.1f GiB", p.major,
                 p.minor, (double)p.totalGlobalMem / (1 << 30));
    }
    return count;
}

bool cuda_list(const char *argument, struct text *arguments, struct error *e)
{
    struct device_found found[CUDA_MAX_FOUND];
    bool present, all = strcmp(argument, "all") == 0;
    char why[512];
    int count = all ? cuda_find(found, CUDA_MAX_FOUND, &present, why) : 0;
    for (int i = 0; i < count; i++) {
        const char *name = begins(found[i].uuid, gpu_prefix) ? found[i].uuid : found[i].argument;
        text_append_bytes(arguments, name, strlen(name) + 1);
    }
    if (all)
        return count > 0 || FAIL(e, ERROR_DEVICE, "--device cuda:all: %s" CUDA_ADVICE, why);
    for (const char *at = argument;; at++) {
        size_t length = strcspn(at, ",");
        if (length == 0)
            return FAIL(e, ERROR_USAGE,
                        "--device cuda:%s: this is not a list of devices; write cuda:all, or "
                        "numbers and UUIDs separated by commas, such as cuda:0,2",
                        argument);
        text_append_bytes(arguments, at, length);
        text_append_bytes(arguments, "", 1);
        at += length;
        if (!*at)
            return true;
    }
}

static const char *on_off(int64_t state)
{
    return state < 0 ? "unknown" : state ? "on" : "off";
}

static void tell_settings(struct device *d, device_tell *tell, void *context)
{
    struct nvml_settings s;
    char text[200];
    if (!d->nvml) {
        tell(context, true, "clocks, power", d->info.health_missing);
        return;
    }
    nvml_settings(d->nvml, &s);
    snprintf(text, sizeof text, "NVIDIA %s", *s.driver ? s.driver : "of unknown version");
    tell(context, false, "driver", text);
    snprintf(text, sizeof text, "SM %d MHz of at most %d MHz, %s", s.sm_clock_mhz, s.max_clock_mhz,
             s.clocks_set < 0 ? "it is unknown whether the clocks are locked"
             : s.clocks_set   ? "someone has set the clocks (undo this with nvidia-smi -rgc -rac)"
                              : "the clocks are not locked (lock them with nvidia-smi -lgc)");
    tell(context, false, "clocks", text);
    snprintf(text, sizeof text, "%s", on_off(s.card.ecc));
    tell(context, false, "ECC", text);
    if (s.card.mig == 1 && !strstr(d->info.name, " MIG "))
        tell(context, true, "MIG",
             "MIG is on; choose an instance (nvidia-smi -L) with --device cuda:MIG-…");
    else
        tell(context, false, "MIG", on_off(s.card.mig));
    snprintf(text, sizeof text, "%" PRId64 " W", s.card.power_limit_w);
    tell(context, false, "power limit", s.card.power_limit_w < 0 ? "unknown" : text);
    int64_t others = s.card.other_processes;
    snprintf(text, sizeof text, "%" PRId64 ", which disturb the times (nvidia-smi lists them)",
             others);
    tell(context, false, "other processes", others < 0 ? "unknown" : others > 0 ? text : "none");
}

/* Reports what to type to get the permission to read counters (ERR_NVGPUCTRPERM). */
static void tell_permission(device_tell *tell, void *context)
{
    if (host_is_container())
        tell(context, false, "type", "docker run --cap-add=SYS_ADMIN … (to start the container)");
    else if (geteuid() != 0)
        tell(context, false, "type", "sudo -E redsweep … (for one run)");
    tell(context, false, "or permanently",
         "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
         "/etc/modprobe.d/nvidia-counters.conf; sudo update-initramfs -u; sudo reboot");
}

void cuda_card(struct device *d, struct card_state *out)
{
    card_state_clear(out);
    if (d->nvml)
        nvml_card(d->nvml, out);
}

void cuda_examine(struct device *d, device_tell *tell, void *context)
{
    tell_settings(d, tell, context);
    if (d->info.can_count) {
        tell(context, false, "counters", d->info.counter_library);
        return;
    }
    tell(context, true, "counters", d->info.counters_missing);
    if (strstr(d->info.counters_missing, "ERR_NVGPUCTRPERM"))
        tell_permission(tell, context);
}
