/*
 * Implements job.h. The scripts contain the following because of experiments with Slurm 22.05:
 *
 *   exec          redsweep replaces the shell, so that the signal of --signal=B: reaches it.
 *   --requeue     If a node fails, its task is queued again, and `run --shard` continues the shard.
 *   --wait-lock   When Slurm starts a task again, the task's first process may still be running on
 *                 a node that Slurm has lost. The new process waits until the first one no longer
 *                 holds the lock of the shard.
 *   afterany      The merge starts even if a task has failed, because a task exits with 1 if a
 *                 kernel gave a wrong result. The merge itself checks whether all shards are
 *                 complete.
 */
#include "cluster/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/program.h"
#include "record/output.h"

enum { WAIT_LOCK_S = 300, MERGE_MINUTES = 30, TERM_BEFORE_END_S = 120 };

/*
 * Appends a word so that sbatch reads it unchanged. For sbatch, quotes enclose a word, a backslash
 * escapes the next character, even within quotes, and # begins a comment.
 */
static void append_word(struct text *t, const char *word)
{
    bool plain = !strpbrk(word, " \t\"'\\#");
    text_append(t, "%s", plain ? "" : "\"");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            text_append(t, "\\");
        text_append_bytes(t, word, 1);
    }
    text_append(t, "%s", plain ? "" : "\"");
}

/*
 * Appends an option of sbatch. `option` is its text up to the value, such as "--time=". Appends
 * nothing if the value is NULL.
 */
static void directive(struct text *t, const char *option, const char *value)
{
    if (!value)
        return;
    text_append(t, "#SBATCH %s", option);
    append_word(t, value);
    text_append(t, "\n");
}

/*
 * Appends the option that names the log file of each task, or of the merge. A % in the folder's
 * name is written as %%, because % has a meaning in sbatch's file names.
 */
static void log_directive(struct text *t, const struct job *j, const char *log)
{
    struct text path = {0};
    for (const char *c = j->folder; *c; c++)
        text_append(&path, *c == '%' ? "%c%c" : "%c", *c, *c);
    text_append(&path, "/logs/%s", log);
    directive(t, "--output=", path.bytes);
    text_free(&path);
}

/* Appends each of the --sbatch arguments on a line of its own. */
static void more_directives(struct text *t, const char *more)
{
    while (more && *more) {
        size_t length = strcspn(more, " ");
        if (length)
            text_append(t, "#SBATCH %.*s\n", (int)length, more);
        more += length + (more[length] == ' ');
    }
}

static void begin_script(const struct job *j, const char *what, struct text *t)
{
    char *name = xasprintf("redsweep-%s%s", j->name, what);
    text_append(t, "#!/bin/bash\n");
    directive(t, "--job-name=", name);
    directive(t, "--partition=", j->partition);
    free(name);
}

/*
 * Appends commands that end the job if the log folder has been replaced by a link. Slurm has
 * already opened the log at this time, but nothing more is written there. For the compile cache, no
 * commands are needed, because redsweep does not use a cache folder that is a link.
 */
static void refuse_link(const struct job *j, struct text *t)
{
    shell_append(t,
                 "\n"
                 "# If the log folder has been replaced by a link, nothing more is written there.\n"
                 "logs=@/logs\n"
                 "[ ! -L \"$logs\" ] || {\n"
                 "    echo \"$logs is a link; remove it and submit again\" >&2\n"
                 "    exit 2\n"
                 "}\n",
                 &j->folder);
}

void job_append_array(const struct job *j, struct text *t)
{
    /*
     * The signal comes TERM_BEFORE_END_S seconds before the end. For a short job, it comes when a
     * quarter of the time is left, so that the job can work for most of its time.
     */
    int term_s = j->minutes * 60 / 4 < TERM_BEFORE_END_S ? j->minutes * 60 / 4 : TERM_BEFORE_END_S;
    begin_script(j, "", t);
    if (j->only)
        text_append(t, "#SBATCH --array=%s", j->only);
    else
        text_append(t, "#SBATCH --array=0-%d", j->tasks - 1);
    if (j->limit)
        text_append(t, "%%%d", j->limit);
    text_append(t, "\n#SBATCH --time=%d\n", j->minutes);
    directive(t, "--gres=", j->gres);
    directive(t, "--exclude=", j->exclude_nodes);
    if (j->exclusive)
        text_append(t, "#SBATCH --exclusive\n");
    text_append(t, "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@%d\n",
                term_s);
    log_directive(t, j, "%a.log");
    more_directives(t, j->more);
    refuse_link(j, t);
    char *cache = xasprintf("%s/cache", j->folder);
    shell_append(t,
                 "\n"
                 "# All tasks share this cache, so that each kernel is compiled only once.\n"
                 "export REDSWEEP_CACHE=@\n"
                 "exec @ run @ --device @",
                 (const char *const[]){cache, j->program, j->config, j->device});
    text_append(t, " --shard \"$SLURM_ARRAY_TASK_ID/%d\"", j->tasks);
    shell_append(t, " --out @", &j->folder);
    text_append(t, " --wait-lock %d --requeue %d\n", WAIT_LOCK_S, j->requeue);
    free(cache);
}

