/*
 * Runs a sweep as two jobs of Slurm: an array with a task for each shard, and a job that merges the
 * shards. Both are scripts that people can read, edit and submit by hand.
 */
#ifndef REDSWEEP_CLUSTER_JOB_H
#define REDSWEEP_CLUSTER_JOB_H

#include "base/error.h"
#include "base/text.h"

struct job {
    const char *name;      /* the name of the sweep */
    const char *program;   /* the absolute path of redsweep */
    const char *config;    /* the absolute path of the config that the tasks run */
    const char *folder;    /* the absolute path of the folder of the shards */
    const char *device;    /* the argument of --device in each task */
    const char *partition; /* one partition, or several separated by commas; NULL: Slurm's
                              default */
    /* these are the options of `submit` as the user gave them; NULL: not given */
    const char *gres, *only, *exclude_nodes;
    const char *more;          /* further arguments of sbatch, separated by blanks */
    int tasks, minutes, limit; /* limit: the maximum number of tasks that run at
                                                once; 0: no limit */
    int requeue;               /* how often a task may requeue itself */
    bool exclusive;
};

/* These functions append the script of the array, and the script of the merge. */
void job_append_array(const struct job *j, struct text *script);
void job_append_merge(const struct job *j, struct text *script);

/*
 * Writes the scripts of the array and of the merge into the folder of the shards, and creates logs/
 * and cache/ in this folder. If something cannot be written, the function fails with ERROR_SYSTEM
 * and names the path.
 */
bool job_write(const struct job *j, struct error *e);

/* Submits both scripts with sbatch, and writes the numbers of the jobs to folder/jobs.txt. */
bool job_submit(const struct job *j, char array[32], char merge[32], struct error *e);

#endif
