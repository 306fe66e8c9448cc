/*
 * The driver of a device that executes nothing. Its times are drawn at random from those of an
 * earlier run. With it, search strategies can be compared and tested without a GPU.
 *
 * The device is named "replay:RUN", where RUN is the folder of a run or its results.csv. Options
 * follow, separated by commas. "seed=7" changes which times are drawn. "sms=132" gives the number
 * of multiprocessors of the recorded device, if the run does not contain it. A point that was not
 * timed in the recorded run is skipped, and its row in the results gives the reason.
 *
 * The limits of this device are high, because points that the recorded device could not run have no
 * time anyway. The compute capability is 9.0 if the run has no run.json.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "devices/device.h"
#include "devices/replay/recording.h"

/* How long an H200 takes for a sample with cold caches, not counting its two launches (the first of
 * which is not timed). busy_s() needs this number. It was fitted to 520 000 samples of all points
 * of a sweep (results/reference/h200-search-truth/README.md). */
static const double FLUSH_S = 100e-6;

enum { MOST_SHARED = 227 << 10, MOST_MULTIPROCESSORS = 10000 };

struct device {
    struct recording recording;
    /* the end of the last buffer that alloc() has returned; these addresses have no memory */
    uint64_t allocated;
    double busy_s;
};

struct module {
    char unused;
};

/* If `argument` ends in a comma, `word` and a number, stores the number in *out and removes these
 * from `argument`. */
static bool take_number(char *argument, const char *word, uint64_t most, uint64_t *out,
                        struct error *e)
{
    char *comma = strrchr(argument, ',');
    size_t length = strlen(word);
    if (!comma || strncmp(comma + 1, word, length) != 0)
        return true;
    const char *digits = comma + 1 + length;
    char *end;
    *out = strtoull(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || *end || *out > most)
        return FAIL(e, ERROR_USAGE, "--device replay:%s: %s… must be an integer from 0 to %llu",
                    argument, word, (unsigned long long)most);
    *comma = '\0';
    return true;
}

static bool replay_open(const char *argument, const struct device_setup *setup, struct device **out,
                        struct error *e)
{
    (void)setup;
    uint64_t seed = 1, sms = 0;
    if (!*argument)
        return FAIL(e, ERROR_USAGE,
                    "--device replay names no run; write replay:RUN, where RUN is the folder of a "
                    "run or its results.csv");
    char *path = xstrdup(argument);
    struct device *d = xcalloc(1, sizeof *d);
    bool ok = true;
    /* twice, because options may be in any order */
    for (int i = 0; ok && i < 2; i++)
        ok = take_number(path, "seed=", 9007199254740991, &seed, e) &&
             take_number(path, "sms=", MOST_MULTIPROCESSORS, &sms, e);
    ok = ok && recording_read(path, seed, &d->recording, e);
    if (ok && sms > 0)
        d->recording.multiprocessors = (int64_t)sms;
    if (ok && d->recording.multiprocessors <= 0) {
        recording_free(&d->recording);
        ok = FAIL(e, ERROR_USAGE,
                  "--device replay:%s: the number of multiprocessors of the run's device is "
                  "unknown (there is no " MANIFEST_FILE "); add it, as in replay:%s,sms=132",
                  path, path);
    }
    free(path);
    if (!ok) {
        free(d);
        return false;
    }
    *out = d;
    return true;
}

static void replay_close(struct device *d)
{
    if (!d)
        return;
    recording_free(&d->recording);
    free(d);
}

static uint64_t known(int64_t count)
{
    return count > 0 ? (uint64_t)count : 0;
}

static void describe_hardware(const struct manifest_device *from, struct device_info *out)
{
    int major = 0, minor = 0;
    if (sscanf(from->compute_capability, "%d.%d", &major, &minor) == 2)
        out->limits.cc = 10 * major + minor;
    snprintf(out->chip, sizeof out->chip, "%s", from->chip);
    out->warp_size = (int)known(from->warp_size);
    out->memory_bytes = known(from->memory_bytes);
    out->l2_bytes = known(from->l2_bytes);
    out->memory_clock_khz = (int)known(from->memory_clock_khz);
    out->memory_bus_bits = (int)known(from->memory_bus_bits);
    out->sm_clock_khz = (int)known(from->sm_clock_khz);
    out->peak_gbs = from->peak_gbs > 0 ? from->peak_gbs : 0;
}

