/*
 * Host, program and time of a run: see provenance.h.
 */
#include "run/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "compile/sources.h"

#ifndef REDSWEEP_COMMIT /* given by the Makefile; absent in a source archive */
#define REDSWEEP_COMMIT "unknown commit"
#endif

const char *redsweep_version(void)
{
    return "0.1.0 (" REDSWEEP_COMMIT ")";
}

void provenance_now(char out[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void read_cpu_model(char *model, size_t size)
{
    snprintf(model, size, "unknown CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    if (!f)
        return;
    char line[256];
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) {
            const char *colon = strchr(line, ':');
            if (colon)
                snprintf(model, size, "%.100s", colon + 2);
            model[strcspn(model, "\n")] = '\0';
            break;
        }
    fclose(f);
}

static void describe_host(char *out, size_t size)
{
    struct utsname u;
    char model[128];
    read_cpu_model(model, sizeof model);
    if (uname(&u) != 0) {
        snprintf(out, size, "%s", model);
        return;
    }
    snprintf(out, size, "%.60s, %.90s, %ld cores, %.20s %.40s", u.nodename, model,
             sysconf(_SC_NPROCESSORS_ONLN), u.sysname, u.release);
}

void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command)
{
    memset(p, 0, sizeof *p);
    p->device = *device;
    snprintf(p->run_name, sizeof p->run_name, "%s", config->name);
    snprintf(p->compiler, sizeof p->compiler, "%s", compiler);
    describe_host(p->host, sizeof p->host);
    snprintf(p->redsweep, sizeof p->redsweep, "%s", redsweep_version());
    snprintf(p->command, sizeof p->command, "%s", command);
    provenance_now(p->started);
    p->config_text = config->text;
}

static bool hash_kernel(const struct kernel *k, const char *kernel_folder, uint64_t *hash,
                        struct error *e)
{
    char *folder = strdup(k->path);
    if (!folder)
        return FAIL(e, ERROR_MEMORY, "out of memory");
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    const char *folders[] = {slash ? folder : ".", kernel_folder};
    bool scannable;
    bool ok = sources_hash(k->code, k->code_length, folders[0], folders, 2, hash, &scannable, e);
    free(folder);
    return ok;
}

bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e)
{
    uint64_t hash = HASH_START;
    int count = setup->catalogue->count;
    bool *used = calloc((size_t)count + 1, sizeof *used);
    if (!used)
        return FAIL(e, ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; i < plan->point_count; i++)
        used[plan->points[i].kernel] = true;
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = !used[i] || hash_kernel(setup->catalogue->kernels[i], setup->kernel_folder, &hash, e);
    for (int i = 0; ok && i < setup->support->count; i++)
        ok = hash_kernel(setup->support->kernels[i], setup->kernel_folder, &hash, e);
    free(used);
    if (!ok)
        return false;
    snprintf(p->sources, sizeof p->sources, "%016" PRIx64, hash);
    return true;
}
