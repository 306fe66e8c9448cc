/*
 * The commands of redsweep: one function and one row of main.c's table each.
 *
 * A command gets its arguments after its own name, returns an exit code, and fills the error when
 * that code is EXIT_REFUSED; main() alone prints it.
 */
#ifndef REDSWEEP_COMMANDS_COMMANDS_H
#define REDSWEEP_COMMANDS_COMMANDS_H

#include "base/error.h"
#include "plan/kernel.h"
#include "record/record.h"

enum exit_code {
    EXIT_FINE = 0,
    EXIT_POINTS_FAILED = 1, /* some points failed or were wrong */
    EXIT_REFUSED = 2,       /* usage, config, or nothing could be run */
    EXIT_STOPPED = 3        /* stopped before the end; what was measured is recorded */
};

/* One option; tables of them end with a NULL name and feed parser and help alike. */
struct option_row {
    const char *name;  /* without the dashes */
    const char *value; /* what follows it, for the help; NULL: a switch */
    const char *help;
    const char **text; /* where the value goes … */
    bool *flag;        /* … or the switch */
};

struct command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *help;      /* one line */
    int (*run)(int count, char **arguments, struct error *e);
    void (*print_help)(void); /* the long form */
};

/*
 * Takes the options out of `arguments` and leaves the others in `rest` (at most `most`).
 * ERROR_USAGE for an unknown option (with the nearest known one) or a missing value.
 */
bool options_take(const struct option_row *rows, int count, char **arguments, const char **rest,
                  int most, int *rest_count, struct error *e);
void options_print(const struct option_row *rows);

/* Where the kernels are: --kernels-home, $REDSWEEP_HOME/kernels, beside the program, or here. */
bool find_kernel_folder(char *path, size_t size, struct error *e);

/* The folder of compiled kernels: $REDSWEEP_CACHE, or redsweep/ in the user's cache folder. */
void find_cache_folder(char *path, size_t size);

/* Reads the shipped kernels, further folders and the harness's own; free with catalogue_free(). */
bool read_catalogues(const char *kernel_folder, const char *const *more, int more_count,
                     struct catalogue *kernels, struct catalogue *support, struct error *e);

struct config;
struct earlier;

/* What `run` and `resume` have in common. */
struct sweep_request {
    const char *device, *out, *kernels; /* as the options of `run`; NULL: not given */
    const char *command;
    struct earlier *earlier; /* not NULL: go on with the run in `out` */
    bool dry_run, require_metrics, anyway;
    bool retry[STATUS_COUNT]; /* resume: the statuses whose points are measured again */
};

/* Runs a config and prints a summary; returns an exit code. */
int run_request(const struct sweep_request *request, const struct config *config, struct error *e);

int command_run(int count, char **arguments, struct error *e);
void help_run(void);
int command_resume(int count, char **arguments, struct error *e);
void help_resume(void);
int command_list(int count, char **arguments, struct error *e);
void help_list(void);
int command_show(int count, char **arguments, struct error *e);
void help_show(void);
int command_diff(int count, char **arguments, struct error *e);
void help_diff(void);
int command_best(int count, char **arguments, struct error *e);
void help_best(void);
int command_report(int count, char **arguments, struct error *e);
void help_report(void);
int command_tuned(int count, char **arguments, struct error *e);
void help_tuned(void);
int command_reproduce(int count, char **arguments, struct error *e);
void help_reproduce(void);
int command_check(int count, char **arguments, struct error *e);
void help_check(void);

#endif
