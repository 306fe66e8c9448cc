/*
 * Detects containers and WSL by their traces: Docker makes /.dockerenv, Podman makes
 * /run/.containerenv, and WSL's kernel names Microsoft in its version.
 */
#include "base/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool host_is_container(void)
{
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
}

bool host_is_wsl(void)
{
    char version[300] = "";
    FILE *f = fopen("/proc/version", "r");
    if (!f)
        return false;
    bool known = fgets(version, sizeof version, f) &&
                 (strstr(version, "microsoft") || strstr(version, "Microsoft"));
    fclose(f);
    return known;
}

int host_processors(int most)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > most ? most : (int)count;
}
