/*
 * Scripts for Slurm: see job.h. What was learnt by trying (Slurm 22.05):
 *
 *   exec           as the script's last line, so that the signal of --signal=B: reaches redsweep
 *   --requeue      a task whose node fails is queued again; `run --shard` continues it
 *   --wait-lock    Slurm may start it while the first writer, on a node that it lost, still lives
 *   afterany       a task with a wrong kernel ends with 1, which is no failure of the sweep; the
 *                  merge looks itself whether the shards are complete
 */
#include "cluster/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/program.h"

enum { WAIT_LOCK_S = 300, MERGE_MINUTES = 30, TERM_BEFORE_END_S = 120 };

static void directive(struct text *t, const char *format, const char *value)
{
    if (!value)
        return;
    text_append(t, "#SBATCH ");
    text_append(t, format, value);
    text_append(t, "\n");
}

/* Each argument of --sbatch on a line of its own. */
static void more_directives(struct text *t, const char *more)
{
    while (more && *more) {
        size_t length = strcspn(more, " ");
        if (length)
            text_append(t, "#SBATCH %.*s\n", (int)length, more);
        more += length + (more[length] == ' ');
    }
}

/* Commands of the shell; each @ stands for the next of `words`, quoted. */
static void append_shell(struct text *t, const char *commands, const char *const *words)
{
    for (const char *at = commands; *at;) {
        size_t plain = strcspn(at, "@");
        text_append_bytes(t, at, plain);
        at += plain;
        if (*at++ == '@')
            shell_quote(t, *words++);
        else
            break;
    }
}

static void begin_script(const struct job *j, const char *what, struct text *t)
{
    text_append(t, "#!/bin/bash\n#SBATCH --job-name=redsweep-%s%s\n", j->name, what);
    directive(t, "--partition=%s", j->partition);
}

void job_append_array(const struct job *j, struct text *t)
{
    /* A short job needs the larger part of its time for work. */
    int term_s = j->minutes * 60 / 4 < TERM_BEFORE_END_S ? j->minutes * 60 / 4 : TERM_BEFORE_END_S;
    begin_script(j, "", t);
    if (j->only)
        text_append(t, "#SBATCH --array=%s", j->only);
    else
        text_append(t, "#SBATCH --array=0-%d", j->tasks - 1);
    if (j->limit)
        text_append(t, "%%%d", j->limit);
    text_append(t, "\n#SBATCH --time=%d\n", j->minutes);
    directive(t, "--gres=%s", j->gres);
    directive(t, "--exclude=%s", j->exclude_nodes);
    if (j->exclusive)
        text_append(t, "#SBATCH --exclusive\n");
    text_append(t, "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@%d\n",
                term_s);
    text_append(t, "#SBATCH --output=%s/logs/%%a.log\n", j->folder);
    more_directives(t, j->more);
    char *cache = xasprintf("%s/cache", j->folder);
    append_shell(t,
                 "\n# Tasks compile each kernel once for all of them.\nexport REDSWEEP_CACHE=@\n"
                 "exec @ run @ --device @",
                 (const char *const[]){cache, j->program, j->config, j->device});
    text_append(t, " --shard \"$SLURM_ARRAY_TASK_ID/%d\"", j->tasks);
    append_shell(t, " --out @", &j->folder);
    text_append(t, " --wait-lock %d --requeue %d\n", WAIT_LOCK_S, j->requeue);
    free(cache);
}

void job_append_merge(const struct job *j, struct text *t)
{
    char *merged = xasprintf("%s/merged", j->folder);
    begin_script(j, "-merge", t);
    text_append(t, "#SBATCH --time=%d\n#SBATCH --output=%s/logs/merge.log\n", MERGE_MINUTES,
                j->folder);
    more_directives(t, j->more);
    append_shell(t,
                 "\n@ status @\n@ merge @ --out @\ncode=$?\n"
                 "# 0 and 1 (a doubtful shard): merged. Anything else: see above.\n"
                 "[ $code -le 1 ] || exit $code\n@ report @ || exit\nexit $code\n",
                 (const char *const[]){j->program, j->folder, j->program, j->folder, merged,
                                       j->program, merged});
    free(merged);
}

static bool write_file(const char *folder, const char *name, const struct text *text, mode_t mode,
                       struct error *e)
{
    char *path = xasprintf("%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    ok = f && fclose(f) == 0 && ok;
    if (!ok)
        FAIL(e, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    free(path);
    return ok;
}

bool job_write(const struct job *j, struct error *e)
{
    struct text array = {0}, merge = {0};
    char *logs = xasprintf("%s/logs", j->folder);
    job_append_array(j, &array);
    job_append_merge(j, &merge);
    bool ok = folder_create(logs, 0777, e) && write_file(j->folder, "submit.sh", &array, 0777, e) &&
              write_file(j->folder, "merge.sh", &merge, 0777, e);
    text_free(&array);
    text_free(&merge);
    free(logs);
    return ok;
}

/* "123" or "123;cluster", as sbatch --parsable prints it. */
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
        ok = write_file(j->folder, "jobs.txt", &numbers, 0666, e);
    }
    text_free(&numbers);
    return ok;
}
