/* Collects the provenance of a run; see provenance.h. */
#include "run/provenance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/clock.h"
#include "base/text.h"
#include "compile/sources.h"
#include "spec/kernel_index.h"

#ifndef REDSWEEP_VERSION /* the latest version in CHANGELOG.md, which the Makefile passes */
#define REDSWEEP_VERSION "unknown version"
#endif
/* The Makefile passes the commit, but in an unpacked source archive the commit is unknown. */
#ifndef REDSWEEP_COMMIT
#define REDSWEEP_COMMIT "unknown commit"
#endif

const char *redsweep_version(void)
{
    return REDSWEEP_VERSION " (" REDSWEEP_COMMIT ")";
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

void provenance_host(char *out, size_t size)
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

/* Reads the list of CPUs that this process may use, in Linux notation. */
static void read_cpus(char *out, size_t size)
{
    static const char name[] = "Cpus_allowed_list:";
    char line[512];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, sizeof name - 1) == 0) {
            char *list = line + sizeof name - 1;
            list += strspn(list, " \t");
            list[strcspn(list, "\n")] = '\0';
            snprintf(out, size, "%.*s", (int)size - 1, list);
        }
    if (f)
        fclose(f);
}

void provenance_site(struct site *out)
{
    const struct {
        const char *name;
        char *to;
        size_t size;
    } variables[] = {{"SLURM_JOB_ID", out->slurm_job, sizeof out->slurm_job},
                     {"SLURM_ARRAY_JOB_ID", out->slurm_array_job, sizeof out->slurm_array_job},
                     {"SLURM_ARRAY_TASK_ID", out->slurm_array_task, sizeof out->slurm_array_task},
                     {"SLURM_RESTART_COUNT", out->slurm_restarts, sizeof out->slurm_restarts},
                     {"SLURMD_NODENAME", out->slurm_node, sizeof out->slurm_node},
                     {"SLURM_JOB_PARTITION", out->slurm_partition, sizeof out->slurm_partition}};
    struct utsname u;
    memset(out, 0, sizeof *out);
    if (uname(&u) == 0)
        snprintf(out->host, sizeof out->host, "%.64s", u.nodename);
    read_cpus(out->cpus, sizeof out->cpus);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i].name);
        snprintf(variables[i].to, variables[i].size, "%s", value ? value : "");
    }
}

/*
 * Returns `value`, or −1 if it is 0. A device reports 0, and the manifest −1, for an unknown value.
 */
static int64_t known_count(uint64_t value)
{
    return value ? (int64_t)value : -1;
}

static void version_text(char out[16], int version)
{
    if (version > 0)
        snprintf(out, 16, "%d.%d", version / 1000, version % 1000 / 10);
}

void provenance_device(const struct device_info *info, struct manifest_device *out)
{
#define COPY_TEXT(member) snprintf(out->member, sizeof out->member, "%s", info->member)
    COPY_TEXT(backend);
    COPY_TEXT(name);
    COPY_TEXT(chip);
    COPY_TEXT(uuid);
    COPY_TEXT(counter_library);
    COPY_TEXT(counters_missing);
    COPY_TEXT(health_missing);
#undef COPY_TEXT
    if (info->limits.cc > 0)
        snprintf(out->compute_capability, sizeof out->compute_capability, "%d.%d",
                 info->limits.cc / 10, info->limits.cc % 10);
    out->multiprocessors = known_count((uint64_t)info->limits.sms);
    out->warp_size = known_count((uint64_t)info->warp_size);
    out->memory_bytes = known_count(info->memory_bytes);
    out->l2_bytes = known_count(info->l2_bytes);
    out->memory_clock_khz = known_count((uint64_t)info->memory_clock_khz);
    out->memory_bus_bits = known_count((uint64_t)info->memory_bus_bits);
    out->sm_clock_khz = known_count((uint64_t)info->sm_clock_khz);
    out->peak_gbs = info->peak_gbs > 0 ? info->peak_gbs : NAN;
    version_text(out->driver, info->driver_version);
    version_text(out->runtime, info->runtime_version);
    out->can_time = info->can_time;
    out->can_count = info->can_count;
    out->exact_counts = info->exact_counts;
}

/*
 * Stores the config's text, and the same JSON on one line. If the text is not JSON, the line is
 * empty.
 */
static void fill_config(struct provenance *p, const char *text)
{
    member_set(&p->config_text, text);
    cJSON *config = cJSON_Parse(text);
    char *line = config ? cJSON_PrintUnformatted(config) : NULL;
    member_set(&p->config, line);
    cJSON_free(line);
    cJSON_Delete(config);
}

void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command)
{
    char host[256];
    provenance_device(device, &p->device);
    provenance_host(host, sizeof host);
    member_set(&p->run, config->name);
    member_set(&p->compiler, compiler);
    member_set(&p->host, host);
    member_set(&p->redsweep, redsweep_version());
    member_set(&p->command, command);
    clock_utc(time(NULL), p->started);
    fill_config(p, config->text);
    member_set(&p->config_overrides, config->overrides);
}

static bool hash_kernel(const struct kernel *k, const char *kernel_folder, uint64_t *hash,
                        struct error *e)
{
    struct include_folders in;
    kernel_include_folders(k->path, kernel_folder, &in);
    bool scannable;
    *hash = hash_bytes(*hash, &k->code_hash, sizeof k->code_hash);
    bool ok = sources_hash(SOURCES_FOLDED, k->code, k->code_length, in.paths[0],
                           (const char *const *)in.paths, in.count, hash, &scannable, e);
    include_folders_free(&in);
    return ok;
}

bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e)
{
    uint64_t hash = HASH_START;
    int count = setup->catalogue->count;
    bool *used = plan_used_kernels(plan);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = !used[i] || hash_kernel(setup->catalogue->kernels[i], setup->kernel_folder, &hash, e);
    for (int i = 0; ok && i < setup->support->count; i++)
        ok = hash_kernel(setup->support->kernels[i], setup->kernel_folder, &hash, e);
    free(used);
    if (!ok)
        return false;
    snprintf(p->sources_hash, sizeof p->sources_hash, "%016" PRIx64, hash);
    return true;
}
