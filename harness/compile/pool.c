/*
 * Many variants at once: NVRTC compiles on as many threads as call it (two give twice the speed).
 */
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 64 };

struct pool {
    struct compiler *compiler;
    const struct catalogue *catalogue;
    const struct variant *variants;
    const struct compile_target *target;
    struct compiled *out;
    uint32_t count;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t finished;
    uint32_t next, done;
    bool out_of_memory;
};

/* Compiles one variant into its place; false when not even the error could be kept. */
static bool compile_one(struct pool *p, uint32_t i)
{
    struct error *e = calloc(1, sizeof *e);
    if (!e)
        return false;
    const struct variant *v = &p->variants[i];
    bool ok = v->kernel < (uint32_t)p->catalogue->count
                  ? compile_variant(p->compiler, p->catalogue->kernels[v->kernel], v, p->target,
                                    &p->out[i].image, e)
                  : FAIL(e, ERROR_INTERNAL, "a variant of kernel %u of %d", v->kernel,
                         p->catalogue->count);
    if (ok)
        free(e);
    else
        p->out[i].error = e;
    return true;
}

static void *work(void *context)
{
    struct pool *p = context;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->count && !p->out_of_memory) {
        uint32_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        bool kept = compile_one(p, i);
        pthread_mutex_lock(&p->lock);
        p->done++;
        p->out_of_memory = p->out_of_memory || !kept;
        pthread_cond_signal(&p->finished);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Waits until all is done; calls `progress` about ten times a second, unlocked. */
static void wait_for_all(struct pool *p,
                         void (*progress)(void *context, uint32_t done, uint32_t total),
                         void *context)
{
    pthread_mutex_lock(&p->lock);
    while (p->done < p->count && !p->out_of_memory) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        int status = 0;
        while (status == 0 && p->done < p->count && !p->out_of_memory)
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

bool compile_many(struct compiler *c, const struct catalogue *catalogue,
                  const struct variant *variants, uint32_t count,
                  const struct compile_target *target, int threads,
                  void (*progress)(void *context, uint32_t done, uint32_t total), void *context,
                  struct compiled *out, struct error *e)
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
    pthread_t ids[MOST_THREADS];
    int started = 0;
    int wanted = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    while (started < wanted && (uint32_t)started < count &&
           pthread_create(&ids[started], NULL, work, &p) == 0)
        started++;
    if (started)
        wait_for_all(&p, progress, context);
    else
        work(&p); /* no thread to be had: slower, not wrong */
    for (int i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    pthread_mutex_destroy(&p.lock);
    pthread_cond_destroy(&p.finished);
    if (!p.out_of_memory)
        return true;
    for (uint32_t i = 0; i < count; i++)
        compiled_free(&out[i]);
    return FAIL(e, ERROR_MEMORY, "out of memory while compiling %u kernels", count);
}

void compiled_free(struct compiled *c)
{
    image_free(&c->image);
    free(c->error);
    c->error = NULL;
}
