/*
 * The one interface to the hardware: everything redsweep can ask of a device.
 *
 * A device is one `struct device_driver`. The GPU, the simulator and the CPU are drivers; the tests
 * add one that misbehaves on command. No file outside harness/devices/<one>/ knows which driver it
 * uses: `struct device_info` states the differences between devices.
 *
 * All calls of one device come from one thread of one process (the worker). Functions marked
 * (optional) may be NULL. Every function returns false after filling the error; if
 * `error.device_lost` is set, only close() may still be called.
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

struct device; /* each driver defines its own */
struct module; /* a loaded kernel: each driver defines its own */
struct compiler;
struct catalogue;
struct text;

/* The limits that kernels, and the config's expressions, may use. */
struct device_limits {
    char backend[16];      /* device_info's */
    uint64_t memory_bytes; /* for all buffers of a point together; 0: unknown */
    int cc;                /* compute capability, 90 for 9.0 */
    int sms;               /* multiprocessors */
    int max_block;
    uint64_t max_dynamic_smem; /* bytes per block */
    uint64_t max_grid_x;
    bool device_runtime; /* kernels can launch kernels */
    bool cooperative;    /* a grid can be launched cooperatively */
    bool cluster;        /* it supports clusters */
    bool host_launches;  /* host code of CUDA's runtime can launch kernels on it */
};

/* Whether all members are equal, so that a plan for one is valid for the other. */
static inline bool device_limits_same(const struct device_limits *a, const struct device_limits *b)
{
    return strcmp(a->backend, b->backend) == 0 && a->memory_bytes == b->memory_bytes &&
           a->cc == b->cc && a->sms == b->sms && a->max_block == b->max_block &&
           a->max_dynamic_smem == b->max_dynamic_smem && a->max_grid_x == b->max_grid_x &&
           a->device_runtime == b->device_runtime && a->cooperative == b->cooperative &&
           a->cluster == b->cluster && a->host_launches == b->host_launches;
}

/*
 * Queue slots of timed launches, on devices where they affect the time, and the number of failed
 * verifications; counted since the device was opened. See devices/cuda/queue_slot.c.
 */
struct launch_position {
    int period;  /* period of launch times, in launches; 1: none; 0: not determined */
    int samples; /* that decided it */
    double
        p_shorter;   /* p-value of half the period (rejected), and of this one against all longer */
    double p_longer; /* ones (not rejected); NaN where there is no such test */
    double margin_us; /* from the best position to the next one that can be distinguished */
    double unseen_us; /* upper bound of what a longer period could still change */
    unsigned profiles, located;            /* how often all that was measured, and found again */
    uint64_t batches, repeated, sentinels; /* batches timed; those discarded and timed again */
    uint64_t unverified; /* batches whose slot could not be verified: health() says so, too */
};

struct device_info {
    char backend[16]; /* "cuda", "sim", "cpu" */
    char name[64];    /* "NVIDIA H200", "simulator (sectors)" */
    char chip[16];    /* "GH100"; "sim", "kepler" for the simulator's rules; "" when unknown */
    char slug[48];    /* the name in [a-z0-9-], for the result folder */
    char uuid[48];    /* "" when there is none */
    struct compile_target target; /* what load() wants */
    struct device_limits limits;
    int warp_size;
    uint64_t memory_bytes;                               /* total */
    uint64_t free_bytes;                                 /* when opened */
    uint64_t l2_bytes;                                   /* 0 when unknown */
    int memory_clock_khz, memory_bus_bits, sm_clock_khz; /* 0 when unknown */
    double peak_gbs;     /* 10^9 bytes a second from memory clock and bus width; 0 if unknown */
    double estimate_gbs; /* about how fast a reduction reads here: for estimates of time only */
    double time_step_us; /* event resolution; 0 when unknown */
    int contexts;        /* number that were opened to choose this one; 0: there are none */
    double launch_us, launch_max_us; /* time of a tiny launch in this context, and in the slowest of
                                         them; 0 if unknown */
    struct launch_position position; /* as of the call of describe() */
    int driver_version, runtime_version; /* 13000 for 13.0; 0 if there is none */
    char counter_library[96];   /* "CUPTI 13.0", "redsweep simulator"; "" without counters */
    char counters_missing[512]; /* why counters are not available; "" if they are */
    char health_missing[256];   /* why its clocks, power and throttling are unknown; "" otherwise */
    char energy_missing[256];   /* why its energy is not available; "" if no reason is known, or if
                                   it is available: can_meter */
    bool can_time; /* false: times do not exist on this device, and time() is never called */
    bool can_count;
    bool can_meter;    /* energy() and repeat() exist and work */
    bool cheap_inputs; /* it times, and generate() takes no longer than a few reads of the buffer,
                          so samples can alternate between several inputs */
    bool count_is_run; /* count() costs no more than run(): one launch serves check and counters */
    uint64_t sample_blocks; /* it is asked to execute this many blocks of a grid whose blocks do the
                               same work (struct block_sample); 0: all */
    bool exact_counts;      /* counts are those of the executed PTX, not of machine code */
    bool bounded; /* it ends each launch itself, after a certain amount of work (instruction_limit),
                     so the wall clock, which runs on when the machine is busy, does not limit it */
    bool no_contents; /* buffers have no contents, because nothing is executed: results cannot be
                         checked. health() reports where its times come from (base/health.h) */
};

