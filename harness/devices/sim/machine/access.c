/*
 * Executes a warp's loads, stores and atomics: computes and checks addresses, moves data, and
 * counts accesses.
 *
 * In reduction kernels, neighboring lanes mostly access neighboring addresses in one allocation. A
 * single check and a single copy are then enough for all lanes.
 *
 * Loads, stores and atomics are in the same file so that address translation can be inlined into
 * all of them.
 */
#ifndef __clang__
#pragma GCC optimize("O3", "no-tree-slp-vectorize")
#endif
#include "devices/sim/machine/cluster.h"
#include "devices/sim/counts/coalesce.h"
#include "devices/sim/machine/lane_memory.h"
#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"

#include <string.h>

#define FOR_EXEC(lane, exec)                                                                       \
    for (uint32_t rest_ = (exec), lane = 0; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1);   \
         rest_ &= rest_ - 1)

static bool fault_address(struct worker *w, struct warp *warp, const struct instruction *i,
                          int lane, enum space space, uint64_t address, unsigned bytes)
{
    const char *what = i->kind == KIND_LOAD ? "reads" : "writes";
    char near[160];
    if (space == SPACE_SHARED)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread %s %u bytes of shared memory at offset %llu, but the block "
                         "has only %u bytes",
                         what, bytes, (unsigned long long)address, warp->shares->shared_bytes);
    if (space == SPACE_LOCAL || space == SPACE_PARAM)
        return fault_set(
            w, warp, lane, FAULT_LAUNCH,
            "the thread %s %u bytes of %s memory at offset %llu, but there are only %u bytes", what,
            bytes, space_names[space], (unsigned long long)address, w->launch->p->local_bytes);
    return fault_set(w, warp, lane, FAULT_LAUNCH, "the thread %s %u bytes at address 0x%llx, %s",
                     what, bytes, (unsigned long long)address,
                     memory_near(w->launch->memory, address, near, sizeof near));
}

static uint8_t *access_host(struct worker *w, struct warp *warp, const struct instruction *i,
                            int lane, uint64_t address, unsigned bytes)
{
    enum space space = i->space;
    uint8_t *host;
    if (space == SPACE_SHARED)
        host = shared_host(warp, address, bytes);
    else if (space == SPACE_PARAM && i->operation == 1)
        host = address <= w->launch->p->parameter_bytes &&
                       bytes <= w->launch->p->parameter_bytes - address
                   ? w->launch->parameters + address
                   : NULL;
    else if (space == SPACE_LOCAL || space == SPACE_PARAM)
        host = local_host(w, warp, (unsigned)lane, address, bytes);
    else
        host = global_host(w, address, bytes);
    if (!host)
        fault_address(w, warp, i, lane, space, address, bytes);
    if (host && (address & (bytes - 1))) { /* `bytes` is a power of two */
        fault_set(w, warp, lane, FAULT_LAUNCH,
                  "the thread accesses %u bytes at address 0x%llx, which is not a multiple of %u",
                  bytes, (unsigned long long)address, bytes);
        return NULL;
    }
    return host;
}

/* Checks that `bytes` bytes of shared memory have been written. If not, calls fault_unwritten(),
 * and returns false if that is an error. If `lane` is -1, each lane reads `step` of the bytes. */
static bool check_written(struct worker *w, struct warp *warp, int lane, uint64_t address,
                          unsigned bytes, unsigned step)
{
    const uint8_t *written = warp->shares->written + address;
    for (unsigned k = 0; k < bytes; k++) {
        if (written[k])
            continue;
        return fault_unwritten(w, warp, lane >= 0 ? lane : (int)(k / step),
                               address + k / step * step);
    }
    return true;
}

/* Counts the sectors and lines of an access to local memory, in which the GPU stores the same word
 * of all 32 lanes side by side. If each lane accesses several words, each word is a separate
 * request, as on an H200 for accesses of 1 to 16 bytes. */
