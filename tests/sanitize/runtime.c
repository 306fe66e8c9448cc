/* Compiles the sanitizers' settings into the programs. In files or variables, these settings
 * would need folder names, which may contain spaces. */
#include <dlfcn.h>
#include <stddef.h>

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

/* If an allocation is too large, malloc() returns NULL, as it does without a sanitizer. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* These libraries leak memory: nvJitLink does not free its copies of the inputs when linking
 * fails. CUPTI does not free a megabyte when it refuses a chip that it lists
 * (cuptiProfilerHostInitialize returns CUPTI_ERROR_NOT_SUPPORTED), and returns no object that a
 * caller could release. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libcupti.so\n";
}

/* CUPTI opens its own libraries with RTLD_DEEPBIND, and AddressSanitizer kills a process that
 * uses this flag. The linker finds this dlopen() before the sanitizer's. It removes the flag, so
 * the libraries use the sanitizer's malloc() like the rest of the process. */
void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}
