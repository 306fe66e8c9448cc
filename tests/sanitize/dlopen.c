/*
 * For the tests under AddressSanitizer that open CUPTI: CUPTI opens its own parts with
 * RTLD_DEEPBIND, and the sanitizer ends a process that does. This dlopen() comes before the
 * sanitizer's and leaves that flag out; what is opened then uses the sanitizer's malloc(), as
 * everything else in the process does.
 */
#include <dlfcn.h>
#include <stddef.h>

void *dlopen(const char *file, int mode)
{
    void *(*next)(const char *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}