/* The kernels from which a driver may build code of its own (input generation, cache flush);
 * borrowed. */
struct device_setup {
    struct compiler *compiler;
    const struct catalogue *support; /* the harness's own kernels: kernels/support */
    int contexts; /* open this many contexts and keep the one with the shortest launches; below 2:
                     the first, untried. For devices where contexts differ */
    /* Receives lines that kernels print, each with its block and thread, one at a time, possibly
     * from another thread, during run() and similar calls; NULL: none. For devices that support
     * it. */
    void (*print)(void *context, const char *line);
    void *print_context;
    /* Called as soon as the device's limits are known, if opening it takes much longer; NULL:
     * none. */
    void (*limits)(void *context, const struct device_limits *limits);
    void *limits_context;
    uint64_t instruction_limit; /* of a warp; beyond it a kernel is ERROR_TIMEOUT. 0: none. For
                                   devices that count instructions while they run */
};

/* Device memory. A kernel receives `address` as its pointer. */
struct buffer {
    uint64_t address;
    size_t bytes;
};

/* Facts about a kernel that load() found; -1 if the device cannot know. */
struct module_info {
    int registers;         /* per thread */
    int static_smem_bytes; /* per block */
    int local_bytes;       /* per thread: spills and stack */
    int max_block;         /* threads */
    double compile_ms;     /* of the image that was loaded (base/image.h); drivers leave it */
    uint64_t code;         /* image_code() of that image, 0: it has none; drivers leave it */
    char uncounted[240];   /* why some of its counts are not known; "": no reason is known */
};

enum { LAUNCH_MAX_ARGUMENTS = 12 };

/*
 * Host code that launches kernels of its own, for images with a `library`: the library's function
 * redsweep_<entry>(type, op, input, output, n, workspace, workspace_bytes, stream). It queues its
 * work into `stream` (a cudaStream_t), waits for nothing, and returns CUDA's status; type and op
 * are numbered as in base/element.h. Only devices with limits.host_launches call it.
 *
 * If its kernel has a sixth parameter (the fact `parameters`), such as the length of rows, this
 * comes last, and the function is a host_code_more.
 */
typedef int host_code(int type, int op, const void *input, void *output, uint64_t n,
                      void *workspace, size_t workspace_bytes, void *stream);
typedef int host_code_more(int type, int op, const void *input, void *output, uint64_t n,
                           void *workspace, size_t workspace_bytes, void *stream, uint64_t more);

/*
 * The library's function redsweep_<entry>_launches, if it has one: the number of launches that a
 * call with these arguments makes, without making them; a negated CUDA status if it cannot tell.
 */
typedef host_code host_count;

/*
 * Which blocks of a grid are executed, for all of them. Blocks of one class do the same work: the
 * device executes those that are listed, compares their counts (a difference is ERROR_UNSUPPORTED)
 * and counts each class as often as it has blocks. If a block takes long, the device removes blocks
 * from the list, but never the only one of a class.
 */
struct block_sample {
    struct sampled_block {
        uint64_t block; /* its number in the grid, x first */
        uint32_t class;
    } * blocks; /* each class has at least one */
    uint64_t count;
    uint64_t *class_blocks; /* number of blocks of the whole grid in each class */
    uint32_t classes;
};

