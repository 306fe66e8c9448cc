/*
 * Settings for the sanitizers, in the programs themselves, because files and variables would have
 * to name folders, whose names may have spaces.
 */
#include <dlfcn.h>
#include <stddef.h>

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

/* An allocation that is too large fails, as it does without a sanitizer. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/*
 * nvJitLink keeps what it had read of its inputs when a link fails. CUPTI keeps the megabyte that
 * it had prepared when it refuses a chip that it lists (cuptiProfilerHostInitialize:
 * CUPTI_ERROR_NOT_SUPPORTED): there is no object to give back.
 */
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libcupti.so\n";
}

/*
 * For the tests that open CUPTI: CUPTI opens its own parts with RTLD_DEEPBIND, and AddressSanitizer
 * ends a process that does. This dlopen() comes before the sanitizer's and leaves that flag out;
 * what is opened then uses the sanitizer's malloc(), as everything else in the process does.
 */
void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}
