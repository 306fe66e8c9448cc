/*
 * Kills a process that makes a run, before each of its calls that change files or close them. No
 * other process may ever see an incomplete run, and the remains must not block the next process.
 * The program is linked so that the functions below replace those of the C library (ld --wrap).
 */
#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "analyze/making.h"
#include "base/folder.h"
#include "record/replace.h"

/*
 * The process is killed at call number `kill_at`. If that is 0, it is not killed.
 */
static long calls, kill_at;

static void step(void)
{
    if (++calls == kill_at)
        (void)kill(getpid(), SIGKILL);
}

#define KILLED_BEFORE(name, parameters, arguments)                                                 \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        step();                                                                                    \
        return __real_##name arguments;                                                            \
    }
KILLED_BEFORE(rename, (const char *from, const char *to), (from, to))
KILLED_BEFORE(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
KILLED_BEFORE(unlink, (const char *path), (path))
KILLED_BEFORE(unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
KILLED_BEFORE(rmdir, (const char *path), (path))
KILLED_BEFORE(mkdir, (const char *path, mode_t mode), (path, mode))
KILLED_BEFORE(fsync, (int fd), (fd))
KILLED_BEFORE(close, (int fd), (fd))

static const char *const files[] = {"results.csv", "samples.csv", "run.json"};

static bool write_name(void *context, FILE *to, struct error *e)
{
    (void)e;
    return fputs(context, to) >= 0;
}

static bool make(const char *path, bool ok, struct error *e)
{
    struct making m;
    if (!making_begin(&m, path, e))
        return false;
    for (int i = 0; ok && i < 3; i++)
        ok = file_replace(m.fd, m.part, files[i], write_name, (void *)(uintptr_t)files[i], e);
    return making_end(&m, ok, e);
}

static const char *in_scratch(const char *path)
{
    static char whole[4][512];
    static int next;
    snprintf(whole[next %= 4], sizeof whole[0], "%s/%s", scratch, path);
    return whole[next++];
}

static int count_entries(const char *path)
{
    char command[600];
    snprintf(command, sizeof command, "exit $(ls -A '%s' | wc -l)", path);
    return WEXITSTATUS(system(command));
}

static void assert_whole(const char *path)
{
    for (int i = 0; i < 3; i++) {
        char file[600], text[32] = "";
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        FILE *f = fopen(file, "r");
        assert_non_null(f);
        assert_non_null(fgets(text, sizeof text, f));
        assert_string_equal(text, files[i]);
        fclose(f);
    }
}

static void a_killed_maker_leaves_all_or_nothing_and_blocks_nobody(void **state)
{
    (void)state;
    const char *run = in_scratch("killed"), *part = in_scratch("killed.part");
    long survived = 0, finished = 0;
    for (long at = 1; !survived; at++) {
        static struct error e;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            calls = 0, kill_at = at;
            _exit(make(run, true, &e) ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        survived = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? at : 0;
        assert_true(survived || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
        bool there = folder_exists(run);
        if (there)
            assert_whole(run);
        /* The next process is refused only if the killed one had finished the run. */
        bool again = make(run, true, &e);
        finished += !again;
        assert_true(again || there);
        if (!again)
            texts_expect("a run that is finished", e.text);
        assert_whole(run);
        assert_false(folder_exists(part));
        char command[600];
        snprintf(command, sizeof command, "rm -r '%s'", run);
        assert_int_equal(system(command), 0);
    }
    assert_true(survived > 30); /* shows that calls were counted */
    /* These processes had finished the run when they were killed, or were not killed at all. */
    assert_true(finished <= 5);
}

static void a_maker_that_fails_leaves_nothing(void **state)
{
    (void)state;
    static struct error e;
    assert_false(make(in_scratch("fails"), false, &e));
    assert_false(folder_exists(in_scratch("fails")));
    assert_false(folder_exists(in_scratch("fails.part")));
}

/* No file is removed from a folder without the mark (.merge), nor from a marked folder with a
 * file that no maker of runs writes. */
static void what_no_maker_has_left_stays(void **state)
{
    (void)state;
    static struct error e;
    put("foreign.part", "results.csv", "precious");
    assert_false(make(in_scratch("foreign"), true, &e));
    texts_expect("a foreign folder", e.text);
    put("foreign.part", ".merge", "");
    put("foreign.part", "notes.txt", "precious");
    assert_false(make(in_scratch("foreign"), true, &e));
    texts_expect("a file that no maker writes", e.text);
    assert_int_equal(count_entries(in_scratch("foreign.part")), 3);
    assert_false(folder_exists(in_scratch("foreign")));
    /* A link in place of the folder is not followed. */
    put("target", ".merge", "");
    put("target", "results.csv", "precious");
    assert_int_equal(symlink(in_scratch("target"), in_scratch("linked.part")), 0);
    assert_false(make(in_scratch("linked"), true, &e));
    texts_expect("a link in the place of the folder", e.text);
    assert_int_equal(count_entries(in_scratch("target")), 2);
    /* The run exists. */
    put("full", "results.csv", "precious");
    assert_false(make(in_scratch("full"), true, &e));
    texts_expect("a folder that is full", e.text);
}

static void an_empty_folder_and_a_link_to_it_will_do(void **state)
{
    (void)state;
    static struct error e;
    assert_int_equal(mkdir(in_scratch("empty"), 0777), 0);
    assert_int_equal(symlink("empty", in_scratch("link")), 0);
    if (!make(in_scratch("link/"), true, &e))
        fail_msg("%s", e.text);
    assert_whole(in_scratch("empty"));
    assert_int_equal(count_entries(in_scratch("empty")), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_maker_leaves_all_or_nothing_and_blocks_nobody),
        cmocka_unit_test(a_maker_that_fails_leaves_nothing),
        cmocka_unit_test(what_no_maker_has_left_stays),
        cmocka_unit_test(an_empty_folder_and_a_link_to_it_will_do),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
