/*
 * Declares the interface to the hardware: everything that redsweep can ask of a device.
 *
 * Each kind of device has a `struct device_driver`. There are drivers for the GPU, the simulator
 * and the CPU, and the tests add a driver that misbehaves on command. No file outside
 * harness/devices/<driver>/ depends on which driver it uses. `struct device_info` states the
 * differences between devices.
 *
 * All calls to one device come from one thread of one process (the worker). Functions marked
 * (optional) may be NULL. If a function that returns bool fails, it sets the error and returns
 * false. If `error.device_lost` is set, only close() may still be called.
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

struct device; /* Each driver defines its own structure. */
struct module; /* a loaded kernel, as each driver defines it */
struct compiler;
struct catalogue;
struct text;

/* Contains the limits that kernels must respect. Expressions in the config may use these limits. */
struct device_limits {
    char backend[16]; /* the same text as in device_info */
    /* All buffers of a point together must fit into this many bytes. 0 means that the size is
     * unknown. */
    uint64_t memory_bytes;
    int cc;  /* the compute capability, which is 90 for 9.0 */
    int sms; /* the number of multiprocessors */
    int max_block;
    uint64_t max_dynamic_smem; /* the number of bytes per block */
    uint64_t max_grid_x;
    bool device_runtime; /* true if kernels can launch kernels */
    bool cooperative;    /* true if a grid can be launched cooperatively */
    bool cluster;        /* true if the device supports clusters */
    /* true if host code of CUDA's runtime can launch kernels on the device */
    bool host_launches;
};

/* Returns whether all members are equal, so that a plan for one device is valid for the other. */
static inline bool device_limits_same(const struct device_limits *a, const struct device_limits *b)
{
    return strcmp(a->backend, b->backend) == 0 && a->memory_bytes == b->memory_bytes &&
           a->cc == b->cc && a->sms == b->sms && a->max_block == b->max_block &&
           a->max_dynamic_smem == b->max_dynamic_smem && a->max_grid_x == b->max_grid_x &&
           a->device_runtime == b->device_runtime && a->cooperative == b->cooperative &&
           a->cluster == b->cluster && a->host_launches == b->host_launches;
}

/* Describes the queue slots of timed launches on devices where slots affect the time. The counts
 * begin when the device is opened. See devices/cuda/queue_slot.c. */
struct launch_position {
    /* The times of launches repeat after this many launches. The period is 1 if the times do not
     * repeat, and 0 if it was not determined. */
    int period;
    int samples; /* the number of samples that decided the period */
    /* The hypothesis that the period is half as long was rejected with this p-value. It is NaN
     * without such a test. */
    double p_shorter;
    /* The test of this period against all longer ones had this p-value. It is NaN without such a
     * test. */
    double p_longer;
    /* how much faster the best position is than the next one that is distinguishable from it */
    double margin_us;
    double unseen_us; /* an upper bound on what a longer period could change */
    /* `profiles` counts how often the period was measured, and `located` counts how often the
     * position was found again. */
    unsigned profiles, located;
    /* These members count the batches that were timed, those that were discarded and timed again,
     * and the sentinel launches. */
    uint64_t batches, repeated, sentinels;
    /* This member counts the batches whose slot could not be verified. health() reports them,
     * too. */
    uint64_t unverified;
};

