/* Writes a library from the kernels in fixture.h, with the compiler that makes their images. */
#ifndef REDSWEEP_TESTS_TUNED_WRITING_FIXTURE_H
#define REDSWEEP_TESTS_TUNED_WRITING_FIXTURE_H

#include "fixture.h"

#include "compile/compile.h"

static struct catalogue kernels;
static struct compiler *compiler;

/* Reads the kernels in the scratch folder, to which a test may have added some, and opens a
 * compiler for them. */
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
