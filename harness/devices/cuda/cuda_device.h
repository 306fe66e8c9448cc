/*
 * Shared by the files of the GPU driver: the device's state and the error handling of its calls.
 * Each file calls only those below it in this list:
 *
 *   cuda.c      open, describe, close: the driver's struct
 *   context.c   opening a context: the best of several
 *   counting.c  counters of trials
 *   queue_slot.c timing: which queue slot launches need, and whether they have it
 *   slot_test.h  the statistics of that
 *   timing.c    events behind a blocking kernel
 *   result_bits.c  hashes of what the launches left in memory
 *   energy.c    the energy counter, and one trial again and again
 *   trial.c     one trial: what comes before its launches, and these
 *   prepare.c   what comes before a timed launch: restore, zero, cache flush
 *   memory.c    buffers, input generation
 *   launch.c    modules, launches
 *   host_code.c libraries that launch kernels of their own
 *   status.c    CUDA's status as an error
 *   nvml.c      clocks, power, temperature, throttling, energy
 *   counters.h  CUPTI, in files of its own
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
    host_count *host_count;    /* number of launches that `host` makes; NULL: it cannot tell */
    uint64_t host_n;           /* … was asked for this n … */
    uint64_t host_sixth;       /* … and this sixth argument, and there are */
    unsigned host_launches;    /* this many; 0: not asked yet */
    host_code *host;           /* not NULL: it launches kernels itself, and there is no `kernel` */
    host_code_more *host_more; /* the same, for kernels with a sixth parameter */
    uint8_t type, op;          /* type and operation that `host` reduces */
    bool large_cluster;        /* clusters of more than 8 blocks were allowed */
    size_t dynamic_smem_limit; /* the last value of MaxDynamicSharedMemorySize */
};

enum { TIMING_TRIALS = 64 }; /* queued behind one blocking kernel */

/* Two sets of events: one is being queued while the other runs. */
struct timing_slot {
    cudaEvent_t begin; /* the blocking kernel has ended */
    cudaEvent_t start[TIMING_TRIALS], stop[TIMING_TRIALS];
    cudaEvent_t end; /* end of the last trial of the batch */
    int trials;
    uint64_t *bits; /* host memory to which the GPU writes the hashes of the trials' results … */
    uint64_t bits_device;             /* … its address on the GPU … */
    uint64_t *bits_to[TIMING_TRIALS]; /* … and the destination of each; NULL: none */
};

/* Queue slots of timed launches: see queue_slot.c. */
struct queue_slot {
    struct slot_profile profile;
    bool known;        /* false: the profile has not been measured yet, or no longer holds */
    unsigned rotation; /* launch number k has the profile's slot k + rotation */
    double shift_us;   /* by which all launches are longer than in the profile */
    bool stale;        /* other work may have moved the count since that was found */
    unsigned period;   /* of the first profile; 0: there is none yet */
    uint64_t random;   /* the generator's state */
};

/* One trial of a batch, with the slot of its last launch. */
struct timed_job {
    const struct trial *trial;
    unsigned period;  /* 1 or less: any slot */
    unsigned slot;    /* that launch's number modulo period */
    unsigned spacing; /* minimum number of launches since the previous timed one */
};

struct device {
    int ordinal;
    struct device_setup setup;
    struct device_info info;
    void *context; /* CUcontext, ours to destroy; NULL: the runtime's own */
    cudaStream_t stream;
    struct module *generators[TYPE_COUNT][2]; /* [2]: 32- and 64-bit indices; lazy */
    struct module *streaming_read, *streaming_write, *zero, *blocking, *empty, *spin; /* lazy */
    struct module *result_bits; /* lazy; so is its state, 16 zero bytes */
    struct buffer bits_state;
    bool bits_ready;
    uint64_t launches;      /* number of launches queued in the stream so far */
    uint64_t last_timed;    /* value of `launches` after the latest timed launch */
    struct queue_slot slot; /* queue slots of these launches */
    struct buffer flush_dirty, flush_clean, sink; /* lazy: for the cache flush */
    unsigned
        *release_flag; /* host memory that the GPU reads: blocking kernels up to this ticket end */
    uint64_t release_flag_device; /* its address on the GPU */
    unsigned ticket;              /* of the latest blocking kernel */
    void *staging;                /* pinned host memory for small reads; lazy */
    bool launch_pool_open;        /* for kernels that launch kernels */
    bool timing_ready;
    struct timing_slot slots[2];
    double busy_s;               /* device time of all timed batches */
    struct nvml *nvml;           /* NULL: not available */
    struct device_health health; /* since the last call of health() */
    struct device_health seen;   /* the latest reading */
    uint64_t phase_random;       /* state of the generator, for the pauses before trials */
    double looked_s;             /* time of the last look, by the monotonic clock */
    struct counters *counters;   /* info.can_count says whether they can be used */
};

/*
 * status.c: turns a CUDA status into an error: the attempted operation, CUDA's own words, the
 * remedy if there is one, and whether the context is lost. True when the status is success.
 */
bool cuda_ok(cudaError_t status, const char *attempted, struct error *e);

/* The number of GPUs that CUDA shows; ERROR_DEVICE if there is none or no driver for them. */
bool cuda_count_gpus(int *count, struct error *e);

/*
 * context.c: opens a device's context, with its stream, and makes it the current one; if
 * d->setup.contexts says so, the best of several. Fills the members of info about contexts and
 * launches.
 */