struct device_info {
    char backend[16]; /* This is "cuda", "sim" or "cpu". */
    char name[64];    /* a name such as "NVIDIA H200" or "simulator (sectors)" */
    /* This is the name of the chip, such as "GH100", or "" if it is unknown. The simulator's chips
     * are named after its rules: "sim" and "kepler". */
    char chip[16];
    char slug[48]; /* the name in the characters a-z, 0-9 and -, for the folder of the results */
    char uuid[48]; /* "" if there is none */
    struct compile_target target; /* the kind of image that load() needs */
    struct device_limits limits;
    int warp_size;
    uint64_t memory_bytes; /* the size of the whole memory */
    uint64_t free_bytes;   /* the size of the free memory at the time of opening */
    uint64_t l2_bytes;     /* 0 if unknown */
    int memory_clock_khz, memory_bus_bits, sm_clock_khz; /* 0 if unknown */
    /* The peak bandwidth, in 10^9 bytes per second, is computed from the memory clock and the bus
     * width. It is 0 if these are unknown. */
    double peak_gbs;
    /* A reduction reads memory on this device at about this speed. The value is only used to
     * estimate durations. */
    double estimate_gbs;
    double time_step_us; /* the resolution of events, or 0 if it is unknown */
    /* This many contexts were opened, and the best of them was chosen. The number is 0 if the
     * device has no contexts. */
    int contexts;
    /* A tiny launch takes these times in the chosen context and in the slowest of the opened
     * contexts. 0 if unknown. */
    double launch_us, launch_max_us;
    struct launch_position position; /* the state when describe() is called */
    /* These are 13000 for 13.0, or 0 if there is no such version. */
    int driver_version, runtime_version;
    /* Counters come from this library, such as "CUPTI 13.0" or "redsweep simulator". It is "" if
     * there are no counters. */
    char counter_library[96];
    char counters_missing[512]; /* why counters are not available, or "" */
    /* why clocks, power and throttling are unknown, or "" */
    char health_missing[256];
    /* This is the reason why the energy is not available. It is "" if the energy is available
     * (can_meter) or if no reason is known. */
    char energy_missing[256];
    bool can_time; /* If false, this device has no times, and time() is never called. */
    bool can_count;
    bool can_meter; /* true if energy() and repeat() exist and work */
    /* This is true if the device has times, and if generate() takes no longer than a few reads of
     * the buffer. Samples can then alternate between several inputs. */
    bool cheap_inputs;
    /* This is true if count() costs no more than run(). One launch is then used for both the check
     * and the counters. */
    bool count_is_run;
    /* The device is asked to execute this many blocks of a grid whose blocks do the same work
     * (struct block_sample). 0 means all blocks. */
    uint64_t sample_blocks;
    /* true if counts are those of the executed PTX, not of machine code */
    bool exact_counts;
    /* This is true if the device itself ends each launch after a certain amount of work
     * (instruction_limit). Wall-clock time, which also passes while the machine is busy with other
     * work, then does not limit a launch. */
    bool bounded;
    /* This is true if buffers have no contents because nothing is executed. Results can then not be
     * checked. health() reports where the times come from (base/health.h). */
    bool no_contents;
};

/* Contains what a driver needs to open a device. The driver may build its own code (input
 * generation, cache flush) from the support kernels, which it borrows. */
struct device_setup {
    struct compiler *compiler;
    const struct catalogue *support; /* the harness's own kernels in kernels/support */
    /*
     * The driver opens this many contexts and keeps the one with the shortest launches. If the
     * number is below 2, the driver uses the first context without a comparison. The option affects
     * only devices whose contexts differ.
     */
    int contexts;
    /* Receives the lines that kernels print, each with its block and thread. It receives them one
     * at a time during run() and similar calls, possibly from another thread. If it is NULL, the
     * lines are ignored. Devices without support for printing never call it. */
    void (*print)(void *context, const char *line);
    void *print_context;
    /* If opening the device takes much longer than finding its limits, this function receives the
     * limits as soon as they are known. It may be NULL. */
    void (*limits)(void *context, const struct device_limits *limits);
    void *limits_context;
    /* A warp may execute at most this many instructions. A kernel that exceeds this limit fails
     * with ERROR_TIMEOUT. 0 means no limit. Only devices that count instructions during execution
     * apply the limit. */
    uint64_t instruction_limit;
};

/* Describes device memory. A kernel receives `address` as its pointer. */
struct buffer {
    uint64_t address;
    size_t bytes;
};

/* Contains facts that load() found about a kernel. A fact that the device cannot determine is
 * -1. */