/* One launch of a kernel. Arguments beyond the kernel's own parameters are ignored. */
struct launch {
    struct module *module;
    unsigned grid[3], block[3];
    size_t dynamic_smem; /* bytes */
    enum launch_kind kind;
    unsigned cluster; /* blocks per cluster, 1 for none */
    struct {
        uint64_t bits; /* the value, little-endian, in the first `size` bytes */
        unsigned size; /* 1 to 8 */
    } arguments[LAUNCH_MAX_ARGUMENTS];
    int argument_count;
    struct block_sample *sample; /* NULL: all blocks; else info.sample_blocks is not 0 */
};

/* Appends one argument: the value of `size` bytes, 1 to 8. At most LAUNCH_MAX_ARGUMENTS. */
static inline void add_argument(struct launch *l, uint64_t bits, unsigned size)
{
    l->arguments[l->argument_count].bits = bits;
    l->arguments[l->argument_count++].size = size;
}

enum { UNWRITTEN_TEXT = 256 };

/*
 * One trial: the operations before the launches (which are never timed or counted) and the launches
 * themselves. Steps are taken in the order of the fields.
 */
struct trial {
    uint64_t point; /* id of the point that is measured; 0: none. Only for devices that recall */
    const struct input *restore; /* not NULL: write this input to `input` first */
    struct buffer input;
    struct buffer zero; /* bytes > 0: set to zero, as the next one */
    struct buffer zero_output;
    enum cache_state cache; /* cold: no cache has any data of the buffers, and no cache line is
                               dirty; warm: `input` was just read */
    const struct launch *launches; /* run one after another, and timed and counted together */
    int launch_count;
    struct buffer result; /* what they leave in memory */
    char *
        unwritten; /* not NULL: UNWRITTEN_TEXT bytes. A read of shared memory that nobody has written then does not end
                        a launch; a description of the first such read is stored here, or "" if there was none or the
                        device does not notice it */
    uint64_t *bits; /* not NULL: time() sets it to result_bits() of the result, computed after the
                       launches and outside their time; a device without results leaves it
                       unchanged */
};

/*
 * Called by repeat() with the number of finished trials and the time that the device has worked on
 * them, in seconds of its own clock; false: enough.
 */
typedef bool repeat_look(void *context, uint64_t trials, double seconds);

/* A device as it is found before it is opened. */
struct device_found {
    char argument[16]; /* what open() takes: "0" */
    char name[64], uuid[48];
    char note[128]; /* "compute capability 9.0, 80 GB" */
};

/* Receives from `redsweep doctor` a fact ("power limit", "700 W"), or a problem and its remedy. */
typedef void device_tell(void *context, bool problem, const char *what, const char *text);

struct device_driver {
    unsigned version;    /* DEVICE_VERSION */
    const char *name;    /* the word before the colon of --device */
    const char *called;  /* … and what else people call it, to be told the name; NULL: nothing */
    const char *help;    /* one line for `list devices` */
    bool host_functions; /* it runs the functions of kernels/cpu, which every run measures, too */

    /*
     * Opens the device that `argument` (the text after the colon, "" when absent) names.
     * ERROR_DEVICE if this machine has none, ERROR_USAGE if the argument is wrong.
     */
    bool (*open)(const char *argument, const struct device_setup *setup, struct device **out,
                 struct error *e);
    void (*close)(struct device *d);
    void (*describe)(struct device *d, struct device_info *out);

    /* Loads an image that the compiler made for the device's target. `info` may be NULL. */
    bool (*load)(struct device *d, const struct image *image, struct module **out,
                 struct module_info *info, struct error *e);
    void (*unload)(struct device *d, struct module *m);

    /* Memory. Contents after alloc() are undefined; `fill` repeats one byte. */
    bool (*alloc)(struct device *d, size_t bytes, struct buffer *out, struct error *e);
    void (*free)(struct device *d, struct buffer b);
    bool (*fill)(struct device *d, struct buffer b, uint8_t byte, struct error *e);
    bool (*read)(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                 struct error *e);
    bool (*generate)(struct device *d, struct buffer b, const struct input *input, struct error *e);

    /* Runs one trial and waits for it. A fault of the kernel is ERROR_LAUNCH. */
    bool (*run)(struct device *d, const struct trial *t, struct error *e);

