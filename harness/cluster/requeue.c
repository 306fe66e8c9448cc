/*
 * Implements requeue.h. A task must have made progress to be requeued: if its points take longer
 * than the job's time limit, it would otherwise be started again and again.
 */
#include "cluster/requeue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/program.h"

void requeue_task(int times, uint64_t added_rows)
{
    const char *job = getenv("SLURM_JOB_ID"), *restarts = getenv("SLURM_RESTART_COUNT");
    struct text printed = {0};
    struct error why = {0};
    if (!job) {
        fprintf(
            stderr,
            "the run is not requeued, because this is not a Slurm job (SLURM_JOB_ID is not set)\n");
        return;
    }
    if (restarts && strtol(restarts, NULL, 10) >= times) {
        fprintf(stderr,
                "the job is not requeued, because it has been requeued %s times already (--requeue "
                "%d)\n",
                restarts, times);
        return;
    }
    if (added_rows == 0) {
        fprintf(stderr,
                "the job is not requeued, because it added no points: the points that it was "
                "measuring take longer than its time limit; request more time with --time\n");
        return;
    }
    fprintf(stderr, "the job is requeued after it added %" PRIu64 " points\n", added_rows);
    const char *arguments[] = {"scontrol", "requeue", job, NULL};
    /* Slurm may end this process before scontrol returns. */
    if (!program_run(arguments, &printed, &why))
        fprintf(stderr, "scontrol requeue %s failed: %s\n", job, why.text);
    text_free(&printed);
}
