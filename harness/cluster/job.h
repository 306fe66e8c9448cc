/*
 * A sweep as two jobs of Slurm: an array with a task per shard, and one that merges them. They are
 * scripts that people can read, edit and submit by hand.
 */
#ifndef REDSWEEP_CLUSTER_JOB_H
#define REDSWEEP_CLUSTER_JOB_H

#include "base/error.h"
#include "base/text.h"

struct job {
    const char *name;      /* of the sweep */
    const char *program;   /* redsweep, absolute */
    const char *config;    /* the config that the tasks run, absolute */
    const char *folder;    /* of the shards, absolute */
    const char *device;    /* --device of each task */
    const char *partition; /* one or several, with commas; NULL: Slurm's default */
    const char *gres, *only, *exclude_nodes; /* as given to submit; NULL: not given */
    const char *more;                        /* further arguments of sbatch, split at blanks */
    int tasks, minutes, limit;               /* limit: tasks at once; 0: no limit */
    int requeue;                             /* how often a task may requeue itself */
    bool exclusive;
};

/* The scripts. */
void job_append_array(const struct job *j, struct text *script);
void job_append_merge(const struct job *j, struct text *script);

/*
 * Writes folder/{submit.sh, merge.sh, logs/}; ERROR_SYSTEM with the path for what cannot be
 * written.
 */
bool job_write(const struct job *j, struct error *e);

/* Submits both scripts with sbatch and writes their numbers to folder/jobs.txt. */
bool job_submit(const struct job *j, char array[32], char merge[32], struct error *e);

#endif
