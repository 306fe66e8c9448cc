/*
 * The device behind the fake runtime: a queue, a clock, a cache, and the simulator that runs the
 * kernels. fake_cuda.h describes how they behave.
 */
#include "fake_cuda_queue.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../random.h"

enum { WATTS = 200, ENERGY_STEP_NS = 40000000, ENERGY_JITTER_NS = 20000000 };
enum { SLOT_NS = 100, LAUNCH_NS = 2000, MEMORY_BYTES_PER_NS = 1000, CACHE_BYTES_PER_NS = 4000 };
#define BLOCKING_GIVES_UP_NS 10000000000ull

static struct task queue[FAKE_QUEUE_MOST];
static int queue_first, queue_count;
/*
 * the number of uses of memory so far; each buffer stores this number when it is used
 */
static uint64_t uses;

/* bytes moved by one queued item */
struct traffic {
    uint64_t read, written; /* bytes from and to memory */
    uint64_t cached;
};

static struct range {
    struct counts counts;
    uint64_t ns, dram_read;
} ranges[FAKE_CUDA_RANGES], before;
static bool counting;
static uint64_t dram_read;
static uint64_t launches;      /* launches since the reset */
static uint64_t launches_slip; /* the launch number at which another program launches a kernel */
struct fake_cuda_model fake_cuda_model;

/*
 * `nj` is the energy in nJ used up to `until_ns`, and `shown_nj` is what NVML's counter shows.
 */
static struct {
    uint64_t until_ns, next_step_ns, nj, shown_nj, random;
} energy;

void fake_queue_reset(void)
{
    queue_first = queue_count = 0;
    uses = dram_read = launches = launches_slip = 0;
    memset(&fake_cuda_model, 0, sizeof fake_cuda_model);
    counting = false;
    memset(ranges, 0, sizeof ranges);
    memset(&energy, 0, sizeof energy);
    energy.nj = energy.shown_nj = 1000000000000; /* energy used before the reset */
}

void fake_cuda_slip(unsigned skipped)
{
    (void)fake_drain(NULL);
    launches += skipped;
}

static cudaError_t lose(cudaError_t status)
{
    if (!fake_lost)
        fake_lost = status;
    queue_first = queue_count = 0;
    return fake_lost;
}

/* ---- The cache ----------------------------------------------------------------------------- */

static struct object *memory_at(uint64_t address)
{
    for (struct object *o = fake_objects; o; o = o->next)
        if (o->kind == DEVICE_MEMORY && address - o->address < o->bytes)
            return o;
    return NULL;
}

uint64_t fake_cuda_cached(uint64_t address)
{
    const struct object *o = memory_at(address);
    return o ? o->cached : 0;
}

uint64_t fake_cuda_dirty(void)
{
    uint64_t dirty = 0;
    for (const struct object *o = fake_objects; o; o = o->next)
        dirty += o->dirty;
    return dirty;
}

/*
 * Makes room in the cache: evicts the least recently used memory first, and a buffer's clean lines
 * before its dirty ones.
 */
static void evict(struct traffic *t)
{
    uint64_t used = 0;
    for (const struct object *o = fake_objects; o; o = o->next)
        used += o->cached;
    while (used > FAKE_L2_BYTES) {
        struct object *oldest = NULL;
        for (struct object *o = fake_objects; o; o = o->next)
            if (o->cached && (!oldest || o->used_at < oldest->used_at))
                oldest = o;
        uint64_t excess = used - FAKE_L2_BYTES;
        uint64_t out = excess < oldest->cached ? excess : oldest->cached;
        oldest->cached -= out;
        used -= out;
        if (oldest->dirty > oldest->cached) {
            t->written += oldest->dirty - oldest->cached;
            oldest->dirty = oldest->cached;
        }
    }
}

static void touch(struct traffic *t, uint64_t address, uint64_t bytes, bool writes)
{
    struct object *o = memory_at(address);
    if (!o)
        return;
    if (bytes > o->bytes)
        bytes = o->bytes;
    uint64_t stays = bytes < FAKE_L2_BYTES ? bytes : FAKE_L2_BYTES;
    uint64_t hit = bytes > FAKE_L2_BYTES ? 0 : bytes < o->cached ? bytes : o->cached;
    t->cached += hit;
    if (writes)
        t->written += bytes - stays; /* the bytes that stay are counted when they are evicted */
    else
        t->read += bytes - hit;
    o->used_at = ++uses;
    if (o->cached < stays)
        o->cached = stays;
    if (writes && o->dirty < stays)
        o->dirty = stays;
    evict(t);
}