struct module_info {
    int registers;         /* the number per thread */
    int static_smem_bytes; /* the size per block */
    int local_bytes;       /* the size per thread, for spills and the stack */
    int max_block;         /* the largest number of threads per block */
    /* The compilation of the loaded image took this time (base/image.h). Drivers do not set it. */
    double compile_ms;
    /* This member is image_code() of the loaded image, or 0 if the image has no such value. Drivers
     * do not set it. */
    uint64_t code;
    /* why some counts of the kernel are unknown, or "" */
    char uncounted[240];
};

enum { LAUNCH_MAX_ARGUMENTS = 12 };

/*
 * If an image has a `library`, the library's function redsweep_<entry>(type, op, input, output, n,
 * workspace, workspace_bytes, stream) has this type. This function is host code that launches
 * kernels of its own. It queues its work into `stream` (a cudaStream_t), does not wait for the
 * work, and returns CUDA's status. type and op are numbered as in base/element.h. Only devices with
 * limits.host_launches call it.
 *
 * If its kernel has a sixth parameter (the fact `parameters`), such as the length of rows, this
 * parameter comes last, and the function is a host_code_more.
 */
typedef int host_code(int type, int op, const void *input, void *output, uint64_t n,
                      void *workspace, size_t workspace_bytes, void *stream);
typedef int host_code_more(int type, int op, const void *input, void *output, uint64_t n,
                           void *workspace, size_t workspace_bytes, void *stream, uint64_t more);

/*
 * The library may also have a function redsweep_<entry>_launches of this type. That function
 * returns the number of launches that redsweep_<entry> would make with the same arguments. If it
 * cannot determine this number, it returns a negated CUDA status.
 */
typedef host_code host_count;

/*
 * Lists the blocks of a grid that are executed instead of all blocks. Blocks of one class do the
 * same work. The device executes the listed blocks and compares the counts of the blocks in each
 * class. If the counts in a class differ, it fails with ERROR_UNSUPPORTED. Otherwise, it multiplies
 * the counts of each class by the number of blocks that the grid has in this class. If a block
 * takes a long time, the device removes blocks from the list, but never the only block of a class.
 */
struct block_sample {
    struct sampled_block {
        uint64_t block; /* the number of the block in the grid, with x varying fastest */
        uint32_t class;
    } * blocks; /* Each class has at least one block here. */
    uint64_t count;
    uint64_t *class_blocks; /* the number of blocks of the whole grid in each class */
    uint32_t classes;
};

/* Describes one launch of a kernel. Arguments beyond the kernel's own parameters are ignored. */
struct launch {
    struct module *module;
    unsigned grid[3], block[3];
    size_t dynamic_smem; /* the number of bytes */
    enum launch_kind kind;
    unsigned cluster; /* the number of blocks per cluster, or 1 without clusters */
    struct {
        uint64_t bits; /* the value, little-endian, in the first `size` bytes */
        unsigned size; /* the size of the value, from 1 to 8 */
    } arguments[LAUNCH_MAX_ARGUMENTS];
    int argument_count;
    /* If this is NULL, all blocks are executed. Otherwise info.sample_blocks is not 0. */
    struct block_sample *sample;
};

/* Appends one argument, whose value has `size` bytes (1 to 8). A launch has at most
 * LAUNCH_MAX_ARGUMENTS arguments. */
static inline void add_argument(struct launch *l, uint64_t bits, unsigned size)
{
    l->arguments[l->argument_count].bits = bits;
    l->arguments[l->argument_count++].size = size;
}

enum { UNWRITTEN_TEXT = 256 };

/*
 * One trial consists of launches, and of the operations before them. These operations are never
 * timed or counted. All steps happen in the order of the fields.
 */
