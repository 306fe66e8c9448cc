/*
 * Implements sim_memory.h.
 *
 * A lazy allocation is generated in pieces of LAZY_PIECE bytes, each when it is first accessed.
 * When the allocation is filled with a byte or an input, the memory of its pieces is returned to
 * the system. A piece uses memory again when it is next accessed.
 */
#include "base/memory.h"
#include "base/vec.h"
#include "devices/sim/sim_memory.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    LAZY_PIECE = 1 << 14,
    LAZY_MIN = 1 << 18, /* smaller allocations are never lazy */
    COUNTED_STEP = 1 << 20
};

enum piece_state { PIECE_MISSING, PIECE_IN_WORK, PIECE_MADE };

struct lazy_contents {
    uint8_t byte; /* the value of all bytes that are not part of the input */
    /* the input that the allocation contains; input.n is 0 if there is none */
    struct input input;
    uint64_t input_offset; /* where the input begins, as an offset in bytes */
    uint64_t pieces;
    uint64_t made;   /* how many pieces exist; updated atomically */
    uint8_t state[]; /* the state of each piece */
};

/*
 * Returns how many bytes of a lazy allocation use no memory if `made` of its pieces have been
 * generated. The result is rounded so that it changes in steps of a mebibyte, because the caller
 * makes a system call for every change.
 */
static uint64_t spared(const struct allocation *a, uint64_t made)
{
    uint64_t used = made * LAZY_PIECE / COUNTED_STEP * COUNTED_STEP;
    return used < a->mapped ? a->mapped - used : 0;
}

static void free_allocation(struct allocation *a)
{
    munmap(a->host, a->mapped);
    if (a->lazy)
        memory_limit_count(spared(a, a->lazy->made));
    else if (a->is_buffer)
        memory_limit_count(a->mapped);
    free(a->lazy);
}

/* Returns whether all existing buffers and another one of `bytes` bytes fit into the machine's
 * memory. */
static bool buffers_fit(const struct memory *m, uint64_t bytes, struct error *e)
{
    const uint64_t has = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < m->count; i++)
        bytes += m->allocations[i].is_buffer ? m->allocations[i].mapped : 0;
    return bytes <= has ||
           FAIL(e, ERROR_MEMORY,
                "the point's buffers need %llu MiB, but this machine has only %llu MiB",
                (unsigned long long)(bytes >> 20), (unsigned long long)(has >> 20));
}

static bool allocate(struct memory *m, uint64_t bytes, bool is_buffer, uint64_t *address,
                     struct error *e)
{
    if (!m->next)
        m->next = FIRST_ADDRESS;
    size_t mapped = bytes ? (size_t)(bytes + 4095) / 4096 * 4096 : 4096;
    bool is_lazy = m->lazy && bytes >= LAZY_MIN;
    is_buffer = is_buffer && !is_lazy;
    if (is_buffer && !buffers_fit(m, mapped, e))
        return false;
    if (is_lazy || is_buffer)
        memory_limit_spare(mapped);
    void *host = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
        FAIL(e, ERROR_MEMORY, "the simulator cannot reserve %llu bytes of memory: %s",
             (unsigned long long)bytes, strerror(errno));
        if (is_lazy || is_buffer)
            memory_limit_count(mapped);
        return false;
    }
    struct lazy_contents *lazy = NULL;
    if (is_lazy) {
        uint64_t pieces = (bytes + LAZY_PIECE - 1) / LAZY_PIECE;
        lazy = xcalloc(1, sizeof *lazy + pieces);
        lazy->pieces = pieces;
    }
    array_push(m->allocations, m->count,
               (struct allocation){m->next, bytes, host, mapped, lazy, is_buffer});
    *address = m->next;
    m->next += (mapped + GUARD_BYTES + 4095) / 4096 * 4096;
    return true;
}

bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e)
{
    return allocate(m, bytes, false, address, e);
}

bool memory_alloc_buffer(struct memory *m, uint64_t bytes, uint64_t *address, struct error *e)
{
    return allocate(m, bytes, true, address, e);
}

void memory_free(struct memory *m, uint64_t address)
{
    for (int i = 0; i < m->count; i++) {
        if (m->allocations[i].address != address)
            continue;
        free_allocation(&m->allocations[i]);
        m->count--;
        memmove(&m->allocations[i], &m->allocations[i + 1],
                (size_t)(m->count - i) * sizeof *m->allocations);
        return;
    }
}

void memory_free_all(struct memory *m)
{
    for (int i = 0; i < m->count; i++)
        free_allocation(&m->allocations[i]);
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
    if (!a)
        return NULL;
    memory_touch(a, address - a->address, bytes);
    return a->host + (address - a->address);
}

/* Generates the part of the input that is in bytes [first, end) of the allocation. No element of
 * the input is partly outside this range. */
static void write_input(const struct allocation *a, uint64_t first, uint64_t end)
{
    const struct lazy_contents *lazy = a->lazy;
    uint64_t size = element_size(lazy->input.type), at = lazy->input_offset;
    uint64_t input_end = at + lazy->input.n * size;
    first = first > at ? first : at;
    end = end < input_end ? end : input_end;
    if (first < end)
        input_generate(&lazy->input, (first - at) / size, (end - first) / size, a->host + first);
}