static void count_local(struct access_counts *c, const uint64_t *address, uint32_t exec,
                        unsigned bytes)
{
    uint64_t physical[LANES];
    unsigned words = bytes < 4 ? 1 : bytes / 4;
    for (unsigned k = 0; k < words; k++) {
        FOR_EXEC(lane, exec)
        physical[lane] = (address[lane] / 4 + k) * 128 + lane * 4;
        c->sectors += coalesce_pieces(physical, exec, 4, 5);
        c->lines += coalesce_pieces(physical, exec, 4, 7);
    }
}

/* Returns how many different values the lanes access. Values are aligned, so they do not
 * overlap. */
static unsigned distinct_values(const uint64_t *address, uint32_t exec, unsigned bytes)
{
    return coalesce_pieces(address, exec, bytes, (unsigned)__builtin_ctz(bytes));
}

static void count_access(struct worker *w, enum space space, enum access_kind kind,
                         const uint64_t *address, uint32_t exec, unsigned bytes)
{
    struct access_counts *c;
    if (space == SPACE_SHARED) {
        c = &w->counts.shared[kind];
        bool load = kind == ACCESS_LOAD;
        unsigned wavefronts = coalesce_wavefronts(address, exec, bytes, load);
        unsigned fewest = coalesce_min_wavefronts(exec, bytes, load);
        c->wavefronts += wavefronts;
        c->conflicts +=
            /* if addresses are equal, `wavefronts` may be below `fewest` */
            wavefronts > fewest ? wavefronts - fewest : 0;
    } else if (space == SPACE_LOCAL) {
        c = &w->counts.local[kind];
        count_local(c, address, exec, bytes);
        c->requests += bytes > 4 ? bytes / 4 - 1 : 0;
    } else if (space == SPACE_GLOBAL) {
        c = &w->counts.global[kind];
        c->sectors += coalesce_pieces(address, exec, bytes, 5);
        c->lines += coalesce_pieces(address, exec, bytes, 7);
    } else {
        /* parameters and constants are in other caches, so these counters do not include them */
        return;
    }
    c->requests++;
    /* In global loads and stores, a byte counts once even if several lanes access it. */
    bool once = space == SPACE_GLOBAL && (kind == ACCESS_LOAD || kind == ACCESS_STORE);
    c->bytes += (uint64_t)bytes * (once ? distinct_values(address, exec, bytes) : lane_count(exec));
}

static void note_unknown(struct worker *w, enum space space, enum access_kind kind)
{
    struct access_counts *c = space == SPACE_SHARED   ? w->counts.shared
                              : space == SPACE_GLOBAL ? w->counts.global
                                                      : w->counts.local;
    c[kind].unknown++;
}

/* Counts a load or store, considering what ptxas made of it: it may be part of a wider access
 * (combine.h), be executed less often, or have an unknown count (follow.h). */
static void count_moved(struct worker *w, const struct warp *warp, const struct instruction *i,
                        const uint64_t address[LANES], uint32_t exec, unsigned bytes)
{
    enum access_kind kind = i->kind == KIND_LOAD ? ACCESS_LOAD : ACCESS_STORE;
    uint64_t whole[LANES];
    if (i->counted_before)
        return;
    if (i->unknown)
        note_unknown(w, i->space, kind);
    if (i->hoisted)
        exec &= ~warp->again[i->hoisted];
    if (!exec)
        return;
    if (!i->whole_bytes) {
        count_access(w, i->space, kind, address, exec, bytes);
        return;
    }
    FOR_EXEC(lane, exec)
    whole[lane] = address[lane] & -(uint64_t)i->whole_bytes;
    count_access(w, i->space, kind, whole, exec, i->whole_bytes);
}

/* Copies values of type T from memory to slot d, as values of type SLOT. */
#define LOAD_AS(T, SLOT)                                                                           \
    do {                                                                                           \
        SLOT *to = slot_at(warp->base, d);                                                         \
        FOR_EXEC(lane, exec)                                                                       \
        {                                                                                          \
            T value;                                                                               \
            memcpy(&value, host[lane] + at, sizeof value);                                         \
            to[lane] = (SLOT)value;                                                                \
        }                                                                                          \
    } while (0)
