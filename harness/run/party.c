/*
 * A run on each device: see party.h. The process that was started holds the party: it forks one
 * process per device, lets them go from stage to stage, and compares what they have measured.
 */
#include "run/party.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "record/manifest.h"
#include "run/device_names.h"
#include "run/folder.h"
#include "run/processes.h"
#include "spec/config.h"

struct guest {
    pid_t pid;
    int to, from; /* the ends of its pipes; −1: it has ended */
};

static volatile sig_atomic_t signal_to_pass;

static void on_signal(int number)
{
    signal_to_pass = number;
}

/* A signal to end is passed on to all that still run. */
static void pass_signal(const struct guest *guests, int count)
{
    int number = signal_to_pass;
    signal_to_pass = 0;
    for (int i = 0; number && i < count; i++)
        if (guests[i].from >= 0)
            (void)kill(guests[i].pid, number);
}

/* Waits until a guest is at a stage, or has ended. */
static void await_stage(struct guest *guests, int count, int which, enum party_stage stage)
{
    struct guest *g = &guests[which];
    while (g->from >= 0) {
        char byte;
        ssize_t got = read(g->from, &byte, 1);
        pass_signal(guests, count);
        if (got == 1 && byte == (char)stage)
            return;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            close(g->from);
            close(g->to);
            g->from = -1;
        }
    }
}

static void let_go(const struct guest *g)
{
    if (g->from >= 0)
        (void)!write(g->to, "", 1); /* one that has just ended is noticed by its closed pipe */
}

static void let_all_measure(struct guest *guests, int count)
{
    for (int i = 0; i < count; i++)
        await_stage(guests, count, i, PARTY_COMPILED);
    for (int i = 0; i < count; i++) {
        let_go(&guests[i]);
        await_stage(guests, count, i, PARTY_ALONE);
    }
    for (int i = 0; i < count; i++)
        let_go(&guests[i]);
    for (int i = 0; i < count; i++)
        await_stage(guests, count, i, PARTY_MEASURED);
    for (int i = 0; i < count; i++) {
        let_go(&guests[i]);
        await_stage(guests, count, i, PARTY_STAGES); /* its end */
    }
}

_Noreturn static void be_guest(const struct sweep_request *asked, const struct config *config,
                               const char *device, const struct party *party)
{
    struct sweep_request request = *asked;
    struct error e = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* what it has measured is kept */
    request.device = device;
    request.out = NULL;
    request.lanes = 0;
    request.quiet = true;
    request.party = party;
    request.result = NULL;
    int code = run_request(&request, config, &e);
    if (e.kind != ERROR_NONE)
        fprintf(stderr, "redsweep: %s: %s\n", device, e.text);
    fflush(NULL);
    _exit(code);
}

/* Starts a guest. The earlier ones' pipes are not its own. */
static bool start_guest(struct guest *guests, int index, const struct sweep_request *request,
                        const struct config *config, const char *device, struct party *party,
                        struct error *e)
{
    int down[2], up[2];
    if (!pipes_make(down, up, e))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < index; i++) {
            close(guests[i].to);
            close(guests[i].from);
        }
        close(down[1]);
        close(up[0]);
        party->to_host = up[1];
        party->from_host = down[0];
        be_guest(request, config, device, party);
    }
    close(down[0]);
    close(up[1]);
    guests[index] = (struct guest){pid, down[1], up[0]};
    return pid > 0 || FAIL(e, ERROR_SYSTEM, "cannot start a process: %s", strerror(errno));
}

static int exit_code_of(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_STOPPED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_STOPPED;
}

/* Runs on some of the devices at the same time; the highest exit code. */
static int run_some(const struct sweep_request *request, const struct config *config,
                    char *const *devices, int first, int count, const char *folder, struct error *e)
{
    struct guest *guests = xcalloc((size_t)count, sizeof *guests);
    struct party party = {.folder = folder, .most = count};
    int started = 0, code = EXIT_FINE;
    bool ok = true;
    for (; ok && started < count; started++) {
        party.index = first + started;
        ok = start_guest(guests, started, request, config, devices[first + started], &party, e);
    }
    if (!ok) /* the last one did not start */
        started--;
    let_all_measure(guests, started);
    for (int i = 0; i < started; i++) {
        int its = exit_code_of(guests[i].pid);
        code = its > code ? its : code;
    }
    free(guests);
    return ok ? code : EXIT_REFUSED;
}

static int is_run(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* Compares the runs in the folder, in the order of their names. */
static int compare_runs(const char *folder,
                        int (*compare)(const char *const *folders, int count, struct error *e),
                        struct error *e)
{
    struct dirent **names;
    int count = scandir(folder, &names, is_run, alphasort), found = 0;
    char **runs = xcalloc((size_t)(count > 0 ? count : 0) + 1, sizeof *runs);
    for (int i = 0; i < count; i++) {
        char *file = xasprintf("%s/%s/" MANIFEST_FILE, folder, names[i]->d_name);
        if (access(file, F_OK) == 0)
            runs[found++] = xasprintf("%s/%s", folder, names[i]->d_name);
        free(file);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    int code = found > 1 ? compare((const char *const *)runs, found, e) : EXIT_FINE;
    for (int i = 0; i < found; i++)
        free(runs[i]);
    free(runs);
    return code;
}

int run_each(const struct sweep_request *request, const struct config *config,
             int (*compare)(const char *const *folders, int count, struct error *e),
             struct error *e)
{
    char folder[4096];
    struct device_names devices;
    struct sigaction before[PROCESS_SIGNALS];
    if (!device_names_find(request->device, &devices, e) ||
        !run_folder_make(request->out, config->name, "each", folder, sizeof folder, e)) {
        device_names_free(&devices);
        return EXIT_REFUSED;
    }
    int count = (int)devices.items.count, code = EXIT_FINE;
    int most = request->lanes && request->lanes < count ? request->lanes : count;
    signals_catch(on_signal, before); /* passed on */
    for (int first = 0; first < count && code < EXIT_REFUSED; first += most) {
        int some = count - first < most ? count - first : most;
        int its = run_some(request, config, devices.items.items, first, some, folder, e);
        code = its > code ? its : code;
    }
    signals_restore(before);
    device_names_free(&devices);
    if (code < EXIT_REFUSED) {
        int its = compare_runs(folder, compare, e);
        code = its > code ? its : code;
    } else {
        (void)rmdir(folder); /* where no run could begin */
    }
    return code;
}