static void replay_describe(struct device *d, struct device_info *out)
{
    const struct recording *r = &d->recording;
    *out = (struct device_info){
        .backend = "replay",
        .target = {IMAGE_NONE, 0},
        .limits = {.backend = "replay",
                   .cc = 90,
                   .sms = (int)r->multiprocessors,
                   .max_block = 1024,
                   .max_dynamic_smem = MOST_SHARED,
                   .max_grid_x = 2147483647,
                   .device_runtime = true,
                   .cooperative = true,
                   .cluster = true,
                   .host_launches = true},
        .warp_size = 32,
        .estimate_gbs = 1e6,
        .time_step_us = r->step_us,
        .counters_missing = "a replay provides the times of a recorded run, but no counts",
        .health_missing = "the device is the replay of a recorded run",
        .can_time = true,
        .bounded = true,
        .no_contents = true,
    };
    if (r->has_manifest)
        describe_hardware(&r->manifest.provenance.device, out);
    snprintf(out->name, sizeof out->name, "replay of %.53s", r->device);
    snprintf(out->slug, sizeof out->slug, "replay");
}

static bool replay_load(struct device *d, const struct image *image, struct module **out,
                        struct module_info *info, struct error *e)
{
    (void)d;
    (void)image;
    (void)e;
    if (info)
        *info = (struct module_info){-1, -1, -1, -1, 0, 0, ""};
    *out = xcalloc(1, sizeof **out);
    return true;
}

static void replay_unload(struct device *d, struct module *m)
{
    (void)d;
    free(m);
}

static bool replay_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    (void)e;
    enum { ALIGNMENT = 256 };
    d->allocated += ALIGNMENT;
    *out = (struct buffer){d->allocated, bytes};
    d->allocated += bytes / ALIGNMENT * ALIGNMENT;
    return true;
}

static void replay_free(struct device *d, struct buffer b)
{
    (void)d;
    (void)b;
}

static bool replay_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    (void)d;
    (void)b;
    (void)byte;
    (void)e;
    return true;
}

static bool replay_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                        struct error *e)
{
    (void)d;
    (void)b;
    (void)offset;
    memset(host, 0, bytes);
    return FAIL(e, ERROR_INTERNAL, "a recorded run has no memory to read");
}

static bool replay_generate(struct device *d, struct buffer b, const struct input *input,
                            struct error *e)
{
    (void)d;
    (void)b;
    (void)input;
    (void)e;
    return true;
}

static struct recorded_point *find_point(const struct device *d, const struct trial *t,
                                         struct error *e)
{
    struct recorded_point *p = recording_find(&d->recording, t->point);
    if (!p)
        FAIL(e, ERROR_SKIPPED, "%s has no row for this point", d->recording.folder);
    else if (p->problem)
        FAIL(e, ERROR_SKIPPED, "%s has no time for this point: %s", d->recording.folder,
             p->problem);
    return p && !p->problem ? p : NULL;
}

static bool replay_run(struct device *d, const struct trial *t, struct error *e)
{
    return find_point(d, t, e) != NULL;
}

static bool replay_time(struct device *d, const struct trial *trials, int count, double *us,
                        struct error *e)
{
    for (int i = 0; i < count; i++) {
        struct recorded_point *p = find_point(d, &trials[i], e);
        if (!p)
            return false;
        us[i] = recording_draw(&d->recording, p);
        d->busy_s += 2 * us[i] * 1e-6 + (trials[i].cache == CACHE_COLD ? FLUSH_S : 0);
    }
    return true;
}

static void replay_health(struct device *d, struct device_health *out)
{
    *out = (struct device_health){.recalled =
                                      d->recording.samples ? RECALLED_SAMPLES : RECALLED_MEDIANS};
}

static double replay_busy_s(struct device *d)
{
    return d->busy_s;
}

const struct device_driver replay_driver = {
    .version = DEVICE_VERSION,
    .name = "replay",
    .help = "replay:RUN[,seed=N], which draws times from a recorded run and executes nothing",
    .open = replay_open,
    .close = replay_close,
    .describe = replay_describe,
    .load = replay_load,
    .unload = replay_unload,
    .alloc = replay_alloc,
    .free = replay_free,
    .fill = replay_fill,
    .read = replay_read,
    .generate = replay_generate,
    .run = replay_run,
    .time = replay_time,
    .busy_s = replay_busy_s,
    .health = replay_health,
};
