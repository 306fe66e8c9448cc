/*
 * The kernels of a run.
 */
#ifndef REDSWEEP_SPEC_MORE_KERNELS_H
#define REDSWEEP_SPEC_MORE_KERNELS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "spec/kernel.h"

struct config;

/*
 * The folder or file of further kernels as an absolute path, so that `resume` finds it from anywhere.
 * It is the given one; without one, the file NAME.facts or NAME.cu of the current folder if the config
 * names a kernel that redsweep lacks, or the current folder if there are several such files; "" for
 * none.
 */
bool find_more_kernels(const char *given, const struct config *config, const char *kernel_folder,
                       char path[PATH_MAX], struct error *e);

/* The kernels of the config's folders and of --kernel-folder ("": none), besides redsweep's own
 * in `kernel_folder`. Both catalogues are the caller's: catalogue_free(). */
bool read_kernels(const struct config *config, const char *more_kernels, const char *kernel_folder,
                  struct catalogue *kernels, struct catalogue *support, struct error *e);

/* The same, with the folder found and the other one made absolute. */
bool run_catalogues(const struct config *config, const char *more_kernels,
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
