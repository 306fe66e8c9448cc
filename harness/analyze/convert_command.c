/*
 * redsweep convert: runs of an older version of the format in this one.
 */
#include "analyze/commands.h"
#include "analyze/convert.h"
#include "base/options.h"

#include <stdio.h>

enum { RUNS_MOST = 64 };

void help_convert(void)
{
    printf("Rewrites runs that an older redsweep recorded (their folders hold a results.json with\n"
           "\"schema\": 1) as this one records them: run.json holds the manifest, and\n"
           "results.csv the rows, without the column `repeat`. All values stay the same. Old runs\n"
           "can be read without this; it saves the second copy of the rows.\n");
}

int command_convert(int count, char **arguments, struct error *e)
{
    static const struct field none[] = {{0}};
    const char *folders[RUNS_MOST];
    struct operands operands = {.items = folders, .max = RUNS_MOST};
    if (!options_read(none, NULL, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (operands.count == 0) {
        FAIL(e, ERROR_USAGE, "convert needs the folder of a run");
        return EXIT_REFUSED;
    }
    for (int i = 0; i < operands.count; i++) {
        bool converted;
        if (!convert_run(folders[i], &converted, e))
            return EXIT_REFUSED;
        printf("%s: %s\n", folders[i], converted ? "converted" : "already has the current version");
    }
    return EXIT_FINE;
}