#define LOAD_TO(SLOT, SIGNED_SLOT)                                                                 \
    do {                                                                                           \
        bool s = i->type == VALUE_SIGNED;                                                          \
        if (i->bytes == 1 && s)                                                                    \
            LOAD_AS(int8_t, SIGNED_SLOT);                                                          \
        else if (i->bytes == 1)                                                                    \
            LOAD_AS(uint8_t, SLOT);                                                                \
        else if (i->bytes == 2 && s)                                                               \
            LOAD_AS(int16_t, SIGNED_SLOT);                                                         \
        else if (i->bytes == 2)                                                                    \
            LOAD_AS(uint16_t, SLOT);                                                               \
        else if (i->bytes == 4 && s)                                                               \
            LOAD_AS(int32_t, SIGNED_SLOT);                                                         \
        else if (i->bytes == 4)                                                                    \
            LOAD_AS(uint32_t, SLOT);                                                               \
        else                                                                                       \
            LOAD_AS(uint64_t, SLOT);                                                               \
    } while (0)

static void load_lanes(struct warp *warp, const struct instruction *i, slot_reference d,
                       uint32_t exec, uint8_t *const host[LANES], unsigned at)
{
    if (i->wide_d)
        LOAD_TO(uint64_t, int64_t);
    else
        LOAD_TO(uint32_t, int32_t);
}

static void store_lanes(struct warp *warp, const struct instruction *i, slot_reference a,
                        uint32_t exec, uint8_t *const host[LANES], unsigned at)
{
    const uint8_t *from = slot_at(warp->base, a);
    /* the low bytes come first, because the host is little-endian */
    size_t slot = i->wide_a ? 8 : 4;
    if (i->bytes == 4 && slot == 4) {
        FOR_EXEC(lane, exec)
        memcpy(host[lane] + at, from + lane * 4, 4);
    } else if (i->bytes == 8) {
        FOR_EXEC(lane, exec)
        memcpy(host[lane] + at, from + lane * 8, 8);
    } else {
        FOR_EXEC(lane, exec)
        memcpy(host[lane] + at, from + lane * slot, i->bytes);
    }
}

/* Translates the address of each lane of `exec` to host memory. Returns false after a fault. */
static bool resolve(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec,
                    const uint64_t address[LANES], unsigned bytes, uint8_t *host[LANES])
{
    FOR_EXEC(lane, exec)
    {
        uint8_t *here;
        if (i->space == SPACE_GLOBAL && (here = global_host(w, address[lane], bytes)) &&
            (address[lane] & (bytes - 1)) == 0)
            host[lane] = here;
        else
            host[lane] = access_host(w, warp, i, (int)lane, address[lane], bytes);
        if (!host[lane])
            return false;
    }
    return true;
}

static void move_lanes(struct worker *w, struct warp *warp, const struct instruction *i,
                       uint32_t exec, uint8_t *const host[LANES])
{
    bool load = i->kind == KIND_LOAD;
    for (unsigned k = 0; k < i->elements; k++) {
        slot_reference slot = i->elements == 1 ? load ? i->o.d : i->o.a
                                               : w->launch->p->references[i->vector + (int)k];
        if (load && slot != 0)
            load_lanes(warp, i, slot, exec, host, k * i->bytes);
        else if (!load)
            store_lanes(warp, i, slot, exec, host, k * i->bytes);
    }
}

/* Returns how many pieces of `mask` are not 0, if it is divided into pieces of `width` bits (4, 8,
 * 16 or 32). */
static unsigned pieces_of(uint64_t mask, unsigned width)
{
    uint64_t lowest = width == 4    ? 0x1111111111111111u
                      : width == 8  ? 0x0101010101010101u
                      : width == 16 ? 0x0001000100010001u
                                    : 0x0000000100000001u;
    for (unsigned by = width / 2; by; by /= 2)
        mask |= mask >> by;
    return (unsigned)__builtin_popcountll(mask & lowest);
}