void job_append_merge(const struct job *j, struct text *t)
{
    char *merged = xasprintf("%s/merged", j->folder);
    begin_script(j, "-merge", t);
    text_append(t, "#SBATCH --time=%d\n", MERGE_MINUTES);
    log_directive(t, j, "merge.log");
    more_directives(t, j->more);
    refuse_link(j, t);
    shell_append(t,
                 "\n@ status @\n@ merge @ --out @\ncode=$?\n"
                 "# 0 and 1 (a shard is doubtful): the shards were merged. Other codes: see the "
                 "error above.\n"
                 "[ $code -le 1 ] || exit $code\n@ report @ || exit\nexit $code\n",
                 (const char *const[]){j->program, j->folder, j->program, j->folder, merged,
                                       j->program, merged});
    free(merged);
}

/* Allows everyone who may read the file to run it. */
static bool make_executable(FILE *f, const char *path, struct error *e)
{
    struct stat st;
    return (fstat(fileno(f), &st) == 0 &&
            fchmod(fileno(f), (st.st_mode & 0777) | (st.st_mode >> 2 & 0111)) == 0) ||
           FAIL(e, ERROR_SYSTEM, "cannot make %s executable: %s", path, strerror(errno));
}

static bool write_file(const char *folder, const char *name, const char *text, bool script,
                       struct error *e)
{
    char *path = xasprintf("%s/%s", folder, name);
    FILE *f;
    bool ok = output_create(path, &f, e);
    if (ok) {
        ok = !script || make_executable(f, path, e);
        fputs(text, f);
        ok = output_close(f, path, ok ? e : NULL) && ok;
    }
    free(path);
    return ok;
}

bool job_write(const struct job *j, struct error *e)
{
    struct text array = {0}, merge = {0};
    char *logs = xasprintf("%s/logs", j->folder), *cache = xasprintf("%s/cache", j->folder);
    job_append_array(j, &array);
    job_append_merge(j, &merge);
    bool ok = folder_create(j->folder, 0777, e) && folder_place(logs, e) &&
              folder_place(cache, e) && write_file(j->folder, "submit.sh", array.bytes, true, e) &&
              write_file(j->folder, "merge.sh", merge.bytes, true, e);
    text_free(&array);
    text_free(&merge);
    free(logs);
    free(cache);
    return ok;
}

/* Reads a job number as printed by sbatch --parsable: "123" or "123;cluster". */
static bool read_job_number(const struct text *printed, char number[32], struct error *e)
{
    size_t length = printed->bytes ? strspn(printed->bytes, "0123456789") : 0;
    if (length == 0 || length >= 32)
        return FAIL(e, ERROR_SYSTEM, "sbatch --parsable printed no job number: %.200s",
                    printed->bytes ? printed->bytes : "");
    memcpy(number, printed->bytes, length);
    number[length] = '\0';
    return true;
}

static bool submit(const struct job *j, const char *script, const char *after, char number[32],
                   struct error *e)
{
    struct text printed = {0};
    char *path = xasprintf("%s/%s", j->folder, script);
    char *dependency = xasprintf("--dependency=afterany:%s", after ? after : "");
    const char *arguments[] = {"sbatch", "--parsable", after ? dependency : path,
                               after ? path : NULL, NULL};
    bool ok = program_run(arguments, &printed, e) && read_job_number(&printed, number, e);
    free(path);
    free(dependency);
    text_free(&printed);
    return ok;
}

bool job_submit(const struct job *j, char array[32], char merge[32], struct error *e)
{
    struct text numbers = {0};
    bool ok = submit(j, "submit.sh", NULL, array, e) && submit(j, "merge.sh", array, merge, e);
    if (ok) {
        text_append(&numbers, "array %s\nmerge %s\n", array, merge);
        ok = write_file(j->folder, "jobs.txt", numbers.bytes, false, e);
    }
    text_free(&numbers);
    return ok;
}
