/*
 * Requeues a Slurm task that was stopped.
 */
#ifndef REDSWEEP_CLUSTER_REQUEUE_H
#define REDSWEEP_CLUSTER_REQUEUE_H

#include <stdint.h>

/*
 * Requeues the job of this process with `scontrol requeue`. This function is called when the job's
 * shard was stopped before its end. The job is requeued only if this session added rows and the job
 * was restarted fewer than `times` times. The function reports on stderr what it did, or why it did
 * not requeue the job.
 */
void requeue_task(int times, uint64_t added_rows);

#endif