static void pass_time(const struct traffic *t)
{
    fake_cuda.clock_ns +=
        (t->read + t->written) / MEMORY_BYTES_PER_NS + t->cached / CACHE_BYTES_PER_NS;
    dram_read += t->read;
}

/* ---- Energy -------------------------------------------------------------------------------- */

static void use_energy(uint64_t to_ns, uint64_t watts)
{
    energy.nj += (to_ns - energy.until_ns) * watts; /* 1 W for 1 ns is 1 nJ */
    energy.until_ns = to_ns;
}

/* Adds the energy used since the last call, at a power of `watts`. */
static void book_energy(uint64_t watts)
{
    uint64_t now = fake_cuda.clock_ns;
    if (now < energy.until_ns) { /* the clock was reset */
        energy.until_ns = now;
        energy.next_step_ns = now;
    }
    while (energy.next_step_ns <= now) {
        if (energy.next_step_ns > energy.until_ns)
            use_energy(energy.next_step_ns, watts);
        energy.shown_nj = energy.nj;
        /* constants from Knuth's MMIX generator */
        energy.random = energy.random * 6364136223846793005u + 1442695040888963407u;
        energy.next_step_ns += ENERGY_STEP_NS + (energy.random >> 33) % ENERGY_JITTER_NS;
    }
    use_energy(now, watts);
}

unsigned long long fake_cuda_energy_mj(void)
{
    return energy.shown_nj / 1000000;
}

static uint64_t watts_of(const char *kernel)
{
    size_t length = strlen(kernel);
    for (const char *at = fake_settings.watts; (at = strstr(at, kernel)); at += length)
        if ((at == fake_settings.watts || at[-1] == ',') && at[length] == '=')
            return strtoull(at + length + 1, NULL, 10);
    return WATTS;
}

/* ---- Launches ------------------------------------------------------------------------------ */

static bool run_blocking(const struct task *w)
{
    if (strcmp(w->object->name, "blocking") != 0)
        return false;
    const uint64_t address = w->launch.arguments[0].bits, ticket = w->launch.arguments[2].bits;
    const unsigned *flag = memory_host(&fake_simulator->memory, address, sizeof *flag);
    if (!flag) {
        lose(cudaErrorIllegalAddress);
    } else if ((int)(__atomic_load_n(flag, __ATOMIC_ACQUIRE) - (unsigned)ticket) < 0) {
        fake_cuda.late_releases++;
        fake_cuda.clock_ns += BLOCKING_GIVES_UP_NS;
    }
    return true;
}

/* Runs spin(unused, spent, ns), with a timer that advances in steps. */
static bool run_spin(const struct task *w)
{
    if (strcmp(w->object->name, "spin") != 0)
        return false;
    uint64_t ns = w->launch.arguments[2].bits, step = fake_cuda_model.timer_step_ns;
    uint64_t *spent = memory_host(&fake_simulator->memory, w->launch.arguments[1].bits, 8);
    uint64_t start = fake_cuda.clock_ns;
    if (step == 0)
        step = 1;
    start -= start % step;
    /* ends at the first timer step at or after the requested time */
    uint64_t end = (start + ns + step - 1) / step * step;
    if (end > fake_cuda.clock_ns)
        fake_cuda.clock_ns = end;
    if (spent)
        *spent = end - start;
    else
        lose(cudaErrorIllegalAddress);
    return true;
}

