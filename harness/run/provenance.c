/*
 * Host, program and time of a run: see provenance.h.
 */
#include "run/provenance.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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
