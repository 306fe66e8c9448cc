/*
 * This file compiles the sanitizers' settings into the programs. Settings in files or variables
 * would have to name folders, whose names may contain spaces.
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
 * When a link fails, nvJitLink does not free what it has read of its inputs. When CUPTI refuses a
 * chip that it lists (cuptiProfilerHostInitialize returns CUPTI_ERROR_NOT_SUPPORTED), it does not
 * free a megabyte, and it returns no object that a caller could release.
 */
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libcupti.so\n";
}

/*
 * CUPTI opens its own libraries with RTLD_DEEPBIND, and AddressSanitizer ends a process that uses
 * this flag. This dlopen() is found before the sanitizer's, and removes the flag. The opened
 * libraries then use the sanitizer's malloc(), like everything else in the process.
 */
void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}