/* Returns Gaussian noise (Box-Muller), or occasionally a long delay. */
static double noise_us(const struct task *w)
{
    struct fake_cuda_model *m = &fake_cuda_model;
    if (m->noise_us == 0 || (m->noisy && strcmp(m->noisy, w->object->name) != 0))
        return 0;
    double u = random_uniform(&m->seed), v = random_uniform(&m->seed);
    if (random_uniform(&m->seed) < m->outlier_share)
        return m->outlier_us * u;
    return m->noise_us * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Returns how long this launch takes even if it does no work. */
static uint64_t launch_ns(const struct task *w)
{
    const struct fake_cuda_model *m = &fake_cuda_model;
    uint64_t number = launches++, slots = fake_settings.slots;
    if (m->slip_after && launches_slip == 0)
        launches_slip = number + m->slip_after;
    if (launches_slip && launches == launches_slip) {
        launches++;
        launches_slip = m->slip_on ? launches + m->slip_after : UINT64_MAX;
    }
    double us = m->slots ? m->slot_us[number % (uint64_t)m->slots] : LAUNCH_NS / 1e3;
    us += noise_us(w);
    return (uint64_t)llround(fmax(us, 0.1) * 1e3) +
           (slots ? SLOT_NS * (slots - 1 - number % slots) : 0);
}

/*
 * Accounts for the traffic of sweep_…(input, output, n), which moves n elements of 4 bytes. Returns
 * whether the launch can skip the simulator.
 */
static bool book_sweep(const struct task *w, struct traffic *t)
{
    const char *name = w->object->name;
    if (strncmp(name, "sweep_", 6) != 0)
        return false;
    uint64_t bytes = 4 * w->launch.arguments[2].bits;
    if (strcmp(name, "sweep_write") != 0)
        touch(t, w->launch.arguments[0].bits, bytes, false);
    if (strcmp(name, "sweep_read") != 0)
        touch(t, w->launch.arguments[1].bits, bytes, true);
    return !counting;
}

static void simulate(const struct task *w, struct traffic *t)
{
    struct error e = {0};
    struct trial trial = {.launches = &w->launch, .launch_count = 1};
    const struct counts *c = &fake_simulator->counts;
    uint64_t instructions = c->instructions;
    uint64_t loaded = c->global[ACCESS_LOAD].sectors, stored = c->global[ACCESS_STORE].sectors;
    if (!sim_driver.run(fake_simulator, &trial, &e)) {
        snprintf(fake_cuda.fault, sizeof fake_cuda.fault, "%.500s", e.text);
        lose(cudaErrorIllegalAddress);
        return;
    }
    if (strncmp(w->object->name, "sweep_", 6) == 0)
        return; /* book_sweep() has counted this traffic */
    if (fake_settings.work)
        fake_cuda.clock_ns += (c->instructions - instructions) / fake_settings.work;
    touch(t, w->launch.arguments[0].bits, 32 * (c->global[ACCESS_LOAD].sectors - loaded), false);
    touch(t, w->launch.arguments[1].bits, 32 * (c->global[ACCESS_STORE].sectors - stored), true);
}

void (*fake_cuda_hanging)(void);

/* Sends the signal that `fault` names when the chosen launch begins. */
static void send_signal(const char *fault)
{
    static uint64_t begun;
    if (++begun != fake_settings.signal_at)
        return;
    if (strcmp(fault, "jobterm") == 0)
        (void)raise(SIGTERM);
    (void)kill(getppid(), strcmp(fault, "hup") == 0 ? SIGHUP : SIGTERM);
}

/*
 * Injects the fault requested for this kernel. Returns true if the kernel must not run after that.
 */
static bool misbehave(const struct task *w)
{
    const struct fake_settings *s = &fake_settings;
    if (!s->kernel[0] || strcmp(s->kernel, w->object->name) != 0)
        return false;
    if (s->signal_at) {
        send_signal(s->fault);
        return false;
    }
    if (!fake_claim())
        return false;
    if (strcmp(s->fault, "hang") == 0) {
        if (fake_cuda_hanging)
            fake_cuda_hanging();
        for (;;)
            pause();
    }
    if (s->status)
        lose(s->status);
    return true;
}

/* Adds the delays due to a buffer's address and to memory stalls. */
static void pass_disturbances(const struct task *w, uint64_t began)
{
    const struct fake_settings *s = &fake_settings;
    if (strcmp(w->object->name, "spin") == 0 || strcmp(w->object->name, "empty") == 0 ||
        strcmp(w->object->name, "blocking") == 0 || strncmp(w->object->name, "sweep_", 6) == 0)
        return;
    uint64_t page = s->placed_argument < w->launch.argument_count
                        ? w->launch.arguments[s->placed_argument].bits >> 12
                        : 0;
    if (page * 0x9e3779b97f4a7c15u >> 63) /* Knuth's multiplicative hash */
        fake_cuda.clock_ns += s->placed_ns;
    if (s->stall_period_ns && fake_cuda.clock_ns / s->stall_period_ns != began / s->stall_period_ns)
        fake_cuda.clock_ns += s->stall_ns;
}

static void do_launch(const struct task *w)
{
    struct traffic t = {0};
    uint64_t began = fake_cuda.clock_ns;
    if (misbehave(w))
        return;
    fake_cuda.clock_ns += launch_ns(w) + fake_context_ns();
    if (!run_blocking(w) && !run_spin(w) && !book_sweep(w, &t) && fake_settings.run)
        simulate(w, &t);
    pass_time(&t);
    pass_disturbances(w, began);
    /*
     * "spin" ends by the device's own timer, so it takes no longer on a slow device.
     */
    if (fake_settings.device == fake_settings.slow_device && strcmp(w->object->name, "spin") != 0)
        fake_cuda.clock_ns += (fake_cuda.clock_ns - began) * fake_settings.slow_pct / 100;
    book_energy(watts_of(w->object->name));
}

/* ---- The queue ----------------------------------------------------------------------------- */

static void do_sum(const struct task *w)
{
    struct traffic t = {0};
    const int32_t *from = memory_host(&fake_simulator->memory, w->from, 4 * w->bytes);
    int32_t *to = memory_host(&fake_simulator->memory, w->address, 4);
    if (!from || !to) {
        lose(cudaErrorIllegalAddress);
        return;
    }
    uint32_t sum = 0;
    for (uint64_t i = 0; i < w->bytes; i++)
        sum += (uint32_t)from[i];
    *to = (int32_t)sum;
    touch(&t, w->from, 4 * w->bytes, false);
    fake_cuda.clock_ns += LAUNCH_NS + fake_context_ns();
    pass_time(&t);
}

static void do_memory(const struct task *w)
{
    struct traffic t = {0};
    void *at = memory_host(&fake_simulator->memory, w->address, w->bytes);
    if (!at) { /* the memory existed when the work was queued */
        fake_misuse("memory was given back while work with it was queued");
        return;
    }
    if (w->kind == TASK_SET && fake_settings.run)
        memset(at, w->byte, w->bytes);
    else if (w->kind == TASK_COPY)
        memcpy(w->host, at, w->bytes);
    touch(&t, w->address, w->bytes, w->kind == TASK_SET);
    pass_time(&t);
}

static void do_task(const struct task *w)
{
    book_energy(WATTS); /* adds the energy used between launches */
    switch (w->kind) {
    case TASK_LAUNCH:
        do_launch(w);
        break;
    case TASK_SUM:
        do_sum(w);
        break;
    case TASK_EVENT:
        w->object->when_ns = fake_cuda.clock_ns;
        w->object->done = true;
        break;
    default:
        do_memory(w);
    }
}

static void do_first(void)
{
    struct task w = queue[queue_first];
    queue_first = (queue_first + 1) % FAKE_QUEUE_MOST;
    queue_count--;
    do_task(&w);
}

cudaError_t fake_enqueue(const struct task *w)
{
    if (fake_lost)
        return fake_lost;
    if (queue_count == FAKE_QUEUE_MOST)
        do_first();
    if (fake_lost)
        return fake_lost;
    queue[(queue_first + queue_count++) % FAKE_QUEUE_MOST] = *w;
    return cudaSuccess;
}

cudaError_t fake_drain(const struct object *event)
{
    while (!fake_lost && queue_count > 0 && !(event && event->done))
        do_first();
    return fake_lost;
}

/* ---- Counters ------------------------------------------------------------------------------ */

static const char duration[] = "gpu__time_duration.sum", dram[] = "dram__bytes_read.sum";

bool fake_cuda_has_counter(const char *name)
{
    char why[256];
    return strcmp(name, duration) == 0 || strcmp(name, dram) == 0 || counts_known(name, why);
}

static struct range now(void)
{
    return (struct range){fake_simulator->counts, fake_cuda.clock_ns, dram_read};
}

void fake_cuda_begin_range(int range)
{
    counting = true;
    before = now();
    memset(&ranges[range], 0, sizeof ranges[range]);
}

void fake_cuda_end_range(int range)
{
    struct range *r = &ranges[range], after = now();
    const uint64_t *a = (const uint64_t *)&before.counts, *b = (const uint64_t *)&after.counts;
    uint64_t *difference = (uint64_t *)&r->counts;
    for (size_t i = 0; i < sizeof r->counts / sizeof *a; i++)
        difference[i] = b[i] - a[i];
    counts_finish(&r->counts);
    r->ns = after.ns - before.ns;
    r->dram_read = after.dram_read - before.dram_read;
    counting = false;
}

double fake_cuda_counter(int range, const char *name)
{
    const struct range *r = &ranges[range];
    return strcmp(name, duration) == 0 ? (double)r->ns
           : strcmp(name, dram) == 0   ? (double)r->dram_read
                                       : counts_value(&r->counts, name);
}
