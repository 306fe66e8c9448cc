/*
 * Runs a sweep as two Slurm jobs: an array with a task for each shard, and a job that merges the
 * shards. Both are scripts that people can read, edit and submit by hand.
 */
#ifndef REDSWEEP_CLUSTER_JOB_H
#define REDSWEEP_CLUSTER_JOB_H

#include "base/error.h"
#include "base/text.h"

struct job {
    const char *name;    /* the sweep's name */
    const char *program; /* redsweep's absolute path */
    const char *config;  /* the absolute path of the tasks' config */
    const char *folder;  /* the absolute path of the folder with the shards */
    const char *device;  /* each task's --device */
    /* one partition, or several separated by commas; NULL: Slurm's default */
    const char *partition;
    /* options of `submit` as the user gave them; NULL: not given */
    const char *gres, *only, *exclude_nodes;
    const char *more;          /* further arguments for sbatch, separated by spaces */
    int tasks, minutes, limit; /* limit: at most this many tasks run at once; 0: no limit */
    int requeue;               /* how often a task may requeue itself */
    bool exclusive;
};

/* Appends the script of the array or of the merge. */
void job_append_array(const struct job *j, struct text *script);
void job_append_merge(const struct job *j, struct text *script);

/*
 * Writes both scripts into the folder with the shards, and creates logs/ and cache/ there. If
 * something cannot be written, fails with ERROR_SYSTEM and names the path.
 */
bool job_write(const struct job *j, struct error *e);

/* Submits both scripts with sbatch, and writes the job numbers to folder/jobs.txt. */
bool job_submit(const struct job *j, char array[32], char merge[32], struct error *e);

#endif