/* Executes and counts an access of lane k to value k of an array, for any k. For other addresses,
 * returns false and does nothing. */
static bool move_gapped(struct worker *w, struct warp *warp, const struct instruction *i,
                        uint32_t exec, const uint64_t address[LANES])
{
    unsigned bytes = i->bytes, low = (unsigned)__builtin_ctz(exec),
             high = 31 - (unsigned)__builtin_clz(exec);
    bool load = i->kind == KIND_LOAD, wide = load ? i->wide_d : i->wide_a;
    uint64_t first = address[low] - (uint64_t)low * bytes, different = 0;
    if (!(exec & (exec + 1)) || bytes != (wide ? 8u : 4u) || (first & (bytes - 1)))
        return false;
    FOR_EXEC(lane, exec)
    different |= address[lane] ^ (first + lane * (uint64_t)bytes);
    uint8_t *host =
        different ? NULL : global_host(w, address[low], (uint64_t)(high - low + 1) * bytes);
    if (!host)
        return false;
    uint8_t *slot = slot_at(warp->base, load ? i->o.d : i->o.a);
    uint8_t *to = load ? slot + low * bytes : host;
    const uint8_t *from = load ? host : slot + low * bytes;
    if (bytes == 4) {
        FOR_EXEC(lane, exec >> low)
        memcpy(to + lane * 4, from + lane * 4, 4);
    } else {
        FOR_EXEC(lane, exec >> low)
        memcpy(to + lane * 8, from + lane * 8, 8);
    }
    struct access_counts *c = &w->counts.global[load ? ACCESS_LOAD : ACCESS_STORE];
    uint64_t places = (uint64_t)exec << (first & 127) / bytes;
    c->requests++;
    c->bytes += (uint64_t)bytes * lane_count(exec);
    c->sectors += pieces_of(places, 32 / bytes);
    c->lines += pieces_of(places, 128 / bytes);
    return true;
}

/* Executes and counts an access with any addresses in one allocation, in one pass over the lanes.
 * An aligned value of up to 32 bytes is in one sector, so while addresses increase from lane to
 * lane, it is enough to compare each lane's sector with that of the previous lane. Returns false
 * and moves nothing if an address is misaligned or outside of the allocation. */
static bool move_scattered(struct worker *w, struct warp *warp, const struct instruction *i,
                           uint32_t exec, const uint64_t address[LANES])
{
    unsigned bytes = (unsigned)i->bytes * i->elements, sectors = 0, lines = 0, values = 0;
    uint8_t *host[LANES];
    if (!exec || !global_host(w, address[__builtin_ctz(exec)], bytes))
        return false;
    const struct allocation *a = w->recent;
    uint64_t base = a->address, last = a->bytes - bytes, before = 0, sector = 0, line = 0, bits = 0;
    bool falls = false;
    FOR_EXEC(lane, exec)
    {
        uint64_t at = address[lane];
        if (at - base > last)
            return false;
        memory_touch(a, at - base, bytes);
        host[lane] = a->host + (at - base);
        bits |= at;
        falls |= at < before;
        values += at != before;
        sectors += at >> 5 != sector;
        lines += at >> 7 != line;
        before = at;
        sector = at >> 5;
        line = at >> 7;
    }
    if (bits & (bytes - 1))
        return false;
    move_lanes(w, warp, i, exec, host);
    struct access_counts *c = &w->counts.global[i->kind == KIND_LOAD ? ACCESS_LOAD : ACCESS_STORE];
    c->requests++;
    c->bytes += (uint64_t)bytes * (falls ? distinct_values(address, exec, bytes) : values);
    c->sectors += falls ? coalesce_pieces(address, exec, bytes, 5) : sectors;
    c->lines += falls ? coalesce_pieces(address, exec, bytes, 7) : lines;
    return true;
}

