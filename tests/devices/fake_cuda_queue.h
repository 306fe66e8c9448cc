/*
 * Declares what the parts of the fake runtime share. fake_cuda.c and fake_cuda_launch.c define the
 * runtime's functions, and fake_cuda_queue.c executes the work that these functions queue. See
 * fake_cuda.h.
 */
#ifndef REDSWEEP_TESTS_DEVICES_FAKE_CUDA_QUEUE_H
#define REDSWEEP_TESTS_DEVICES_FAKE_CUDA_QUEUE_H

#define REDSWEEP_RUNTIME_ITSELF
#include "devices/sim/sim_device.h"
#include "../faults/failing_memory.h"
#include "fake_cuda.h"

enum { FAKE_SMS = 16, FAKE_L2_BYTES = 2 << 20, FAKE_QUEUE_MOST = 1024 };

enum object_kind { STREAM = 1, EVENT, LIBRARY, KERNEL, HOST_MEMORY, DEVICE_MEMORY };

/* an object that a handle of the runtime refers to; which members it uses depends on its kind */
struct object {
    enum object_kind kind;
    struct object *next;
    /* events */
    bool queued, done;
    uint64_t when_ns;
    /* libraries use `text`; kernels use the members from `library` to `launched` */
    char *text;
    struct object *library;
    char name[64];
    struct module *module;
    size_t dynamic_smem; /* the dynamic shared memory that the kernel may use */
    bool large_cluster, launched;
    /* memory */
    uint64_t address, bytes;
    void *host;
    /*
     * how many bytes of the memory are cached, how many of these are dirty, and the number of its
     * last use
     */
    uint64_t cached, dirty, used_at;
};

enum task_kind { TASK_LAUNCH = 1, TASK_SET, TASK_COPY, TASK_EVENT, TASK_SUM };

struct task {
    enum task_kind kind;
    struct object *object; /* the task's kernel or event */
    struct launch launch;
    uint64_t address; /* the task's address on the device */
    uint64_t from;    /* for a sum, the address of its input */
    void *host;
    uint64_t bytes; /* for a sum, the number of elements */
    uint8_t byte;
};

struct fake_settings {
    char fail_function[64]; /* "" for none, "*" for any */
    int fail_call;
    bool fail_on; /* whether all later calls fail, too */
    cudaError_t fail_status;
    char kernel[64];    /* the faulty kernel, or "" */
    char fault[8];      /* "hang", "lie", a signal's name, or "" if a launch returns `status` */
    cudaError_t status; /* the status of the kernel's launches */
    uint64_t signal_at; /* the number of the launch that sends the signal */
    char once[256];
    int devices, cc, driver;
    uint64_t memory, step_ns, slots, work;
    int slow_device; /* the number of the slow device, or −1 */
    /* how much slower launches are on the slow device, in percent */
    uint64_t slow_pct;
    uint64_t placed_ns, stall_period_ns, stall_ns; /* the values described in fake_cuda.h, or 0 */
    int placed_argument;
    int device; /* the host's number of the device that cudaSetDevice() chose */
    bool run;
    char watts[128]; /* the text "name=400,…" */
};

extern struct fake_settings fake_settings;
extern struct device *fake_simulator; /* owns the device's memory; NULL before the first call */
extern struct object *fake_objects;   /* all objects, youngest first */
/* returned by every call; cudaSuccess while the context is valid */
extern cudaError_t fake_lost;

/* Creates an object in fake_objects. */
struct object *fake_make(enum object_kind kind);
/*
 * Returns the object behind a handle. If the handle is invalid, calls fake_misuse(function) and
 * returns NULL.
 */
struct object *fake_find(const void *handle, enum object_kind kind, const char *function);

/*
 * Returns whether a requested fault may happen. With FAKE_CUDA_ONCE, it may happen only once.
 */
bool fake_claim(void);
/* Records the first misuse of the runtime. */
void fake_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool fake_loses_context(cudaError_t status);

void fake_read_settings(void);

/*
 * Every function of the runtime calls this first. Returns cudaSuccess, or the status with which the
 * function must fail. After the context is lost, functions that free an object free it, but return
 * the status that lost the context.
 */
cudaError_t fake_begin(const char *function, bool gives_back);
/* Stores a status for cudaGetLastError(), and returns it. */
cudaError_t fake_fail(cudaError_t status);

/*
 * fake_enqueue() adds work to the queue, and fake_drain() executes it. Both return fake_lost, the
 * status of the work so far.
 */
cudaError_t fake_enqueue(const struct task *w);
/* Executes queued work until `event` is done, or until the queue is empty if `event` is NULL. */
cudaError_t fake_drain(const struct object *event);
void fake_queue_reset(void);

/* Returns how much longer launches take in the current context than in the best one. */
uint64_t fake_context_ns(void);
void fake_contexts_reset(void);

/*
 * Exempts the fake's own allocations from failing until fake_leave() is called. failing_memory.c
 * reads failing_memory_spared.
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

/* the first statement of a runtime function */
#define CALL()                                                                                     \
    INSIDE();                                                                                      \
    do {                                                                                           \
        cudaError_t injected = fake_begin(__func__, false);                                        \
        if (injected != cudaSuccess)                                                               \
            return injected;                                                                       \
    } while (0)

#endif
