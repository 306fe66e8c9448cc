/* For programs that call the tuned library; include it after tuned/redsweep_tuned.c. must() and
 * must_call() exit with code 2 if a call failed. */
#ifndef REDSWEEP_TESTS_TUNED_MUST_H
#define REDSWEEP_TESTS_TUNED_MUST_H

#include <stdio.h>
#include <stdlib.h>

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(2);
}

static void must_call(int status, const char *what)
{
    if (status == CODE(SUCCESS))
        return;
    fprintf(stderr, "%s: %s (%s)\n", what, NAME(error_text)((NAME(status))status),
            status == CODE(ERROR_CUDA) ? cudaGetErrorString(NAME(cuda_error)())
                                       : "no call of CUDA");
    exit(2);
}

#endif