static void make_piece(const struct allocation *a, uint64_t piece)
{
    uint64_t first = piece * LAZY_PIECE, end = first + LAZY_PIECE;
    end = end < a->bytes ? end : a->bytes;
    uint8_t expected = PIECE_MISSING, *state = &a->lazy->state[piece];
    if (__atomic_compare_exchange_n(state, &expected, PIECE_IN_WORK, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
        memset(a->host + first, a->lazy->byte, end - first);
        write_input(a, first, end);
        __atomic_store_n(state, PIECE_MADE, __ATOMIC_RELEASE);
        uint64_t made = __atomic_add_fetch(&a->lazy->made, 1, __ATOMIC_RELAXED);
        uint64_t counted = spared(a, made - 1) - spared(a, made);
        if (counted)
            memory_limit_count(counted);
    }
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) != PIECE_MADE)
        sched_yield();
}

void memory_make(const struct allocation *a, uint64_t offset, uint64_t bytes)
{
    uint64_t last = bytes ? (offset + bytes - 1) / LAZY_PIECE : 0;
    for (uint64_t piece = offset / LAZY_PIECE; bytes && piece <= last; piece++)
        if (__atomic_load_n(&a->lazy->state[piece], __ATOMIC_ACQUIRE) != PIECE_MADE)
            make_piece(a, piece);
}

/* Discards the pieces from `first` up to, but not including, `end`. A discarded piece is generated
 * again when it is next accessed. */
static void forget(const struct allocation *a, uint64_t first, uint64_t end)
{
    if (first >= end)
        return;
    uint64_t bytes =
        end * LAZY_PIECE < a->mapped ? (end - first) * LAZY_PIECE : a->mapped - first * LAZY_PIECE;
    struct lazy_contents *lazy = a->lazy;
    uint64_t made = lazy->made;
    (void)madvise(a->host + first * LAZY_PIECE, bytes,
                  MADV_DONTNEED); /* returns the pages to the system */
    for (uint64_t piece = first; piece < end; piece++)
        lazy->made -= lazy->state[piece] == PIECE_MADE;
    memset(lazy->state + first, PIECE_MISSING, end - first);
    if (lazy->made < made)
        memory_limit_spare(spared(a, lazy->made) - spared(a, made));
}

bool memory_fill(struct memory *m, uint64_t address, uint64_t bytes, uint8_t byte)
{
    const struct allocation *a = memory_find(m, address, bytes);
    if (!a)
        return false;
    uint64_t first = address - a->address, end = first + bytes;
    if (!a->lazy) {
        memset(a->host + first, byte, bytes);
        return true;
    }
    struct lazy_contents *lazy = a->lazy;
    if (bytes == a->bytes) {
        forget(a, 0, lazy->pieces);
        lazy->byte = byte;
        lazy->input.n = 0;
        return true;
    }
    bool same = lazy->byte == byte && lazy->input.n == 0;
    while (first < end) {
        uint64_t piece = first / LAZY_PIECE, next = (piece + 1) * LAZY_PIECE;
        next = next < end ? next : end;
        /* A piece that does not exist yet needs no change if it will be generated with this byte
         * anyway. */
        if (!same || lazy->state[piece] == PIECE_MADE) {
            memory_make(a, first, next - first);
            memset(a->host + first, byte, next - first);
        }
        first = next;
    }
    return true;
}

bool memory_generate_lazily(struct memory *m, uint64_t address, const struct input *input)
{
    uint64_t bytes = input->n * element_size(input->type);
    const struct allocation *a = memory_find(m, address, bytes);
    if (!a || !a->lazy || (address - a->address) % element_size(input->type))
        return false;
    struct lazy_contents *lazy = a->lazy;
    uint64_t first = address - a->address, end = first + bytes;
    lazy->input = *input;
    lazy->input_offset = first;
    uint64_t whole = (first + LAZY_PIECE - 1) / LAZY_PIECE, last = end / LAZY_PIECE;
    forget(a, whole, last);
    /* If the input begins or ends within a piece that exists, writes only that part of the
     * piece. */
    if (first % LAZY_PIECE && lazy->state[first / LAZY_PIECE] == PIECE_MADE)
        write_input(a, first, whole * LAZY_PIECE);
    if (end % LAZY_PIECE && lazy->state[last] == PIECE_MADE)
        write_input(a, last * LAZY_PIECE, end);
    return true;
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
        snprintf(buffer, size, "outside every allocation");
    else if (address - below->address < below->bytes)
        snprintf(buffer, size, "across the end of the %llu-byte allocation at 0x%llx",
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    else if (address - below->address == below->bytes)
        snprintf(buffer, size, "directly after the %llu-byte allocation at 0x%llx",
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    else
        snprintf(buffer, size, "%llu bytes past the end of the %llu-byte allocation at 0x%llx",
                 (unsigned long long)(address - below->address - below->bytes),
                 (unsigned long long)below->bytes, (unsigned long long)below->address);
    return buffer;
}