struct trial {
    /* The trial measures the point with this id, or no point if the id is 0. Only devices that
     * replay a recording use it. */
    uint64_t point;
    /* If this is not NULL, this input is first written to `input`. */
    const struct input *restore;
    struct buffer input;
    /* `zero` and `zero_output` are set to zero if their sizes are not 0. */
    struct buffer zero;
    struct buffer zero_output;
    /* In the cold state, no cache contains data of the buffers, and no cache line is dirty. In the
     * warm state, `input` was just read. */
    enum cache_state cache;
    /* The launches are executed one after another, and they are timed and counted together. */
    const struct launch *launches;
    int launch_count;
    struct buffer result; /* the memory that contains the result of the launches */
    /*
     * If not NULL, this points to UNWRITTEN_TEXT bytes. A read of shared memory that no thread has
     * written then does not end a launch. Instead, a description of the first such read is stored
     * here. The description is "" if there was no such read, or if the device does not detect such
     * reads.
     */
    char *unwritten;
    /* If not NULL, time() stores result_bits() of the result here. The hash is computed after the
     * launches and outside their time. A device without results leaves *bits unchanged. */
    uint64_t *bits;
};

/*
 * repeat() calls this function with the number of finished trials and the time in seconds that the
 * device has spent on them by its own clock. The function returns false when there were enough
 * trials.
 */
typedef bool repeat_look(void *context, uint64_t trials, double seconds);

/* Describes a device that find() has found and that is not open yet. */
struct device_found {
    char argument[16]; /* the argument of open(), such as "0" */
    char name[64], uuid[48];
    char note[128]; /* a note such as "compute capability 9.0, 80 GB" */
};

/* This function of `redsweep doctor` receives a fact, such as "power limit" and "700 W", or a
 * problem and its remedy. */
typedef void device_tell(void *context, bool problem, const char *what, const char *text);

struct device_driver {
    unsigned version; /* the constant DEVICE_VERSION */
    const char *name; /* the word before the colon of --device */
    /* People also use this word for the device. If a user writes it after --device, an error
     * message suggests `name` instead. It may be NULL. */
    const char *called;
    const char *help; /* one line for `list devices` */
    /* true if the device runs the functions of kernels/cpu, which every run measures, too */
    bool host_functions;

    /*
     * Opens the device that `argument` names. `argument` is the text after the colon, or "" if
     * there is no colon. Fails with ERROR_DEVICE if this machine has no such device, and with
     * ERROR_USAGE if the argument is wrong.
     */
    bool (*open)(const char *argument, const struct device_setup *setup, struct device **out,
                 struct error *e);
    void (*close)(struct device *d);
    void (*describe)(struct device *d, struct device_info *out);

    /* Loads an image that the compiler made for the device's target. `info` may be NULL. */
    bool (*load)(struct device *d, const struct image *image, struct module **out,
                 struct module_info *info, struct error *e);
    void (*unload)(struct device *d, struct module *m);

    /* These functions handle memory. After alloc(), the contents of the memory are undefined.
     * fill() repeats one byte. */
    bool (*alloc)(struct device *d, size_t bytes, struct buffer *out, struct error *e);
    void (*free)(struct device *d, struct buffer b);
    bool (*fill)(struct device *d, struct buffer b, uint8_t byte, struct error *e);
    bool (*read)(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                 struct error *e);
    bool (*generate)(struct device *d, struct buffer b, const struct input *input, struct error *e);

    /* Runs one trial and waits for it. Fails with ERROR_LAUNCH if the kernel faults. */
    bool (*run)(struct device *d, const struct trial *t, struct error *e);

    /*
     * Times `count` trials one after another. The device never waits for the CPU inside a timed
     * region. us[i] is the time of trial i in microseconds. The function is NULL if can_time is
     * false.
     */
    bool (*time)(struct device *d, const struct trial *trials, int count, double *us,
                 struct error *e); /* (optional) */

    /*
     * Repeats one trial, including the operations before its launches, so that the device never
     * waits for the CPU. It calls look() every few milliseconds while the device continues with
     * further trials. When look() returns false, repeat() waits for the queued work and returns. A
     * trial without launches consists only of its preparation.
     */
    bool (*repeat)(struct device *d, const struct trial *t, repeat_look *look, void *context,
                   struct error *e); /* (optional) */

