/*
 * redsweep export: a run in the formats of other autotuners.
 */
#include "analyze/commands.h"

#include <stddef.h>
#include <stdio.h>

#include "analyze/export.h"
#include "base/folder.h"
#include "base/options.h"

struct export_arguments {
    enum export_format format;
    const char *out;
};

static const struct field options[] = {
    {"--format", "kernel-tuner", field_choice, .offset = offsetof(struct export_arguments, format),
     WORDS(export_format_names, EXPORT_FORMATS), HELP("NAME", "kernel-tuner, t4 or t1")},
    {"--out", "export", field_argument, .offset = offsetof(struct export_arguments, out),
     HELP("DIR", "output folder, which must be empty or absent")},
    {0}};

void help_export(void)
{
    printf("Writes a run in the format of another autotuner, a file for each problem:\n\n"
           "  kernel-tuner   cache files that Kernel Tuner loads and simulates\n"
           "  t4             results by the schema T4 of odgaard/TuningSchema\n"
           "  t1             the search space by the schema T1\n\n");
    options_print(options);
}

int command_export(int count, char **arguments, struct error *e)
{
    struct export_arguments a = {0};
    const char *path = NULL;
    struct operands operands = {.items = &path, .max = 1};
    struct results r;
    size_t files;
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (!path) {
        FAIL(e, ERROR_USAGE, "export needs the folder of a run");
        return EXIT_REFUSED;
    }
    if (!results_read(path, &r, e))
        return EXIT_REFUSED;
    bool ok = folder_create_empty(a.out, e) && export_run(&r, a.format, a.out, &files, e);
    results_free(&r);
    if (ok)
        printf("%s: %zu file%s\n", a.out, files, files == 1 ? "" : "s");
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
