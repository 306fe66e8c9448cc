/*
 * A Slurm task that was stopped requeues itself.
 */
#ifndef REDSWEEP_CLUSTER_REQUEUE_H
#define REDSWEEP_CLUSTER_REQUEUE_H

#include <stdint.h>

/*
 * Called when a shard was stopped before its end. Requeues this process's job with `scontrol
 * requeue` if this session added rows and the job was restarted fewer than `times` times, and
 * reports on stderr what it did or why not.
 */
void requeue_task(int times, uint64_t added_rows);

#endif
