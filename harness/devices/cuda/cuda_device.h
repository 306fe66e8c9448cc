/*
 * Declares the state of a GPU and the functions that the files of the CUDA driver share. A trial is
 * one or more launches that are timed together, with the operations before them (device.h). Queue
 * slots are explained in queue_slot.c. Each file calls only functions of the files below it in this
 * list:
 *
 *   cuda.c         opens, describes and closes a device, and defines the driver's struct
 *   context.c      opens several contexts, and keeps the best one
 *   counting.c     counts trials
 *   queue_slot.c   times trials, and keeps their launches in the best queue slot
 *   slot_test.h    decides about queue slots from times
 *   timing.c       records events behind a blocking kernel
 *   result_bits.c  hashes the results of launches
 *   energy.c       reads the energy counter, and repeats a trial
 *   trial.c        runs one trial: the work before its launches, and the launches
 *   prepare.c      restores the input, zeroes memory and flushes the cache before a timed launch
 *   memory.c       allocates buffers and generates inputs
 *   launch.c       loads and launches kernels
 *   host_code.c    calls libraries that launch their own kernels
 *   status.c       turns CUDA's status into an error
 *   nvml.c         reads clocks, power, temperature, throttling and energy
 *   counters.h     reads counters through CUPTI, with the files cupti_*.c
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUDA_DEVICE_H
#define REDSWEEP_DEVICES_CUDA_CUDA_DEVICE_H

#include "devices/cuda/runtime.h"

#include "devices/cuda/counters.h"
#include "devices/cuda/nvml.h"
#include "devices/cuda/slot_test.h"
#include "devices/device.h"

struct module {
    cudaLibrary_t library;
    cudaKernel_t kernel;
    /* returns how many launches `host` makes; NULL if the library cannot tell */
    host_count *host_count;
    uint64_t host_n;        /* the n for which the launches were counted */
    uint64_t host_sixth;    /* the sixth argument for which the launches were counted */
    unsigned host_launches; /* the number of launches, or 0 before counting */
    /*
     * If not NULL, the module is host code that launches its own kernels, and `kernel` is unused.
     */
    host_code *host;
    host_code_more *host_more; /* the same function as `host`, for kernels with a sixth parameter */
    uint8_t type, op;          /* the type and the operation that `host` reduces */
    bool large_cluster;        /* true if clusters of more than 8 blocks were allowed */
    /* the current MaxDynamicSharedMemorySize of the kernel, or 0 if it has not been set */
    size_t dynamic_smem_limit;
};

enum { TIMING_TRIALS = 64 }; /* the number of trials behind one blocking kernel */

/* The events of one batch of trials. A device has two timing slots: while the batch in one of them
 * runs, the next batch is queued in the other. */
struct timing_slot {
    cudaEvent_t begin; /* the end of the blocking kernel */
    cudaEvent_t start[TIMING_TRIALS], stop[TIMING_TRIALS];
    cudaEvent_t end; /* the end of the last trial of the batch */
    int trials;
    /* host memory to which the GPU writes the hashes of the trials' results */
    uint64_t *bits;
    uint64_t bits_device;             /* the address of `bits` on the GPU */
    uint64_t *bits_to[TIMING_TRIALS]; /* the destination of each hash, or NULL */
};

/* What is known about the queue slots of this device's launches (queue_slot.c). */
struct queue_slot {
    struct slot_profile profile;
    bool known;        /* false if `profile` has not been measured yet or is no longer valid */
    unsigned rotation; /* launch number k is in slot k + rotation of the profile */
    double shift_us;   /* how much longer every launch takes now than in the profile */
    /* true if something else may have made launches since the rotation was determined, and so
     * changed it */
    bool stale;
    unsigned period; /* the period in the first profile, or 0 if none has been measured */
    uint64_t random; /* the state of the random generator */
};

/* One trial of a batch, and the queue slot that its last launch must have. */
struct timed_job {
    const struct trial *trial;
    unsigned period;  /* if this is 1 or less, any slot is allowed */
    unsigned slot;    /* the required slot: the number of the trial's last launch modulo `period` */
    unsigned spacing; /* how many launches there must be at least since the previous timed launch */
};

