/*
 * The table of allocations: see memory.h for the rule.
 */
#include "base/vec.h"
#include "devices/sim/sim_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e)
{
    if (!m->next)
        m->next = FIRST_ADDRESS;
    size_t mapped = bytes ? (size_t)(bytes + 4095) / 4096 * 4096 : 4096;
    void *host = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return FAIL(e, ERROR_MEMORY, "the simulator cannot reserve %llu bytes of memory: %s",
                    (unsigned long long)bytes, strerror(errno));
    array_push(m->allocations, m->count, (struct allocation){m->next, bytes, host, mapped});
    *address = m->next;
    m->next += (mapped + GUARD_BYTES + 4095) / 4096 * 4096;
    return true;
}

void memory_free(struct memory *m, uint64_t address)
{
    for (int i = 0; i < m->count; i++) {
        if (m->allocations[i].address != address)
            continue;
        munmap(m->allocations[i].host, m->allocations[i].mapped);
        m->count--;
        memmove(&m->allocations[i], &m->allocations[i + 1],
                (size_t)(m->count - i) * sizeof *m->allocations);
        return;
    }
}

void memory_free_all(struct memory *m)
{
    for (int i = 0; i < m->count; i++)
        munmap(m->allocations[i].host, m->allocations[i].mapped);
    free(m->allocations);
    *m = (struct memory){0};
}

const struct allocation *memory_find(const struct memory *m, uint64_t address, uint64_t bytes)
{
    for (int i = 0; i < m->count; i++) {
        const struct allocation *a = &m->allocations[i];
        if (address >= a->address && address - a->address <= a->bytes &&
            bytes <= a->bytes - (address - a->address))
            return a;
    }
    return NULL;
}

void *memory_host(const struct memory *m, uint64_t address, uint64_t bytes)
{
    const struct allocation *a = memory_find(m, address, bytes);
    return a ? a->host + (address - a->address) : NULL;
}

const char *memory_near(const struct memory *m, uint64_t address, char *buffer, size_t size)
{
    const struct allocation *below = NULL;
    for (int i = 0; i < m->count; i++)
        if (m->allocations[i].address <= address)
            below = &m->allocations[i];
    if (address < 65536)
        snprintf(buffer, size, "near the null pointer");
    else if (!below)
        snprintf(buffer, size, "in no allocation");
    else if (address - below->address < below->bytes)
        snprintf(buffer, size, "across the end of the %llu-byte allocation at 0x%llx",
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    else if (address - below->address == below->bytes)
        snprintf(buffer, size, "right behind the %llu-byte allocation at 0x%llx",
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    else
        snprintf(buffer, size, "%llu bytes past the end of the %llu-byte allocation at 0x%llx",
                 (unsigned long long)(address - below->address - below->bytes),
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    return buffer;
}
