/*
 * The interface to the hardware: everything that redsweep asks of a device.
 *
 * Each kind of device has a `struct device_driver`. There are drivers for GPUs, the simulator, the
 * CPU and recorded runs, and the tests add one that misbehaves on command. Nothing outside
 * harness/devices/<driver>/ depends on which driver is used. `struct device_info` describes how
 * devices differ.
 *
 * All calls to a device come from one thread of one process (the worker). Functions marked
 * (optional) may be NULL. Functions that return bool set the error and return false on failure.
 * Once `error.device_lost` is set, only close() may be called.
 */
#ifndef REDSWEEP_DEVICES_DEVICE_H
#define REDSWEEP_DEVICES_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/element.h"
#include "base/error.h"
#include "base/health.h"
#include "base/image.h"
#include "base/input.h"
#include "devices/counter_tables.h"
#include "devices/race_report.h"

#define DEVICE_VERSION 1

struct device; /* defined by each driver */
struct module; /* a loaded kernel, defined by each driver */
struct compiler;
struct catalogue;
struct text;

/* Limits for kernels, which expressions in the config may refer to. */
struct device_limits {
    char backend[16]; /* as in device_info */
    /* bytes for all of a point's buffers together, or 0 if unknown */
    uint64_t memory_bytes;
    int cc;  /* compute capability; 90 for 9.0 */
    int sms; /* number of multiprocessors */
    int max_block;
    uint64_t max_dynamic_smem; /* the number of bytes per block */
    uint64_t max_grid_x;
    bool device_runtime; /* true if kernels can launch kernels */
    bool cooperative;    /* true if a grid can be launched cooperatively */
    bool cluster;        /* true if the device supports clusters */
    /* true if host code of CUDA's runtime can launch kernels on the device */
    bool host_launches;
};

/* Returns whether the limits are equal, which makes a plan for one device valid for the other. */
static inline bool device_limits_same(const struct device_limits *a, const struct device_limits *b)
{
    return strcmp(a->backend, b->backend) == 0 && a->memory_bytes == b->memory_bytes &&
           a->cc == b->cc && a->sms == b->sms && a->max_block == b->max_block &&
           a->max_dynamic_smem == b->max_dynamic_smem && a->max_grid_x == b->max_grid_x &&
           a->device_runtime == b->device_runtime && a->cooperative == b->cooperative &&
           a->cluster == b->cluster && a->host_launches == b->host_launches;
}

/* The queue slots of timed launches, on devices where slots affect times. Counts start when the
 * device is opened. See devices/cuda/queue_slot.c. */
struct launch_position {
    /* the number of launches after which launch times repeat; 1 if they do not repeat, 0 if that
     * was not determined */
    int period;
    int samples; /* number of samples behind the decision on the period */
    /* the p-value with which half the period was rejected; NaN without such a test */
    double p_shorter;
    /* the p-value of this period against all longer ones; NaN without such a test */
    double p_longer;
    /* how much faster the best position is than the next one that is distinguishable from it */
    double margin_us;
    double unseen_us; /* an upper bound on what a longer period could change */
    /* how often the period was measured, and how often the position was found again */
    unsigned profiles, located;
    /* batches timed, batches discarded and timed again, and sentinel launches */
    uint64_t batches, repeated, sentinels;
    /* batches whose slot could not be verified; health() reports them, too */
    uint64_t unverified;
};

