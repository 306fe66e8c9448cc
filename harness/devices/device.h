/*
 * The interface to the hardware: everything that redsweep asks of a device.
 *
 * Each kind of device has a `struct device_driver`. There are drivers for GPUs, the simulator, the
 * CPU and recorded runs. The tests add a driver that misbehaves on command. Nothing outside
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

/* What a device allows kernels to use. Expressions in the config can refer to these members. */
struct device_limits {
    char backend[16]; /* a copy of device_info.backend */
    /* how many bytes all buffers of a point together may have; 0 if unknown */
    uint64_t memory_bytes;
    int cc;  /* compute capability; 90 for 9.0 */
    int sms; /* number of multiprocessors */
    int max_block;
    uint64_t max_dynamic_smem; /* the number of bytes per block */
    uint64_t max_grid_x;
    bool device_runtime; /* true if kernels can launch kernels */
    bool cooperative;    /* true if a grid can be launched cooperatively */
    bool cluster;        /* true if the device supports clusters */
    /* true if libraries that call the CUDA runtime (host_code below) can launch kernels on it */
    bool host_launches;
};

/* Returns whether a and b are equal. A plan made for a device with limits a is then valid for one
 * with limits b. */
static inline bool device_limits_same(const struct device_limits *a, const struct device_limits *b)
{
    return strcmp(a->backend, b->backend) == 0 && a->memory_bytes == b->memory_bytes &&
           a->cc == b->cc && a->sms == b->sms && a->max_block == b->max_block &&
           a->max_dynamic_smem == b->max_dynamic_smem && a->max_grid_x == b->max_grid_x &&
           a->device_runtime == b->device_runtime && a->cooperative == b->cooperative &&
           a->cluster == b->cluster && a->host_launches == b->host_launches;
}

/* Statistics about queue slots. A launch's slot is its number among all launches in its stream. On
 * some GPUs, launch times depend on the slot and repeat with a small period, so a slot modulo the
 * period is called a position (devices/cuda/queue_slot.c). All counts are 0 when the device is
 * opened. */
struct launch_position {
    /* the number of launches after which times repeat; 1 if the slot does not matter, 0 if
     * unknown */
    int period;
    int samples; /* how many times were measured to determine the period */
    /* the p-value of the test that rejected half the period; NaN if there was no such test */
    double p_shorter;
    /* the p-value of the test for a period longer than this one; NaN if there was no such test */
    double p_longer;
    /* how much faster launches are at the best position than at the next best one, not counting
     * positions that are statistically as fast as the best one */
    double margin_us;
    /* an upper bound on the time differences that an undetected longer period could cause */
    double unseen_us;
    /* how often the period was measured, and how often the current position was searched for */
    unsigned profiles, located;
    /* batches timed, batches discarded and timed again, and launches of an empty kernel that
     * checked the position (sentinels) */
    uint64_t batches, repeated, sentinels;
    /* batches for which the position could not be verified, which health() reports as well */
    uint64_t unverified;
};

struct device_info {
    char backend[16]; /* such as "cuda", "sim" or "cpu" */
    char name[64];    /* such as "NVIDIA H200" or "simulator (sectors)" */
    /* the chip's name, such as "GH100", or "" if unknown. The simulator reports "sim" or "kepler",
     * depending on the rules by which it counts. */
    char chip[16];
    char slug[48];                /* the name for the results folder, made of a-z, 0-9 and - */
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
    /* roughly how fast a reduction reads memory, in 10^9 bytes per second; used only to estimate
     * how long a run takes */
    double estimate_gbs;
    double time_step_us; /* the resolution of times in µs; 0 if unknown */
    /* how many contexts were opened to choose the best one; 0 if this device has no contexts */
    int contexts;
    /* the time of a tiny launch in the chosen context and in the slowest one; 0 if unknown */
    double launch_us, launch_max_us;
    struct launch_position position; /* the statistics as of the call to describe() */
    /* 13000 for CUDA 13.0; 0 on devices without CUDA */
    int driver_version, runtime_version;
    /* where counters come from, such as "CUPTI 13.0" or "redsweep simulator", or "" if there are
     * none */
    char counter_library[96];
    char counters_missing[512]; /* why counters are not available, or "" */
    /* why clocks, power and throttling are unknown, or "" */
    char health_missing[256];
    /* why energy is not available; "" if it is available (can_meter) or if no reason is known */
    char energy_missing[256];
    bool can_time; /* if false, the device cannot measure times, and time() is never called */
    bool can_count;
    bool can_meter; /* true if energy() and repeat() exist and work */
    /* true if can_time is true and generate() takes no longer than reading the buffer a few times.
     * The samples of a point can then alternate between several inputs. */
    bool cheap_inputs;
    /* true if count() takes no longer than run(). The result of a counted launch is then checked,
     * so no other launch is needed for that. */
    bool count_is_run;
    /* how many blocks to execute of a grid whose blocks do the same work (struct block_sample); 0:
     * all blocks */
    uint64_t sample_blocks;
    /* true if the counters count PTX instructions rather than machine instructions */
    bool exact_counts;
    /* true if the device itself ends a launch after a certain amount of work (instruction_limit).
     * Such devices need no wall-clock limit, which would depend on what else the machine is
     * doing. */
    bool bounded;
    /* true if nothing is executed, so that buffers have no contents and results cannot be checked.
     * health() reports where the times come from (base/health.h). */
    bool no_contents;
};