struct device {
    int ordinal;
    struct device_setup setup;
    struct device_info info;
    /* a CUcontext, destroyed with the device; NULL if the device uses the runtime's own context */
    void *context;
    cudaStream_t stream;
    /* The kernels that generate inputs, loaded when they are first needed. The second index is 1
     * for generators with 64-bit element indices and 0 for those with 32-bit ones. */
    struct module *generators[TYPE_COUNT][2];
    /* kernels for other purposes, loaded when they are first needed */
    struct module *streaming_read, *streaming_write, *zero, *blocking, *empty, *spin;
    /* The kernel that hashes results, and 16 bytes of device memory that it needs, initially zero.
     * Both are created when they are first needed. */
    struct module *result_bits;
    struct buffer bits_state;
    bool bits_ready;
    uint64_t launches;      /* the number of launches queued in the stream so far */
    uint64_t last_timed;    /* the value of `launches` after the latest timed launch */
    struct queue_slot slot; /* what is known about the queue slots of these launches */
    /* buffers for the cache flush, allocated when they are first needed */
    struct buffer flush_dirty, flush_clean, sink;
    /* A number in host memory that the GPU reads. Each blocking kernel has a number of its own, its
     * ticket, and ends when *release_flag is at least that number. */
    unsigned *release_flag;
    uint64_t release_flag_device; /* the address of *release_flag on the GPU */
    unsigned ticket;              /* the ticket of the latest blocking kernel */
    /* pinned host memory for small reads, allocated on first use */
    void *staging;
    bool launch_pool_open; /* true if the pool for kernels that launch kernels is set up */
    bool timing_ready;
    struct timing_slot slots[2];
    double busy_s;               /* how many seconds the device has spent on timed batches */
    struct nvml *nvml;           /* NULL if NVML is not available */
    struct device_health health; /* what was observed since the last call to health() */
    struct device_health seen;   /* the GPU's state when it was last read */
    uint64_t phase_random;       /* state of the random generator for the pauses before trials */
    double looked_s;             /* when `seen` was read, on the monotonic clock */
    struct counters *counters;   /* usable only if info.can_count */
};

/*
 * Returns true if `status` is cudaSuccess. Otherwise sets the error and returns false (status.c).
 * The error consists of `attempted` (what the program was doing), CUDA's own message, and a remedy
 * if one is known. It also records whether the context is lost.
 */
bool cuda_ok(cudaError_t status, const char *attempted, struct error *e);

/* Sets *count to the number of GPUs that CUDA sees. Fails with ERROR_DEVICE if there is no GPU or
 * no driver. */
bool cuda_count_gpus(int *count, struct error *e);

/*
 * The end of the error message if --device asks for a GPU and there is none. It is not added when
 * cuda_find() finds no GPU, because --device may then name the simulator.
 */
#define CUDA_ADVICE "; --device sim needs no GPU"

/*
 * Opens a context on the device, makes it current, and creates a stream in it (context.c). If
 * d->setup.contexts is above 1, opens several contexts and keeps the best. Sets the members of
 * d->info about contexts, launch times and memory.
 */
bool cuda_context_open(struct device *d, struct error *e);
/* Frees everything in the device's context, then the context itself. */
void cuda_context_close(struct device *d);

/* Defined in launch.c. */
bool cuda_load(struct device *d, const struct image *image, struct module **out,
               struct module_info *info, struct error *e);
void cuda_unload(struct device *d, struct module *m);
bool cuda_enqueue(struct device *d, const struct launch *launch, struct error *e);
/* Loads a kernel of kernels/support, compiled for an element type and an operation. With `wide`, it
 * uses 64-bit indices. */
bool cuda_load_support(struct device *d, const char *name, enum element_type type,
                       enum operation op, bool wide, struct module **out, struct error *e);
/* Returns a one-dimensional launch of m, to which the caller adds the arguments. */
struct launch cuda_support_launch(struct module *m, unsigned grid, unsigned block);

/* Sets l->module->host_launches to how many launches the module's host code makes for l. Does
 * nothing if that is known, or if the module is not host code. Assumes 1 if the library cannot
 * tell. */
bool cuda_count_host(struct device *d, const struct launch *l, struct error *e);
/* Returns how many launches the GPU sees for l: 1, or what cuda_count_host() found for host
 * code. */
unsigned cuda_launches(const struct launch *l);

/* Defined in host_code.c. */
bool cuda_load_host(const struct image *image, struct module *m, struct module_info *info,
                    struct error *e);
bool cuda_enqueue_host(struct device *d, const struct launch *l, struct error *e);

/* Defined in survey.c. */
enum { CUDA_MAX_FOUND = 64 };
/* Writes the UUID of a device with these properties: "GPU-…", or "MIG-…" for a MIG instance. */
void cuda_uuid(const struct cudaDeviceProp *p, char out[48]);
/* Finds the CUDA ordinal for `argument`, the text after the colon of --device: an ordinal, the
 * beginning of a UUID, or a MIG instance. */
