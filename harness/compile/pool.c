/*
 * Implements compile_many(). Each of its threads sends requests to a compiling process (limited.h)
 * and waits for the results.
 */
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

/*
 * Whether a process may fork while its other threads allocate memory. With the allocator in gcc
 * 12's AddressSanitizer it may not: the new process may wait forever for a lock that was held by a
 * thread that it does not have. With glibc's allocator it may.
 */
#ifdef __SANITIZE_ADDRESS__
enum { FORKS_WITH_THREADS = 0 };
#else
enum { FORKS_WITH_THREADS = 1 };
#endif

struct pool {
    struct compiler *compiler;
    const struct catalogue *catalogue;
    const struct variant *variants;
    const struct compile_target *target;
    struct compiled *out;
    uint32_t count;
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t finished;
    uint32_t next, done;
};

/* Compiles variant i and stores its result in out[i]. */
static void compile_one(struct pool *p, uint32_t i)
{
    struct error *e = xcalloc(1, sizeof *e);
    const struct variant *v = &p->variants[i];
    bool ok = v->kernel < (uint32_t)p->catalogue->count
                  ? compile_variant_limited(p->compiler, p->catalogue->kernels[v->kernel], v,
                                            p->target, &p->out[i].image, &p->out[i].exceeded, e)
                  : FAIL(e, ERROR_INTERNAL, "a variant names kernel %u of %d", v->kernel,
                         p->catalogue->count);
    if (ok)
        free(e);
    else
        p->out[i].error = e;
}

static void *work(void *context)
{
    struct pool *p = context;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->count) {
        uint32_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        compile_one(p, i);
        pthread_mutex_lock(&p->lock);
        p->done++;
        pthread_cond_signal(&p->finished);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/*
 * Compiles all variants in the calling thread, because no threads were requested or none could be
 * started.
 */
static void work_alone(struct pool *p,
                       void (*progress)(void *context, uint32_t done, uint32_t total),
                       void *context)
{
    for (uint32_t i = 0; i < p->count; i++) {
        compile_one(p, i);
        if (progress)
            progress(context, i + 1, p->count);
    }
}

/*
 * Waits until all variants are compiled. Meanwhile, calls `progress` about ten times a second, and
 * does not hold the lock during the call.
 */
static void wait_for_all(struct pool *p,
                         void (*progress)(void *context, uint32_t done, uint32_t total),
                         void *context)
{
    pthread_mutex_lock(&p->lock);
    while (p->done < p->count) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        int status = 0;
        while (status == 0 && p->done < p->count)
            status = pthread_cond_timedwait(&p->finished, &p->lock, &until);
        uint32_t done = p->done;
        if (progress) {
            pthread_mutex_unlock(&p->lock);
            progress(context, done, p->count);
            pthread_mutex_lock(&p->lock);
        }
    }
    pthread_mutex_unlock(&p->lock);
}

void compile_many(struct compiler *c, const struct catalogue *catalogue,
                  const struct variant *variants, uint32_t count,
                  const struct compile_target *target, int threads,
                  void (*progress)(void *context, uint32_t done, uint32_t total), void *context,
                  struct compiled *out)
{
    memset(out, 0, count * sizeof *out);
    struct pool p = {.compiler = c,
                     .catalogue = catalogue,
                     .variants = variants,
                     .target = target,
                     .out = out,
                     .count = count,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .finished = PTHREAD_COND_INITIALIZER};
    pthread_t ids[COMPILE_THREADS] = {0};
    int started = 0;
    int wanted = threads > COMPILE_THREADS ? COMPILE_THREADS : threads;
    while (FORKS_WITH_THREADS && started < wanted && (uint32_t)started < count &&
           pthread_create(&ids[started], NULL, work, &p) == 0)
        started++;
    if (started)
        wait_for_all(&p, progress, context);
    else
        work_alone(&p, progress, context);
    for (int i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    pthread_mutex_destroy(&p.lock);
    pthread_cond_destroy(&p.finished);
}

void compiled_free(struct compiled *c)
{
    image_free(&c->image);
    free(c->error);
    c->error = NULL;
}
