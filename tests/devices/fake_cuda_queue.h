/*
 * Shared by the parts of the fake runtime: fake_cuda.c and fake_cuda_launch.c have the calls,
 * fake_cuda_queue.c does the work that they queue. fake_cuda.h describes the whole.
 */
#ifndef REDSWEEP_TESTS_DEVICES_FAKE_CUDA_QUEUE_H
#define REDSWEEP_TESTS_DEVICES_FAKE_CUDA_QUEUE_H

#define REDSWEEP_RUNTIME_ITSELF
#include "devices/sim/sim_device.h"
#include "../faults/failing_memory.h"
#include "fake_cuda.h"

enum { FAKE_SMS = 16, FAKE_L2_BYTES = 2 << 20, FAKE_QUEUE_MOST = 1024 };

enum object_kind { STREAM = 1, EVENT, LIBRARY, KERNEL, HOST_MEMORY, DEVICE_MEMORY };

/* Any object that a handle stands for. */
struct object {
    enum object_kind kind;
    struct object *next;
    /* an event */
    bool queued, done;
    uint64_t when_ns;
    /* a library: its text; a kernel: its library, its name and what the simulator
     * made of it */
    char *text;
    struct object *library;
    char name[64];
    struct module *module;
    size_t dynamic_smem; /* the dynamic shared memory that the kernel was allowed */
    bool large_cluster, launched;
    /* memory */
    uint64_t address, bytes;
    void *host;
    uint64_t cached, dirty, used_at; /* in the cache; used_at orders by use */
};

enum task_kind { TASK_LAUNCH = 1, TASK_SET, TASK_COPY, TASK_EVENT, TASK_SUM };

struct task {
    enum task_kind kind;
    struct object *object; /* a kernel, an event */
    struct launch launch;
    uint64_t address; /* of the device */
    uint64_t from;    /* of a sum: the address of its input */
    void *host;
    uint64_t bytes; /* of a sum: the number of elements */
    uint8_t byte;
};

struct fake_settings {
    char fail_function[64]; /* "" none, "*" any */
    int fail_call;
    bool fail_on; /* whether every later call fails, too */
    cudaError_t fail_status;
    char kernel[64];    /* "" none */
    char fault[8];      /* "hang", "lie", a signal's name, or "" for … */
    cudaError_t status; /* … this */
    uint64_t signal_at; /* the launch of the kernel that sends the signal */
    char once[256];
    int devices, cc, driver;
    uint64_t memory, step_ns, slots, work;
    int slow_device;                               /* −1: none … */
    uint64_t slow_pct;                             /* … of which launches take this much longer */
    uint64_t placed_ns, stall_period_ns, stall_ns; /* see fake_cuda.h; 0: none */
    int placed_argument;
    int device; /* that cudaSetDevice() chose, as the host numbers it */
    bool run;
    char watts[128]; /* "name=400,…" */
};

extern struct fake_settings fake_settings;
extern struct device *fake_simulator; /* its memory is the device's; NULL before the first call */
extern struct object *fake_objects;   /* all of them, the youngest first */
extern cudaError_t fake_lost;         /* what every call returns; cudaSuccess: the context lives */

/* Returns a new object; it is one of fake_objects. */
struct object *fake_make(enum object_kind kind);
/* Returns the object of a handle that `function` was given. For any other handle it calls fake_misuse() and returns NULL. */
struct object *fake_find(const void *handle, enum object_kind kind, const char *function);

/* Returns whether the fault that the environment asks for is yet to happen; asking uses it up. */
bool fake_claim(void);
/* Notes the first misuse of the runtime. */
void fake_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool fake_loses_context(cudaError_t status);

void fake_read_settings(void);

/*
 * The first step of every call: cudaSuccess, or the status that it must return at once. A lost
 * context takes objects back, but returns its error.
 */
cudaError_t fake_begin(const char *function, bool gives_back);
/* Remembers a status for cudaGetLastError(); returns it. */
cudaError_t fake_fail(cudaError_t status);

/* The queue. Both functions return fake_lost, the status of the work so far. */
cudaError_t fake_enqueue(const struct task *w);
/* Works until `event` is done; NULL: until the queue is empty. */
cudaError_t fake_drain(const struct object *event);
void fake_queue_reset(void);

/* Returns the additional time of launches in the current context, compared with the best one. */
uint64_t fake_context_ns(void);
void fake_contexts_reset(void);

/* Allocations within the caller's scope never fail, because they are the fake's own: failing_memory.c asks.
 * This lasts until that scope ends.
 */
static inline int fake_enter(void)
{
    return ++failing_memory_spared;
}

static inline void fake_leave(const int *inside)
{
    failing_memory_spared = *inside - 1;
}

#define INSIDE() __attribute__((cleanup(fake_leave), unused)) int inside = fake_enter()

/* The first line of every call. */
#define CALL()                                                                                     \
    INSIDE();                                                                                      \
    do {                                                                                           \
        cudaError_t injected = fake_begin(__func__, false);                                        \
        if (injected != cudaSuccess)                                                               \
            return injected;                                                                       \
    } while (0)

#endif