struct device_info {
    char backend[16]; /* such as "cuda", "sim" or "cpu" */
    char name[64];    /* such as "NVIDIA H200" or "simulator (sectors)" */
    /* the chip's name, such as "GH100", or "" if unknown. The simulator's are named after its
     * rules: "sim" and "kepler". */
    char chip[16];
    char slug[48];                /* the name for the results folder, in a-z, 0-9 and - */
    char uuid[48];                /* "" if there is none */
    struct compile_target target; /* the kind of image that load() needs */
    struct device_limits limits;
    int warp_size;
    uint64_t memory_bytes; /* total memory */
    uint64_t free_bytes;   /* free memory when the device was opened */
    uint64_t l2_bytes;     /* 0 if unknown */
    int memory_clock_khz, memory_bus_bits, sm_clock_khz; /* 0 if unknown */
    /* peak bandwidth in 10^9 bytes per second, from the memory clock and bus width; 0 if unknown */
    double peak_gbs;
    /* roughly how fast a reduction reads memory on this device; used only to estimate durations */
    double estimate_gbs;
    double time_step_us; /* the resolution of events, or 0 if unknown */
    /* how many contexts were opened to choose the best; 0 if the device has none */
    int contexts;
    /* the time of a tiny launch in the chosen context and in the slowest one; 0 if unknown */
    double launch_us, launch_max_us;
    struct launch_position position; /* as of describe() */
    /* 13000 for 13.0; 0 if there is no such version */
    int driver_version, runtime_version;
    /* where counters come from, such as "CUPTI 13.0" or "redsweep simulator", or "" if there are
     * none */
    char counter_library[96];
    char counters_missing[512]; /* why counters are not available, or "" */
    /* why clocks, power and throttling are unknown, or "" */
    char health_missing[256];
    /* why energy is not available; "" if it is (can_meter) or if no reason is known */
    char energy_missing[256];
    bool can_time; /* if false, the device has no times, and time() is never called */
    bool can_count;
    bool can_meter; /* true if energy() and repeat() exist and work */
    /* true if the device has times and generate() costs no more than reading the buffer a few
     * times, so that samples can alternate between several inputs */
    bool cheap_inputs;
    /* true if count() costs no more than run(), so that one launch serves for both the check and
     * the counters */
    bool count_is_run;
    /* how many blocks to execute of a grid whose blocks do the same work (struct block_sample); 0:
     * all */
    uint64_t sample_blocks;
    /* true if counts are of PTX rather than machine code */
    bool exact_counts;
    /* true if the device itself ends a launch after a certain amount of work (instruction_limit).
     * There is then no wall-clock limit, which would depend on what else the machine is doing. */
    bool bounded;
    /* true if nothing is executed, so that buffers have no contents and results cannot be checked.
     * health() reports where the times come from (base/health.h). */
    bool no_contents;
};

/* What a driver needs to open a device. The driver borrows the support kernels to build code of its
 * own (input generation, cache flush). */
struct device_setup {
    struct compiler *compiler;
    const struct catalogue *support; /* the kernels in kernels/support */
    /*
     * How many contexts to open before keeping the one with the fastest launches. Below 2, the
     * first context is used. Only matters on devices whose contexts differ.
     */
    int contexts;
    /* Receives the lines that kernels print, with block and thread, one at a time during run() and
     * the like, possibly from another thread. NULL drops them. Devices that cannot print never call
     * it. */
    void (*print)(void *context, const char *line);
    void *print_context;
    /* Receives the limits as soon as they are known, if opening the device takes much longer than
     * that. May be NULL. */
    void (*limits)(void *context, const struct device_limits *limits);
    void *limits_context;
    /* The most instructions that a warp may execute before the kernel fails with ERROR_TIMEOUT; 0:
     * no limit. Only applies to devices that count instructions as they execute. */
    uint64_t instruction_limit;
};

/* device memory; kernels get `address` as their pointer */
struct buffer {
    uint64_t address;
    size_t bytes;
};

/* What load() found out about a kernel. Anything that the device cannot tell is -1. */
struct module_info {
    int registers;         /* per thread */
    int static_smem_bytes; /* bytes per block */
    int local_bytes;       /* bytes per thread, for spills and the stack */
    int max_block;         /* the largest number of threads per block */
    /* how long the image took to compile (base/image.h); not set by drivers */
    double compile_ms;
    /* image_code() of the loaded image, or 0 if it has none; not set by drivers */
    uint64_t code;
    /* why some counts of the kernel are unknown, or "" */
    char uncounted[240];
};

enum { LAUNCH_MAX_ARGUMENTS = 12 };

/*
 * If an image has a `library`, the library's function redsweep_<entry>(type, op, input, output, n,
 * workspace, workspace_bytes, stream) has this type. It is host code that launches its own kernels.
 * It queues its work into `stream` (a cudaStream_t) without waiting for it, and returns CUDA's
 * status. For type and op, see base/element.h. Only devices with limits.host_launches call it.
 *
 * A sixth kernel parameter (the fact `parameters`), such as the row length, comes last and makes
 * the function a host_code_more.
 */
typedef int host_code(int type, int op, const void *input, void *output, uint64_t n,
                      void *workspace, size_t workspace_bytes, void *stream);
typedef int host_code_more(int type, int op, const void *input, void *output, uint64_t n,
                           void *workspace, size_t workspace_bytes, void *stream, uint64_t more);

/*
 * The library may also have a function redsweep_<entry>_launches of this type, which returns how
 * many launches redsweep_<entry> would make with the same arguments, or a negated CUDA status if it
 * cannot tell.
 */
typedef host_code host_count;

