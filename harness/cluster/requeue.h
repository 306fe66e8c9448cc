/*
 * A task of Slurm that was stopped queues itself again.
 */
#ifndef REDSWEEP_CLUSTER_REQUEUE_H
#define REDSWEEP_CLUSTER_REQUEUE_H

#include <stdint.h>

/*
 * Called when a shard was stopped before its end. Queues this process's job again with `scontrol
 * requeue` if this session added rows and the job was restarted fewer than `times` times, and says
 * on stderr what it did or why not.
 */
void requeue_task(int times, uint64_t added_rows);

#endif