    /*
     * Times `count` trials one after another, so that the device never waits for the CPU inside a
     * timed region. us[i] is the time of trial i in microseconds. NULL where can_time is false.
     */
    bool (*time)(struct device *d, const struct trial *trials, int count, double *us,
                 struct error *e); /* (optional) */

    /*
     * Runs one trial, including the operations before its launches, again and again, so that the
     * device never waits for the CPU, until look() returns that it is enough; then waits for queued
     * work. look() is called every few milliseconds, while the device continues with further
     * trials. A trial without launches consists of its preparation.
     */
    bool (*repeat)(struct device *d, const struct trial *t, repeat_look *look, void *context,
                   struct error *e); /* (optional) */

    /*
     * The energy that the device has used since some moment before it was opened, in mJ. It may
     * step only every 20 to 100 ms. It includes everything else that uses the device.
     */
    bool (*energy)(struct device *d, uint64_t *mj, struct error *e); /* (optional) */

    /*
     * Seconds that the device itself has worked inside time() so far, by its own clock, on trials
     * and on the operations before them.
     */
    double (*busy_s)(struct device *d); /* (optional) */

    /*
     * The state of the device during time() since the last call; `known` is false if nothing was
     * observed (calls too short or too close together) or cannot be. It costs next to nothing: the
     * driver observes while the device works.
     */
    void (*health)(struct device *d, struct device_health *out); /* (optional) */

    /*
     * Counts `count` trials. values[i * counter_count + j] is counter j of trial i, NaN where the
     * device has no value. Counter names are PerfWorks names ("….sum"), on every device.
     */
    bool (*count)(struct device *d, const struct trial *trials, int count,
                  const char *const *counters, int counter_count, double *values,
                  struct error *e); /* (optional) */

    /* Whether a counter exists here; if not, `why` explains it in one sentence. */
    bool (*has_counter)(struct device *d, const char *counter, char why[256]); /* (optional) */

    /* The number of passes (replays of each trial) that these counters need together; 0 if
     * unknown. */
    int (*passes)(struct device *d, const char *const *counters, int counter_count); /* (opt.) */

    /*
     * Runs a trial as run() does and reports the data races between the threads of its last launch.
     * Returns false if the trial itself fails; races are not a failure. It is slow: use it for
     * small grids.
     */
    bool (*check)(struct device *d, const struct trial *t, struct race_report *out,
                  struct error *e); /* (optional) */

    /*
     * Lists the devices of this machine, at most `max`, without opening them; returns their number.
     * If there are none, `why` explains it; *present: the hardware exists, but cannot be used.
     */
    int (*find)(struct device_found *out, int max, bool *present, char why[512]); /* (optional) */

    /*
     * Appends the devices that an argument such as "all" or "0,2" names: the arguments of open(),
     * each with its NUL. NULL: an argument names one device. ERROR_USAGE for an invalid argument,
     * ERROR_DEVICE if "all" are none. Called in a process of its own, like find().
     */
    bool (*list)(const char *argument, struct text *arguments, struct error *e); /* (optional) */

    /* The current settings of the card; NULL: the device is not a card. */
    void (*card)(struct device *d, struct card_state *out); /* (optional) */

    /* Reports the state of an open device, and the reasons why it cannot be used fully. */
    void (*examine)(struct device *d, device_tell *tell, void *context); /* (optional) */

    /* The counters of chips that need not be present: counter_tables.h. */
    const struct counter_tables *tables; /* (optional) */
};

/* All drivers of this build, NULL-terminated, in the order in which `auto` tries them. */
extern const struct device_driver *const device_drivers[];

/*
 * Opens the device that --device names: "auto", "cuda", "cuda:1", "sim", "sim:kepler", "cpu" …
 * `auto` takes the first driver that opens, and appends to `passed_over` (may be NULL) why the
 * earlier ones did not: "cuda: …". The device is the caller's: driver->close().
 */
bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e);

/* Appends the names of the devices that --device names, each with its NUL, as device_open() takes
 * them: "cuda:all" is "cuda:GPU-…", "cuda:GPU-…". See `list` above. */
bool device_list(const char *name, struct text *names, struct error *e);

/* Opens the device that runs the functions of kernels/cpu. */
bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e);

#endif