/* Checks that the elements of a vector have been written, except those that go into registers that
 * nothing reads. */
static bool check_elements(struct worker *w, struct warp *warp, const struct instruction *i,
                           int lane, uint64_t address)
{
    if (i->elements == 1)
        return check_written(w, warp, lane, address, i->bytes, i->bytes);
    for (unsigned k = 0; k < i->elements; k++)
        if (w->launch->p->references[i->vector + (int)k] &&
            !check_written(w, warp, lane, address + k * i->bytes, i->bytes, i->bytes))
            return false;
    return true;
}

static bool move_general(struct worker *w, struct warp *warp, const struct instruction *i,
                         uint32_t exec, const uint64_t address[LANES])
{
    unsigned bytes = (unsigned)i->bytes * i->elements;
    uint8_t *host[LANES];
    if (!resolve(w, warp, i, exec, address, bytes, host))
        return false;
    bool load = i->kind == KIND_LOAD;
    if (i->space == SPACE_SHARED) {
        FOR_EXEC(lane, exec)
        {
            if (load && !check_elements(w, warp, i, (int)lane, address[lane]))
                return false;
            if (!load)
                memset(warp->shares->written + address[lane], 1, bytes);
        }
    }
    move_lanes(w, warp, i, exec, host);
    count_moved(w, warp, i, address, exec, bytes);
    return true;
}

/* If neighboring lanes have neighboring addresses, executes and counts the access with one copy for
 * all lanes, and sets *done to true. Returns false after a fault. */
static bool move_consecutive(struct worker *w, struct warp *warp, const struct instruction *i,
                             uint32_t exec, const uint64_t address[LANES], bool *done)
{
    unsigned bytes = i->bytes;
    bool load = i->kind == KIND_LOAD, wide = load ? i->wide_d : i->wide_a;
    *done = false;
    if (bytes != (wide ? 8u : 4u) || (address[0] & (bytes - 1)))
        return true;
    unsigned lanes = consecutive(address, exec, bytes);
    if (!lanes)
        return true;
    uint64_t first = address[0], last = first + (uint64_t)lanes * bytes - 1;
    bool shared = i->space == SPACE_SHARED;
    uint8_t *host = shared ? shared_host(warp, first, (uint64_t)lanes * bytes)
                           : global_host(w, first, (uint64_t)lanes * bytes);
    if (!host)
        return true; /* move_general() will find out which lane causes a fault */
    enum access_kind kind = load ? ACCESS_LOAD : ACCESS_STORE;
    struct access_counts *c = shared ? &w->counts.shared[kind] : &w->counts.global[kind];
    c->requests++;
    c->bytes += (uint64_t)lanes * bytes;
    if (shared) {
        c->wavefronts += bytes == 4 ? 1 : (lanes + 15) / 16;
        if (!load)
            memset(warp->shares->written + first, 1, (size_t)lanes * bytes);
        else if (!check_written(w, warp, -1, first, lanes * bytes, bytes))
            return false;
    } else {
        c->sectors += (last >> 5) - (first >> 5) + 1;
        c->lines += (last >> 7) - (first >> 7) + 1;
    }
    void *slot = slot_at(warp->base, load ? i->o.d : i->o.a);
    void *to = load ? slot : host, *from = load ? (void *)host : slot;
    if (lanes == LANES && bytes == 4)
        memcpy(to, from, LANES * 4);
    else if (lanes == LANES)
        memcpy(to, from, LANES * 8);
    else
        memcpy(to, from, (size_t)lanes * bytes);
    *done = true;
    return true;
}

/* Marks counts of shared memory as unknown if lanes that had different masks in the last vote,
 * match or reduction make the access. On sm_90, the lanes of each mask then run separately until
 * they reconverge, at a point that ptxas chooses when it schedules instructions. In all tests, that
 * was before the next access to global memory, but sometimes after accesses to shared memory. */