bool cuda_choose(const char *argument, int *ordinal, struct error *e);
int cuda_find(struct device_found *out, int max, bool *present, char why[512]);
void cuda_card(struct device *d, struct card_state *out);
bool cuda_list(const char *argument, struct text *arguments, struct error *e);
void cuda_examine(struct device *d, device_tell *tell, void *context);

/* Defined in memory.c. */
bool cuda_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e);
void cuda_free(struct device *d, struct buffer b);
bool cuda_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e);
bool cuda_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
               struct error *e);
bool cuda_generate(struct device *d, struct buffer b, const struct input *input, struct error *e);
bool cuda_enqueue_generate(struct device *d, struct buffer b, const struct input *input,
                           struct error *e);

/* Queues the operations before the launches of t (prepare.c). */
bool cuda_enqueue_prepare(struct device *d, const struct trial *t, struct error *e);
/* Returns the number of launches that cuda_enqueue_prepare() queues. */
unsigned cuda_prepare_launches(const struct trial *t);
bool cuda_prepare_flush(struct device *d, struct error *e);
/* Queues only the launches and memsets that zero buffers for t. */
bool cuda_enqueue_zero(struct device *d, const struct trial *t, struct error *e);
/* Sets `out` to a short launch that reads `input`. Its time is mostly the overhead of a launch. */
bool cuda_tiny_launch(struct device *d, struct launch *out, struct buffer *input, struct error *e);

/* Defined in trial.c. cuda_enqueue_all() queues the launches of t, but not the operations before
 * them. cuda_run() runs both and waits for them. */
bool cuda_enqueue_all(struct device *d, const struct trial *t, struct error *e);
bool cuda_run(struct device *d, const struct trial *t, struct error *e);

/* Implements the driver's time() (queue_slot.c). */
bool cuda_time(struct device *d, const struct trial *trials, int count, double *us,
               struct error *e);

/*
 * A stream can hold about a thousand launches, memsets and events that have not begun. When it is
 * full, the CPU waits. A trial adds up to nine of these besides its launches: two each for zeroing
 * two buffers, one for restoring the input, two kernels for the cache flush, and two events.
 */
enum { CUDA_QUEUE_MOST = 768, CUDA_PREPARE_MOST = 9 };

/* Times the trials of `count` jobs and stores their times in `us` (timing.c). The last launch of
 * each trial gets the queue slot that its job requests. */
bool cuda_time_jobs(struct device *d, const struct timed_job *jobs, int count, double *us,
                    struct error *e);
/* Creates what timing needs: events, the blocking kernel, and buffers and kernels for the cache
 * flush. */
bool cuda_timing_open(struct device *d, struct error *e);
/* Returns the number of launches in a trial, not counting its preparation. */
unsigned cuda_trial_launches(const struct trial *t);
/* Returns a launch of an empty kernel. Call cuda_timing_open() first. */
struct launch cuda_empty_launch(struct device *d);
double cuda_busy_s(struct device *d);
void cuda_health(struct device *d, struct device_health *out);
void cuda_timing_close(struct device *d);

/*
 * Defined in result_bits.c. cuda_bits_open() creates what hashing needs. cuda_enqueue_bits() queues
 * a launch that hashes the result of t and stores the hash in slot->bits[i]. cuda_bits_collect()
 * copies each hash of the slot to the trial's `bits`.
 */
bool cuda_bits_open(struct device *d, struct error *e);
void cuda_bits_close(struct device *d);
bool cuda_enqueue_bits(struct device *d, struct timing_slot *slot, int i, const struct trial *t,
                       struct error *e);
void cuda_bits_collect(struct timing_slot *slot);

/* Defined in energy.c. cuda_energy_open() sets the members of d->info about energy. Call it after
 * d->nvml has been opened. cuda_repeat() and cuda_energy() implement the driver's repeat() and
 * energy(). */
void cuda_energy_open(struct device *d);
bool cuda_repeat(struct device *d, const struct trial *t, repeat_look *look, void *context,
                 struct error *e);
bool cuda_energy(struct device *d, uint64_t *mj, struct error *e);

/* Defined in counting.c. */
bool cuda_count(struct device *d, const struct trial *trials, int count,
                const char *const *counters, int counter_count, double *values, struct error *e);
bool cuda_has_counter(struct device *d, const char *counter, char why[256]);
int cuda_passes(struct device *d, const char *const *counters, int counter_count);

#endif