/* What a driver needs to open a device. The driver compiles some of the support kernels for its own
 * use, for example to generate inputs and to flush the cache. */
struct device_setup {
    struct compiler *compiler;
    const struct catalogue *support; /* the kernels in kernels/support */
    /*
     * How many contexts to open before keeping the one with the fastest launches. Below 2, the
     * first context is used. Only matters on devices whose contexts differ.
     */
    int contexts;
    /* Called with each line that a kernel prints, including the printing block and thread, while
     * the kernel runs. The call may come from another thread, but there is never more than one call
     * at a time. If NULL, printed lines are dropped. */
    void (*print)(void *context, const char *line);
    void *print_context;
    /* Called by open() as soon as the limits are known, on devices that take much longer to open.
     * May be NULL. */
    void (*limits)(void *context, const struct device_limits *limits);
    void *limits_context;
    /* How many instructions a warp may execute before the kernel fails with ERROR_TIMEOUT; 0: no
     * limit. Ignored by devices that cannot count instructions while they execute. */
    uint64_t instruction_limit;
};

/* device memory; kernels get `address` as their pointer */
struct buffer {
    uint64_t address;
    size_t bytes;
};

/* Describes a loaded kernel. Numbers that the device does not know are -1. */
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
 * If the kernel's facts list a sixth parameter, such as the row length, its value is passed as the
 * last argument, and the function has the type host_code_more.
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
 * The blocks to execute if only a sample of the grid is executed. Blocks are grouped into classes,
 * and all blocks of a class do the same work. The device fails with ERROR_UNSUPPORTED if two blocks
 * of a class have different counts. Otherwise it multiplies each class's counts by the number of
 * blocks that the class has in the whole grid. If blocks take long, the device executes fewer of
 * them, but at least one of each class.
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

/* One kernel launch. If there are more arguments than the kernel has parameters, the last ones are
 * ignored. */
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
    /* the blocks to execute, or NULL for all of them; ignored if info.sample_blocks is 0 */
    struct block_sample *sample;
};

/* Appends an argument of `size` bytes (1 to 8). A launch has room for LAUNCH_MAX_ARGUMENTS. */
static inline void add_argument(struct launch *l, uint64_t bits, unsigned size)
{
    l->arguments[l->argument_count].bits = bits;
    l->arguments[l->argument_count++].size = size;
}

enum { UNWRITTEN_TEXT = 256 };

/*
 * One or more launches that are timed or counted together, and the operations before them, which
 * are neither timed nor counted. The operations are carried out in the order of the members.
 */
struct trial {
    /* the id of the measured point, or 0 if there is none; only used for replaying a recording */
    uint64_t point;
    /* if not NULL, the input to generate in the buffer `input` */
    const struct input *restore;
    struct buffer input;
    /* buffers to fill with zeros, unless their sizes are 0 */
    struct buffer zero;
    struct buffer zero_output;
    /* cold: no cache has any of the buffers' data or dirty lines; warm: `input` was just read */
    enum cache_state cache;
    /* the launches, in the order in which they are executed */
    const struct launch *launches;
    int launch_count;
    struct buffer result; /* where the launches leave their result */
    /*
     * NULL, or a buffer of UNWRITTEN_TEXT bytes. With a buffer, reading shared memory that no
     * thread has written does not end the launch. Instead, the device describes the first such read
     * in the buffer, or stores "" if there was none or if it does not detect such reads.
     */
    char *unwritten;
    /* If not NULL, time() stores a hash of `result` here (result_bits()), computed after the timed
     * launches. Devices that do not compute results leave *bits unchanged. */
    uint64_t *bits;
};

