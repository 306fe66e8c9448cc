/*
 * Requeues a Slurm task that was stopped.
 */
#ifndef REDSWEEP_CLUSTER_REQUEUE_H
#define REDSWEEP_CLUSTER_REQUEUE_H

#include <stdint.h>

/*
 * Requeues this process's job with `scontrol requeue`, after its shard was stopped before its end.
 * Does so only if this session added rows and the job was restarted fewer than `times` times. Says
 * on stderr what it did, or why it did not requeue the job.
 */
void requeue_task(int times, uint64_t added_rows);

#endif