bool cuda_context_open(struct device *d, struct error *e);
/* Frees everything that was made in the device's context, and the context. */
void cuda_context_close(struct device *d);

/* launch.c */
bool cuda_load(struct device *d, const struct image *image, struct module **out,
               struct module_info *info, struct error *e);
void cuda_unload(struct device *d, struct module *m);
bool cuda_enqueue(struct device *d, const struct launch *launch, struct error *e);
/* Loads one of the harness's own kernels, compiled for an element type and an operation. */
bool cuda_load_support(struct device *d, const char *name, enum element_type type,
                       enum operation op, bool wide, struct module **out, struct error *e);
/* A one-dimensional launch of a support kernel. */
struct launch cuda_support_launch(struct module *m, unsigned grid, unsigned block);

/* The number of launches that the host code of `l` makes, counted unless it is known; 1 if it
 * cannot be counted. */
bool cuda_count_host(struct device *d, const struct launch *l, struct error *e);
/* The number of launches that one entry of a trial makes. */
unsigned cuda_launches(const struct launch *l);

/* host_code.c */
bool cuda_load_host(const struct image *image, struct module *m, struct module_info *info,
                    struct error *e);
bool cuda_enqueue_host(struct device *d, const struct launch *l, struct error *e);

/* survey.c */
enum { CUDA_MAX_FOUND = 64 };
/* "GPU-…", or "MIG-…" of an instance. */
void cuda_uuid(const struct cudaDeviceProp *p, char out[48]);
/* CUDA's number for the text after the colon of --device: a number, the beginning of a UUID, or a
 * MIG instance. */
bool cuda_choose(const char *argument, int *ordinal, struct error *e);
int cuda_find(struct device_found *out, int max, bool *present, char why[512]);
void cuda_card(struct device *d, struct card_state *out);
bool cuda_list(const char *argument, struct text *arguments, struct error *e);
void cuda_examine(struct device *d, device_tell *tell, void *context);

/* memory.c */
bool cuda_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e);
void cuda_free(struct device *d, struct buffer b);
bool cuda_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e);
bool cuda_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
               struct error *e);
bool cuda_generate(struct device *d, struct buffer b, const struct input *input, struct error *e);
bool cuda_enqueue_generate(struct device *d, struct buffer b, const struct input *input,
                           struct error *e);

/* prepare.c: queues everything in a trial that comes before its launches. */
bool cuda_enqueue_prepare(struct device *d, const struct trial *t, struct error *e);
/* The number of launches that cuda_enqueue_prepare() queues. */
unsigned cuda_prepare_launches(const struct trial *t);
bool cuda_prepare_flush(struct device *d, struct error *e);
/* Queues only the zeroing of the trial. */
bool cuda_enqueue_zero(struct device *d, const struct trial *t, struct error *e);
/* A short launch that reads `input`, to measure how long launches take. */
bool cuda_tiny_launch(struct device *d, struct launch *out, struct buffer *input, struct error *e);

/* trial.c: cuda_enqueue_all queues only a trial's launches; cuda_run does the whole trial and
 * waits. */
bool cuda_enqueue_all(struct device *d, const struct trial *t, struct error *e);
bool cuda_run(struct device *d, const struct trial *t, struct error *e);

/* queue_slot.c: the driver's time() */
bool cuda_time(struct device *d, const struct trial *trials, int count, double *us,
               struct error *e);

/*
 * A stream accepts about a thousand pieces of work before a further one waits for room. Before a
 * trial: two buffers zeroed in two pieces each, restore, two streaming kernels, two events.
 */
enum { CUDA_QUEUE_MOST = 768, CUDA_PREPARE_MOST = 9 };

/* timing.c: times trials; the last launch of each has the queue slot that its job asks for. */
bool cuda_time_jobs(struct device *d, const struct timed_job *jobs, int count, double *us,
                    struct error *e);
/* The objects that timing needs besides the trials: events, the blocking kernel, the cache
 * flush. */
bool cuda_timing_open(struct device *d, struct error *e);
/* The number of launches in a trial, without those that prepare it. */
unsigned cuda_trial_launches(const struct trial *t);
/* A kernel that does nothing; timing must be open. */
struct launch cuda_empty_launch(struct device *d);
double cuda_busy_s(struct device *d);
void cuda_health(struct device *d, struct device_health *out);
void cuda_timing_close(struct device *d);

/* result_bits.c: the objects that hashing needs; the hash of a trial's result, queued behind its
 * last event, as the slot's number i; and the delivery of all hashes of the slot to those who asked
 * for them. */
bool cuda_bits_open(struct device *d, struct error *e);
void cuda_bits_close(struct device *d);
bool cuda_enqueue_bits(struct device *d, struct timing_slot *slot, int i, const struct trial *t,
                       struct error *e);
void cuda_bits_collect(struct timing_slot *slot);

/* energy.c: fills the members of info about energy; NVML must be open. The driver's repeat() and
 * energy(). */
void cuda_energy_open(struct device *d);
bool cuda_repeat(struct device *d, const struct trial *t, repeat_look *look, void *context,
                 struct error *e);
bool cuda_energy(struct device *d, uint64_t *mj, struct error *e);

/* counting.c */
bool cuda_count(struct device *d, const struct trial *trials, int count,
                const char *const *counters, int counter_count, double *values, struct error *e);
bool cuda_has_counter(struct device *d, const char *counter, char why[256]);
int cuda_passes(struct device *d, const char *const *counters, int counter_count);

#endif