    /*
     * Returns the energy in mJ that the device has used since some moment before it was opened. The
     * value may change only every 20 to 100 ms. It includes the energy for everything else that
     * runs on the device.
     */
    bool (*energy)(struct device *d, uint64_t *mj, struct error *e); /* (optional) */

    /* Returns how many seconds the device has spent so far, by its own clock, on the trials of
     * time() and on the operations before them. */
    double (*busy_s)(struct device *d); /* (optional) */

    /*
     * Returns the state of the device during time() since the last call. `known` is false if
     * nothing was observed, because the calls were too short or too close together, or if the state
     * cannot be observed. The function costs almost nothing, because the driver observes the state
     * during time().
     */
    void (*health)(struct device *d, struct device_health *out); /* (optional) */

    /*
     * Counts `count` trials. values[i * counter_count + j] is counter j of trial i, or NaN if the
     * device has no value. Counters have PerfWorks names ("….sum") on every device.
     */
    bool (*count)(struct device *d, const struct trial *trials, int count,
                  const char *const *counters, int counter_count, double *values,
                  struct error *e); /* (optional) */

    /* Returns whether the device has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has_counter)(struct device *d, const char *counter, char why[256]); /* (optional) */

    /* Returns the number of passes (repetitions of each trial) that these counters need together,
     * or 0 if the number is unknown. */
    int (*passes)(struct device *d, const char *const *counters,
                  int counter_count); /* (optional) */

    /*
     * Runs a trial as run() does, and reports the data races between the threads of its last
     * launch. Returns false if the trial itself fails; races are not a failure. The function is
     * slow and meant for small grids.
     */
    bool (*check)(struct device *d, const struct trial *t, struct race_report *out,
                  struct error *e); /* (optional) */

    /*
     * Lists the devices of this machine, at most `max`, without opening them, and returns their
     * number. If there are none, `why` gives the reason, and *present is true if the hardware
     * exists but cannot be used.
     */
    int (*find)(struct device_found *out, int max, bool *present, char why[512]); /* (optional) */

    /*
     * Appends the devices that an argument such as "all" or "0,2" names, as arguments of open()
     * that each end with a NUL. If the function is NULL, an argument names one device. Fails with
     * ERROR_USAGE for an invalid argument, and with ERROR_DEVICE if "all" stands for no device.
     * Like find(), it is called in a separate process.
     */
    bool (*list)(const char *argument, struct text *arguments, struct error *e); /* (optional) */

    /* Returns the current settings of the card. The function is NULL if the device is not a
     * card. */
    void (*card)(struct device *d, struct card_state *out); /* (optional) */

    /* Reports the state of an open device, and the reasons why it cannot be used fully. */
    void (*examine)(struct device *d, device_tell *tell, void *context); /* (optional) */

    /* This struct describes the counters of chips that need not be present (counter_tables.h). */
    const struct counter_tables *tables; /* (optional) */
};

/* Lists all drivers of this build in the order in which `auto` tries them. NULL ends the list. */
extern const struct device_driver *const device_drivers[];

/*
 * Opens the device that --device names: "auto", "cuda", "cuda:1", "sim", "sim:kepler", "cpu" …
 * `auto` selects the first driver that opens a device. The reasons why earlier drivers did not open
 * one ("cuda: …") are appended to `passed_over`, which may be NULL. The caller must call
 * driver->close().
 */
bool device_open(const char *name, const struct device_setup *setup,
                 const struct device_driver **driver, struct device **out, struct text *passed_over,
                 struct error *e);

/* Appends the devices that --device names, in the form that device_open() accepts, each ending with
 * a NUL. "cuda:all" becomes "cuda:GPU-…" for each GPU. See `list` above. */
bool device_list(const char *name, struct text *names, struct error *e);

/* Opens the device that runs the functions of kernels/cpu. */
bool device_open_host(const struct device_setup *setup, const struct device_driver **driver,
                      struct device **out, struct error *e);

#endif
