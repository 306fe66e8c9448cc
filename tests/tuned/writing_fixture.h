/*
 * This fixture writes a library. It contains the kernels of fixture.h, and the compiler that makes
 * their images.
 */
#ifndef REDSWEEP_TESTS_TUNED_WRITING_FIXTURE_H
#define REDSWEEP_TESTS_TUNED_WRITING_FIXTURE_H

#include "fixture.h"

#include "compile/compile.h"

static struct catalogue kernels;
static struct compiler *compiler;

/* These are the scratch folder's kernels. A test may have added more kernels. */
static inline int open_compiler(void)
{
    static struct error e;
    char cache[64];
    kernels = make_catalogue();
    snprintf(cache, sizeof cache, "%s/cache", scratch);
    return compiler_open(cache, "kernels", &compiler, &e) ? 0 : -1;
}

static inline int tear_down(void **state)
{
    compiler_close(compiler);
    catalogue_free(&kernels);
    return remove_scratch(state);
}

#endif
