/*
 * Requeues a Slurm task that was stopped.
 */
#ifndef REDSWEEP_CLUSTER_REQUEUE_H
#define REDSWEEP_CLUSTER_REQUEUE_H

#include <stdint.h>

/*
 * Requeues the Slurm job of this process with `scontrol requeue`, after the run was stopped before
 * its end. Does so only if the run has added rows since the job was last started (`added_rows`),
 * and if the job has been restarted fewer than `times` times. Prints to stderr that the job is
 * requeued, or why not.
 */
void requeue_task(int times, uint64_t added_rows);

#endif
