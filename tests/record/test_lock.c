/* Releases the lock of a run at the most critical moment: another process has opened the lock file
 * without locking it so far, and locks it after the owner has removed the file's name.
 * folder_lock() calls fstat() between these steps, and the linker replaces the C library's fstat()
 * with the one below (ld --wrap). */
#include "fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "record/lock.h"

int __real_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st);

/* Called between the opening of the lock file and its locking, unless NULL. */
static void (*between)(void);

int __wrap_fstat(int fd, struct stat *st)
{
    if (between)
        between();
    return __real_fstat(fd, st);
}

/* Starts a process that takes the lock and reports success or failure. It releases the lock when
 * the test asks it to. */
static struct owner {
    pid_t process;
    int says, hears;
} owner;

static bool owner_start(void)
{
    int says[2] = {-1, -1}, hears[2] = {-1, -1};
    char locked = 0;
    assert_true(pipe(says) == 0 && pipe(hears) == 0);
    owner.process = fork();
    assert_true(owner.process >= 0);
    if (owner.process == 0) {
        int lock;
        struct error e = {0};
        char word;
        close(says[0]), close(hears[1]);
        locked = folder_lock(folder, &lock, &e) ? 'y' : e.kind == ERROR_BUSY ? 'n' : '?';
        if (write(says[1], &locked, 1) != 1 || read(hears[0], &word, 1) < 0)
            _exit(1);
        if (locked == 'y')
            folder_unlock(folder, lock);
        _exit(0);
    }
    close(says[1]), close(hears[0]);
    owner.says = says[0], owner.hears = hears[1];
    assert_int_equal(read(owner.says, &locked, 1), 1);
    assert_true(locked == 'y' || locked == 'n');
    return locked == 'y';
}

/* Makes the process release the lock, and waits until it has ended. */
static void owner_end(void)
{
    int status;
    assert_int_equal(close(owner.hears), 0);
    assert_int_equal(waitpid(owner.process, &status, 0), owner.process);
    assert_int_equal(status, 0);
    assert_int_equal(close(owner.says), 0);
}

static void let_go_once(void)
{
    between = NULL;
    owner_end();
}

static void an_owner_that_lets_go_meanwhile_leaves_no_second_lock(void **state)
{
    (void)state;
    int lock;
    assert_true(owner_start());
    between = let_go_once;
    OK(folder_lock(folder, &lock, &e));
    assert_null(between); /* proves that between() was called */
    assert_false(owner_start());
    owner_end();
    folder_unlock(folder, lock);
    assert_true(owner_start());
    owner_end();
}

static void remove_lock_file(void)
{
    (void)unlink(in_folder(".lock"));
}

static void a_lock_file_that_is_always_deleted_is_an_error(void **state)
{
    (void)state;
    int lock;
    struct error e = {0};
    between = remove_lock_file;
    assert_false(folder_lock(folder, &lock, &e));
    between = NULL;
    texts_expect("a lock file that is always deleted", e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_owner_that_lets_go_meanwhile_leaves_no_second_lock),
        TEST(a_lock_file_that_is_always_deleted_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
