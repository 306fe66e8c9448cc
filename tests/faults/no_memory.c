/*
 * Makes host memory run out in the real program. Loaded with LD_PRELOAD, it makes allocation number
 * NO_MEMORY_AT of redsweep's own code fail. It does so only in the first process, and not in
 * workers, which are its children. With NO_MEMORY_AT=0 it prints the number of allocations on
 * stderr when the process ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static uintptr_t begin, end; /* address range of the program's code */
static pid_t first_process;
static long at, count;

/* Stores the address range of the first object, which is the program itself. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            end = begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void read_wish(void)
{
    const char *wish = getenv("NO_MEMORY_AT");
    dl_iterate_phdr(note_program, NULL);
    first_process = getpid();
    at = wish ? atol(wish) : 0;
}

__attribute__((destructor)) static void say_count(void)
{
    if (at == 0 && getpid() == first_process)
        fprintf(stderr, "allocations: %ld\n", count);
}

static int fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    if (address < begin || address >= end || getpid() != first_process)
        return 0;
    return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == at;
}

#define UNLESS_IT_FAILS(call) (fails(__builtin_return_address(0)) ? (errno = ENOMEM, NULL) : (call))

void *malloc(size_t bytes)
{
    return UNLESS_IT_FAILS(__libc_malloc(bytes));
}

void *calloc(size_t items, size_t bytes)
{
    return UNLESS_IT_FAILS(__libc_calloc(items, bytes));
}

void *realloc(void *memory, size_t bytes)
{
    return UNLESS_IT_FAILS(__libc_realloc(memory, bytes));
}