static void note_apart(struct worker *w, const struct warp *warp, enum access_kind kind,
                       uint32_t exec)
{
    uint8_t first = warp->group[__builtin_ctz(exec)];
    FOR_EXEC(lane, exec)
    if (warp->group[lane] != first) {
        w->counts.shared[kind].unknown++;
        return;
    }
}

static bool move_in_space(struct worker *w, struct warp *warp, const struct instruction *i,
                          uint32_t exec, const uint64_t address[LANES])
{
    if (warp->apart && i->space == SPACE_SHARED)
        note_apart(w, warp, i->kind == KIND_LOAD ? ACCESS_LOAD : ACCESS_STORE, exec);
    if (w->launch->races &&
        !races_access(w, warp, i, exec, address, i->kind == KIND_LOAD ? ACCESS_LOAD : ACCESS_STORE))
        return false;
    if (i->whole_bytes || i->counted_before || i->unknown || i->hoisted)
        return move_general(w, warp, i, exec, address);
    if (i->elements == 1 && (i->space == SPACE_GLOBAL || i->space == SPACE_SHARED)) {
        bool done;
        if (!move_consecutive(w, warp, i, exec, address, &done))
            return false;
        if (done)
            return true;
        if (i->space == SPACE_GLOBAL && move_gapped(w, warp, i, exec, address))
            return true;
    }
    if (i->space == SPACE_GLOBAL && move_scattered(w, warp, i, exec, address))
        return true;
    return move_general(w, warp, i, exec, address);
}

typedef bool in_space(struct worker *w, struct warp *warp, const struct instruction *i,
                      uint32_t exec, const uint64_t address[LANES]);

/* Calls `then` for the lanes that access each block's shared memory in a cluster. An H200 counts no
 * requests for shared::cluster, but wavefronts of accesses to the block's own memory (measured with
 * stores of `onepass_cluster`). All other counts of `then` are therefore undone. */
static bool by_block(struct worker *w, struct warp *warp, const struct instruction *i,
                     uint32_t exec, const uint64_t address[LANES], in_space *then)
{
    struct instruction one = *i;
    struct block *blocks[LANES] = {0};
    uint64_t offset[LANES] = {0};
    bool ok = true;
    one.space = SPACE_SHARED;
    FOR_EXEC(lane, exec)
    {
        blocks[lane] = cluster_block(w, warp, lane, address[lane], &offset[lane]);
        if (!blocks[lane])
            return false;
    }
    while (ok && exec) {
        uint32_t same = 0;
        struct access_counts before[ACCESS_KINDS];
        warp->shares = blocks[__builtin_ctz(exec)];
        FOR_EXEC(lane, exec)
        same |= (uint32_t)(blocks[lane] == warp->shares) << lane;
        memcpy(before, w->counts.shared, sizeof before);
        ok = then(w, warp, &one, same, offset);
        for (int k = 0; k < ACCESS_KINDS; k++)
            if (warp->shares == warp->block) {
                before[k].wavefronts = w->counts.shared[k].wavefronts;
                before[k].unknown = w->counts.shared[k].unknown;
            }
        memcpy(w->counts.shared, before, sizeof before);
        exec &= ~same;
    }
    warp->shares = warp->block;
    return ok;
}

/* Calls `then` separately for those lanes whose generic addresses are in global, shared, local or a
 * cluster's shared memory. */
static bool by_window(struct worker *w, struct warp *warp, const struct instruction *i,
                      uint32_t exec, uint64_t address[LANES], in_space *then)
{
    uint32_t shared = 0, local = 0, cluster = 0;
    FOR_EXEC(lane, exec)
    {
        if (address[lane] - SHARED_WINDOW < WINDOW_BYTES)
            shared |= 1u << lane;
        else if (address[lane] - LOCAL_WINDOW < WINDOW_BYTES)
            local |= 1u << lane;
        else if (address[lane] - CLUSTER_WINDOW < MAX_CLUSTER * WINDOW_BYTES)
            cluster |= 1u << lane;
    }
    if (cluster && !by_block(w, warp, i, cluster, address, then))
        return false;
    exec &= ~cluster;
    struct instruction one = *i;
    FOR_EXEC(lane, shared)
    address[lane] -= SHARED_WINDOW;
    FOR_EXEC(lane, local)
    address[lane] -= LOCAL_WINDOW;
    uint32_t masks[] = {exec & ~shared & ~local, shared, local};
    static const enum space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL};
    for (int k = 0; k < 3; k++) {
        one.space = (uint8_t)spaces[k];
        if (masks[k] && !then(w, warp, &one, masks[k], address))
            return false;
    }
    return true;
}

