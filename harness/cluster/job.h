/*
 * Runs a sweep as two Slurm jobs: an array with one task for each shard (a part of the sweep), and
 * a job that merges the shards. Each job is a script that users can read, edit and submit by hand.
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
    /* options of `submit` as the user gave them, or NULL */
    const char *gres, *only, *exclude_nodes;
    const char *more;          /* further arguments for sbatch, separated by spaces */
    int tasks, minutes, limit; /* `limit` tasks run at the same time at most; 0: no limit */
    int requeue;               /* how often a task may requeue itself */
    bool exclusive;
};

/* Append the script of the array, and that of the merge. */
void job_append_array(const struct job *j, struct text *script);
void job_append_merge(const struct job *j, struct text *script);

/*
 * Writes both scripts into the folder with the shards, and creates logs/ and cache/ there. Fails
 * with ERROR_SYSTEM and the path if something cannot be written.
 */
bool job_write(const struct job *j, struct error *e);

/*
 * Submits both scripts with sbatch. Stores the job numbers in `array` and `merge`, and writes them
 * to jobs.txt in the folder with the shards.
 */
bool job_submit(const struct job *j, char array[32], char merge[32], struct error *e);

#endif
