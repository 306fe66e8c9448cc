/* Locks a run's folder. */
#include "record/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void lock_file(const char *path, char *file, size_t size)
{
    snprintf(file, size, "%s/.lock", path);
}

/*
 * Returns whether the open file `fd` still has the name `file`. The process that held the lock
 * before may have removed the file in the meantime.
 */
static bool is_named(int fd, const char *file)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(file, &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

static bool taken(int fd, const char *path, struct error *e)
{
    int why = errno;
    struct flock owner = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool known = fcntl(fd, F_GETLK, &owner) == 0 && owner.l_type != F_UNLCK;
    if (why != EAGAIN && why != EACCES)
        return FAIL(e, ERROR_SYSTEM, "cannot lock %s: %s", path, strerror(why));
    char process[40] = "";
    if (known && owner.l_pid > 0) /* otherwise the owner is on another host */
        snprintf(process, sizeof process, " (process %ld)", (long)owner.l_pid);
    return FAIL(e, ERROR_BUSY,
                "another run%s is writing into %s; wait for it with --wait-lock SECONDS, or choose "
                "another folder with --out",
                process, path);
}

bool folder_lock(const char *path, int *lock, struct error *e)
{
    char file[4200];
    lock_file(path, file, sizeof file);
    for (int again = 0; again < 100; again++) {
        int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        struct stat st;
        if (fd < 0)
            return FAIL(e, ERROR_SYSTEM, "cannot lock %s: %s", path, strerror(errno));
        if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
            close(fd);
            return FAIL(e, ERROR_SYSTEM, "%s cannot be locked, because %s is not a regular file",
                        path, file);
        }
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        if (fcntl(fd, F_SETLK, &all) != 0) {
            taken(fd, path, e);
            close(fd);
            return false;
        }
        if (is_named(fd, file)) {
            *lock = fd;
            return true;
        }
        close(fd);
    }
    return FAIL(e, ERROR_SYSTEM,
                "%s cannot be locked, because another program keeps deleting its lock file", path);
}

bool folder_lock_wait(const char *path, int wait_s, int *lock, struct error *e)
{
    struct error why = {0};
    for (int waited = 0; !folder_lock(path, lock, &why); waited++) {
        if (why.kind != ERROR_BUSY || waited >= wait_s) {
            if (e)
                *e = why;
            return false;
        }
        if (waited == 0)
            fprintf(stderr, "another run is writing into %s; redsweep waits for it up to %d s\n",
                    path, wait_s);
        sleep(1);
        error_clear(&why);
    }
    return true;
}

void folder_unlock(const char *path, int lock)
{
    char file[4200];
    lock_file(path, file, sizeof file);
    if (is_named(lock, file))
        (void)unlink(file); /* processes that have the file open notice that it was removed */
    close(lock);
}

bool folder_is_idle(const char *path, struct error *e)
{
    char file[4200];
    lock_file(path, file, sizeof file);
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    /* Without a lock file, no process is writing. */
    if (fd < 0)
        return true;
    struct flock owner = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool busy = fcntl(fd, F_GETLK, &owner) == 0 && owner.l_type != F_UNLCK;
    close(fd);
    return !busy || FAIL(e, ERROR_BUSY,
                         "another run is still writing into %s; wait until it has ended", path);
}