/* Computes the addresses of all lanes, and calls `then` for the lanes whose addresses are in the
 * same space. */
static bool dispatch(struct worker *w, struct warp *warp, const struct instruction *i,
                     uint32_t exec, in_space *then)
{
    uint64_t address[LANES];
    lane_addresses(warp, i, address);
    if (i->space == SPACE_CLUSTER)
        return by_block(w, warp, i, exec, address, then);
    if (i->space == SPACE_GENERIC)
        return by_window(w, warp, i, exec, address, then);
    return then(w, warp, i, exec, address);
}

bool access_load(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    bool ok = dispatch(w, warp, i, exec, move_in_space);
    if (i->strong)
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return ok;
}

bool access_store(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    if (i->strong)
        __atomic_thread_fence(__ATOMIC_RELEASE);
    return dispatch(w, warp, i, exec, move_in_space);
}

/* Returns whether several lanes of an atomic access the same sector, or a lane accesses several
 * sectors. */
static bool lanes_share_sectors(const uint64_t address[LANES], uint32_t exec, unsigned bytes)
{
    return coalesce_pieces(address, exec, bytes, 5) != lane_count(exec);
}

/* If the atomic is a loop of a load and a compare-and-swap in the machine code, marks the counts of
 * loads and atomics as unknown, because the number of iterations depends on timing. */
static void note_loop(struct worker *w, const struct instruction *i)
{
    if (!atomic_loops(i))
        return;
    struct access_counts *c = i->space == SPACE_SHARED ? w->counts.shared : w->counts.global;
    c[ACCESS_LOAD].unknown++;
    c[ACCESS_REDUCTION].unknown++;
    c[ACCESS_ATOMIC].unknown++;
}

/* Counts an atomic. If the machine code elects a lane to execute it, counts only that lane. */
static void count_atomic(struct worker *w, const struct instruction *i,
                         const uint64_t address[LANES], uint32_t exec, enum access_kind kind)
{
    unsigned bytes = (unsigned)i->bytes * i->elements;
    if (i->elected)
        exec &= -exec;
    if (i->space == SPACE_GLOBAL && lanes_share_sectors(address, exec, bytes))
        w->counts.global[kind].collisions++;
    note_loop(w, i);
    if (i->unknown) {
        note_unknown(w, i->space, ACCESS_REDUCTION);
        note_unknown(w, i->space, ACCESS_ATOMIC);
    }
    count_access(w, i->space, kind, address, exec, bytes);
}

static bool atomic_in_space(struct worker *w, struct warp *warp, const struct instruction *i,
                            uint32_t exec, const uint64_t address[LANES])
{
    enum access_kind kind = i->reduction ? ACCESS_REDUCTION : ACCESS_ATOMIC;
    unsigned bytes = (unsigned)i->bytes * i->elements;
    uint8_t *host[LANES];
    if (!resolve(w, warp, i, exec, address, bytes, host))
        return false;
    if (i->space == SPACE_SHARED) {
        FOR_EXEC(lane, exec)
        if (!check_written(w, warp, (int)lane, address[lane], bytes, bytes))
            return false;
    }
    if (w->launch->races && !races_access(w, warp, i, exec, address, kind))
        return false;
    count_atomic(w, i, address, exec, kind);
    atomic_lanes(w->launch->p, warp, i, exec, host);
    return true;
}

bool access_atomic(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    return dispatch(w, warp, i, exec, atomic_in_space);
}