/*
 * The blocks to execute as a sample of the grid. Blocks of one class do the same work. The device
 * compares the counts within each class, failing with ERROR_UNSUPPORTED if they differ, and scales
 * them to the grid's number of blocks in that class. If blocks take long, the device drops some,
 * but never a class's only one.
 */
struct block_sample {
    struct sampled_block {
        uint64_t block; /* the block's number in the grid, x fastest */
        uint32_t class;
    } * blocks; /* at least one block of each class */
    uint64_t count;
    uint64_t *class_blocks; /* how many of the grid's blocks are in each class */
    uint32_t classes;
};

/* One kernel launch. Arguments beyond the kernel's parameters are ignored. */
struct launch {
    struct module *module;
    unsigned grid[3], block[3];
    size_t dynamic_smem; /* the number of bytes */
    enum launch_kind kind;
    unsigned cluster; /* blocks per cluster, or 1 without clusters */
    struct {
        uint64_t bits; /* the value in the first `size` bytes, little-endian */
        unsigned size; /* 1 to 8 bytes */
    } arguments[LAUNCH_MAX_ARGUMENTS];
    int argument_count;
    /* NULL: execute all blocks; only used if info.sample_blocks is not 0 */
    struct block_sample *sample;
};

/* Appends an argument of `size` bytes (1 to 8), up to LAUNCH_MAX_ARGUMENTS of them. */
static inline void add_argument(struct launch *l, uint64_t bits, unsigned size)
{
    l->arguments[l->argument_count].bits = bits;
    l->arguments[l->argument_count++].size = size;
}

enum { UNWRITTEN_TEXT = 256 };

/*
 * Launches and the operations before them, which are never timed or counted. Everything happens in
 * field order.
 */
struct trial {
    /* the id of the measured point, or 0 if there is none; only used for replaying a recording */
    uint64_t point;
    /* if not NULL, first written to `input` */
    const struct input *restore;
    struct buffer input;
    /* zeroed if their sizes are not 0 */
    struct buffer zero;
    struct buffer zero_output;
    /* cold: no cache has any of the buffers' data or dirty lines; warm: `input` was just read */
    enum cache_state cache;
    /* executed one after another; timed and counted together */
    const struct launch *launches;
    int launch_count;
    struct buffer result; /* where the launches leave their result */
    /*
     * If not NULL, UNWRITTEN_TEXT bytes for a description of the first read of shared memory that
     * no thread has written, which then does not end the launch. "" if there was no such read, or
     * if the device does not detect them.
     */
    char *unwritten;
    /* If not NULL, time() stores result_bits() of the result here, hashed after the timed launches.
     * A device without results leaves *bits unchanged. */
    uint64_t *bits;
};

/*
 * Called by repeat() with the number of finished trials and the seconds that the device has spent
 * on them by its own clock. Returns false when that is enough.
 */
typedef bool repeat_look(void *context, uint64_t trials, double seconds);

/* a device that find() has found, without opening it */
struct device_found {
    char argument[16]; /* the argument for open(), such as "0" */
    char name[64], uuid[48];
    char note[128]; /* such as "compute capability 9.0, 80 GB" */
};

/* Gives `redsweep doctor` a fact, such as "power limit" and "700 W", or a problem and its
 * remedy. */
typedef void device_tell(void *context, bool problem, const char *what, const char *text);

struct device_driver {
    unsigned version; /* the constant DEVICE_VERSION */
    const char *name; /* the word before the colon in --device */
    /* another word that people try with --device; the error message then suggests `name`. May be
     * NULL. */
    const char *called;
    const char *help; /* one line for `list devices` */
    /* true if the device runs the functions of kernels/cpu, which every run measures, too */
    bool host_functions;

    /*
     * Opens the device that `argument` names: the text after the colon, or "" without one. Fails
     * with ERROR_DEVICE if this machine has no such device, and with ERROR_USAGE if the argument is
     * invalid.
     */
    bool (*open)(const char *argument, const struct device_setup *setup, struct device **out,
                 struct error *e);
    void (*close)(struct device *d);
    void (*describe)(struct device *d, struct device_info *out);

    /* Loads an image that the compiler made for the device's target. `info` may be NULL. */
    bool (*load)(struct device *d, const struct image *image, struct module **out,
                 struct module_info *info, struct error *e);
    void (*unload)(struct device *d, struct module *m);

    /* alloc() leaves the contents undefined. fill() repeats one byte. */
    bool (*alloc)(struct device *d, size_t bytes, struct buffer *out, struct error *e);
    void (*free)(struct device *d, struct buffer b);
    bool (*fill)(struct device *d, struct buffer b, uint8_t byte, struct error *e);
    bool (*read)(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                 struct error *e);
    bool (*generate)(struct device *d, struct buffer b, const struct input *input, struct error *e);

