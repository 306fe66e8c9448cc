/* file_replace() syncs the complete new file, renames it to the old name, and then syncs the
 * folder. After a power failure, either the old or the new file is there. The linker replaces
 * the C library's functions with those below (ld --wrap). */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "record/replace.h"

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);

static const char new_text[] = "{\"rows\": 3}\n";

/* the names of the calls so far, in order; "file 12" is the sync of a file of 12 bytes */
static char done[128];
static bool file_fails, folder_fails;
static int file_error = EIO;

static void note(const char *what)
{
    size_t used = strlen(done);
    snprintf(done + used, sizeof done - used, "%s%s", used ? ", " : "", what);
}

int __wrap_fsync(int fd)
{
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    bool of_folder = S_ISDIR(st.st_mode);
    char what[40] = "folder";
    if (!of_folder)
        snprintf(what, sizeof what, "file %lld", (long long)st.st_size);
    note(what);
    if (of_folder ? folder_fails : file_fails) {
        errno = of_folder ? EIO : file_error;
        return -1;
    }
    return __real_fsync(fd);
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    note("rename");
    return __real_renameat(from_folder, from, to_folder, to);
}

/* the path of a file that is deleted while the new file is being written, as another program might
 * do, or NULL */
static const char *deleted;

static bool write_new(void *context, FILE *to, struct error *e)
{
    (void)context, (void)e;
    fputs(new_text, to);
    if (deleted)
        assert_int_equal(unlink(in_folder(deleted)), 0);
    return true;
}

/* Replaces a file that contains "old". */
static bool replace(struct error *e)
{
    FILE *old = fopen(in_folder("a.json"), "w");
    assert_non_null(old);
    assert_true(fputs("old", old) >= 0);
    assert_int_equal(fclose(old), 0);
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(at >= 0);
    done[0] = '\0';
    bool ok = file_replace(at, folder, "a.json", write_new, NULL, e);
    assert_int_equal(close(at), 0);
    return ok;
}

static void expect_content(const char *wanted)
{
    char *text = file_text("a.json");
    assert_string_equal(text, wanted);
    free(text);
    assert_int_not_equal(access(in_folder("a.json.part"), F_OK), 0);
}

static void a_file_is_on_disk_before_it_has_its_name(void **state)
{
    (void)state;
    char wanted[64];
    file_fails = folder_fails = false;
    OK(replace(&e));
    snprintf(wanted, sizeof wanted, "file %zu, rename, folder", strlen(new_text));
    assert_string_equal(done, wanted);
    expect_content(new_text);
}

static void a_file_that_cannot_be_synced_replaces_nothing(void **state)
{
    (void)state;
    struct error e = {0};
    file_fails = true, folder_fails = false;
    assert_false(replace(&e));
    assert_null(strstr(done, "rename"));
    texts_expect("a file that cannot be synced", e.text);
    expect_content("old");
}

static void a_folder_that_cannot_be_synced_is_an_error(void **state)
{
    (void)state;
    struct error e = {0};
    file_fails = false, folder_fails = true;
    assert_false(replace(&e));
    texts_expect("a folder that cannot be synced", e.text);
    expect_content(new_text);
}

/* If there was no old file, the message must not say that it is unchanged. */
static void a_full_disk_names_no_file_that_is_not_there(void **state)
{
    (void)state;
    struct error e = {0};
    file_fails = true, folder_fails = false;
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(at >= 0);
    assert_false(file_replace(at, folder, "new.json", write_new, NULL, &e));
    texts_expect("a new file that cannot be synced", e.text);
    error_clear(&e);
    file_error = ENOSPC;
    assert_false(file_replace(at, folder, "new.json", write_new, NULL, &e));
    texts_expect("a full disk", e.text);
    file_error = EIO;
    assert_int_equal(close(at), 0);
}

/* The message says that somebody deleted the file, even if the whole folder is gone. */
static void a_deleted_file_is_said(void **state)
{
    (void)state;
    struct error e = {0};
    file_fails = folder_fails = false;
    deleted = "a.json.part";
    bool ok = replace(&e);
    deleted = NULL;
    assert_false(ok);
    texts_expect("a deleted file", e.text);
    expect_content("old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_on_disk_before_it_has_its_name),
        TEST(a_file_that_cannot_be_synced_replaces_nothing),
        TEST(a_folder_that_cannot_be_synced_is_an_error),
        TEST(a_full_disk_names_no_file_that_is_not_there),
        TEST(a_deleted_file_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