/*
 * Called by repeat() with the number of finished trials and the time that the device has spent on
 * them, by its own clock. Returns false to stop repeating.
 */
typedef bool repeat_look(void *context, uint64_t trials, double seconds);

/* a device that find() has found, without opening it */
struct device_found {
    char argument[16]; /* the argument for open(), such as "0" */
    char name[64], uuid[48];
    char note[128]; /* such as "compute capability 9.0, 80 GB" */
};

/* Called by examine() with the name and the value of a fact, such as "power limit" and "700 W". If
 * `problem` is true, `text` describes a problem and its remedy. */
typedef void device_tell(void *context, bool problem, const char *what, const char *text);

struct device_driver {
    unsigned version; /* the constant DEVICE_VERSION */
    const char *name; /* the word before the colon in --device */
    /* another word that people try with --device; the error message then suggests `name`. May be
     * NULL. */
    const char *called;
    const char *help; /* one line for `list devices` */
    /* true if the device runs the CPU functions of kernels/cpu, which every run measures in
     * addition to its kernels */
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
     * waiting for the CPU. Calls look() every few milliseconds while the device continues. When
     * look() returns false, waits for the queued work and returns. If the trial has no launches,
     * only the operations are repeated.
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
     * Returns what time() has observed about the device's state since the last call to health().
     * Sets out->known to false if nothing was observed, because the calls to time() were too short
     * or too close together, or because the state cannot be observed. Takes almost no time itself.
     */
    void (*health)(struct device *d, struct device_health *out); /* (optional) */

    /*
     * Runs `count` trials and stores counter j of trial i in values[i * counter_count + j], or NaN
     * if it has no value. All devices use PerfWorks counter names ("….sum").
     */
    bool (*count)(struct device *d, const struct trial *trials, int count,
                  const char *const *counters, int counter_count, double *values,
                  struct error *e); /* (optional) */

    /* Returns whether the device has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has_counter)(struct device *d, const char *counter, char why[256]); /* (optional) */

    /* Returns how many times each trial must run to measure all of these counters, or 0 if
     * unknown. */
    int (*passes)(struct device *d, const char *const *counters,
                  int counter_count); /* (optional) */

    /*
     * Runs a trial like run(), and reports data races between the threads of its last launch.
     * Returns false if the trial itself fails; races are not a failure. Slow, so it is meant for
     * small grids.
     */
    bool (*check)(struct device *d, const struct trial *t, struct race_report *out,
                  struct error *e); /* (optional) */

    /*
     * Lists up to `max` devices of this machine without opening them, and returns how many it
     * listed. If there are none, writes the reason to `why`, and sets *present to whether the
     * hardware exists but cannot be used.
     */
    int (*find)(struct device_found *out, int max, bool *present, char why[512]); /* (optional) */

    /*
     * Expands an argument such as "all" or "0,2" into NUL-terminated arguments for open(). Fails
     * with ERROR_USAGE if the argument is invalid, and with ERROR_DEVICE if "all" matches no
     * device. Called in a separate process, like find(). NULL if every argument of this driver
     * names one device.
     */
    bool (*list)(const char *argument, struct text *arguments, struct error *e); /* (optional) */

    /* Returns the card's current settings. NULL if the device is not a card. */
    void (*card)(struct device *d, struct card_state *out); /* (optional) */

    /* Passes facts about an open device's state to `tell`, and anything that restricts its use. */
    void (*examine)(struct device *d, device_tell *tell, void *context); /* (optional) */

    /* the counters of all supported chips, whether or not this machine has one
     * (counter_tables.h) */
    const struct counter_tables *tables; /* (optional) */
};

/* All drivers in this build, in the order in which `auto` tries them, ending with NULL. */
extern const struct device_driver *const device_drivers[];

/*
 * Opens the device that --device names: "auto", "cuda", "cuda:1", "sim", "sim:kepler", "cpu" …
 * "auto" uses the first driver that can open a device. For each driver that could not, it appends
 * the reason ("cuda: …") to `passed_over`, unless that is NULL. The caller must close the device
 * with driver->close().
 */
bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e);

/* Appends the devices that --device names, each a NUL-terminated argument for device_open().
 * "cuda:all" becomes "cuda:GPU-…" for each GPU. See device_driver.list. */
bool device_list(const char *name, struct text *names, struct error *e);

/* Opens the device that runs the functions of kernels/cpu. */
bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e);

#endif