    /* Runs one trial and waits for it. Fails with ERROR_LAUNCH if the kernel faults. */
    bool (*run)(struct device *d, const struct trial *t, struct error *e);

    /*
     * Times `count` trials one after another; us[i] is trial i's time in microseconds. The device
     * never waits for the CPU inside a timed region. NULL if can_time is false.
     */
    bool (*time)(struct device *d, const struct trial *trials, int count, double *us,
                 struct error *e); /* (optional) */

    /*
     * Repeats one trial, including the operations before its launches, without the device ever
     * waiting for the CPU. Calls look() every few milliseconds while the device keeps going. When
     * look() returns false, waits for the queued work and returns. A trial without launches is just
     * its preparation.
     */
    bool (*repeat)(struct device *d, const struct trial *t, repeat_look *look, void *context,
                   struct error *e); /* (optional) */

    /*
     * Returns the energy in mJ that the device has used since some moment before it was opened. It
     * may be updated only every 20 to 100 ms, and includes whatever else runs on the device.
     */
    bool (*energy)(struct device *d, uint64_t *mj, struct error *e); /* (optional) */

    /* Returns how many seconds the device has spent so far, by its own clock, on time()'s trials
     * and the operations before them. */
    double (*busy_s)(struct device *d); /* (optional) */

    /*
     * Returns the device's state during the calls to time() since the last health(). `known` is
     * false if nothing was observed: the calls were too short or too close together, or the state
     * cannot be observed. Costs almost nothing, because time() does the observing.
     */
    void (*health)(struct device *d, struct device_health *out); /* (optional) */

    /*
     * Counts `count` trials. values[i * counter_count + j] is counter j of trial i, or NaN if it
     * has no value. All devices use PerfWorks names ("….sum").
     */
    bool (*count)(struct device *d, const struct trial *trials, int count,
                  const char *const *counters, int counter_count, double *values,
                  struct error *e); /* (optional) */

    /* Returns whether the device has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has_counter)(struct device *d, const char *counter, char why[256]); /* (optional) */

    /* Returns how many passes (repetitions of each trial) these counters need together, or 0 if
     * unknown. */
    int (*passes)(struct device *d, const char *const *counters,
                  int counter_count); /* (optional) */

    /*
     * Runs a trial like run(), and reports data races between the threads of its last launch.
     * Returns false if the trial itself fails; races are not a failure. Slow; meant for small
     * grids.
     */
    bool (*check)(struct device *d, const struct trial *t, struct race_report *out,
                  struct error *e); /* (optional) */

    /*
     * Lists up to `max` devices of this machine without opening them, and returns how many. If
     * there are none, writes the reason to `why`, and sets *present if the hardware exists but
     * cannot be used.
     */
    int (*find)(struct device_found *out, int max, bool *present, char why[512]); /* (optional) */

    /*
     * Expands an argument such as "all" or "0,2" into NUL-terminated arguments for open(). If NULL,
     * an argument names one device. Fails with ERROR_USAGE if it is invalid, and with ERROR_DEVICE
     * if "all" matches nothing. Like find(), called in a separate process.
     */
    bool (*list)(const char *argument, struct text *arguments, struct error *e); /* (optional) */

    /* Returns the card's current settings. NULL if the device is not a card. */
    void (*card)(struct device *d, struct card_state *out); /* (optional) */

    /* Reports an open device's state, and whatever limits its use. */
    void (*examine)(struct device *d, device_tell *tell, void *context); /* (optional) */

    /* counters of chips that need not be present (counter_tables.h) */
    const struct counter_tables *tables; /* (optional) */
};

/* All drivers in this build, in the order in which `auto` tries them, ending with NULL. */
extern const struct device_driver *const device_drivers[];

/*
 * Opens the device that --device names: "auto", "cuda", "cuda:1", "sim", "sim:kepler", "cpu" …
 * `auto` takes the first driver that opens a device, and appends the reasons why earlier ones did
 * not ("cuda: …") to `passed_over`, which may be NULL. The caller must call driver->close().
 */
bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e);

/* Appends the devices that --device names, each a NUL-terminated argument for device_open().
 * "cuda:all" becomes "cuda:GPU-…" for each GPU. See `list` above. */
bool device_list(const char *name, struct text *names, struct error *e);

/* Opens the device that runs the functions of kernels/cpu. */
bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e);

#endif
